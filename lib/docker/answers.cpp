#include "docker/answers.hpp"
#include "docker/json_cursor.hpp"

#include <algorithm>

namespace drydock::docker {
namespace {

constexpr std::size_t longest_message = 1000;

/// The length of the valid UTF-8 sequence that `text` begins with, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) {
        return i < text.size() && (byte(i) & 0xc0) == 0x80;
    };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first < 0xe0 && continues(1)) {
        return 2;
    }
    if (first >= 0xe0 && first < 0xf0 && continues(1) && continues(2)) {
        const bool overlong = first == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xf0 && first < 0xf5 && continues(1) && continues(2) && continues(3)) {
        const bool out_of_range =
            (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
        return out_of_range ? 0 : 4;
    }
    return 0;
}

/// A server's text ends up in logs and JSON reports: valid UTF-8 on one line, bounded.
bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7f; }

std::string presentable(std::string_view text) {
    const auto plain = std::find_if_not(text.begin(), text.end(), is_printable_ascii);
    std::string shown(text.begin(), plain);
    shown.resize(std::min(shown.size(), longest_message));
    text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
    while (!text.empty() && shown.size() < longest_message) {
        const std::size_t length = sequence_length(text);
        if (length > 1) {
            shown.append(text, 0, length);
        } else if (length == 1 && text[0] >= 0x20 && text[0] != 0x7f) {
            shown.push_back(text[0]);
        } else if (length == 1) {
            shown.push_back(' ');
        } else {
            shown.push_back('?');
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    const std::size_t last = shown.find_last_not_of(' ');
    shown.erase(last == std::string::npos ? 0 : last + 1);
    return shown;
}

}  // namespace

std::optional<std::string> read_created_id(std::string_view body) {
    std::string id;
    JsonCursor json(body);
    json.enter_object();
    std::string_view key;
    while (json.next_key(key)) {
        if (key == "Id") {
            json.read_string(id);
        } else {
            json.skip();
        }
    }
    if (id.empty() || !json.at_end()) {
        return std::nullopt;
    }
    return id;
}

std::optional<ExecStatus> read_exec(std::string_view body) {
    ExecStatus status;
    bool says_running = false;
    bool says_code = false;
    JsonCursor json(body);
    json.enter_object();
    std::string_view key;
    while (json.next_key(key)) {
        if (key == "Running") {
            says_running = json.read_bool(status.is_running);
        } else if (key == "ExitCode") {
            says_code = json.take_null() || json.read_int(status.exit_code.emplace());
        } else {
            json.skip();
        }
        if (says_running && says_code) {
            // Some engines say 0 before there is a code.
            if (status.is_running) status.exit_code.reset();
            return status;
        }
    }
    return std::nullopt;
}

Refusal read_refusal(std::string_view body) {
    Refusal refusal;
    JsonCursor json(body);
    json.enter_object();
    std::string_view key;
    std::string text;
    while (json.next_key(key)) {
        std::string* const field = key == "message" ? &refusal.message
                                   : key == "code"  ? &refusal.code
                                                    : nullptr;
        if (field != nullptr && json.at_string()) {
            json.read_string(text);
            *field = presentable(text);
        } else {
            json.skip();
        }
    }
    if (refusal.message.empty()) {
        refusal.message = presentable(body.substr(0, 200));
    }
    return refusal;
}

}  // namespace drydock::docker
