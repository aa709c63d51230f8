// The calls that change or await a container's run.
#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/number.hpp"
#include "docker/signals.hpp"

#include <fmt/format.h>

#include <limits>

namespace drydock::sim {
namespace {

constexpr int kill_signal = 9;
constexpr int highest_signal = 64;
constexpr int first_version_with_early_header = 30;

/// The `t` of a stop or restart.
std::optional<std::int64_t> grace_of(const docker::Call& call, std::string& error) {
    const std::string_view text = call.parameter("t");
    if (text.empty()) {
        return std::nullopt;
    }
    docker::Number number = docker::whole_number(text);
    error = std::move(number.error);
    return number.value;
}

WaitFor waited_for(std::string_view condition) {
    if (condition == "next-exit") {
        return WaitFor::next_exit;
    }
    return condition == "removed" ? WaitFor::removed : WaitFor::not_running;
}

/// A start that failed left its text, which a wait tells too.
std::string exit_body(const Sandbox& sandbox) {
    std::string error = "null";
    if (!sandbox.error.empty()) {
        error = R"({"Message":)";
        docker::append_json(error, sandbox.error);
        error.push_back('}');
    }
    return fmt::format("{{\"Error\":{},\"StatusCode\":{}}}\n", error, sandbox.exit_code);
}

}  // namespace

void DockerModel::stop(const docker::Call& call, const Exchange& exchange) {
    std::string error;
    const auto seconds = grace_of(call, error);
    if (!error.empty()) {
        return exchange.reply(docker::error_answer(500, error));
    }
    engine_.stop(
        call.reference, seconds, [&] { exchange.responder->applied(); },
        [exchange, reference = call.reference](const Outcome& outcome) {
            exchange.reply(outcome, reference);
        });
}

void DockerModel::restart(const docker::Call& call, const Exchange& exchange) {
    std::string error;
    const auto seconds = grace_of(call, error);
    if (!error.empty()) {
        return exchange.reply(docker::error_answer(500, error));
    }
    engine_.restart(
        call.reference, seconds, [&] { exchange.responder->applied(); },
        [exchange, reference = call.reference](const Outcome& outcome) {
            if (outcome.verdict == Verdict::no_such_sandbox) {
                return exchange.reply(outcome, reference);
            }
            // With the prefix the engine loses what kind of failure it was.
            const std::string prefix = "Cannot restart container " + reference + ": ";
            Response answer = docker::outcome_answer(outcome, reference, prefix);
            answer.status = answer.status >= 400 ? 500 : answer.status;
            exchange.reply(std::move(answer));
        });
}

// The signal's form is looked at before the container, the number's range after it.
void DockerModel::kill(const docker::Call& call, const Exchange& exchange) {
    const std::string_view text = call.parameter("signal");
    std::int64_t signal = kill_signal;
    if (!text.empty()) {
        const docker::Number number = docker::whole_number(text);
        const auto named = docker::signal_number(text);
        if (!(number.error.empty() && number.value != 0) && !named) {
            return exchange.reply(
                docker::error_answer(400, fmt::format("Invalid signal: {}", text)));
        }
        signal = number.error.empty() ? number.value : *named;
    }
    const std::string prefix = fmt::format("Cannot kill container: {}: ", call.reference);
    const bool is_known = engine_.inspect(call.reference).verdict == Verdict::done;
    if (is_known && (signal < 0 || signal > highest_signal)) {
        return exchange.reply(
            docker::error_answer(500, fmt::format("{}The linux daemon does not support signal {}",
                                                  prefix, static_cast<std::uint64_t>(signal))));
    }
    const Outcome outcome = engine_.kill(call.reference, static_cast<int>(signal));
    if (outcome.applied) {
        exchange.responder->applied();
    }
    exchange.reply(docker::outcome_answer(outcome, call.reference, prefix));
}

void DockerModel::rename(const docker::Call& call, const Exchange& exchange) {
    std::string name(call.parameter("name"));
    if (name.empty()) {
        return exchange.reply(docker::error_answer(400, "Neither old nor new names may be empty"));
    }
    const bool is_known = engine_.inspect(call.reference).verdict == Verdict::done;
    if (name.starts_with('/')) {
        name.erase(0, 1);
    }
    if (is_known && !docker::is_name(name)) {
        return exchange.reply(docker::error_answer(
            400, fmt::format("Error when allocating new name: Invalid container name (/{}), only "
                             "[a-zA-Z0-9][a-zA-Z0-9_.-] are allowed",
                             name)));
    }
    const Outcome outcome = engine_.rename(call.reference, name);
    if (outcome.verdict == Verdict::name_taken) {
        return exchange.reply(
            docker::outcome_answer(outcome, name, "Error when allocating new name: "));
    }
    settle(outcome, call, exchange);
}

// Header at once, body at the end; API 1.29 and older wait with the header too.
void DockerModel::wait(const docker::Call& call, const Exchange& exchange) {
    const bool is_known = engine_.inspect(call.reference).verdict == Verdict::done;
    const bool has_early_header = is_known && call.minor_version >= first_version_with_early_header;
    if (has_early_header) {
        exchange.responder->head(docker::answer(200, "{}"));
    }
    engine_.wait(call.reference, waited_for(call.parameter("condition")),
                 [exchange, reference = call.reference](const Outcome& outcome) {
                     if (outcome.verdict != Verdict::done) {
                         return exchange.reply(outcome, reference);
                     }
                     exchange.reply(docker::answer(200, exit_body(*outcome.sandbox)));
                 });
}

}  // namespace drydock::sim
