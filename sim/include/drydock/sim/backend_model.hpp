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

namespace drydock::sim {

class World;

/// What the plan does to one exchange at the engine: how it answers, and a trait that sets in.
struct Intervention {
    const faults::Fate* fate = nullptr;  ///< its `answer` axis is the model's business
    const faults::EngineChoice* trait = nullptr;
};

/// The way back of one exchange. Lives until it has replied; the model calls `applied` at most once
/// and `reply` exactly once, at once or later in virtual time.
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
};

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

/// A simulated backend: registered under a kind's name, made fresh for each run. Answers requests
/// as its real counterpart does, never fails by itself, and can be asked the truth.
class BackendModel {
public:
    virtual ~BackendModel() = default;

    virtual void handle(const Request& request, Intervention intervention,
                        std::shared_ptr<Responder> responder) = 0;
    /// All traits that interventions set end now; stuck states go on as if never stuck.
    virtual void stop_faults() = 0;
    virtual std::span<const SandboxTruth> sandboxes() const = 0;
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
