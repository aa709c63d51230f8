#pragma once

#include <drydock/cli/cli_main.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace drydock::cli {

/// What a call of the command left behind.
struct Called {
    int code = 0;
    std::string out;
    std::string err;
};

template <class... Registries>
Called call(const std::vector<std::string>& arguments, const Registries&... registries) {
    std::vector<const char*> argv{"drydock"};
    for (const std::string& argument : arguments)
        argv.push_back(argument.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli_main(static_cast<int>(argv.size()), argv.data(), registries...);
    Called called{.code = code, .out = testing::internal::GetCapturedStdout(), .err = {}};
    called.err = testing::internal::GetCapturedStderr();
    return called;
}

/// A folder of one test, removed with it.
class CliTest : public testing::Test {
protected:
    CliTest() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("drydock-") + test->test_suite_name() + "-" + test->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~CliTest() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
        return path(name);
    }
    std::string file(const std::string& name, const nlohmann::json& json) const {
        return file(name, json.dump(2));
    }
    std::string text_of(const std::string& name) const {
        std::ifstream stream(path(name));
        return {std::istreambuf_iterator<char>(stream), {}};
    }

private:
    std::filesystem::path folder_;
};

/// One process that acquires, holds and releases, without faults.
inline nlohmann::json small_scenario() {
    return nlohmann::json::parse(R"({
      "schema": "drydock.scenario/1", "name": "small", "backend": {"kind": "docker"},
      "processes": [{"name": "p", "actors": [{"name": "a", "steps": [
        {"acquire": "k"}, {"hold": "1s"}, {"release": "k"}]}]}]})");
}

/// The same with one choice.
inline nlohmann::json planned_scenario(const std::string& at, const std::string& choose) {
    nlohmann::json scenario = small_scenario();
    scenario["plan"] = {{{"at", at}, {"choose", choose}}};
    return scenario;
}

}  // namespace drydock::cli
