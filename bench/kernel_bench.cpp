// The yardstick's three works on the simulation kernel, with trace and choices on:
//   kernel_bench w1 N M   N tasks sleep M times each, through a virtual seam as the library does
//   kernel_bench w2 K     K naive clients, each in a fresh world
//   kernel_bench w3 C     C naive clients at once on one backend
// Same work, same checks and the same output line as bench/yardstick/bare.cpp.
#include "yardstick/spec.hpp"

#include <drydock/operation.hpp>
#include <drydock/runtime.hpp>
#include <drydock/sim/executor.hpp>
#include <drydock/sim/pending.hpp>
#include <drydock/sim/process.hpp>
#include <drydock/sim/site_counters.hpp>
#include <drydock/sim/sleep.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using drydock::awaitable;
using drydock::Duration;
using drydock::Interrupt;
using drydock::Operation;
using drydock::Tag;
using drydock::Wake;
using drydock::sim::EventKind;
using drydock::sim::Executor;
using drydock::sim::Pool;
using drydock::sim::Process;
using drydock::sim::Promise;
using drydock::sim::Settled;
using drydock::sim::SiteCounters;
using drydock::sim::World;
namespace asio = boost::asio;

constexpr const char* peer = "drydock";
constexpr Tag backoff{Operation::backoff, {}};

// ---- sites and choices ------------------------------------------------------------------------

struct Site {
    std::uint8_t process = 0;
    Operation operation{};
    std::uint32_t lease = 0;
    std::uint32_t n = 0;

    std::uint64_t key() const {
        return std::uint64_t{process} << 56 | std::uint64_t{lease} << 32 |
               static_cast<std::uint64_t>(operation) << 24 | n;
    }
};

struct Choice {
    Duration delay{};
};

class ChoiceSource {
public:
    virtual ~ChoiceSource() = default;
    virtual const Choice* lookup(const Site& site) = 0;
};

