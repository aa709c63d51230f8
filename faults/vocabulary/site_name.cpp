#include <drydock/faults/input_error.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>

namespace drydock::faults {
namespace {

constexpr std::string_view shape = "process[lease]/operation#n/aspect";

bool is_bare(char c) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return letter || (c >= '0' && c <= '9') ||
           std::string_view("_.~:-").find(c) != std::string_view::npos;
}

/// Reads a site from left to right; knows where it stands, for messages.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text), rest_(text) {}

    /// Everything up to `end`, which is taken too.
    std::string_view until(char end, std::string_view what) {
        start_ = static_cast<std::size_t>(rest_.data() - text_.data());
        const std::size_t length = rest_.find(end);
        if (length == std::string_view::npos) {
            fail(fmt::format("no '{}' after the {}; a site reads {}", end, what, shape));
        }
        const std::string_view part = rest_.substr(0, length);
        rest_.remove_prefix(length + 1);
        return part;
    }

    std::string_view remainder() {
        start_ = static_cast<std::size_t>(rest_.data() - text_.data());
        return rest_;
    }

    void expect(char c, std::string_view before) {
        if (!rest_.starts_with(c)) {
            start_ = static_cast<std::size_t>(rest_.data() - text_.data());
            fail(fmt::format("no '{}' before the {}; a site reads {}", c, before, shape));
        }
        rest_.remove_prefix(1);
    }

    [[noreturn]] void fail(std::string_view reason, std::size_t offset = 0) const {
        throw InputError("", fmt::format("site {}, character {}: {}", in_quotes(text_),
                                         start_ + offset + 1, reason));
    }

private:
    std::string_view text_;
    std::string_view rest_;
    std::size_t start_ = 0;  ///< where the part read last begins
};

std::string read_process(Reader& reader) {
    const std::string_view process = reader.until('[', "process");
    if (!is_process_name(process)) {
        reader.fail(
            fmt::format("{} is not a process name ([a-z0-9][a-z0-9_.-]*)", in_quotes(process)));
    }
    return std::string(process);
}

std::string read_lease(Reader& reader) {
    const std::string_view text = reader.until(']', "lease");
    if (text.empty()) {
        reader.fail("no lease key; write [-] where there is none");
    }
    if (text == "-") {
        return {};
    }
    std::string key;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            if (!is_bare(text[i])) {
                const auto byte = static_cast<unsigned char>(text[i]);
                reader.fail(fmt::format("this character is written %{:02X} in a site", byte), i);
            }
            key += text[i];
            continue;
        }
        unsigned byte = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2) {
            reader.fail("'%' needs two hexadecimal digits", i);
        }
        key += static_cast<char>(byte);
        i += 2;
    }
    return key;
}

Operation read_operation(Reader& reader) {
    const std::string_view text = reader.until('#', "operation");
    if (const auto operation = operation_from_name(text)) {
        return *operation;
    }
    std::array<std::string_view, operation_count> known{};
    for (std::size_t i = 0; i < known.size(); ++i) {
        known[i] = name(static_cast<Operation>(i));
    }
    reader.fail(fmt::format("unknown operation {}{}", in_quotes(text), did_you_mean(text, known)));
}

std::uint32_t read_n(Reader& reader) {
    const std::string_view text = reader.until('/', "call number");
    std::uint32_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (!whole || n == 0 || n > Site::max_n || text.starts_with('0')) {
        reader.fail(fmt::format("{} is not a call number (1 to {}, counted from 1)",
                                in_quotes(text), Site::max_n));
    }
    return n;
}

Aspect read_aspect(Reader& reader) {
    const std::string_view text = reader.remainder();
    if (const auto aspect = aspect_from_name(text)) {
        return *aspect;
    }
    std::array<std::string_view, aspect_count> known{};
    for (std::size_t i = 0; i < known.size(); ++i) {
        known[i] = name(static_cast<Aspect>(i));
    }
    reader.fail(fmt::format("unknown aspect {} ({}){}", in_quotes(text), one_of(known),
                            did_you_mean(text, known)));
}

}  // namespace

SiteName SiteName::parse(std::string_view text) {
    Reader reader(text);
    SiteName site;
    site.process = read_process(reader);
    site.lease = read_lease(reader);
    reader.expect('/', "operation");
    site.operation = read_operation(reader);
    site.n = read_n(reader);
    site.aspect = read_aspect(reader);
    return site;
}

std::string encode_lease(std::string_view key) {
    if (key == "-") {
        return "%2D";
    }
    std::string text;
    for (const char c : key) {
        if (is_bare(c)) {
            text += c;
        } else {
            text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return text;
}

std::string to_string(const SiteName& site) {
    return fmt::format("{}[{}]/{}#{}/{}", site.process,
                       site.lease.empty() ? "-" : encode_lease(site.lease), name(site.operation),
                       site.n, name(site.aspect));
}

std::string to_string(const Site& site, const Names& names) {
    return to_string(spell_out(site, names));
}

SiteName spell_out(const Site& site, const Names& names) {
    return {names.process_name(site.process), names.lease_key(site.lease), site.operation, site.n,
            site.aspect};
}

Site intern(const SiteName& site, Names& names) {
    return {names.process(site.process), names.lease(site.lease), site.operation, site.n,
            site.aspect};
}

}  // namespace drydock::faults
