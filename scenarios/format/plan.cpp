#include "format/parts.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/plan.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {
namespace {

/// The names of that process's actors; none if there is no such process.
std::vector<std::string_view> actors_of(const std::string& process,
                                        const std::vector<ProcessScript>& processes) {
    std::vector<std::string_view> actors;
    for (const ProcessScript& script : processes) {
        if (script.name != process) {
            continue;
        }
        for (const ActorScript& actor : script.actors) {
            actors.push_back(actor.name);
        }
    }
    return actors;
}

void check_actors(const faults::PlanEntry& entry, const Node& node,
                  const std::vector<ProcessScript>& processes) {
    const auto* cancel = std::get_if<faults::Cancel>(&entry.choose);
    if (cancel == nullptr) {
        return;
    }
    const std::vector<std::string_view> actors = actors_of(entry.at.process, processes);
    for (const faults::Strike& strike : cancel->strikes) {
        const bool is_known = strike.actor.empty() ||
                              std::find(actors.begin(), actors.end(), strike.actor) != actors.end();
        if (!is_known) {
            node.at("choose").fail(fmt::format("{} has no actor {}{}", entry.at.process,
                                               faults::in_quotes(strike.actor),
                                               faults::did_you_mean(strike.actor, actors)));
        }
    }
}

}  // namespace

faults::Plan read_plan(const Node& node, const std::vector<ProcessScript>* processes) {
    faults::Plan plan = faults::Plan::from_json(node.json(), node.pointer());
    if (processes == nullptr) {
        return plan;
    }
    const std::vector<Node> nodes = node.items(0, plan.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        check_actors(plan.entries()[i], nodes[i], *processes);
    }
    return plan;
}

}  // namespace drydock::scenarios
