#include <drydock/reports/gate.hpp>

#include <fmt/format.h>

namespace drydock::reports {
namespace {

// As a shell reads one word.
std::string quoted(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+:=@,-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

std::string replay_command(const scenarios::TestedRun& run) {
    return fmt::format("./drydock replay --client {} --backend {} {}", quoted(run.client),
                       quoted(run.backend), quoted(run.file));
}

}  // namespace drydock::reports
