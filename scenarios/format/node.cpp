#include "format/node.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/faults/input_error.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace drydock::scenarios {
namespace {

constexpr std::size_t longest_name = 128;
constexpr std::size_t longest_process_name = 64;
constexpr std::size_t longest_key = 1024;
constexpr std::size_t longest_duration = 64;

bool is_name(std::string_view text) {
    const auto alphanumeric = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !text.empty() && alphanumeric(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return alphanumeric(c) || c == '_' || c == '.' || c == '-'; });
}

}  // namespace

void Node::fail(std::string message) const {
    throw faults::InputError(pointer_, std::move(message));
}

bool Node::is_string() const { return json_->is_string(); }

bool Node::is_array() const { return json_->is_array(); }

bool Node::is_object() const { return json_->is_object(); }

bool Node::is_boolean() const { return json_->is_boolean(); }

void Node::check_fields(std::span<const std::string_view> known) const {
    for (const auto& [field, node] : members()) {
        if (std::find(known.begin(), known.end(), field) == known.end()) {
            node.fail(fmt::format("unknown field {}{}", faults::in_quotes(field),
                                  faults::did_you_mean(field, known)));
        }
    }
}

Node Node::at(std::string_view field) const {
    if (auto found = find(field)) {
        return *std::move(found);
    }
    fail(fmt::format("no field \"{}\"", field));
}

std::optional<Node> Node::find(std::string_view field) const {
    const auto found = json_->find(std::string(field));
    if (found == json_->end()) {
        return std::nullopt;
    }
    return Node(*found, faults::below(pointer_, field));
}

std::vector<std::pair<std::string, Node>> Node::members() const {
    if (!is_object()) {
        fail("not an object");
    }
    std::vector<std::pair<std::string, Node>> all;
    for (const auto& [field, value] : json_->items()) {
        all.emplace_back(field, Node(value, faults::below(pointer_, field)));
    }
    return all;
}

std::vector<Node> Node::items(std::size_t least, std::size_t most) const {
    if (!is_array()) {
        fail("not a list");
    }
    if (json_->size() < least) {
        fail(fmt::format("has {} elements; it needs at least {}", json_->size(), least));
    }
    if (json_->size() > most) {
        fail(fmt::format("has {} elements; at most {} are allowed", json_->size(), most));
    }
    std::vector<Node> all;
    for (std::size_t i = 0; i < json_->size(); ++i) {
        all.emplace_back((*json_)[i], faults::below(pointer_, i));
    }
    return all;
}

const std::string& Node::text(std::size_t longest) const {
    if (!is_string()) {
        fail("not a string");
    }
    const auto& text = json_->get_ref<const std::string&>();
    if (text.size() > longest) {
        fail(fmt::format("is longer than {} bytes", longest));
    }
    return text;
}

std::string Node::name() const {
    const std::string& name = text(longest_name);
    if (!is_name(name)) {
        fail(fmt::format("{} is not a name ([A-Za-z0-9][A-Za-z0-9_.-]*)", faults::in_quotes(name)));
    }
    return name;
}

std::string Node::process_name() const {
    const std::string& name = text(longest_process_name);
    if (!faults::is_process_name(name)) {
        fail(fmt::format("{} is not a name ([a-z0-9][a-z0-9_.-]*)", faults::in_quotes(name)));
    }
    return name;
}

std::string Node::key() const {
    const std::string& key = text(longest_key);
    if (key.empty()) {
        fail("a lease key cannot be empty");
    }
    return key;
}

std::string Node::job_id() const {
    const std::string& id = text(longest_key);
    if (id.empty()) {
        fail("a job id cannot be empty");
    }
    if (id.find('\0') != std::string::npos) {
        fail("a job id cannot have a character of value 0");
    }
    return id;
}

bool Node::boolean() const {
    if (!is_boolean()) {
        fail("is not true or false");
    }
    return json_->get<bool>();
}

std::size_t Node::word(std::span<const std::string_view> words, std::string_view what) const {
    const std::string& word = text(longest_name);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
        fail(fmt::format("unknown {} {}{} (known: {})", what, faults::in_quotes(word),
                         faults::did_you_mean(word, words), fmt::join(words, ", ")));
    }
    return static_cast<std::size_t>(found - words.begin());
}

std::uint32_t Node::count(std::uint32_t least, std::uint32_t most) const {
    // Beyond 64 bits the parser makes a whole number a floating-point one.
    const bool is_huge = json_->is_number_float() && std::abs(json_->get<double>()) >= 0x1p63;
    if (!json_->is_number_integer() && !is_huge) {
        fail("is not a whole number");
    }
    // A negative number and one beyond 63 bits are both out of range, whatever they convert to.
    const bool fits = json_->is_number_unsigned() && json_->get<std::uint64_t>() <= most;
    if (!fits || json_->get<std::uint64_t>() < least) {
        fail(fmt::format("{} is out of range ({} to {})", json_->dump(), least, most));
    }
    return json_->get<std::uint32_t>();
}

double Node::share() const {
    if (!json_->is_number() || !(json_->get<double>() >= 0) || !(json_->get<double>() <= 1)) {
        fail("is not a number from 0 to 1");
    }
    return json_->get<double>();
}

Duration Node::duration() const {
    if (!is_string()) {
        fail("not a duration; write it as text, as in \"2s\"");
    }
    const std::string& spelling = text(longest_duration);
    try {
        return faults::parse_duration(spelling);
    } catch (const faults::InputError& error) {
        throw error.under(pointer_);
    }
}

Duration Node::positive_duration() const {
    const Duration read = duration();
    if (read == Duration{}) {
        fail("must be longer than 0s");
    }
    return read;
}

}  // namespace drydock::scenarios
