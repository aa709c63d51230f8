#include "runner/actor.hpp"

#include "runner/job_program.hpp"
#include "runner/process_run.hpp"
#include "runner/subject.hpp"

#include <drydock/sim/sleep.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace drydock::scenarios {

namespace {

// The caller's own code: takes its time, can be cancelled, and does nothing else.
awaitable<Result<void>> busy(sim::Executor executor, Duration time) {
    const Wake wake = co_await sim::async_sleep(executor, time, Interrupt::allowed, asio::deferred);
    if (wake == Wake::done) co_return Result<void>();
    co_return Error({.kind = ErrorKind::cancelled});
}

// A coroutine that lets its cancellation fly ends with this exception, and with nothing else.
Error error_of(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted) throw;
        return Error(
            {.kind = ErrorKind::cancelled, .landed = Landed::unknown, .message = "cancelled"});
    }
}

bool runs_after_failure(const ActorStep& step) {
    return std::holds_alternative<ReleaseStep>(step) || std::holds_alternative<CleanupStep>(step);
}

}  // namespace

ActorRun::ActorRun(ProcessRun& process, const ActorScript& script, std::uint32_t lane)
    : process_(process), script_(script), lane_(lane), steps_(script.steps.size()) {}

void ActorRun::next() {
    while (!has_ended() && has_failed_ && !runs_after_failure(script_.steps[index_])) {
        steps_[index_++].status = Status::skipped;
    }
    if (has_ended()) return process_.actor_ended();
    perform(script_.steps[index_]);
}

void ActorRun::perform(const ActorStep& step) {
    struct Performer {
        ActorRun& actor;
        void operator()(const HoldStep& held) const { actor.hold(held); }
        void operator()(const AcquireStep& acquired) const { actor.acquire(acquired); }
        void operator()(const AttachStep& attached) const { actor.attach(attached); }
        void operator()(const ReleaseStep& released) const { actor.release(released); }
        void operator()(const CleanupStep& cleaned) const { actor.cleanup(cleaned); }
        void operator()(const CloseStep&) const { actor.close(); }
        void operator()(const RunStep& run) const { actor.run_job(run); }
        void operator()(const WaitStep& waited) const { actor.wait_for_job(waited); }
        void operator()(const StdinStep& written) const { actor.write_stdin(written); }
        void operator()(const KillStep& killed) const { actor.kill_job(killed); }
    };
    std::visit(Performer{*this}, step);
}

void ActorRun::die() {
    is_in_call_ = false;
    holds_.clear();
    while (!has_ended())
        steps_[index_++].status = Status::crashed;
}

bool ActorRun::waits_for(std::uint32_t lease) const noexcept {
    return is_in_call_ && (call_lease_ == lease || call_kind_ == CallKind::close);
}

void ActorRun::cancel() {
    sim::Program& program = process_.program();
    program.simulation().trace({.kind = sim::EventKind::call_struck,
                                .process = program.id(),
                                .lease = call_lease_,
                                .n = static_cast<std::uint32_t>(index_),
                                .subject = lane_});
    signal_.emit(asio::cancellation_type::terminal);
}

void ActorRun::hold(const HoldStep& step) {
    sim::Program& program = process_.program();
    program.simulation().world().call_after(*program.process(), step.time, [this] {
        steps_[index_++].status = Status::ok;
        next();
    });
}

LeaseRequest ActorRun::request_of(const AcquireStep& step) {
    LeaseRequest request;
    request.key = step.key;
    request.spec.image = "bb";
    request.spec.command = {"sleep", "86400"};
    request.deadline = step.deadline;
    request.bootstrap_tries = step.tries;
    const sim::Executor executor = process_.program().process()->get_executor();
    if (step.staging) {
        request.staging = Staging{
            .prepare = [executor, time = step.staging->prepare] { return busy(executor, time); },
            .clean_up = [executor, time = step.staging->clean] { return busy(executor, time); }};
    }
    for (std::size_t i = 0; i < step.undo.size(); ++i) {
        request.undo.emplace_back([executor] { return busy(executor, Duration::zero()); });
    }
    if (step.bootstrap) {
        request.bootstrap = [executor, time = *step.bootstrap](const SandboxInfo&) {
            return busy(executor, time);
        };
    }
    return request;
}

// Runs the call on the actor's own lane, so that a cancel can be meant for it alone.
template <class T, class Then>
void ActorRun::spawn(awaitable<Result<T>> call, Then then) {
    asio::co_spawn(
        process_.program().process()->get_executor(lane_), std::move(call),
        asio::bind_cancellation_slot(
            signal_.slot(), [this, then](const std::exception_ptr& thrown, Result<T> result) {
                if (thrown) return call_failed(error_of(thrown));
                if (!result) return call_failed(result.error());
                then(std::move(result));
            }));
}

void ActorRun::acquire(const AcquireStep& step) {
    const Duration policy_deadline = process_.policy().deadline.value_or(Duration::zero());
    begin_call(CallKind::acquire, step.key, step.deadline.value_or(policy_deadline));
    spawn(process_.client().acquire(lane_, request_of(step)),
          [this, &step](const Result<std::string>& id) { got(step.key, *id); });
}

