#include "fuzz/targets.hpp"

#include <algorithm>
#include <array>

namespace drydock::fuzz {

std::span<const Target> targets() {
    static constexpr std::array<Target, 6> all{{{"plan", read_plan},
                                                {"scenario", read_scenario},
                                                {"docker_json", read_docker_json},
                                                {"docker_frames", read_docker_frames},
                                                {"docker_archive", read_docker_archive},
                                                {"guard_records", read_guard_records}}};
    return all;
}

const Target& target(std::string_view name) {
    const auto all = targets();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [name](const Target& each) { return each.name == name; });
    if (found == all.end()) throw std::out_of_range("no such target");
    return *found;
}

}  // namespace drydock::fuzz
