// Jobs in sandboxes that are paused, have exited or are gone: read by archive, never made up.
#include "support/job_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Kind = FileEntry::Kind;

const Refusal not_running = answered(Operation::exec_create, ErrorKind::conflict, 409);

SandboxInfo in_state(SandboxState state, bool is_paused = false) {
    SandboxInfo info;
    info.state = state;
    info.is_paused = is_paused;
    return info;
}

std::vector<FileEntry> folder(std::string out, std::optional<std::string> code,
                              bool has_begun = true) {
    std::vector<FileEntry> entries = {{Kind::folder, "", "", 0755},
                                      {Kind::link, "claim.1", "boot:1:2", 0777}};
    if (has_begun) entries.push_back({Kind::file, "begun", "", 0644});
    entries.push_back({Kind::file, "out", std::move(out), 0644});
    entries.push_back({Kind::file, "err", "", 0644});
    if (code) entries.push_back({Kind::link, "exit", *code, 0777});
    return entries;
}

/// A job that has begun, after which no exec can be made any more.
struct StoppedBed : JobBed {
    explicit StoppedBed(SandboxInfo info) {
        script.creates = {std::nullopt};  // the launch
        follow({"out 0 2\nhe"}, Stream::End::reset);
        script.creates.push_back(std::nullopt);
        for (int i = 0; i < 9; ++i) {
            script.creates.push_back(not_running);
            script.inspects.push_back(info);
        }
        got = std::make_unique<Collected>();
    }
    Result<JobResult> run_it() { return run(plain(), got->sink()); }

    std::unique_ptr<Collected> got;
};

TEST(JobStopped, AnExitedSandboxsFilesTellTheEnd) {
    StoppedBed bed(in_state(SandboxState::stopped));
    bed.script.downloads.push_back(folder("hello", "3"));
    const auto result = bed.run_it();
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->state, JobState::ended);
    EXPECT_EQ(result->exit_code, 3);
    EXPECT_EQ(bed.got->out, "hello") << "from where the stream broke";
    EXPECT_TRUE(bed.got->is_in_step);
    EXPECT_FALSE(result->out.has_gap);
    EXPECT_THAT(bed.script.read_folders, ElementsAre("/.drydock/job"));
}

TEST(JobStopped, WithoutACodeAnExitedSandboxsJobEndedUnknown) {
    StoppedBed bed(in_state(SandboxState::stopped));
    bed.script.downloads.push_back(folder("hello", std::nullopt));
    const auto result = bed.run_it();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::ended_unknown);
    EXPECT_FALSE(result->exit_code);
    EXPECT_EQ(bed.got->out, "hello");
}

TEST(JobStopped, FilesThatAreGoneAreAGap) {
    StoppedBed bed(in_state(SandboxState::stopped));
    const auto result = bed.run_it();
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->state, JobState::ended_unknown);
    EXPECT_FALSE(result->exit_code);
    EXPECT_TRUE(result->out.has_gap);
    EXPECT_TRUE(result->err.has_gap);
    EXPECT_EQ(bed.got->out, "he");
}

TEST(JobStopped, AFileThatShrankIsAGap) {
    StoppedBed bed(in_state(SandboxState::stopped));
    bed.script.downloads.push_back(folder("h", "0"));
    const auto result = bed.run_it();
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->out.has_gap);
    EXPECT_EQ(bed.got->out, "he");
}

TEST(JobStopped, AJobThatHadNotBegunInAnExitedSandboxIsAConflict) {
    JobBed bed;
    bed.script.creates = {std::nullopt, not_running};
    bed.script.inspects = {in_state(SandboxState::stopped)};
    bed.script.downloads.push_back(folder("", std::nullopt, false));
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::conflict);
}

TEST(JobStopped, AFenceIsReadToo) {
    JobBed bed;
    bed.script.creates = {std::nullopt, not_running};
    bed.script.inspects = {in_state(SandboxState::stopped)};
    bed.script.downloads.push_back(std::vector<FileEntry>{{Kind::link, "claim.1", "void", 0777}});
    const auto result = bed.run();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::not_begun);
}

TEST(JobStopped, APausedSandboxsCodeIsFinal) {
    StoppedBed bed(in_state(SandboxState::stopped, true));
    bed.script.downloads.push_back(folder("hello", "0"));
    const auto result = bed.run_it();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 0);
    EXPECT_EQ(bed.got->out, "hello");
}

TEST(JobStopped, APausedSandboxsJobIsNotOver) {
    StoppedBed bed(in_state(SandboxState::stopped, true));
    for (int i = 0; i < 9; ++i) {
        bed.script.downloads.push_back(folder("hello", std::nullopt));
    }
    const auto result = bed.run_it();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::conflict);
    EXPECT_EQ(result.error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.got->out, "hello") << "what it wrote so far is passed on";
}

TEST(JobStopped, AResumedSandboxIsFollowedOn) {
    JobBed bed;
    Collected got;
    bed.script.creates = {std::nullopt, not_running, not_running};
    bed.script.inspects = {in_state(SandboxState::stopped, true), in_state(SandboxState::running)};
    bed.script.downloads.push_back(folder("he", std::nullopt));
    bed.follow({"out 2 3\nllo", "end code 0 5 0\n"});
    const auto result = bed.run(JobBed::plain(), got.sink());
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(got.out, "hello");
    EXPECT_THAT(bed.follows(), ElementsAre("2 0"));
}

TEST(JobStopped, AFolderThatCannotBeReadIsTriedAgain) {
    StoppedBed bed(in_state(SandboxState::stopped));
    bed.script.downloads.push_back(lost(Operation::archive_get));
    bed.script.downloads.push_back(folder("hello", "0"));
    const auto result = bed.run_it();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 0);
}

TEST(JobStopped, ASandboxThatIsGoneTookTheEndWithIt) {
    const Error no_sandbox = answered(Operation::exec_create, ErrorKind::not_found, 404);
    JobBed bed;
    Collected got;
    bed.follow({"out 0 2\nhe"}, Stream::End::reset);
    bed.script.creates = {std::nullopt, std::nullopt, no_sandbox};
    const auto result = bed.run(JobBed::plain(), got.sink());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::ended_unknown);
    EXPECT_FALSE(result->exit_code);
    EXPECT_TRUE(result->out.has_gap);
    EXPECT_EQ(got.out, "he");
}

}  // namespace
}  // namespace drydock::test
