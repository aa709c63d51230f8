#include "engine/command.hpp"

#include "engine/programs.hpp"
#include "engine/script.hpp"
#include "engine/signals.hpp"

#include <algorithm>
#include <array>

namespace drydock::sim {
namespace {

constexpr std::string_view runtime =
    "failed to create shim task: OCI runtime create failed: runc create failed: "
    "unable to start container process: ";

bool needs_task(std::string_view program) {
    constexpr std::array<std::string_view, 8> plain = {"trap", "sleep", "exit", ":",
                                                       "true", "false", "tail", "kill"};
    return std::find(plain.begin(), plain.end(), program) == plain.end();
}

bool needs_task(const Statement& statement) {
    if (statement.kind == Statement::Kind::background) {
        return true;
    }
    if (statement.kind == Statement::Kind::command) {
        const std::string_view text = statement.text;
        if (text.starts_with("sh -c 'kill -")) {
            return false;
        }
        return needs_task(text.substr(0, text.find(' ')));
    }
    return std::any_of(statement.body.begin(), statement.body.end(),
                       [](const Statement& inner) { return needs_task(inner); });
}

/// "trap 'exit N' SIGNAL".
void read_trap(const std::vector<std::string>& words, Command& command) {
    constexpr std::string_view exit = "exit ";
    if (words.size() < 3 || !words[1].starts_with(exit)) {
        return;
    }
    const auto code = plain_number(std::string_view(words[1]).substr(exit.size()));
    const auto signal = signal_of(words[2]);
    if (code && signal) {
        command.handlers.emplace_back(*signal, *code & 0xff);
    }
}

/// False if nothing follows the statement.
bool read_statement(const Statement& statement, Command& command) {
    if (statement.kind != Statement::Kind::command) {
        command.ends_after.reset();
        return false;
    }
    const auto words = words_of(statement.text, [&](std::string_view name) {
        return name == "?" ? std::to_string(command.exit_code) : std::string();
    });
    const std::string_view argument = words.size() > 1 ? std::string_view(words[1]) : "";
    if (words[0] == "trap") {
        read_trap(words, command);
    } else if (words[0] == "sleep") {
        const auto time = sleep_time(argument);
        command.ends_after = time ? std::optional(*command.ends_after + *time) : std::nullopt;
    } else if (words[0] == "sh" && words.size() > 2 && words[2].starts_with("kill -")) {
        const std::string_view signal = std::string_view(words[2]).substr(6);
        command.exit_code =
            by_signal + plain_number(signal.substr(0, signal.find(' '))).value_or(0);
    } else if (words[0] == "exit") {
        command.exit_code = plain_number(argument).value_or(command.exit_code) & 0xff;
        return false;
    } else if (words[0] == "tail" && argument == "-f") {
        command.ends_after.reset();
    }
    return command.ends_after.has_value();
}

Command script(std::string_view text) {
    const std::vector<Statement> statements = parse_script(text);
    Command command{.ends_after = Duration::zero()};
    for (const Statement& statement : statements) {
        command.needs_task = command.needs_task || needs_task(statement);
    }
    for (const Statement& statement : statements) {
        if (!read_statement(statement, command)) {
            break;
        }
    }
    if (command.ends_after) {
        command.ends_after = std::max(*command.ends_after, a_moment);
    }
    return command;
}

Command program(std::string_view name, const std::vector<std::string>& argv, bool has_input) {
    const bool is_shell = name == "sh" || name == "bash" || name == "ash";
    if (is_shell && argv.size() > 2 && argv[1] == "-c") {
        return script(argv[2]);
    }
    if (name == "tail" && argv.size() > 1 && argv[1] == "/dev/zero") {
        return {.exit_code = killed, .ends_after = a_moment};  // it wants more memory than there is
    }
    if (name == "sleep" || name == "tail") {
        return script(std::string(name) + " " + (argv.size() > 1 ? argv[1] : std::string()));
    }
    const bool reads = has_input && (is_shell || name == "cat");
    const bool prints = name == "echo" || name == "printf" || name == "pwd" || name == "id" ||
                        name == "env" || name == "cat" || name == "touch";
    return {.exit_code = name == "false" ? 1 : 0,
            .ends_after = a_moment,
            .needs_task = reads || prints};
}

}  // namespace

std::optional<int> Command::handled_exit(int signal) const noexcept {
    for (const auto& [handled, code] : handlers) {
        if (handled == signal) {
            return code;
        }
    }
    return std::nullopt;
}

Command command_of(const SandboxConfig& config) {
    const std::vector<std::string> argv = config.argv();
    if (argv.empty()) {
        return {};  // the image's own command: a service, which runs
    }
    Unrunnable unrunnable = why_not_run(argv, config.user, !config.has_no_image);
    if (unrunnable.why.empty()) {
        return program(name_of_program(argv[0]), argv, config.open_stdin);
    }
    if (unrunnable.was_tried) {
        unrunnable.why.insert(0, runtime).append(": unknown");
    }
    return {.error = std::move(unrunnable.why), .exit_code = unrunnable.exit_code};
}

}  // namespace drydock::sim
