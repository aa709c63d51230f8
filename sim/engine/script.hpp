#pragma once

#include <drydock/time.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// A statement of a shell script, as far as scripts are modelled: a simple command, or a loop.
struct Statement {
    enum class Kind : std::uint8_t {
        command,
        background,  ///< a command with `&`
        for_each,    ///< `text`: the name and the words of a `for`
        forever,     ///< a `while`, whose condition is not looked at
    };
    enum class RunIf : std::uint8_t { always, success, failure };
    Kind kind = Kind::command;
    RunIf run_if = RunIf::always;   ///< what the statement before must have come to
    std::string text{};             ///< of a command: its words, not expanded yet
    std::vector<Statement> body{};  ///< of a loop
};

/// Statements separated by `;`, `&`, `&&`, `||` and new lines, loops with `do` and `done`.
std::vector<Statement> parse_script(std::string_view text);

using Variables = std::function<std::string(std::string_view name)>;

/// The words of a simple command: quotes removed, `$NAME`, `${NAME}`, `$?` and `$$` put in. What is
/// unquoted is not split again.
std::vector<std::string> words_of(std::string_view text, const Variables& variables);

/// What a `sleep` waits: "300" and "0.7" are seconds; nothing: for ever.
std::optional<Duration> sleep_time(std::string_view text);
/// Of "TERM", "SIGTERM" and "15".
std::optional<int> signal_of(std::string_view text);
std::optional<int> plain_number(std::string_view text);

/// What `echo` and `printf` print.
std::string echoed(const std::vector<std::string>& words);
std::string formatted(const std::vector<std::string>& words);

}  // namespace drydock::sim
