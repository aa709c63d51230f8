#include "docker/health.hpp"

#include "docker/answers.hpp"
#include "docker/fields.hpp"
#include "engine/command.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <algorithm>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr std::int64_t default_retries = 3;
constexpr std::int64_t kept_results = 5;
constexpr Duration default_time = std::chrono::seconds(30);
constexpr Duration longest_time = std::chrono::hours(100'000);  // so that sums of them are defined

void read_time(Fields& fields, const char* key, Duration& time) {
    std::int64_t nanoseconds = 0;
    fields.read(key, nanoseconds);
    if (nanoseconds != 0) {
        time = std::min(Duration(nanoseconds), longest_time);
    }
}

std::vector<std::string> argv_of(const std::vector<std::string>& test) {
    if (test.size() > 1 && test[0] == "CMD") {
        return {test.begin() + 1, test.end()};
    }
    if (test.size() > 1 && test[0] == "CMD-SHELL") {
        return {"/bin/sh", "-c", test[1]};
    }
    return {};
}

/// One probe, run as an exec in the container: what it ends with, and when.
void run_probe(const Sandbox& sandbox, const HealthCheck& check, Health& health) {
    SandboxConfig probe;
    probe.command = check.argv;
    probe.user = sandbox.config.user;
    const Command command = command_of(probe);
    if (!command.error.empty()) {
        const std::size_t cause = std::min(command.error.find("exec: "), command.error.size());
        health.exit_code = -1;
        health.output =
            "OCI runtime exec failed: exec failed: unable to start container process: " +
            command.error.substr(cause);
        return;
    }
    health.length = command.ends_after.value_or(Duration::max());
    health.exit_code = command.exit_code;
    if (health.length > check.timeout) {
        const auto seconds = std::chrono::duration<double>(check.timeout).count();
        health.length = check.timeout;
        health.exit_code = -1;
        health.output = fmt::format("Health check exceeded timeout ({}s)", seconds);
    }
}

/// Failures count from the first probe that began after the start period.
std::int64_t counted_failures(const HealthCheck& check, const Health& health) {
    std::int64_t spared = 0;
    if (check.start_period > check.interval) {
        spared = (check.start_period - check.interval - Duration(1)) / health.period + 1;
    }
    return std::max<std::int64_t>(0, health.probes - spared);
}

}  // namespace

void read_health_check(const json& body, CreateBody& read) {
    Fields config(body, "ContainerConfigWrapper.", read.refusal);
    const json* given = config.find_object("Healthcheck", "container.HealthConfig");
    if (given == nullptr) {
        return;
    }
    Fields fields(*given, "HealthConfig.Healthcheck.", read.refusal);
    HealthCheck check;
    check.interval = default_time;
    check.timeout = default_time;
    std::vector<std::string> test;
    fields.read("Test", test);
    read_time(fields, "Interval", check.interval);
    read_time(fields, "Timeout", check.timeout);
    read_time(fields, "StartPeriod", check.start_period);
    fields.read("Retries", check.retries);
    check.retries = check.retries > 0 ? check.retries : default_retries;
    check.argv = argv_of(test);
    if (!check.argv.empty()) {
        read.config.health_check = std::move(check);
    }
}

std::optional<Refusal> refused_health_check(const json& body) {
    constexpr std::int64_t least = 1'000'000;
    const auto check = body.find("Healthcheck");
    if (check == body.end() || !check->is_object()) {
        return std::nullopt;
    }
    const auto number = [&](const char* key) {
        const auto at = check->find(key);
        return at != check->end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
    };
    for (const char* key : {"Interval", "Timeout"}) {
        if (number(key) != 0 && number(key) < least) {
            return Refusal{400, std::string(key) + " in Healthcheck cannot be less than 1ms"};
        }
    }
    if (number("Retries") < 0) {
        return Refusal{400, "Retries in Healthcheck cannot be negative"};
    }
    if (number("StartPeriod") != 0 && number("StartPeriod") < least) {
        return Refusal{400, "StartPeriod in Healthcheck cannot be less than 1ms"};
    }
    return std::nullopt;
}

std::optional<Health> health_of(const Sandbox& sandbox, Time now) {
    if (!sandbox.config.health_check || !sandbox.has_run) {
        return std::nullopt;
    }
    const HealthCheck& check = *sandbox.config.health_check;
    const Time until = is_up(sandbox) ? now : sandbox.finished;
    Health health;
    run_probe(sandbox, check, health);
    health.period = check.interval + health.length;
    health.probes = (until - sandbox.started) / health.period;
    const bool succeeds = health.exit_code == 0;
    health.failing_streak = succeeds ? 0 : counted_failures(check, health);
    health.status = "starting";
    if (!is_up(sandbox) || health.failing_streak >= check.retries) {
        health.status = "unhealthy";
    } else if (succeeds && health.probes > 0) {
        health.status = "healthy";
    }
    return health;
}

std::string_view health_status(const Sandbox& sandbox, Time now) {
    const auto health = health_of(sandbox, now);
    return health ? health->status : "none";
}

void append_health(std::string& json, const Sandbox& sandbox, const SandboxEngine& engine) {
    const auto health = health_of(sandbox, engine.world().now());
    if (!health) {
        return;
    }
    json.append(R"(,"Health":{"Status":")").append(health->status);
    json.append(R"(","FailingStreak":)").append(std::to_string(health->failing_streak));
    json.append(R"(,"Log":)");
    std::int64_t probe = std::max<std::int64_t>(0, health->probes - kept_results);
    if (probe == health->probes) {
        json.append("null}");
        return;
    }
    for (char before = '['; probe < health->probes; ++probe, before = ',') {
        const Time end = sandbox.started + (probe + 1) * health->period;
        json.push_back(before);
        json.append(R"({"Start":)");
        append_time(json, engine.wall_at(end - health->length));
        json.append(R"(,"End":)");
        append_time(json, engine.wall_at(end));
        json.append(R"(,"ExitCode":)").append(std::to_string(health->exit_code));
        json.append(R"(,"Output":)");
        append_json(json, health->output);
        json.push_back('}');
    }
    json.append("]}");
}

}  // namespace drydock::sim::docker
