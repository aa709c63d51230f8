// The arguments of `./drydock test`, which tools/test.sh reads.
#include "cli/support.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>

#include <cstdlib>

namespace drydock::cli {
namespace {

class TestScript : public CliTest {
protected:
    /// 2 where the arguments are refused, 1 where it goes on to the build, which fails here.
    int run_tests(const std::string& arguments) const {
        const std::string script =
            "set -euo pipefail; root=$PWD; source tools/build.sh; "
            "source tools/test.sh; build() { return 1; }; run_tests ";
        const std::string command =
            "bash -c '" + script + arguments + "' >" + path("out") + " 2>" + path("err");
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
};

TEST_F(TestScript, RefusesWhatCtestWouldIgnore) {
    for (const char* arguments : {"--bogus", "--preset", "--preset nosuch", "cli", "-R cli lib"}) {
        EXPECT_EQ(run_tests(arguments), 2) << arguments;
        EXPECT_EQ(text_of("out"), "0 passed, 1 failed\n");
        EXPECT_THAT(text_of("err"), testing::StartsWith("drydock: test: ")) << arguments;
    }
}

TEST_F(TestScript, TakesWhatCtestKnows) {
    for (const char* arguments :
         {"", "--preset dev", "-R cli", "--timeout=3", "-j4", "-V --rerun-failed"}) {
        EXPECT_EQ(run_tests(arguments), 1) << arguments;
        EXPECT_EQ(text_of("err"), "") << arguments;
    }
}

}  // namespace
}  // namespace drydock::cli
