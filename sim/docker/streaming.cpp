#include "docker/streaming.hpp"

#include <algorithm>
#include <utility>

namespace drydock::sim::docker {
namespace {

constexpr std::string_view raw_stream = "application/vnd.docker.raw-stream";

/// 0 if it is no key.
char key_of(std::string_view word) {
    constexpr std::string_view ctrl = "ctrl-";
    if (word.size() == 1) {
        return word[0];
    }
    const bool is_ctrl = word.starts_with(ctrl) && word.size() == ctrl.size() + 1;
    const char key = is_ctrl ? word.back() : '\0';
    const bool is_known = (key >= 'a' && key <= 'z') || (key >= '@' && key <= '_');
    return is_known ? static_cast<char>(key & 0x1f) : '\0';
}

}  // namespace

std::string frame(Source source, std::string_view bytes) {
    std::string text = {static_cast<char>(source), '\0', '\0', '\0'};
    for (int shift = 24; shift >= 0; shift -= 8) {
        text.push_back(static_cast<char>(bytes.size() >> shift & 0xff));
    }
    return text.append(bytes);
}

Response hijack_head(const Request& request) {
    Response head;
    head.status = request.asks_upgrade ? 101 : 200;
    head.headers = {{"Content-Type", std::string(raw_stream)}};
    if (request.asks_upgrade) {
        head.headers.push_back({"Connection", "Upgrade"});
        head.headers.push_back({"Upgrade", "tcp"});
    }
    return head;
}

Response hijack_error(int status, const std::string& message) {
    Response response;
    response.status = status;
    response.headers = {{"Content-Type", std::string(raw_stream)}};
    response.body = message + "\r\n";
    return response;
}

void StreamWriter::written(Source source, std::string_view bytes) {
    const bool is_wanted = source == Source::out ? wanted_.out : wanted_.err;
    if (!is_wanted || !stream_) {
        return;
    }
    if (is_framed_) {
        stream_->send(frame(source, bytes));
    } else {
        stream_->send(bytes);
    }
}

void StreamWriter::ended() {
    if (const auto stream = std::exchange(stream_, nullptr)) {
        stream->end();
    }
}

void StreamWriter::say(std::string_view text) {
    stream_->send(is_framed_ ? frame(Source::out, text) : std::string(text));
}

std::optional<DetachKeys> DetachKeys::read(std::string_view text) {
    std::string keys;
    for (text = text.empty() ? "ctrl-p,ctrl-q" : text; !text.empty();) {
        const std::size_t end = std::min(text.find(','), text.size());
        const char key = key_of(text.substr(0, end));
        if (key == '\0') {
            return std::nullopt;
        }
        keys.push_back(key);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return DetachKeys(std::move(keys));
}

std::optional<std::string> DetachKeys::pass(std::string_view bytes) {
    std::string passed;
    for (const char byte : bytes) {
        if (byte == keys_[pressed_]) {
            if (++pressed_ == keys_.size()) {
                return std::nullopt;
            }
            continue;
        }
        passed.append(keys_, 0, std::exchange(pressed_, 0));
        passed.push_back(byte);
    }
    return passed;
}

}  // namespace drydock::sim::docker
