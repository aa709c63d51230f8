#include <drydock/faults/choice.hpp>

#include <drydock/faults/text.hpp>

#include <nlohmann/json.hpp>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, 3> moment_names{"before", "in_flight", "with_completion"};

constexpr std::array<std::string_view, trait_count> trait_names{
    "list_lag",   "stuck", "name_held_after_remove", "ack_without_effect",
    "exit_early", "oom",   "daemon_restart",         "ttl_expiry"};

struct KindName {
    std::string_view operator()(const Fate& fate) const { return name(kind_of(fate)); }
    std::string_view operator()(const LocalFate& fate) const { return name(fate.kind); }
    std::string_view operator()(const Delay&) const { return "delay"; }
    std::string_view operator()(const Cancel&) const { return "cancel"; }
    std::string_view operator()(const Crash&) const { return "crash"; }
    std::string_view operator()(const EngineChoice& choice) const { return name(choice.trait); }
};

}  // namespace

std::string_view name(Moment moment) { return moment_names.at(static_cast<std::size_t>(moment)); }

std::string_view name(Trait trait) { return trait_names.at(static_cast<std::size_t>(trait)); }

std::string_view kind_name(const Choice& choice) { return std::visit(KindName{}, choice); }

std::uint64_t digest(const Choice& choice) { return fnv1a(to_json(choice).dump()); }

std::string to_string(const Choice& choice) {
    const nlohmann::json json = to_json(choice);
    return json.is_string() ? json.get<std::string>() : json.dump();
}

}  // namespace drydock::faults
