#pragma once

#include "docker/answers.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::docker {

inline void append_flag(std::string& json, bool flag) { json.append(flag ? "true" : "false"); }

inline void append_strings(std::string& json, const std::string* begin, const std::string* end) {
    json.push_back('[');
    for (const std::string* text = begin; text != end; ++text) {
        if (text != begin) {
            json.push_back(',');
        }
        append_json(json, *text);
    }
    json.push_back(']');
}

inline void append_strings(std::string& json, const std::vector<std::string>& texts) {
    append_strings(json, texts.data(), texts.data() + texts.size());
}

inline void append_list_or_null(std::string& json, const std::vector<std::string>& texts) {
    if (texts.empty()) {
        json.append("null");
    } else {
        append_strings(json, texts);
    }
}

void append_labels(std::string& json, const SandboxConfig& config);

}  // namespace drydock::sim::docker
