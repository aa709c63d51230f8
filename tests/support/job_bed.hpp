// Jobs in a held sandbox, whose guard is scripted.
#pragma once

#include "support/manager_bed.hpp"
#include "support/scripted_guard.hpp"

#include <drydock/job.hpp>

#include <string>
#include <utility>
#include <vector>

namespace drydock::test {

/// What a sink was given, and that each byte came once and in its place.
struct Collected {
    std::string out;
    std::string err;
    bool is_in_step = true;

    OutputSink sink(OutputFrom from = {}) {
        return [this, from](const JobOutput& output) {
            const bool is_out = output.source == JobOutput::Source::out;
            std::string& text = is_out ? out : err;
            is_in_step = is_in_step &&
                         output.offset == (is_out ? from.out : from.err) + text.size() &&
                         !output.bytes.empty();
            text.append(output.bytes);
        };
    }
};

class JobBed {
public:
    explicit JobBed(Policy policy = {}, std::vector<Fault> plan = {})
        : bed({.plan = std::move(plan),
               .policy = std::move(policy),
               .between =
                   [this](Backend& real, Runtime& runtime) {
                       return std::make_unique<ScriptedGuard>(script, real, runtime);
                   }}),
          jobs(bed.manager()),
          lease(bed.acquire("k").value()) {}

    Result<JobResult> run(JobSpec spec = plain(), OutputSink sink = {}) {
        return bed.run(jobs.run(lease, std::move(spec), std::move(sink)));
    }
    Result<void> start(JobSpec spec = plain()) {
        return bed.run(jobs.start(lease, std::move(spec)));
    }
    Result<JobResult> wait(std::string id = "job", OutputSink sink = {}, OutputFrom from = {}) {
        return bed.run(jobs.wait(lease, std::move(id), std::move(sink), from));
    }
    Result<JobResult> kill(std::string id = "job") {
        return bed.run(jobs.kill(lease, std::move(id)));
    }
    Result<void> write(std::string bytes) {
        return bed.run(jobs.write_stdin(lease, "job", std::move(bytes)));
    }
    Result<void> close_input() { return bed.run(jobs.close_stdin(lease, "job")); }

    /// The next stream of `follow`.
    void follow(std::vector<std::string> pieces, Stream::End end = Stream::End::clean) {
        script.streams["follow"].push_back({.pieces = std::move(pieces), .end = end});
    }
    void answer(const std::string& verb, std::vector<std::string> pieces,
                Stream::End end = Stream::End::clean) {
        script.streams[verb].push_back({.pieces = std::move(pieces), .end = end});
    }
    /// The offsets with which `follow` was asked, "0 0", in order.
    std::vector<std::string> follows() const {
        std::vector<std::string> offsets;
        for (const auto& argv : script.opened) {
            if (argv.at(2) == "follow") offsets.push_back(argv.at(4) + " " + argv.at(5));
        }
        return offsets;
    }
    /// Exchanges of jobs so far.
    std::size_t sent() const {
        return script.uploaded.size() + script.execs.size() + script.started.size() +
               script.opened.size() + script.inspected.size() + script.read_folders.size();
    }

    static JobSpec plain() { return {.id = "job", .argv = {"make", "all"}}; }

    GuardScript script;
    ManagerBed bed;
    Jobs jobs;
    Lease lease;
};

}  // namespace drydock::test
