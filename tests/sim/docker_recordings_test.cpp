#include "docker_recording.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace drydock::sim::test {
namespace {

using Steps = std::map<std::string, std::string>;

/// The topics that the model answers, each with the recorded steps that it does not answer yet and
/// their reasons. `./drydock test --real served` holds the served model against the same list. The
/// steps may only get fewer.
const std::map<std::string, Steps>& modelled() {
    static const auto topics = [] {
        std::ifstream file("tests/sim/docker_recordings.json");
        return nlohmann::json::parse(file).get<std::map<std::string, Steps>>();
    }();
    return topics;
}

std::vector<std::string> topics() {
    std::vector<std::string> names;
    for (const auto& [topic, steps] : modelled()) {
        names.push_back(topic);
    }
    return names;
}

struct Count {
    int equal = 0;
    int skipped = 0;
};

Count replay(const std::string& topic) {
    Count count;
    Recording recording(topic);
    std::set<std::string> unused;
    for (const auto& [step, reason] : modelled().at(topic)) {
        unused.insert(step);
    }
    for (const Recording::Step& step : recording.steps()) {
        if (unused.erase(step.name) > 0) {
            EXPECT_NE(recording.difference(step), "")
                << topic << ": " << step.name << " is equal: take it off the list";
            ++count.skipped;
            continue;
        }
        EXPECT_EQ(recording.difference(step), "") << topic << ": " << step.name;
        ++count.equal;
    }
    EXPECT_TRUE(unused.empty()) << topic << " has no step " << *unused.begin();
    return count;
}

class DockerRecordings : public testing::TestWithParam<std::string> {};

TEST_P(DockerRecordings, AreAnsweredAlike) {
    const Count count = replay(GetParam());
    RecordProperty("equal", count.equal);
    RecordProperty("skipped", count.skipped);
    std::printf("%s: %d steps equal, %d skipped\n", GetParam().c_str(), count.equal, count.skipped);
}

INSTANTIATE_TEST_SUITE_P(Topics, DockerRecordings, testing::ValuesIn(topics()),
                         [](const auto& param) { return "Topic" + param.param; });

}  // namespace
}  // namespace drydock::sim::test
