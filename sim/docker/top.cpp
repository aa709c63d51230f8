// GET /containers/X/top: what `ps` on the host says of a container's processes.
#include "docker/call.hpp"
#include "docker/exchange.hpp"
#include "docker/json_parts.hpp"
#include "engine/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace drydock::sim {
namespace {

/// A column of ps, by the word that asks for it.
struct Column {
    std::string_view word;
    std::string_view title;
};

constexpr std::array<Column, 14> columns = {{{"user", "USER"},
                                             {"uid", "UID"},
                                             {"pid", "PID"},
                                             {"ppid", "PPID"},
                                             {"c", "C"},
                                             {"stime", "STIME"},
                                             {"tty", "TTY"},
                                             {"time", "TIME"},
                                             {"cmd", "CMD"},
                                             {"args", "COMMAND"},
                                             {"comm", "COMMAND"},
                                             {"stat", "STAT"},
                                             {"pcpu", "%CPU"},
                                             {"pmem", "%MEM"}}};

using Words = std::vector<std::string>;

Words split(std::string_view text, char at) {
    Words words(1);
    for (const char c : text) {
        if (c == at) {
            words.emplace_back();
        } else {
            words.back().push_back(c);
        }
    }
    std::erase(words, std::string());
    return words;
}

std::string_view title_of(std::string_view word) {
    const auto* at = std::find_if(columns.begin(), columns.end(),
                                  [word](const Column& column) { return column.word == word; });
    return at == columns.end() ? std::string_view() : at->title;
}

/// The columns that the arguments of ps ask for, or what ps has against them.
struct Asked {
    Words columns;
    std::string error;
};

Asked read_arguments(std::string_view arguments) {
    Asked asked;
    const Words words = split(arguments.empty() ? "-ef" : arguments, ' ');
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].starts_with("--")) {
            return {.columns = {}, .error = "ps: error: unknown gnu long option"};
        }
        if (words[i] == "-o" && i + 1 < words.size()) {
            asked.columns = split(words[++i], ',');
        } else if (words[i] == "-ef") {
            asked.columns = {"uid", "pid", "ppid", "c", "stime", "tty", "time", "cmd"};
        } else if (words[i] == "aux") {
            asked.columns = {"user", "pid", "pcpu", "pmem", "tty", "stat", "stime", "time", "args"};
        } else {
            return {.columns = {}, .error = "ps: error: unsupported option (BSD syntax)"};
        }
    }
    for (const std::string& word : asked.columns) {
        if (title_of(word).empty()) {
            return {.columns = {},
                    .error = fmt::format("ps: error: unknown user-defined format specifier "
                                         "\"{}\"",
                                         word)};
        }
    }
    const bool has_pid =
        std::find(asked.columns.begin(), asked.columns.end(), "pid") != asked.columns.end();
    asked.error = has_pid ? "" : "Couldn't find PID field in ps output";
    return asked;
}

std::string cell(std::string_view column, const Task& task, const Sandbox& sandbox,
                 const SandboxEngine& engine) {
    const std::vector<std::string>& argv = task.spec().argv;
    if (column == "pid") {
        return std::to_string(docker::host_pid(sandbox.number, task.pid()));
    }
    if (column == "ppid") {
        return std::to_string(task.parent() == 0 ? 1
                                                 : docker::host_pid(sandbox.number, task.parent()));
    }
    if (column == "uid" || column == "user") {
        return task.spec().user.empty() ? "root" : task.spec().user;
    }
    if (column == "cmd" || column == "args") {
        return fmt::format("{}", fmt::join(argv, " "));
    }
    if (column == "comm") {
        return argv.empty() ? "" : argv[0].substr(argv[0].rfind('/') + 1);
    }
    if (column == "stime") {
        std::string text;
        docker::append_time(text, engine.wall_at(task.begun()));
        return text.substr(text.find('T') + 1, 5);
    }
    if (column == "tty") {
        return task.spec().has_terminal ? "pts/0" : "?";
    }
    return column == "time" ? "00:00:00" : column == "stat" ? "S" : "0";
}

}  // namespace

void DockerModel::top(const docker::Call& call, const Exchange& exchange) {
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, call.reference);
    }
    const Sandbox& sandbox = *found.sandbox;
    if (sandbox.status != Status::running && sandbox.status != Status::paused) {
        const bool restarts = sandbox.status == Status::restarting;
        return exchange.reply(
            Outcome{.verdict = restarts ? Verdict::is_restarting : Verdict::not_running,
                    .id = sandbox.id},
            call.reference);
    }
    const Asked asked = read_arguments(call.parameter("ps_args"));
    if (!asked.error.empty()) {
        return exchange.reply(docker::error_answer(500, asked.error));
    }
    std::string rows;
    for (const auto& task : engine_.tasks(sandbox.number).all()) {
        if (!task->is_alive()) {
            continue;
        }
        std::vector<std::string> row;
        for (const std::string& column : asked.columns) {
            row.push_back(cell(column, *task, sandbox, engine_));
        }
        rows.append(rows.empty() ? "" : ",");
        docker::append_strings(rows, row);
    }
    std::vector<std::string> titles;
    for (const std::string& column : asked.columns) {
        titles.emplace_back(title_of(column));
    }
    std::string body = R"({"Processes":[)" + rows + R"(],"Titles":)";
    docker::append_strings(body, titles);
    engine_.announce(sandbox, "top");
    exchange.reply(docker::answer(200, body + "}\n"));
}

}  // namespace drydock::sim
