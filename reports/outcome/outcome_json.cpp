#include <drydock/reports/report.hpp>

#include <nlohmann/json.hpp>

namespace drydock::reports {
namespace {

/// Keeps the order in which fields are written.
using Json = nlohmann::ordered_json;
using scenarios::RunReport;
using scenarios::TestedRun;

Json violations_of(const RunReport& report) {
    Json list = Json::array();
    for (const faults::Violation& violation : report.outcome.violations) {
        list.push_back(Json{{"invariant", violation.invariant},
                            {"subject", violation.subject},
                            {"story", violation.story}});
    }
    return list;
}

Json steps_of(const RunReport& report) {
    Json steps = Json::object();
    for (const auto& [name, step] : report.steps)
        steps[name] = step.outcome;
    return steps;
}

Json errors_of(const RunReport& report) {
    Json errors = Json::object();
    for (const auto& [name, step] : report.steps) {
        if (!step.description.empty()) errors[name] = step.description;
    }
    return errors;
}

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json jobs_of(const RunReport& report) {
    const auto bytes = [](const scenarios::JobOutcome::Bytes& each) {
        return Json{{"written", each.written}, {"reported", or_null(each.reported)}};
    };
    Json jobs = Json::array();
    for (const scenarios::JobOutcome& job : report.jobs) {
        jobs.push_back(Json{{"lease", job.lease},
                            {"job", job.job},
                            {"runs", job.runs},
                            {"exit_code", or_null(job.exit_code)},
                            {"reported", job.reported},
                            {"out", bytes(job.out)},
                            {"err", bytes(job.err)}});
    }
    return jobs;
}

Json result_of(const TestedRun& run) {
    const RunReport& report = run.report;
    const faults::Outcome& outcome = report.outcome;
    return {{"scenario", run.scenario},
            {"backend", run.backend},
            {"client", run.client},
            {"plan", Json(faults::to_json(outcome.plan))},
            {"verdict", name(outcome.verdict)},
            {"violations", violations_of(report)},
            {"steps", steps_of(report)},
            {"errors", errors_of(report)},
            {"unmet", report.unmet},
            {"defects", report.defects},
            {"notes", run.notes},
            {"jobs", jobs_of(report)},
            {"teardowns",
             {{"sandboxes", report.sandboxes}, {"removed", report.removed}, {"held", report.held}}},
            {"inert", outcome.inert},
            {"unknown_sites", outcome.unknown_sites},
            {"digest", scenarios::digest_text(outcome.digest)}};
}

Json coverage_of(const Report& report) {
    if (!report.coverage) return nullptr;
    const Coverage& coverage = *report.coverage;
    return {{"void_runs", coverage.void_runs},
            {"inert_choices", coverage.inert_choices},
            {"dismissed", coverage.dismissed},
            {"rechecked", coverage.rechecked},
            {"choices_by_kind", coverage.choices_by_kind}};
}

}  // namespace

std::string outcome_json(const Report& report) {
    Json results = Json::array();
    for (const TestedRun& run : report.results)
        results.push_back(result_of(run));
    const bool has_closure = report.is_closure_complete.has_value();
    const Json json{
        {"schema", "drydock.outcome/1"},
        {"verdict", name(report.verdict)},
        {"runs", report.runs},
        {"results", std::move(results)},
        {"coverage", coverage_of(report)},
        {"closure", has_closure ? Json{{"complete", *report.is_closure_complete}} : Json(nullptr)},
        {"stats", {{"seconds", report.seconds}}}};
    // What came from outside may hold anything: broken UTF-8 is replaced, not thrown about.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace drydock::reports
