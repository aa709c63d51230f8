#include "fuzz/targets.hpp"

#include <drydock/scenarios/reader.hpp>

#include <string>
#include <vector>

namespace drydock::fuzz {

void read_scenario(std::string_view input) {
    const std::vector<std::string> kinds{"docker", "moby-current", "daytona"};
    try {
        const auto scenario = scenarios::read_scenario(input, "a.json", kinds);
        const std::string text = scenarios::write_scenario(scenario);
        const auto again = scenarios::read_scenario(text, "a.json", kinds);
        check(scenarios::write_scenario(again) == text, "a scenario is read back as it was");
    } catch (const faults::InputError& error) {
        check(!error.message.empty() && error.file == "a.json", "an error says what and where");
    }
}

}  // namespace drydock::fuzz
