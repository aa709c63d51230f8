#pragma once

#include <drydock/capabilities.hpp>
#include <drydock/faults/choice.hpp>
#include <drydock/sim/trace.hpp>
#include <drydock/transport.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

class World;

/// What the plan does to one exchange at the engine: how it answers, and a trait that sets in.
struct Intervention {
    const faults::Fate* fate = nullptr;  ///< its `answer` axis is the model's business
    const faults::EngineChoice* trait = nullptr;
};

/// What the client of a stream does after its request. The model sets what it wants to hear; each
/// may be called until `end` or `left`, and none from inside a call of the model.
struct StreamClient {
    std::function<void(std::string_view bytes)> input{};
    std::function<void()> input_end{};  ///< it closed its writing side, and still reads
    std::function<void()> left{};       ///< it closed the connection, or the line is broken
};

/// A reply without a known end: an upgraded connection, or a body that grows. After `end`, and once
/// the client has left, nothing does anything any more. Both let go of the StreamClient.
class ReplyStream {
public:
    virtual ~ReplyStream() = default;
    virtual void send(std::string_view bytes) = 0;
    virtual void end() = 0;
};

/// The way back of one exchange. Lives until it has replied; the model calls `applied` at most
/// once, and once either `reply` or `stream`, at once or later in virtual time.
class Responder {
public:
    virtual ~Responder() = default;
    /// The request's effect took place (also for `after` answers; not for refusals and reads).
    virtual void applied() = 0;
    /// The intervention's trait changed a state or an answer (witness), now or later in the run.
    virtual void trait_took_effect() = 0;
    virtual void reply(Response response) = 0;
    /// The status and the headers go out now, the body with `reply`, which has the same ones (a
    /// wait's body comes at the exit). One who takes whole answers only need not care.
    virtual void head(const Response&) {}
    /// The header of `head`, which has no body, goes out now, and what is sent follows it.
    virtual std::shared_ptr<ReplyStream> stream(Response head, StreamClient client) = 0;
};

/// For one who takes whole answers only: replies with all that was sent, at the end.
std::shared_ptr<ReplyStream> gathered(std::shared_ptr<Responder> responder, Response head);

/// One sandbox as the engine knows it, whatever a client believes.
struct SandboxTruth {
    std::uint32_t number = 0;  ///< from 1, in order of birth; `subject` of the trace's events
    std::string id;
    std::string name;
    std::string owner;  ///< from its labels; empty if it is nobody's of ours
    std::string lease;
    std::string key;
    std::uint32_t attempt = 0;
    Time born{};
    Time gone{};  ///< only if `is_gone`
    bool is_gone = false;
    bool removal_accepted = false;
};

/// Who starts a job may say the job's id here, if DRYDOCK_JOB has another name for it.
inline constexpr std::string_view job_id_variable = "DRYDOCK_JOB_ID";

/// One process that an exec began in a sandbox, or a child of one, whatever a client believes.
struct ProcessTruth {
    std::uint32_t sandbox = 0;  ///< its number
    std::uint32_t pid = 0;      ///< in the sandbox, whose own program is 1
    std::uint32_t parent = 0;   ///< pid; 0: it came with an exec
    std::vector<std::string> argv;
    /// The id of the job whose DRYDOCK_JOB is in its environment: `job_id_variable`, or else that
    /// very value. Empty if it has none.
    std::string job;
    bool begins_job = false;  ///< of that job, and its parent is not: the job took effect here
    bool has_ended = false;   ///< also with its sandbox's run
    Time begun{};
    Time ended{};           ///< only if `has_ended`
    int exit_code = 0;      ///< likewise; 128 + N by signal N
    std::uint64_t out = 0;  ///< bytes that it wrote so far
    std::uint64_t err = 0;
    std::vector<std::string> in{};  ///< of a job: what it was given on its stdin, each piece
    /// The place, from 1 among all, of the process whose signal ended it; 0: none did.
    std::size_t killed_by = 0;
};

/// What the plan does to a guard that is about to take a step.
struct StepIntervention {
    const faults::StepFault* fault = nullptr;
    bool* struck = nullptr;  ///< becomes true when it kills or delays something
};

/// Asked before each such step, in their order, with the sandbox in which it is.
using StepHook = std::function<StepIntervention(const SandboxTruth& sandbox)>;

/// A simulated backend: registered under a kind's name, made fresh for each run. Answers requests
/// as its real counterpart does, never fails by itself, and can be asked the truth.
class BackendModel {
public:
    virtual ~BackendModel() = default;

    virtual void handle(const Request& request, Intervention intervention,
                        std::shared_ptr<Responder> responder) = 0;
    /// All traits that interventions set end now; stuck states go on as if never stuck.
    virtual void stop_faults() = 0;
    /// Where jobs run under a guard, it is struck as the hook says.
    virtual void on_guard_step(StepHook) {}
    virtual std::span<const SandboxTruth> sandboxes() const = 0;
    /// In order of their beginning.
    virtual std::span<const ProcessTruth> processes() const { return {}; }
    /// The number of the sandbox that the request addresses by id, living or gone; 0 for none.
    virtual std::uint32_t addressed_by(const Request& request) const = 0;
    /// The sandbox of this id (or that an exact name means now), living or gone.
    virtual const SandboxTruth* find(std::string_view id_or_name) const = 0;
};

/// What a kind in `backend.kind` stands for.
struct BackendKind {
    std::string name;
    std::string about;
    Capabilities capabilities;
    std::function<std::unique_ptr<BackendModel>(World&)> make_model;
};

}  // namespace drydock::sim
