#include "cli/support.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace drydock::cli {
namespace {

using testing::HasSubstr;

class MutantsCommand : public CliTest {
protected:
    MutantsCommand() {
        file("source/scenarios/breakages/no-latch.patch", "nothing");
        file("source/scenarios/breakages/no-shield.patch", "nothing");
    }

    std::string file(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        return CliTest::file(name, text);
    }
    void program(const std::string& name, const std::string& body) const {
        chmod(file("bin/" + name, "#!/bin/sh\n" + body).c_str(), 0755);
    }
    /// Exit code in a process of its own, with those programs first in PATH.
    int call_apart(const std::vector<const char*>& argv) const {
        const pid_t child = fork();
        if (child == 0) {
            const std::string search = path("bin") + ":" + std::getenv("PATH");
            setenv("PATH", search.c_str(), 1);
            setenv("TMPDIR", path("tmp").c_str(), 1);
            _exit(cli_main(static_cast<int>(argv.size()), argv.data()));
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    const std::string source_ = path("source");
};

TEST_F(MutantsCommand, NamesTheBreakageThatThereIsNot) {
    const Called called = call({"mutants", "--source", source_, "--only", "no-lach"});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err,
                HasSubstr("unknown breakage \"no-lach\"; did you mean \"no-latch\"? (known: "
                          "no-latch, no-shield)"));
}

TEST_F(MutantsCommand, NamesTheFolderThatCannotBeRead) {
    const Called called = call({"mutants", "--source", path("nowhere")});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr(path("nowhere") + "/scenarios/breakages: cannot be read: "));
}

TEST_F(MutantsCommand, ScratchThatCannotBeMadeIsTwo) {
    const std::string scratch = file("plain", "") + "/scratch";
    const Called called = call({"mutants", "--source", source_, "--scratch", scratch});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr(scratch));
    EXPECT_THAT(called.err, HasSubstr("cannot be written: Not a directory"));
}

// Tests run in the root of the source tree. A dry run of `patch` changes nothing there.
TEST(Breakages, StillApplyToTheSources) {
    std::size_t patches = 0;
    for (const auto& file : std::filesystem::directory_iterator("scenarios/breakages")) {
        const std::string apply = "patch -p1 --batch --forward --fuzz=0 --dry-run --quiet -i '" +
                                  file.path().string() + "'";
        EXPECT_EQ(std::system(apply.c_str()), 0) << file.path();
        ++patches;
    }
    EXPECT_GE(patches, 18U);
}

// The fake cmake stops drydock and then waits for what never comes.
TEST_F(MutantsCommand, LeavesNothingBehindWhenItIsStopped) {
    std::filesystem::create_directories(path("tmp"));
    for (const char* name : {"ninja", "patch", "clang++-19"})
        program(name, "exit 0\n");
    for (const auto& [name, number] : {std::pair("TERM", SIGTERM), std::pair("INT", SIGINT)}) {
        std::filesystem::remove(path("pipe"));
        ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
        program("cmake",
                "kill -" + std::string(name) + " $PPID\nread nothing <" + path("pipe") + "\n");
        EXPECT_EQ(call_apart({"drydock", "mutants", "--source", source_.c_str()}), 128 + number);
        EXPECT_TRUE(std::filesystem::is_empty(path("tmp"))) << name;
    }
}

}  // namespace
}  // namespace drydock::cli
