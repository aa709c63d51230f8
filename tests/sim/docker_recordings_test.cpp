#include "docker_recording.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace drydock::sim::test {
namespace {

/// Recorded steps that the model does not answer yet, by topic and step, each with its reason. This
/// list may only shrink.
const std::map<std::string, std::map<std::string, std::string>>& skipped() {
    static const std::map<std::string, std::map<std::string, std::string>> steps = {
        {"03_create",
         {{"bind of missing source by mount", "mounts"},
          {"bind with relative source", "mounts"},
          {"bind with relative target", "mounts"},
          {"bind malformed", "mounts"},
          {"duplicate mount target", "mounts"},
          {"mount bad type", "mounts"},
          {"bad stop signal", "signals"}}},
        {"03_create_more",
         {{"bind to root", "mounts"},
          {"platform unknown", "platforms"},
          {"platform other", "platforms"},
          {"bad cap", "capabilities of processes"},
          {"volumes from missing", "volumes"},
          {"two networks", "networks"}}},
        {"04_start_more", {{"create with a working dir that is a file", "files in the image"}}},
        {"05_inspect_more",
         {{"health before start", "health checks"},
          {"health starting", "health checks"},
          {"health healthy", "health checks"},
          {"list status text when healthy", "health checks"},
          {"health after stop", "health checks"}}},
        {"10_remove_more", {{"volume is not there", "volumes"}}},
        {"01_ping_version", {{"info", "the engine's default registry is not named here"}}},
        {"24_auto_remove", {{"attach ends first", "streams"}}},
    };
    return steps;
}

struct Count {
    int equal = 0;
    int skipped = 0;
};

Count replay(const std::string& topic) {
    Count count;
    Recording recording(topic);
    std::set<std::string> unused;
    const auto list = skipped().find(topic);
    if (list != skipped().end()) {
        for (const auto& [step, reason] : list->second) {
            unused.insert(step);
        }
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

class DockerRecordings : public testing::TestWithParam<const char*> {};

TEST_P(DockerRecordings, AreAnsweredAlike) {
    const Count count = replay(GetParam());
    RecordProperty("equal", count.equal);
    RecordProperty("skipped", count.skipped);
    std::printf("%s: %d steps equal, %d skipped\n", GetParam(), count.equal, count.skipped);
}

INSTANTIATE_TEST_SUITE_P(Topics, DockerRecordings,
                         testing::Values("01_ping_version", "01_routing", "03_create",
                                         "03_create_more", "04_start", "04_start_more",
                                         "05_inspect_states", "05_inspect_more", "06_list",
                                         "06_list_more", "07_wait", "07_wait_more", "08_stop",
                                         "08_stop_more", "09_kill", "09_kill_more", "10_remove",
                                         "10_remove_more", "11_rename", "12_pause",
                                         "24_auto_remove", "25_restart_policy"),
                         [](const auto& param) { return "Topic" + std::string(param.param); });

}  // namespace
}  // namespace drydock::sim::test
