// Standard output and error that cannot be written.
#include "cli/support.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <unistd.h>

#include <sys/wait.h>

namespace drydock::cli {
namespace {

using testing::HasSubstr;

class OutputTest : public CliTest {
protected:
    /// Calls it in a child whose stream is this device, or closed where there is none. Returns the
    /// exit code, 128 + the signal that ended it; the other streams stand in files "out" and "err".
    int call_with(int stream, const char* device, const std::vector<std::string>& arguments) {
        const pid_t child = fork();
        if (child == 0) {
            put(STDOUT_FILENO, path("out").c_str());
            put(STDERR_FILENO, path("err").c_str());
            close(stream);
            if (device != nullptr) put(stream, device);
            std::vector<const char*> argv{"drydock"};
            for (const std::string& argument : arguments)
                argv.push_back(argument.c_str());
            _exit(cli_main(static_cast<int>(argv.size()), argv.data()));
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    const std::string small_ = file("small.json", small_scenario());

private:
    static void put(int stream, const char* name) {
        const int opened = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (opened != stream) dup2(opened, stream);
    }
};

TEST_F(OutputTest, StandardOutputThatCannotBeWrittenIsFour) {
    const std::vector<std::vector<std::string>> all{
        {"run", small_},
        {"run", small_, "--json", "-"},
        {"explore", small_, "--runs", "5"},
        {"replay", small_, "--client", "library"},
        {"gate", "--corpus", small_, "--plans", "0"},
        {"gate", "--corpus", small_, "--plans", "0", "--junit", "-"},
        {"list"},
        {"digests", "--plans", "2"},
        {"serve", "--docker", "unix:" + path("socket")},
        {"--help"},
        {"run", "--help"},
        {"--version"}};
    for (const char* device : {"/dev/full", static_cast<const char*>(nullptr)}) {
        for (const auto& arguments : all) {
            const std::string told = testing::PrintToString(arguments);
            EXPECT_EQ(call_with(STDOUT_FILENO, device, arguments), 4) << told;
            EXPECT_THAT(text_of("err"), HasSubstr("standard output cannot be written")) << told;
        }
    }
}

TEST_F(OutputTest, FilesAreWrittenAllTheSame) {
    EXPECT_EQ(call_with(STDOUT_FILENO, "/dev/full",
                        {"run", small_, "--json", path("o.json"), "--out", path("o")}),
              4);
    EXPECT_EQ(nlohmann::json::parse(text_of("o.json"))["verdict"], "pass");
    EXPECT_EQ(text_of("o.json"), text_of("o/outcome.json"));
}

TEST_F(OutputTest, BadInputComesFirst) {
    EXPECT_EQ(call_with(STDOUT_FILENO, "/dev/full", {"run", path("nothing.json")}), 2);
}

TEST_F(OutputTest, NothingDependsOnStandardError) {
    for (const char* device : {"/dev/full", static_cast<const char*>(nullptr)}) {
        EXPECT_EQ(call_with(STDERR_FILENO, device, {"run", path("nothing.json")}), 2);
        EXPECT_EQ(call_with(STDERR_FILENO, device, {"relay"}), 2);
        EXPECT_EQ(call_with(STDERR_FILENO, device, {"run", "--fast", small_}), 2);
        EXPECT_EQ(call_with(STDERR_FILENO, device, {"run", small_}), 0);
        EXPECT_EQ(call_with(STDERR_FILENO, device, {"run", small_, "--json", "-"}), 0);
        EXPECT_EQ(nlohmann::json::parse(text_of("out"))["verdict"], "pass");
    }
}

TEST_F(OutputTest, NoFileTakesTheNumberOfAClosedStream) {
    EXPECT_EQ(call_with(STDERR_FILENO, nullptr, {"run", small_, "--json", path("o.json")}), 0);
    EXPECT_EQ(nlohmann::json::parse(text_of("o.json"))["verdict"], "pass");
}

}  // namespace
}  // namespace drydock::cli
