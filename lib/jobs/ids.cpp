#include "jobs/ids.hpp"

#include <drydock/utf8.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace drydock::jobs {
namespace {

constexpr std::size_t longest_name = 64;

bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_name_character(char c) { return is_alphanumeric(c) || c == '_' || c == '.' || c == '-'; }

bool is_hash(std::string_view id) {
    constexpr std::string_view digits = "0123456789abcdef";
    return id.size() == 33 && id.front() == 'x' &&
           id.find_first_not_of(digits, 1) == std::string_view::npos;
}

// The guard itself lies beside the folders, and so do those that have a hash for a name.
bool is_plain(std::string_view id) {
    return !id.empty() && id.size() <= longest_name && is_alphanumeric(id.front()) &&
           std::all_of(id.begin(), id.end(), is_name_character) && id != "guard" && !is_hash(id);
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    return hash;
}

// What a system call or JSON would cut or change.
bool is_passable(std::string_view text) {
    return !first_invalid_utf8(text) && text.find('\0') == std::string_view::npos;
}

bool is_assignment(std::string_view text) {
    const std::size_t equals = text.find('=');
    return equals != std::string_view::npos && equals > 0;
}

}  // namespace

std::string folder_name(std::string_view id) {
    if (is_plain(id)) return std::string(id);
    return fmt::format("x{:016x}{:016x}", fnv1a(id, 14695981039346656037U), fnv1a(id, id.size()));
}

std::optional<std::string> why_no_id(std::string_view id) {
    if (id.empty()) return "the job's id is empty";
    if (!is_passable(id)) return "the job's id is not UTF-8 without zero bytes";
    return std::nullopt;
}

std::optional<std::string> why_impossible(const JobSpec& spec) {
    if (auto why = why_no_id(spec.id)) return why;
    if (spec.argv.empty() || spec.argv.front().empty()) return "the job has no command";
    // busybox's `exec` takes it for an option, and dash's knows no "--".
    if (spec.argv.front().front() == '-') return "the job's command begins with a hyphen";
    if (!std::all_of(spec.argv.begin(), spec.argv.end(), is_passable)) {
        return "the job's command is not UTF-8 without zero bytes";
    }
    for (const std::string& text : spec.environment) {
        if (!is_passable(text) || !is_assignment(text)) {
            return "the job's environment has an entry that is not NAME=value in UTF-8";
        }
        if (text.starts_with("DRYDOCK_JOB=")) {
            return "the job's environment sets DRYDOCK_JOB, by which a job is known";
        }
    }
    if (!spec.working_dir.empty() &&
        (!is_passable(spec.working_dir) || spec.working_dir.front() != '/')) {
        return "the job's working directory is not an absolute path in UTF-8";
    }
    if (spec.timeout && *spec.timeout <= Duration::zero())
        return "the job's timeout is not positive";
    return std::nullopt;
}

std::string escaped(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() * 5);
    for (const char c : bytes) {
        fmt::format_to(std::back_inserter(text), "\\0{:03o}", static_cast<unsigned char>(c));
    }
    return text;
}

}  // namespace drydock::jobs