/// The default plan: sorted, and empty here.
class Plan final : public ChoiceSource {
public:
    const Choice* lookup(const Site& site) override {
        const std::uint64_t key = site.key();
        const auto found = std::lower_bound(
            entries_.begin(), entries_.end(), key,
            [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
        return found != entries_.end() && found->first == key ? &found->second : nullptr;
    }

private:
    std::vector<std::pair<std::uint64_t, Choice>> entries_;
};

// ---- what every suspension of a process goes through -------------------------------------------

class Seam {
public:
    Seam(Process& process, ChoiceSource& choices)
        : executor_(process.get_executor()), choices_(choices) {}

    World& world() const { return executor_.world(); }
    Executor executor() const { return executor_; }

    /// Numbers the site, records that it was reached, and adds the delay that the plan chose.
    Site begin(Operation operation, std::uint32_t lease, Duration& duration) {
        const Site site{executor_.process().id(), operation, lease,
                        counters_.next(operation, lease)};
        record(site, EventKind::started, 0);
        if (const Choice* choice = choices_.lookup(site)) {
            duration += choice->delay;
        }
        return site;
    }

    void record(const Site& site, EventKind kind, std::uint64_t value) {
        drydock::sim::Event event;
        event.at = world().now();
        event.kind = kind;
        event.operation = static_cast<std::uint8_t>(site.operation);
        event.process = site.process;
        event.lease = site.lease;
        event.n = site.n;
        event.value = value;
        world().trace().add(event);
    }

private:
    Executor executor_;
    ChoiceSource& choices_;
    SiteCounters counters_;
};

/// The runtime as the library sees it, as far as this bench needs one.
class Sleeper {
public:
    virtual ~Sleeper() = default;
    virtual awaitable<Wake> sleep(Tag tag, Duration duration, Interrupt interrupt) = 0;
};

class SimSleeper final : public Sleeper {
public:
    explicit SimSleeper(Seam& seam) : seam_(seam) {}

    awaitable<Wake> sleep(Tag tag, Duration duration, Interrupt interrupt) override {
        const Site site = seam_.begin(tag.operation, 0, duration);
        const Executor executor = seam_.executor();
        const Wake wake = co_await async_sleep(executor, duration, interrupt, asio::deferred);
        seam_.record(site, EventKind::completed, static_cast<std::uint64_t>(wake));
        co_return wake;
    }

private:
    Seam& seam_;
};

void rethrow(std::exception_ptr error) {
    if (error) {
        std::rethrow_exception(error);
    }
}

// ---- W1 ---------------------------------------------------------------------------------------

awaitable<void> storm(World& world, Sleeper& sleeper, std::uint32_t task, unsigned times,
                      std::uint64_t& check) {
    Rng random(task);
    for (unsigned i = 0; i < times; ++i) {
        const std::chrono::milliseconds pause(1 + random.next() % 1000);
        co_await sleeper.sleep(backoff, pause, Interrupt::allowed);
    }
    check += static_cast<std::uint64_t>(world.now().time_since_epoch() / 1ms);
}

void w1(unsigned tasks, unsigned times) {
    std::uint64_t check = 0;
    std::uint64_t end = 0;
    Wall wall;
    {
        Plan plan;
        World world;
        Process process(world, 1, "storm");
        Seam seam(process, plan);
        SimSleeper sleeper(seam);
        for (unsigned i = 0; i < tasks; ++i) {
            asio::co_spawn(process.get_executor(), storm(world, sleeper, i, times, check), rethrow);
        }
        world.run();
        end = static_cast<std::uint64_t>(world.now().time_since_epoch() / 1ms);
    }
    out_w1(peer, tasks, times, wall.s(), end, check);
}

// ---- W2 and W3 --------------------------------------------------------------------------------

constexpr Duration latency = std::chrono::milliseconds(LAT);
constexpr Duration time_limit = std::chrono::milliseconds(TMO);

/// The backend and its network. It owns each request from the moment it was sent.
class Server {
public:
    Server(Seam& seam, Stats& stats) : seam_(seam), stats_(stats) {}

    struct Request {
        Site site;
        Op op{};
        Fault fault{};
        std::string name;
        Promise<Res> reply;
    };

    void send(Request request) {
        if (request.fault == Fault::Lost) {
            return;
        }
        auto arrive = [this, request = std::move(request)]() mutable { arrived(request); };
        seam_.world().call_after(latency, std::move(arrive));
    }

    std::size_t containers() const { return backend_.live.size(); }

private:
    void arrived(Request& request) {
        ++stats_.events;
        seam_.record(request.site, EventKind::arrived, 0);
        if (request.fault == Fault::Err500) {
            request.reply.fulfil(Res::ServerError);
        } else if (request.fault == Fault::Reset) {
            request.reply.fulfil(Res::Reset);
        } else {
            const Res result = backend_.apply(request.op, request.name);
            if (request.fault != Fault::ReplyLost) {
                request.reply.fulfil(result);
            }
        }
    }

    Seam& seam_;
    Stats& stats_;
    Backend backend_;
};

struct Bed {
    Bed(Process& process, ChoiceSource& choices, Stats& counts)
        : seam(process, choices), sleeper(seam), stats(counts), server(seam, counts) {}

    Seam seam;
    SimSleeper sleeper;
    Stats& stats;
    Server server;
};

constexpr std::array operations = {Operation::container_create, Operation::container_start,
                                   Operation::container_inspect, Operation::container_remove};

awaitable<Res> call(Bed& bed, Rng& random, Op op, std::uint32_t lease, const std::string& name) {
    ++bed.stats.calls;
    Duration limit = time_limit;
    const Site site = bed.seam.begin(operations[static_cast<std::size_t>(op)], lease, limit);
    const Fault fault = draw(random);
    auto start = [&bed, &site, &name, op, fault](Promise<Res> reply) {
        bed.server.send(Server::Request{site, op, fault, name, reply});
    };
    const Executor executor = bed.seam.executor();
    const Settled<Res> settled = co_await drydock::sim::async_pending<Res>(
        executor, limit, Interrupt::allowed, start, asio::deferred);
    Res result = settled.value;
    if (settled.wake == Wake::timed_out) {
        ++bed.stats.events;
        result = Res::Timeout;
    }
    bed.seam.record(site, EventKind::completed, static_cast<std::uint64_t>(result));
    co_return result;
}

awaitable<void> job(Bed& bed, std::uint32_t client, std::uint32_t lease) {
    Rng random(client);
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        const std::string name = cname(client, attempt);
        bool ok = true;
        for (const Op op : {Op::Create, Op::Start, Op::Exec, Op::Remove}) {
            const Res result = co_await call(bed, random, op, lease, name);
            if (result != Res::Ok) {
                ok = false;
                break;
            }
        }
        if (ok) {
            ++bed.stats.ok;
            co_return;
        }
        co_await call(bed, random, Op::Remove, lease, name);
        if (attempt + 1 < ATTEMPTS) {
            const std::chrono::milliseconds pause(BACKOFF << attempt);
            co_await bed.sleeper.sleep(backoff, pause, Interrupt::allowed);
            ++bed.stats.events;
        }
    }
}

std::uint64_t milliseconds(const World& world) {
    return static_cast<std::uint64_t>(world.now().time_since_epoch() / 1ms);
}

void w2(unsigned clients) {
    Stats stats;
    Wall wall;
    Plan plan;
    Pool pool;
    for (unsigned i = 0; i < clients; ++i) {
        World world(&pool);
        Process process(world, 1, "client");
        Bed bed(process, plan, stats);
        asio::co_spawn(process.get_executor(), job(bed, i, 1), rethrow);
        world.run();
        stats.leaked += bed.server.containers();
        stats.virt_ms += milliseconds(world);
    }
    out_job(peer, "w2", clients, wall.s(), stats);
}

void w3(unsigned clients) {
    Stats stats;
    Wall wall;
    {
        Plan plan;
        World world;
        Process process(world, 1, "clients");
        Bed bed(process, plan, stats);
        for (unsigned i = 0; i < clients; ++i) {
            asio::co_spawn(process.get_executor(), job(bed, i, i + 1), rethrow);
        }
        world.run();
        stats.leaked = bed.server.containers();
        stats.virt_ms = milliseconds(world);
    }
    out_job(peer, "w3", clients, wall.s(), stats);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string work = argc > 2 ? argv[1] : "";
    const auto number = [argv](int i) { return static_cast<unsigned>(std::stoul(argv[i])); };
    if (work == "w1" && argc > 3) {
        w1(number(2), number(3));
    } else if (work == "w2") {
        w2(number(2));
    } else if (work == "w3") {
        w3(number(2));
    } else {
        std::fprintf(stderr, "usage: kernel_bench w1 N M | w2 K | w3 C\n");
        return 2;
    }
}
