#include "engine/streams.hpp"

#include <algorithm>
#include <utility>

namespace drydock::sim {
namespace {

constexpr std::size_t longest_line = 16384;

std::string with_carriage_returns(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() + 8);
    for (const char byte : bytes) {
        if (byte == '\n') {
            text.push_back('\r');
        }
        text.push_back(byte);
    }
    return text;
}

}  // namespace

void ListenerOutlet::write(std::string_view bytes) {
    const auto listener = listener_.lock();
    if (!listener || bytes.empty()) {
        return;
    }
    if (is_terminal_) {
        listener->written(Source::out, with_carriage_returns(bytes));
    } else {
        listener->written(source_, bytes);
    }
}

void Streams::forget(const Listener& listener) {
    const auto is_it = [&](const auto& held) { return held.get() == &listener; };
    std::erase_if(attached_, is_it);
    std::erase_if(followers_, is_it);
}

// A listener may act at once, so a copy of the list is walked.
void Streams::written(Source source, std::string_view bytes) {
    const auto attached = attached_;
    for (const auto& listener : attached) {
        listener->written(source, bytes);
    }
    std::string& line = unfinished(source);
    for (const char byte : bytes) {
        line.push_back(byte);
        if (byte == '\n' || line.size() == longest_line) {
            log_line(source, std::exchange(line, {}));
        }
    }
}

void Streams::log_line(Source source, std::string text) {
    log_.push_back({world_.now(), source, std::move(text)});
    const std::string logged = log_.back().text;
    const auto followers = followers_;
    for (const auto& listener : followers) {
        listener->written(source, logged);
    }
}

void Streams::ended() {
    for (const Source source : {Source::out, Source::err}) {
        if (!unfinished(source).empty()) {
            log_line(source, std::exchange(unfinished(source), {}));
        }
    }
    const auto attached = std::exchange(attached_, {});
    const auto followers = std::exchange(followers_, {});
    for (const auto& listener : attached) {
        listener->ended();
    }
    for (const auto& listener : followers) {
        listener->ended();
    }
}

}  // namespace drydock::sim
