#pragma once

#include <drydock/error.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/ledger.hpp>
#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/trace.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace drydock::scenarios {

/// The public calls that a process can be in.
enum class CallKind : std::uint8_t {
    acquire,
    release,
    cleanup,
    attach,
    close,
    recover,
    run,
    start,
    wait,
    stdin_,
    kill,
};

std::string_view name(CallKind kind);

inline constexpr Time forever = Time::max();

/// From `from` up to, but without, `to`.
struct Span {
    Time from{};
    Time to = forever;

    bool contains(Time at) const noexcept { return from <= at && at < to; }
};

/// One remove that was sent for a sandbox by its id, until its exchange ended.
struct RemovalSent {
    Span span;
    std::uint8_t process = 0;
};

/// One sandbox of ours from birth to end.
struct SandboxLife {
    const sim::SandboxTruth* truth = nullptr;
    std::uint8_t process = 0;
    std::uint32_t lease = 0;
    Span life;
    bool is_late = false;  ///< its create landed after the client had given it up, or had died
    std::vector<RemovalSent> removals{};
    std::optional<Time> removal_accepted{};  ///< and not failed since
    bool is_removal_asked = false;           ///< by a request, not by the server itself
    std::vector<Span> held{};
};

struct Call {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;  ///< 0 for close and recover: every lease
    std::uint32_t actor = 0;
    std::uint32_t step = 0;
    CallKind kind{};
    Span span;
    bool has_returned = false;  ///< else its process died
    std::optional<ErrorKind> error{};
    std::optional<Time> struck{};  ///< when a cancel first struck it
    std::optional<Duration> deadline{};
};

/// While a ledger row (process, lease, attempt) was an obligation.
struct RowSpan {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;
    std::uint32_t attempt = 0;
    Span span;
};

/// How one exchange or local operation of a program went.
struct Step {
    faults::Site site;
    Span span;
    std::uint32_t subject = 0;           ///< the sandbox that it addressed by id
    std::uint64_t value = 0;             ///< of its `completed` event
    std::optional<ErrorKind> read_as{};  ///< the error that the adapter made of it
    Landed landed = Landed::no;          ///< of that error
    bool is_completed = false;
    bool was_applied = false;
    bool was_answered_well = false;  ///< the server said yes, whatever it did
    bool has_arrived = false;
    bool is_late = false;  ///< it arrived after the client had given it up
};

/// A run's trace, read once into what invariants ask about. A view: the trace, the truth and the
/// names outlive it.
struct History {
    const faults::Names* names = nullptr;
    std::vector<SandboxLife> sandboxes;  ///< ours only, in order of birth
    std::vector<Call> calls;             ///< in order of beginning
    std::vector<RowSpan> rows;
    std::vector<Step> steps;                           ///< in order of beginning
    std::vector<std::pair<std::uint8_t, Span>> lives;  ///< of processes, one per incarnation
    std::vector<std::pair<std::uint8_t, Time>> normal_ends;
    Time faults_stopped = forever;
    Time end{};

    const SandboxLife* find(std::uint32_t number) const;
    /// "runner[scan-1]".
    std::string lease_name(std::uint8_t process, std::uint32_t lease) const;
};

History read_history(const sim::Trace& trace, std::span<const sim::SandboxTruth> truth,
                     const faults::Names& names, Time end);

/// A Step's `value` for a failed exchange is beyond all statuses.
bool is_transport_failure(const Step& step);

}  // namespace drydock::scenarios
