#include <drydock/faults/choice.hpp>

#include <drydock/faults/text.hpp>

#include <nlohmann/json.hpp>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, 3> moment_names{"before", "in_flight", "with_completion"};

constexpr std::array<std::string_view, trait_count> trait_names{
    "list_lag",           "stuck",      "name_held_after_remove",
    "ack_without_effect", "exit_early", "oom",
    "daemon_restart",     "ttl_expiry", "restart"};

// Kinds are numbered: fates, local fates, delay, cancel, crash, engine traits, stream faults, step
// faults.
constexpr std::size_t first_local = fate_kind_count;
constexpr std::size_t first_other = first_local + 4;
constexpr std::size_t first_trait = first_other + 3;
constexpr std::size_t first_stream = first_trait + trait_count;
constexpr std::size_t first_step = first_stream + stream_kind_count;

struct KindIndex {
    std::size_t operator()(const Fate& fate) const {
        return static_cast<std::size_t>(kind_of(fate));
    }
    std::size_t operator()(const LocalFate& fate) const {
        return first_local + static_cast<std::size_t>(fate.kind);
    }
    std::size_t operator()(const Delay&) const { return first_other; }
    std::size_t operator()(const Cancel&) const { return first_other + 1; }
    std::size_t operator()(const Crash&) const { return first_other + 2; }
    std::size_t operator()(const EngineChoice& choice) const {
        return first_trait + static_cast<std::size_t>(choice.trait);
    }
    std::size_t operator()(const StreamFault& fault) const {
        return first_stream + static_cast<std::size_t>(fault.kind);
    }
    std::size_t operator()(const StepFault& fault) const {
        return first_step + static_cast<std::size_t>(fault.kind);
    }
};

}  // namespace

std::string_view name(Moment moment) { return moment_names.at(static_cast<std::size_t>(moment)); }

std::string_view name(Trait trait) { return trait_names.at(static_cast<std::size_t>(trait)); }

std::size_t kind_index(const Choice& choice) { return std::visit(KindIndex{}, choice); }

std::string_view kind_name(std::size_t index) {
    constexpr std::array<std::string_view, 3> others{"delay", "cancel", "crash"};
    if (index < first_local) {
        return name(static_cast<FateKind>(index));
    }
    if (index < first_other) {
        return name(static_cast<LocalFate::Kind>(index - first_local));
    }
    if (index < first_trait) {
        return others[index - first_other];
    }
    if (index < first_stream) {
        return name(static_cast<Trait>(index - first_trait));
    }
    if (index < first_step) {
        return name(static_cast<StreamFault::Kind>(index - first_stream));
    }
    const auto step = static_cast<StepFault::Kind>(index - first_step);
    return step == StepFault::Kind::slow ? "slow_step" : name(step);  // a fate has that name
}

std::string_view kind_name(const Choice& choice) { return kind_name(kind_index(choice)); }

std::uint64_t digest(const Choice& choice) { return fnv1a(to_json(choice).dump()); }

std::string to_string(const Choice& choice) {
    const nlohmann::json json = to_json(choice);
    return json.is_string() ? json.get<std::string>() : json.dump();
}

}  // namespace drydock::faults
