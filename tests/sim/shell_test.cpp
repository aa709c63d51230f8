// The shell lines that containers run.
#include "engine/script.hpp"
#include "inside_support.hpp"

#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

struct Ran {
    std::string output;
    int exit_code = 0;
    Duration took{};
};

Ran run_line(const std::string& line, const json& changes = {}) {
    Inside inside;
    inside.run("box", {"sleep", "3000"});
    const std::string id = inside.exec(line, changes);
    const auto stream = inside.attach_exec(id);
    const Time begin = inside.world.now();
    inside.world.run_until([&] { return stream->replies > 0; });
    return {frames(stream->response.body), inside.seen_exec(id).at("ExitCode"),
            inside.world.now() - begin};
}

TEST(Shell, PrintsAndEndsWithTheLastStatus) {
    EXPECT_EQ(run_line("echo a b; echo -n c; printf 'd\\n%s=%s\\n' x 1").output,
              "1:a b\ncd\nx=1\n");
    EXPECT_EQ(run_line("echo 'a;  b' \"c\"").output, "1:a;  b c\n");
    EXPECT_EQ(run_line("false").exit_code, 1);
    EXPECT_EQ(run_line("false; true").exit_code, 0);
    EXPECT_EQ(run_line("exit 260").exit_code, 4);
    EXPECT_EQ(run_line("false || echo or; true && echo and; false && echo no").output,
              "1:or\nand\n");
    const Ran missing = run_line("nosuch a");
    EXPECT_EQ(missing.output, "2:sh: nosuch: not found\n");
    EXPECT_EQ(missing.exit_code, 127);
    const Ran plain_file = run_line("/etc/passwd");
    EXPECT_EQ(plain_file.output, "2:sh: /etc/passwd: Permission denied\n");
    EXPECT_EQ(plain_file.exit_code, 126);
    EXPECT_EQ(run_line("kill 99").output, "2:sh: can't kill pid 99: No such process\n");
}

TEST(Shell, SeesAndRemovesFiles) {
    EXPECT_EQ(run_line("touch /tmp/b; touch /tmp/a; touch /tmp/.c; ls /tmp").output, "1:a\nb\n");
    EXPECT_EQ(run_line("touch /tmp/a; ls /tmp/a; rm -rf /tmp; ls /tmp").output,
              "1:/tmp/a\n2:ls: /tmp: No such file or directory\n");
    EXPECT_EQ(run_line("rm /nope").exit_code, 1);
}

// What is done wrongly without a word would pass for the engine's own.
TEST(Shell, SaysWhatItDoesNotKnow) {
    for (const char* line :
         {"echo x > /tmp/a", "echo a | tr a b", "mkdir /tmp/d", "python3 -c x"}) {
        const Ran ran = run_line(line);
        EXPECT_EQ(ran.exit_code, 127) << line;
        EXPECT_NE(ran.output.find("does not know how to do this"), std::string::npos) << line;
    }
}

TEST(Shell, TakesItsTime) {
    EXPECT_EQ(run_line("sleep 1.5; sleep 2").took, 3500ms);
    EXPECT_GT(run_line("true").took, 0s);
}

TEST(Shell, KnowsItsSurroundings) {
    const json changes = {{"Env", {"V=1"}}, {"WorkingDir", "/tmp"}, {"User", "65534"}};
    EXPECT_EQ(run_line("W=2; echo $V ${W}x '$V' $?; pwd; id -u", changes).output,
              "1:1 2x $V 0\n/tmp\n65534\n");
}

TEST(Shell, RepeatsLoops) {
    const Ran ran = run_line("for i in a b c; do echo $i; sleep 1; done; echo end");
    EXPECT_EQ(ran.output, "1:a\nb\nc\nend\n");
    EXPECT_EQ(ran.took, 3s);
    Inside inside;
    inside.run("box", {"sleep", "3000"});
    const auto spins = inside.attach_exec(inside.exec("while :; do echo once; done"));
    inside.pass(10s);
    EXPECT_EQ(spins->replies, 0) << "a loop that never waits does not hold up the world";
}

TEST(Shell, WaitsForItsChildren) {
    const Ran ran = run_line("sh -c 'sleep 1; echo child; exit 4'; echo $?");
    EXPECT_EQ(ran.output, "1:child\n4\n");
    EXPECT_EQ(run_line("sleep 2 & sleep 3 & wait; echo $?").took, 3s);
    EXPECT_EQ(run_line("sleep 5 & exit 6").exit_code, 6);
}

TEST(Shell, SignalsEndWhatHasNoTrap) {
    EXPECT_EQ(run_line("kill -9 $$; sleep 5").exit_code, 137);
    EXPECT_EQ(run_line("trap 'exit 9' TERM; kill $$; sleep 5").exit_code, 9);
    EXPECT_EQ(run_line("trap '' TERM; kill $$; sleep 5; exit 2").exit_code, 2);
    EXPECT_EQ(run_line("sleep 5 & kill -9 $!; wait; exit 3").took, run_line("exit 3").took);
}

TEST(Shell, ReadsStatementsAsTheyAreWritten) {
    const auto script =
        parse_script("trap 'exit 3; x' TERM; while :; do a; for i in 1; do b; done; c; done & d");
    ASSERT_EQ(script.size(), 3u);
    EXPECT_EQ(script[0].text, "trap 'exit 3; x' TERM");
    EXPECT_EQ(script[1].kind, Statement::Kind::forever);
    ASSERT_EQ(script[1].body.size(), 3u);
    EXPECT_EQ(script[1].body[1].kind, Statement::Kind::for_each);
    EXPECT_EQ(script[1].body[1].body.size(), 1u);
    EXPECT_EQ(script[1].body[2].text, "c");
    EXPECT_EQ(script[2].text, "d");
}

}  // namespace
}  // namespace drydock::sim::test
