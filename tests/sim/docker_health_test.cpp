#include "docker_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace drydock::sim::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr std::int64_t second = 1'000'000'000;

class DockerHealth : public testing::Test {
protected:
    json ask(Method method, std::string target, const json& body = {}) {
        Request request;
        request.method = method;
        request.target = std::move(target);
        if (!body.is_null()) {
            request.body = body.dump();
            request.content_type = "application/json";
        }
        return json::parse(harness.ask(request).body, nullptr, false);
    }
    void run(const json& check, const json& command = {"sleep", "300"}) {
        ask(Method::post, "/containers/create?name=hc",
            {{"Image", "bb"}, {"Cmd", command}, {"Healthcheck", check}});
        ask(Method::post, "/containers/hc/start");
    }
    json state() { return ask(Method::get, "/containers/hc/json").at("State"); }
    json health() { return state().at("Health"); }
    std::string list_status() { return ask(Method::get, "/containers/json?all=1")[0].at("Status"); }

    ModelHarness harness;
};

TEST_F(DockerHealth, StartsAndIsHealthyAfterTheFirstProbe) {
    run({{"Test", {"CMD-SHELL", "exit 0"}}, {"Interval", second}});
    EXPECT_EQ(health().at("Status"), "starting");
    EXPECT_EQ(health().at("Log"), nullptr);
    EXPECT_EQ(list_status(), "Up Less than a second (health: starting)");
    harness.pass(1500ms);
    EXPECT_EQ(health().at("Status"), "healthy");
    EXPECT_EQ(list_status(), "Up 1 second (healthy)");
    EXPECT_EQ(health().at("Log").size(), 1U);
    harness.pass(20s);
    EXPECT_EQ(health().at("Log").size(), 5U) << "older results are dropped";
}

TEST_F(DockerHealth, FailsAfterAsManyProbesAsThereAreRetries) {
    run({{"Test", {"CMD", "false"}}, {"Interval", second}, {"Retries", 2}});
    harness.pass(1500ms);
    EXPECT_EQ(health().at("Status"), "starting");
    EXPECT_EQ(health().at("FailingStreak"), 1);
    harness.pass(1s);
    EXPECT_EQ(health().at("Status"), "unhealthy");
    EXPECT_EQ(health().at("FailingStreak"), 2);
    EXPECT_EQ(health().at("Log")[0].at("ExitCode"), 1);
}

TEST_F(DockerHealth, IsProbedEveryThirtySecondsByDefault) {
    run({{"Test", {"CMD", "false"}}}, {"sleep", "1000"});
    harness.pass(89s);
    EXPECT_EQ(health().at("FailingStreak"), 2);
    harness.pass(2s);
    EXPECT_EQ(health().at("Status"), "unhealthy") << "three retries by default";
}

TEST_F(DockerHealth, SparesFailuresInTheStartPeriod) {
    run({{"Test", {"CMD", "false"}}, {"Interval", second}, {"StartPeriod", 3 * second}});
    harness.pass(2500ms);
    EXPECT_EQ(health().at("FailingStreak"), 0);
    EXPECT_EQ(health().at("Log").size(), 2U);
    harness.pass(1s);
    EXPECT_EQ(health().at("FailingStreak"), 1);
}

TEST_F(DockerHealth, CountsAProbeThatTakesTooLongAsFailed) {
    run({{"Test", {"CMD", "sleep", "60"}},
         {"Interval", second},
         {"Timeout", 2 * second},
         {"Retries", 1}});
    harness.pass(2900ms);
    EXPECT_EQ(health().at("Status"), "starting");
    harness.pass(200ms);
    EXPECT_EQ(health().at("Status"), "unhealthy");
    EXPECT_EQ(health().at("Log")[0].at("ExitCode"), -1);
    EXPECT_EQ(health().at("Log")[0].at("Output"), "Health check exceeded timeout (2s)");
}

TEST_F(DockerHealth, SaysWhyAProbeCannotBeRun) {
    run({{"Test", {"CMD", "nosuch"}}, {"Interval", second}});
    harness.pass(1500ms);
    const std::string output = health().at("Log")[0].at("Output");
    EXPECT_NE(output.find("exec: \"nosuch\": executable file not found"), std::string::npos);
}

TEST_F(DockerHealth, EndsWithItsContainer) {
    run({{"Test", {"CMD", "true"}}, {"Interval", second}}, {"sleep", "3"});
    harness.pass(2s);
    EXPECT_EQ(health().at("Status"), "healthy");
    harness.pass(10s);
    EXPECT_EQ(health().at("Status"), "unhealthy");
    EXPECT_EQ(health().at("Log").size(), 2U) << "no probe after the end";
}

TEST_F(DockerHealth, IsNotThereWithoutACheck) {
    run({{"Test", {"NONE"}}});
    harness.pass(100s);
    EXPECT_FALSE(state().contains("Health"));
    EXPECT_EQ(ask(Method::get, R"(/containers/json?filters={"health":["none"]})").size(), 1U);
    EXPECT_EQ(ask(Method::get, R"(/containers/json?filters={"health":["healthy"]})").size(), 0U);
}

}  // namespace
}  // namespace drydock::sim::test
