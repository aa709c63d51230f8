// The whole life of a lease, run after run, each in a fresh world:
//   lifecycle_bench K [PERCENT [job]]
// acquire (create, start, inspect with a faithful body) and release (remove and its confirmation)
// by the production library on simulated Docker: adapter, HTTP messages, JSON, ledger, trace,
// choices and invariants on. Each exchange but a watch's meets a fault with that probability
// (default 20), one of the four of the yardstick's W2: request lost, reply lost, 500, reset.
// With `job` it also runs a job of 4 KiB output in between.
#include <drydock/faults/chooser.hpp>
#include <drydock/faults/random.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/run.hpp>
#include <drydock/sim/backends.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace drydock;

class FaultyLine final : public faults::Chooser {
public:
    FaultyLine(std::uint64_t seed, std::uint32_t percent) : random_(seed), percent_(percent) {}

    faults::Plan plan(const faults::Names& names) const override {
        std::vector<faults::PlanEntry> entries;
        for (const faults::Taken& taken : taken_) {
            entries.push_back({faults::spell_out(taken.site, names), fates()[which_[taken.entry]]});
        }
        return faults::Plan(std::move(entries));
    }

private:
    static const std::array<faults::Choice, 4>& fates() {
        static const std::array<faults::Choice, 4> all{
            faults::fates::request_lost(), faults::fates::reply_lost(),
            faults::fates::status_before(500), faults::fates::reset_before()};
        return all;
    }

    const faults::Choice* decide(const faults::Site& site) override {
        const bool is_met = site.aspect == faults::Aspect::fate && is_exchange(site.operation) &&
                            site.operation != Operation::late_lookup;
        if (!is_met || !random_.chance(percent_)) return nullptr;
        taken_.push_back({site, which_.size()});
        which_.push_back(random_.below(4));
        return &fates()[which_.back()];
    }

    faults::SplitMix64 random_;
    std::uint32_t percent_;
    std::vector<std::uint32_t> which_;
};

scenarios::Scenario lifecycle(bool has_job) {
    scenarios::Scenario scenario;
    scenario.name = has_job ? "lifecycle-job" : "lifecycle";
    scenario.backend.kinds = {"docker"};
    scenarios::ActorScript main{"main", {scenarios::AcquireStep{.key = "scan-1"}}};
    if (has_job) {
        scenarios::RunStep run{.key = "scan-1", .job = "job-1", .program = {}};
        run.program.takes = std::chrono::milliseconds(10);
        run.program.out = 4096;
        main.steps.emplace_back(run);
    }
    main.steps.emplace_back(scenarios::ReleaseStep{"scan-1"});
    scenario.processes = {{"runner", {std::move(main)}}};
    return scenario;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run_all(std::uint64_t runs, std::uint32_t percent, bool has_job) {
    const scenarios::Scenario scenario = lifecycle(has_job);
    const scenarios::ClientRegistry clients = scenarios::builtin_clients();
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    sim::Pool pool;
    const scenarios::RunRequest request{scenario, *backends.find("docker"),
                                        *clients.find(scenarios::library_client), &pool};
    std::uint64_t events = 0;
    std::uint64_t ok = 0;
    std::uint64_t broken = 0;
    std::uint64_t check = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < runs; ++i) {
        faults::Names names = scenarios::names_of(scenario);
        FaultyLine line(faults::seed_of(1, i), percent);
        const scenarios::RunReport report = scenarios::run(request, line, names);
        events += report.events;
        ok += report.steps.begin()->second.outcome == "ok" ? 1 : 0;
        broken += report.outcome.violations.empty() ? 0 : 1;
        check ^= report.outcome.digest;
    }
    std::printf(
        "{\"peer\":\"drydock\",\"work\":\"%s\",\"n\":%llu,\"percent\":%u,"
        "\"events\":%llu,\"ok\":%llu,\"broken\":%llu,\"check\":\"%016llx\","
        "\"wall_s\":%.6f}\n",
        scenario.name.c_str(), static_cast<unsigned long long>(runs), percent,
        static_cast<unsigned long long>(events), static_cast<unsigned long long>(ok),
        static_cast<unsigned long long>(broken), static_cast<unsigned long long>(check),
        seconds_since(start));
    return broken == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4 || (argc == 4 && std::string_view(argv[3]) != "job")) {
        std::fprintf(stderr, "usage: lifecycle_bench RUNS [FAULT-PERCENT [job]]\n");
        return 2;
    }
    const auto runs = std::strtoull(argv[1], nullptr, 10);
    const auto percent = argc >= 3 ? std::strtoul(argv[2], nullptr, 10) : 20UL;
    return run_all(runs, static_cast<std::uint32_t>(percent), argc == 4);
}
