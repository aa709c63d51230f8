#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/sim/job_output.hpp>

#include <fmt/format.h>

namespace drydock::scenarios {

namespace {

/// The job's own process, if it ever began; of several the last one.
const sim::ProcessTruth* begun(const Judged& judged, const JobClaim& claim) {
    const sim::ProcessTruth* found = nullptr;
    for (const sim::ProcessTruth& process : judged.processes) {
        if (!process.begins_job || process.job != claim.job || process.begun > claim.at) continue;
        const SandboxLife* life = judged.history.find(process.sandbox);
        if (life && life->process == claim.process && life->lease == claim.lease) found = &process;
    }
    return found;
}

/// The job's own process, if it begins in that sandbox although it was said to be over.
const sim::ProcessTruth* begun_after(const Judged& judged, const JobClaim& claim) {
    for (const sim::ProcessTruth& process : judged.processes) {
        if (!process.begins_job || process.job != claim.job || process.begun <= claim.at) continue;
        const SandboxLife* life = judged.history.find(process.sandbox);
        const bool is_its = life && life->process == claim.process && life->lease == claim.lease &&
                            life->life.contains(claim.at);
        if (is_its) return &process;
    }
    return nullptr;
}

std::string wrong_output(const JobReport& report, const sim::ProcessTruth& truth) {
    if (!report.is_whole) return {};
    const auto compare = [](std::string_view stream, const std::string& said,
                            const std::string& written) -> std::string {
        if (said == written) return {};
        return fmt::format("{} bytes of its {} are said to be all, and it wrote {}{}", said.size(),
                           stream, written.size(), said.size() == written.size() ? " others" : "");
    };
    std::string wrong = compare("standard output", report.out, sim::job_output(false, truth.out));
    if (wrong.empty()) {
        wrong = compare("standard error", report.err, sim::job_output(true, truth.err));
    }
    return wrong;
}

std::string wrong_with(const JobClaim& claim, const sim::ProcessTruth* truth) {
    const JobReport& report = *claim.report;
    if (!truth) {
        return report.exit_code ? fmt::format("exit code {} is said of a job that never began",
                                              *report.exit_code)
                                : std::string();
    }
    if (!report.has_begun) {
        return fmt::format("it is said never to have begun, and began at {}",
                           faults::format_time(truth->begun));
    }
    if (!truth->has_ended || truth->ended > claim.at) return "it is said to have ended, and runs";
    if (report.exit_code && *report.exit_code != truth->exit_code) {
        return fmt::format("its exit code is said to be {}, and was {}", *report.exit_code,
                           truth->exit_code);
    }
    return wrong_output(report, *truth);
}

}  // namespace

void check_no_lost_result(const Judged& judged, Violations& violations) {
    for (const JobClaim& claim : judged.claims) {
        std::string wrong = wrong_with(claim, begun(judged, claim));
        const sim::ProcessTruth* later = begun_after(judged, claim);
        if (wrong.empty() && later) {
            wrong = fmt::format("it is said to be over, and began at {}",
                                faults::format_time(later->begun));
        }
        if (wrong.empty()) continue;
        violations.push_back({"no_lost_result",
                              fmt::format("job {} of {}", claim.job,
                                          judged.history.lease_name(claim.process, claim.lease)),
                              fmt::format("at {}: {}", faults::format_time(claim.at), wrong),
                              claim.at});
    }
}

}  // namespace drydock::scenarios
