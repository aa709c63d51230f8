#include "docker/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>

namespace drydock::docker {
namespace {

using nlohmann::json;

/// The recorded bodies of inspect in full, as the engine would send them.
std::vector<std::string> recorded_inspects() {
    std::ifstream file("tests/data/wire/docker/05_inspect_states.json");
    const auto transcript = nlohmann::ordered_json::parse(file);
    std::vector<std::string> bodies;
    for (const auto& step : transcript.at("steps")) {
        if (step.at("name").get<std::string>().find("full body") != std::string::npos) {
            bodies.push_back(step.at("response").at("body_json").dump());
        }
    }
    return bodies;
}

TEST(DockerAnswers, ReadsRecordedInspects) {
    const std::vector<std::string> bodies = recorded_inspects();
    ASSERT_EQ(bodies.size(), 3u);
    const std::vector<SandboxState> states = {SandboxState::created, SandboxState::running,
                                              SandboxState::stopped};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto info = read_sandbox(bodies[i]);
        ASSERT_TRUE(info);
        EXPECT_EQ(info->id, "${cid:full}");
        EXPECT_EQ(info->name, "full");
        EXPECT_EQ(info->state, states[i]);
        EXPECT_EQ(info->label("k"), "v");
        EXPECT_EQ(info->label("absent"), "");
    }
}

TEST(DockerAnswers, InspectStopsAfterTheLabels) {
    const std::string body = recorded_inspects().at(1);
    const std::size_t labels = body.find("\"Labels\"");
    const std::size_t enough = body.find('}', labels) + 1;
    EXPECT_TRUE(read_sandbox(body.substr(0, enough)));
    EXPECT_FALSE(read_sandbox(body.substr(0, enough - 1)));
}

TEST(DockerAnswers, InspectTakesAnyOrderOfKeys) {
    const auto info = read_sandbox(
        R"({"Config":{"Labels":{"a":"b"},"Image":"x"},"State":{"Dead":true,"Error":"no \"room\"",
            "Status":"exited"},"Name":"/n","Id":"i"})");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->state, SandboxState::failed);
    EXPECT_EQ(info->detail, "no \"room\"");
    EXPECT_EQ(info->label("a"), "b");
}

TEST(DockerAnswers, InspectWithoutLabelsHasNone) {
    constexpr auto begin = R"({"Id":"i","Name":"/n","State":{"Status":"created"},"Config":)";
    for (const char* config : {"{}}", R"({"Labels":null}})", R"({"Labels":{}}})"}) {
        const auto info = read_sandbox(begin + std::string(config));
        ASSERT_TRUE(info) << config;
        EXPECT_TRUE(info->labels.empty());
    }
}

TEST(DockerAnswers, WhatIsNoInspectIsRefused) {
    for (const char* body :
         {"", "null", "[]", "<html><body>ok</body></html>", "{}", R"({"Id":5})",
          R"({"Id":"i","Name":"/n","State":{"Status":"created"}})",
          R"({"Id":"i","Name":"/n","State":{},"Config":{"Labels":{}}})",
          R"({"Id":"i","Name":"/n","State":"created","Config":{"Labels":{}}})",
          R"({"Id":"i","Name":"/n","State":{"Status":"created"},"Config":{"Labels":[1]}})",
          R"({"Id":"","Name":"/n","State":{"Status":"created"},"Config":{"Labels":{}}})"}) {
        EXPECT_FALSE(read_sandbox(body)) << body;
    }
}

TEST(DockerAnswers, ReadsLists) {
    const auto list = read_sandboxes(
        R"([{"Id":"1","Names":["/other/alias","/one"],"State":"running","Labels":{"a":"b"}},
            {"Id":"2","Names":null,"State":"removing","Labels":null,"Ports":[{"x":[1]}]}]
)");
    ASSERT_TRUE(list);
    ASSERT_EQ(list->size(), 2u);
    EXPECT_EQ((*list)[0].name, "one");
    EXPECT_EQ((*list)[0].state, SandboxState::running);
    EXPECT_EQ((*list)[0].label("a"), "b");
    EXPECT_EQ((*list)[1].name, "");
    EXPECT_EQ((*list)[1].state, SandboxState::removing);
    EXPECT_EQ(read_sandboxes("[]\n")->size(), 0u);
    for (const char* body : {"", "{}", "null", "[{}]", R"([{"Id":"1"}])", "[1]", "[] x",
                             R"([{"Id":"1","State":"running"})"}) {
        EXPECT_FALSE(read_sandboxes(body)) << body;
    }
}

TEST(DockerAnswers, ReadsCreatedIds) {
    EXPECT_EQ(read_created_id("{\"Id\":\"abc\",\"Warnings\":[]}\n"), "abc");
    EXPECT_EQ(read_created_id(R"({"Warnings":null,"Id":"abc"})"), "abc");
    for (const char* body : {"", "{}", R"({"Id":""})", R"({"Id":null})", R"({"Id":"abc")", "[]"}) {
        EXPECT_FALSE(read_created_id(body)) << body;
    }
}

TEST(DockerAnswers, RefusalsAreFitToBeShown) {
    EXPECT_EQ(read_refusal("{\"message\":\"No such container: x\"}\n").message,
              "No such container: x");
    EXPECT_EQ(read_refusal(R"({"code":"E1","message":"m","x":[{}]})").code, "E1");
    EXPECT_EQ(read_refusal(R"({"message":["odd"]})").message, R"({"message":["odd"]})");
    EXPECT_EQ(read_refusal("plain\r\ntext\r\n").message, "plain  text");
    EXPECT_EQ(read_refusal("").message, "");
    EXPECT_EQ(read_refusal("{\"message\":\"a\xff\xc3\xa9\xed\xa0\x80\x01z\"}").message,
              "a?\xc3\xa9??? z");
    EXPECT_LE(read_refusal("{\"message\":\"" + std::string(1'000'000, 'x') + "\"}").message.size(),
              1000u);
}

TEST(DockerAnswers, MapsStates) {
    EXPECT_EQ(state_of("created"), SandboxState::created);
    EXPECT_EQ(state_of("running"), SandboxState::running);
    EXPECT_EQ(state_of("paused"), SandboxState::stopped);
    EXPECT_EQ(state_of("restarting"), SandboxState::changing);
    EXPECT_EQ(state_of("removing"), SandboxState::removing);
    EXPECT_EQ(state_of("exited"), SandboxState::stopped);
    EXPECT_EQ(state_of("dead"), SandboxState::failed);
    EXPECT_EQ(state_of("starting"), SandboxState::changing);
    EXPECT_EQ(state_of("build_failed"), SandboxState::failed);
    EXPECT_EQ(state_of("destroying"), SandboxState::removing);
    EXPECT_EQ(state_of("a word from 2040"), SandboxState::changing);
}

}  // namespace
}  // namespace drydock::docker