void ActorRun::attach(const AttachStep& step) {
    begin_call(CallKind::attach, step.key);
    spawn(process_.client().attach(lane_, step.key),
          [this, &step](const Result<std::string>& id) { got(step.key, *id); });
}

void ActorRun::got(const std::string& key, const std::string& id) {
    if (!process_.client().holds(lane_, key)) return call_ended(std::nullopt);
    sim::Program& program = process_.program();
    sim::Simulation& simulation = program.simulation();
    const sim::SandboxTruth* sandbox = simulation.backend().find(id);
    simulation.trace({.kind = sim::EventKind::sandbox_named,
                      .process = program.id(),
                      .lease = call_lease_,
                      .subject = sandbox == nullptr ? 0 : sandbox->number});
    holds_.insert(key);
    call_ended(std::nullopt);
}

void ActorRun::release(const ReleaseStep& step) {
    begin_call(CallKind::release, step.key);
    const auto held = holds_.find(step.key);
    if (held != holds_.end()) {
        holds_.erase(held);
        process_.hold_ends(step.key);
    }
    spawn(process_.client().release(lane_, step.key),
          [this](const Result<void>&) { call_ended(std::nullopt); });
}

void ActorRun::cleanup(const CleanupStep& step) {
    begin_call(CallKind::cleanup, step.key);
    process_.all_holds_end(step.key);
    spawn(process_.client().cleanup(step.key),
          [this](const Result<void>&) { call_ended(std::nullopt); });
}

void ActorRun::close() {
    begin_call(CallKind::close, {});
    process_.every_hold_ends();
    spawn(process_.client().close(false),
          [this](const Result<void>&) { call_ended(std::nullopt); });
}

// What a call could not confirm of a job it may have torn down with its sandbox.
void ActorRun::call_failed(const Error& error) {
    const std::string_view key = key_of(script_.steps[index_]);
    if (!key.empty()) process_.look_after_holds(std::string(key));
    call_ended(error);
}

void ActorRun::run_job(const RunStep& step) {
    begin_call(step.waits ? CallKind::run : CallKind::start, step.key);
    JobRequest request{.key = step.key,
                       .job = step.job,
                       .argv = argv_of(step.program),
                       .has_stdin = step.program.reads > 0,
                       .timeout = step.timeout};
    if (!step.waits) {
        return spawn(process_.client().start_job(lane_, std::move(request)),
                     [this](const Result<void>&) { call_ended(std::nullopt); });
    }
    spawn(process_.client().run_job(lane_, std::move(request)),
          [this](const Result<JobReport>& report) { told(*report); });
}

void ActorRun::wait_for_job(const WaitStep& step) {
    begin_call(CallKind::wait, step.key);
    spawn(process_.client().wait_for_job(lane_, step.key, step.job),
          [this](const Result<JobReport>& report) { told(*report); });
}

void ActorRun::write_stdin(const StdinStep& step) {
    begin_call(CallKind::stdin_, step.key);
    spawn(process_.client().write_stdin(lane_, step.key, step.job, step.text),
          [this](const Result<void>&) { call_ended(std::nullopt); });
}

void ActorRun::kill_job(const KillStep& step) {
    begin_call(CallKind::kill, step.key);
    spawn(process_.client().kill_job(lane_, step.key, step.job),
          [this](const Result<JobReport>& report) { told(*report); });
}

void ActorRun::told(const JobReport& report) {
    steps_[index_].job = report;
    call_ended(std::nullopt);
}

void ActorRun::begin_call(CallKind kind, std::string_view key, Duration deadline) {
    sim::Program& program = process_.program();
    call_kind_ = kind;
    call_lease_ = program.lease_id(key);
    steps_[index_].begun = program.simulation().world().now();
    is_in_call_ = true;
    program.simulation().trace({.kind = sim::EventKind::call_begun,
                                .detail = static_cast<std::uint8_t>(kind),
                                .process = program.id(),
                                .lease = call_lease_,
                                .n = static_cast<std::uint32_t>(index_),
                                .subject = lane_,
                                .value = static_cast<std::uint64_t>(deadline.count())});
}

void ActorRun::call_ended(const std::optional<Error>& error) {
    is_in_call_ = false;
    StepRun& step = steps_[index_];
    step.status = error ? Status::failed : Status::ok;
    step.error = error;
    step.ended = process_.program().simulation().world().now();
    has_failed_ = has_failed_ || error;
    sim::Program& program = process_.program();
    program.simulation().trace(
        {.kind = sim::EventKind::call_ended,
         .detail = static_cast<std::uint8_t>(error ? 1 + static_cast<int>(error->kind()) : 0),
         .process = program.id(),
         .lease = call_lease_,
         .n = static_cast<std::uint32_t>(index_),
         .subject = lane_});
    ++index_;
    next();
}

}  // namespace drydock::scenarios
