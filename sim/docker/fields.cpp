#include "docker/fields.hpp"

#include <fmt/format.h>

namespace drydock::sim::docker {

using nlohmann::json;

std::string_view type_word(const json& value) {
    switch (value.type()) {
        case json::value_t::array: return "array";
        case json::value_t::object: return "object";
        case json::value_t::string: return "string";
        case json::value_t::boolean: return "bool";
        default: return "number";
    }
}

const json* Fields::find(const char* key) const {
    const auto at = object_.find(key);
    return at == object_.end() || at->is_null() ? nullptr : &*at;
}

const json* Fields::find_object(const char* key, std::string_view wanted) {
    const json* value = find(key);
    if (value != nullptr && !value->is_object()) {
        refuse(key, *value, wanted);
        return nullptr;
    }
    return value;
}

const json* Fields::find_array(const char* key, std::string_view wanted) {
    const json* value = find(key);
    if (value != nullptr && !value->is_array()) {
        refuse(key, *value, wanted);
        return nullptr;
    }
    return value;
}

void Fields::read(const char* key, std::string& to) {
    if (const json* value = find(key)) {
        if (value->is_string()) {
            value->get_to(to);
        } else {
            refuse(key, *value, "string");
        }
    }
}

void Fields::read(const char* key, bool& to) {
    if (const json* value = find(key)) {
        if (value->is_boolean()) {
            value->get_to(to);
        } else {
            refuse(key, *value, "bool");
        }
    }
}

void Fields::read(const char* key, std::int64_t& to) {
    if (const json* value = find(key)) {
        if (value->is_number_integer()) {
            value->get_to(to);
        } else {
            refuse(key, *value, "int64");
        }
    }
}

void Fields::read(const char* key, std::vector<std::string>& to) {
    const json* list = find_array(key, "[]string");
    if (list == nullptr) {
        return;
    }
    for (const json& element : *list) {
        if (element.is_string()) {
            to.push_back(element.get<std::string>());
        } else {
            refuse(key, element, "string");
        }
    }
}

void Fields::refuse(std::string_view key, const json& value, std::string_view wanted) {
    if (!refusal_) {
        refusal_ =
            Refusal{500, fmt::format("json: cannot unmarshal {} into Go struct field {}{} of type "
                                     "{}",
                                     type_word(value), struct_name_, key, wanted)};
    }
}

std::string clean_path(std::string_view path) {
    std::vector<std::string_view> parts;
    const bool is_rooted = path.starts_with('/');
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (part.empty() || part == ".") {
            continue;
        }
        if (part != "..") {
            parts.push_back(part);
        } else if (!parts.empty() && parts.back() != "..") {
            parts.pop_back();
        } else if (!is_rooted) {
            parts.push_back(part);
        }
    }
    std::string clean = is_rooted ? "/" : "";
    for (const std::string_view part : parts) {
        if (!clean.empty() && clean.back() != '/') {
            clean.push_back('/');
        }
        clean.append(part);
    }
    return clean.empty() ? "." : clean;
}

}  // namespace drydock::sim::docker
