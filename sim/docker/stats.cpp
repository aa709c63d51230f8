// GET /containers/X/stats: what a container takes of the host, once or every second.
#include "docker/answers.hpp"
#include "docker/call.hpp"
#include "docker/exchange.hpp"
#include "engine/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

namespace drydock::sim {
namespace {

constexpr Duration between_readings = std::chrono::seconds(1);
constexpr std::string_view no_time = "\"0001-01-01T00:00:00Z\"";
constexpr std::uint64_t of_a_process = 1 << 20;  // bytes of memory

std::string time_text(std::optional<WallTime> at) {
    std::string text;
    if (at) {
        docker::append_time(text, *at);
    }
    return at ? text : std::string(no_time);
}

/// A process is taken to use a thousandth of its time.
std::string cpu_text(const Sandbox& sandbox, std::optional<Time> at) {
    const auto used = at ? (*at - sandbox.started).count() / 1000 : 0;
    const auto system = at ? at->time_since_epoch().count() : 0;
    return fmt::format(
        R"({{"cpu_usage":{{"total_usage":{},"usage_in_kernelmode":0,"usage_in_usermode":{}}},)"
        R"({}"throttling_data":{{"periods":0,"throttled_periods":0,"throttled_time":0}}}})",
        used, used,
        at ? fmt::format(R"("system_cpu_usage":{},"online_cpus":2,)", system) : std::string());
}

std::string stats_text(SandboxEngine& engine, const Sandbox& sandbox, std::optional<Time> before) {
    const bool runs = is_up(sandbox);
    const Time now = engine.world().now();
    std::string pids = "{}";
    std::string memory = "{}";
    if (runs) {
        const auto& tasks = engine.tasks(sandbox.number).all();
        const auto count = static_cast<std::uint64_t>(std::count_if(
            tasks.begin(), tasks.end(), [](const auto& task) { return task->is_alive(); }));
        pids = fmt::format(R"({{"current":{}}})", count);
        memory = fmt::format(R"({{"usage":{0},"max_usage":{0},"stats":{{}},"limit":8589934592}})",
                             count * of_a_process);
    }
    std::string text = fmt::format(
        R"({{"read":{},"preread":{},"pids_stats":{},"blkio_stats":{{)"
        R"("io_service_bytes_recursive":null,"io_serviced_recursive":null,)"
        R"("io_queue_recursive":null,"io_service_time_recursive":null,)"
        R"("io_wait_time_recursive":null,"io_merged_recursive":null,"io_time_recursive":null,)"
        R"("sectors_recursive":null}},"num_procs":0,"storage_stats":{{}},"cpu_stats":{},)"
        R"("precpu_stats":{},"memory_stats":{},"name":)",
        time_text(runs ? std::optional(engine.wall_at(now)) : std::nullopt),
        time_text(before ? std::optional(engine.wall_at(*before)) : std::nullopt), pids,
        cpu_text(sandbox, runs ? std::optional(now) : std::nullopt), cpu_text(sandbox, before),
        memory);
    docker::append_json(text, "/" + sandbox.name);
    return text.append(R"(,"id":")").append(sandbox.id).append("\"}\n");
}

/// Tells a client every second, until it leaves or the container is gone.
class Readings : public std::enable_shared_from_this<Readings> {
public:
    Readings(SandboxEngine& engine, const Sandbox& sandbox) : engine_(engine), sandbox_(sandbox) {}

    void begin(std::shared_ptr<ReplyStream> stream) {
        stream_ = std::move(stream);
        wait();
    }
    void leave() { timer_.cancel(); }

private:
    void wait() {
        timer_ = engine_.world().call_after(between_readings,
                                            [self = shared_from_this()] { self->read(); });
    }
    void read() {
        if (sandbox_.is_gone) {
            return stream_->end();
        }
        stream_->send(stats_text(engine_, sandbox_, before_));
        before_ = is_up(sandbox_) ? std::optional(engine_.world().now()) : std::nullopt;
        wait();
    }

    SandboxEngine& engine_;
    const Sandbox& sandbox_;
    std::shared_ptr<ReplyStream> stream_;
    std::optional<Time> before_;
    Callback timer_;
};

}  // namespace

void DockerModel::stats(const docker::Call& call, const Exchange& exchange) {
    const bool is_stream = !call.has("stream") || call.flag("stream");
    if (is_stream && call.flag("one-shot")) {
        return exchange.reply(
            docker::error_answer(400, "cannot have stream=true and one-shot=true"));
    }
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, call.reference);
    }
    const Sandbox& sandbox = *found.sandbox;
    if (is_stream) {
        const auto readings = std::make_shared<Readings>(engine_, sandbox);
        Response head = docker::answer(200);
        head.headers.push_back({"Content-Type", "application/json"});
        return readings->begin(
            exchange.stream(std::move(head), {.left = [weak = std::weak_ptr(readings)] {
                                if (const auto left = weak.lock()) {
                                    left->leave();
                                }
                            }}));
    }
    if (!is_up(sandbox)) {
        return exchange.reply(docker::answer(200, stats_text(engine_, sandbox, std::nullopt)));
    }
    const std::optional<Time> before =
        call.flag("one-shot") ? std::nullopt : std::optional(engine_.world().now());
    engine_.world().call_after(between_readings, [this, exchange, &sandbox, before] {
        exchange.reply(docker::answer(200, stats_text(engine_, sandbox, before)));
    });
}

}  // namespace drydock::sim
