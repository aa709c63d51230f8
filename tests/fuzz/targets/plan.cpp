#include "fuzz/targets.hpp"

#include <drydock/faults/plan_chooser.hpp>
#include <drydock/scenarios/reader.hpp>

#include <nlohmann/json.hpp>

namespace drydock::fuzz {
namespace {

void check_follows(const faults::Plan& plan) {
    faults::Names names;
    faults::PlanChooser chooser(plan, names);
    for (const faults::PlanEntry& entry : plan.entries()) {
        const faults::Choice* chosen = chooser.choose(faults::intern(entry.at, names));
        check(chosen != nullptr && *chosen == entry.choose, "a plan's entry holds at its site");
    }
    check(chooser.unknown_sites().empty(), "every site came up");
}

}  // namespace

void read_plan(std::string_view input) {
    try {
        const faults::Plan plan = scenarios::read_plan(input, "plan.json");
        check(input.find('\0') == std::string_view::npos, "nothing is left out");
        const std::string text = to_json(plan).dump();
        check(scenarios::read_plan(text, "plan.json") == plan, "a plan is read back as it was");
        check_follows(plan);
    } catch (const faults::InputError& error) {
        check(!error.message.empty() && error.file == "plan.json", "an error says what and where");
    }
}

}  // namespace drydock::fuzz
