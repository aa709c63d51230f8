#pragma once

#include <drydock/faults/fate.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/faults/step_fault.hpp>
#include <drydock/faults/stream_fault.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace drydock::faults {

/// Added before an exchange arrives, or to how long a local operation takes.
struct Delay {
    Duration by{};
    bool operator==(const Delay&) const = default;
};

/// Where within an operation a cancellation or a crash falls.
enum class Moment : std::uint8_t {
    before,           ///< nothing of the operation is sent
    in_flight,        ///< the whole request has left, the engine goes on
    with_completion,  ///< at the same instant as the completion, ahead of it
};

std::string_view name(Moment moment);

/// One cancellation: of every public call that waits for the operation, or of one actor's.
struct Strike {
    Moment moment = Moment::in_flight;
    std::string actor{};  ///< empty: all who wait
    bool operator==(const Strike&) const = default;
};

/// One or more cancellations at one site, in the order in which they fall.
struct Cancel {
    static constexpr std::size_t max_strikes = 64;
    std::vector<Strike> strikes;
    bool operator==(const Cancel&) const = default;
};

/// The process dies.
struct Crash {
    Moment moment = Moment::in_flight;
    bool operator==(const Crash&) const = default;
};

/// How a backend can misbehave on its own.
enum class Trait : std::uint8_t {
    list_lag,                ///< lists do not show what changed
    stuck,                   ///< the sandbox stays in a transitional state
    name_held_after_remove,  ///< a removed sandbox's name stays taken
    ack_without_effect,      ///< says yes and does nothing
    exit_early,              ///< the sandbox ends by itself
    oom,                     ///< the sandbox is killed for its memory
    daemon_restart,
    ttl_expiry,  ///< the server removes the sandbox on its own
    restart,     ///< the sandbox ends by itself, once, and runs again
};

inline constexpr std::size_t trait_count = 9;

std::string_view name(Trait trait);

/// Takes effect when the call reaches the engine; lasts until the faults stop, or for `lasts`.
struct EngineChoice {
    Trait trait = Trait::list_lag;
    std::optional<std::string> state{};  ///< of `stuck`, and only there: which state
    std::optional<Duration> lasts{};
    bool operator==(const EngineChoice&) const = default;
};

/// What happens at a site instead of the default.
using Choice =
    std::variant<Fate, LocalFate, Delay, Cancel, Crash, EngineChoice, StreamFault, StepFault>;

/// Every kind of choice has a small number, for sets of kinds as bits, and a name.
inline constexpr std::size_t kind_count =
    fate_kind_count + 4 + 3 + trait_count + stream_kind_count + step_kind_count;
static_assert(kind_count <= 64);

std::size_t kind_index(const Choice& choice);
std::string_view kind_name(std::size_t index);
/// "reply_lost", "status_before", "fail", "delay", "cancel", "crash", "stuck", "gap", ...
std::string_view kind_name(const Choice& choice);

/// Why this choice cannot be made at such a site, if so.
std::optional<std::string> why_unfit(const Choice& choice, Aspect aspect, Operation operation);

/// Reads a choice's file form: a string, a list (cancel) or an object (fate). The site's aspect and
/// operation say what is meant. Throws InputError, pointers relative to `json`.
Choice choice_from_json(const nlohmann::json& json, Aspect aspect, Operation operation);
/// The same from a string, e.g. "late(after_timeout)".
Choice choice_from_text(std::string_view text, Aspect aspect, Operation operation);

nlohmann::json to_json(const Choice& choice);
/// The short form as text; for lists and objects their JSON.
std::string to_string(const Choice& choice);

/// Equal for equal choices, on every compiler and machine.
std::uint64_t digest(const Choice& choice);

}  // namespace drydock::faults
