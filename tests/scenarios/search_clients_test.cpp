// Random plans over random scenarios find each legacy client by the mistake that it is kept for.
#include "support/scenario_kit.hpp"

#include <drydock/scenarios/reader.hpp>
#include <drydock/scenarios/search.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace drydock::test {
namespace {

using namespace scenarios;

constexpr std::uint64_t at_most = 10'000;
constexpr std::uint64_t at_a_time = 100;

/// What each client breaks in some incident. Tests run in the root of the source tree.
std::map<std::string, NameSet> mistakes() {
    std::map<std::string, NameSet> all;
    for (const auto& file : std::filesystem::directory_iterator("scenarios/incidents")) {
        std::stringstream text;
        text << std::ifstream(file.path()).rdbuf();
        const Scenario scenario = read_scenario(text.str(), file.path().string(), backend_names);
        for (const std::string& kind : scenario.backend.kinds) {
            for (const auto& [name, invariants] : scenario.expectation_on(kind).legacy)
                all[name].insert(invariants.begin(), invariants.end());
        }
    }
    return all;
}

bool is_found(const SearchReport& report, const NameSet& mistake) {
    for (const SearchFind& find : report.finds) {
        for (const std::string& invariant : broken(find.run.report)) {
            if (mistake.contains(invariant)) return true;
        }
    }
    return false;
}

TEST(SearchClients, EachIsFoundByItsOwnMistake) {
    for (const auto& [name, mistake] : mistakes()) {
        std::uint64_t runs = 0;
        for (bool found = false; !found; runs += at_a_time) {
            ASSERT_LT(runs, at_most) << name;
            SearchOptions options{.client = client(name), .backends = {}};
            for (const std::string& kind : backend_names)
                options.backends.push_back(&backend(kind));
            options.runs = at_a_time;
            options.seed = runs;
            options.stop_at_first = false;
            found = is_found(explore_random(options), mistake);
        }
    }
}

}  // namespace
}  // namespace drydock::test
