#include "clients/library_client.hpp"

#include <drydock/sim/backend_model.hpp>

namespace drydock::scenarios {

namespace {

/// Gathers what comes of a job, as it comes.
class Output {
public:
    OutputSink sink() {
        return [this](const JobOutput& output) { add(output); };
    }

    JobReport report(const JobResult& result) {
        JobReport report;
        report.exit_code = result.exit_code;
        report.is_whole = !result.out.has_gap && !result.err.has_gap;
        report.has_begun = result.state != JobState::not_begun;
        report.is_killed = result.state == JobState::killed;
        report.out = std::move(out_);
        report.err = std::move(err_);
        return report;
    }

private:
    void add(const JobOutput& output) {
        std::string& text = output.source == JobOutput::Source::err ? err_ : out_;
        text += output.bytes;
    }

    std::string out_;
    std::string err_;
};

JobSpec spec_of(JobRequest& request) {
    JobSpec spec;
    spec.id = request.job;
    spec.argv = std::move(request.argv);
    spec.environment.push_back(std::string(sim::job_id_variable) + "=" + spec.id);
    spec.with_stdin = request.has_stdin;
    spec.timeout = request.timeout;
    return spec;
}

Error holds_nothing() {
    return Error({.kind = ErrorKind::invalid, .message = "the actor holds no sandbox there"});
}

}  // namespace

awaitable<Result<std::string>> LibraryClient::acquire(std::uint32_t actor, LeaseRequest request) {
    const std::string key = request.key;
    Result<Lease> lease = co_await manager_.acquire(std::move(request));
    if (!lease) co_return lease.error();
    co_return keep(actor, key, std::move(*lease));
}

awaitable<Result<void>> LibraryClient::release(std::uint32_t actor, std::string key) {
    const auto held = leases_.find(Holder(actor, std::move(key)));
    const bool holds_none = held == leases_.end() || held->second.empty();
    if (holds_none) co_return Result<void>();
    Lease lease = std::move(held->second.back());
    held->second.pop_back();
    Result<void> released = co_await lease.release();
    co_return released;
}

bool LibraryClient::holds(std::uint32_t actor, const std::string& key) const {
    const auto held = leases_.find(Holder(actor, key));
    return held != leases_.end() && !held->second.empty() && held->second.back().holds();
}

awaitable<Result<void>> LibraryClient::cleanup(std::string key) {
    return manager_.cleanup(std::move(key));
}

awaitable<Result<std::string>> LibraryClient::attach(std::uint32_t actor, std::string key) {
    Result<Lease> lease = co_await manager_.attach(key);
    if (!lease) co_return lease.error();
    co_return keep(actor, key, std::move(*lease));
}

awaitable<Result<void>> LibraryClient::close(bool wait_late) {
    return manager_.close({.wait_late = wait_late});
}

awaitable<Result<void>> LibraryClient::recover() { return manager_.recover(); }

awaitable<Result<JobReport>> LibraryClient::run_job(std::uint32_t actor, JobRequest request) {
    const Lease* lease = held(actor, request.key);
    if (lease == nullptr) co_return holds_nothing();
    Output output;
    JobSpec spec = spec_of(request);
    Result<JobResult> result = co_await jobs_.run(*lease, std::move(spec), output.sink());
    if (!result) co_return result.error();
    co_return output.report(*result);
}

awaitable<Result<void>> LibraryClient::start_job(std::uint32_t actor, JobRequest request) {
    const Lease* lease = held(actor, request.key);
    if (lease == nullptr) co_return holds_nothing();
    JobSpec spec = spec_of(request);
    Result<void> started = co_await jobs_.start(*lease, std::move(spec));
    co_return started;
}

awaitable<Result<JobReport>> LibraryClient::wait_for_job(std::uint32_t actor, std::string key,
                                                         std::string job) {
    const Lease* lease = held(actor, key);
    if (lease == nullptr) co_return holds_nothing();
    Output output;
    Result<JobResult> result = co_await jobs_.wait(*lease, std::move(job), output.sink());
    if (!result) co_return result.error();
    co_return output.report(*result);
}

awaitable<Result<void>> LibraryClient::write_stdin(std::uint32_t actor, std::string key,
                                                   std::string job, std::string text) {
    const Lease* lease = held(actor, key);
    if (lease == nullptr) co_return holds_nothing();
    Result<void> written = co_await jobs_.write_stdin(*lease, std::move(job), std::move(text));
    co_return written;
}

awaitable<Result<JobReport>> LibraryClient::kill_job(std::uint32_t actor, std::string key,
                                                     std::string job) {
    const Lease* lease = held(actor, key);
    if (lease == nullptr) co_return holds_nothing();
    Result<JobResult> result = co_await jobs_.kill(*lease, std::move(job));
    if (!result) co_return result.error();
    JobReport report = Output().report(*result);
    report.is_whole = false;
    co_return report;
}

const Lease* LibraryClient::held(std::uint32_t actor, const std::string& key) const {
    const auto found = leases_.find(Holder(actor, key));
    const bool is_there = found != leases_.end() && !found->second.empty();
    return is_there ? &found->second.back() : nullptr;
}

std::string LibraryClient::keep(std::uint32_t actor, const std::string& key, Lease lease) {
    std::string id = lease.sandbox().id;
    std::vector<Lease>& held = leases_[Holder(actor, key)];
    std::erase_if(held, [](const Lease& each) { return !each.holds(); });  // cleaned up
    held.push_back(std::move(lease));
    return id;
}

ClientKind library() {
    return {.name = std::string(library_client),
            .about = "drydock's own library",
            .has_ledger = true,
            .make = [](ClientSeams seams) { return std::make_unique<LibraryClient>(seams); }};
}

}  // namespace drydock::scenarios
