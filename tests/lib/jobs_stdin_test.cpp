#include "support/job_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(JobStdin, BytesGoEscapedAndOnce) {
    JobBed bed;
    bed.answer("input", {"written\n"});
    EXPECT_TRUE(bed.write(std::string("a\0\n", 3)));
    ASSERT_EQ(bed.script.opened.size(), 1U);
    EXPECT_THAT(bed.script.opened[0],
                ElementsAre("sh", "/.drydock/guard", "input", "job", "\\0141\\0000\\0012"));
}

TEST(JobStdin, AtMost4096BytesAtOnce) {
    JobBed bed;
    bed.answer("input", {"written\n"});
    EXPECT_TRUE(bed.write(std::string(4096, 'x')));
    const std::size_t before = bed.sent();
    EXPECT_EQ(bed.write(std::string(4097, 'x')).error().kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.sent(), before);
}

TEST(JobStdin, WhatMayHaveArrivedIsNeverRepeated) {
    const auto in_doubt = [](JobBed& bed, const char* what) {
        const auto written = bed.write("x");
        ASSERT_FALSE(written) << what;
        EXPECT_EQ(written.error().landed(), Landed::unknown) << what;
        EXPECT_EQ(bed.script.count("input"), 1U) << what;
    };
    JobBed no_answer;
    no_answer.script.opens = {lost(Operation::exec_start)};
    in_doubt(no_answer, "no answer");
    JobBed clean_end;
    in_doubt(clean_end, "a clean end");
    JobBed cut;
    cut.answer("input", {"writ"}, Stream::End::reset);
    in_doubt(cut, "cut");
    JobBed stalled;
    stalled.answer("input", {}, Stream::End::stall);
    in_doubt(stalled, "stalled");
    JobBed text;
    text.answer("input", {"OCI runtime exec failed\r\n"});
    in_doubt(text, "text");
    JobBed broken;
    broken.answer("input", {"end broken no tail\n"});
    in_doubt(broken, "broken");
}

TEST(JobStdin, WhatWasNeverSentHasNotLanded) {
    JobBed bed;
    bed.script.opens = {refused_connection(Operation::exec_start)};
    const auto written = bed.write("x");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().landed(), Landed::no);
    EXPECT_EQ(bed.script.count("input"), 1U);
}

TEST(JobStdin, AFailureToCreateMayBeRepeated) {
    JobBed bed;
    bed.script.creates = {lost(Operation::exec_create), refused_connection(Operation::exec_create)};
    bed.answer("input", {"written\n"});
    EXPECT_TRUE(bed.write("x"));
    EXPECT_EQ(bed.script.count("input"), 1U);

    JobBed never;
    const Refusal lost_one = lost(Operation::exec_create);
    never.script.creates = {lost_one, lost_one, lost_one};
    const auto written = never.write("x");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().landed(), Landed::no)
        << "an exec that was never started wrote nothing";
    EXPECT_EQ(never.script.count("input"), 0U);
}

TEST(JobStdin, WithoutAReaderItIsAConflict) {
    for (const char* end : {"end code 0 1 1\n", "end unknown 0 0\n", "end fenced\n"}) {
        JobBed bed;
        bed.answer("input", {end});
        const auto written = bed.write("x");
        ASSERT_FALSE(written) << end;
        EXPECT_EQ(written.error().kind(), ErrorKind::conflict);
        EXPECT_EQ(written.error().landed(), Landed::no);
    }
    JobBed bed;
    bed.answer("input", {"end absent\n"});
    EXPECT_EQ(bed.write("x").error().kind(), ErrorKind::not_found);
}

TEST(JobStdin, IsClosedOnceAndStaysClosed) {
    JobBed bed;
    bed.answer("close-input", {"closed\n"});
    EXPECT_TRUE(bed.close_input());
    bed.answer("close-input", {"end code 0 0 0\n"});
    EXPECT_TRUE(bed.close_input()) << "nobody reads it any more";
    const auto doubtful = bed.close_input();
    ASSERT_FALSE(doubtful);
    EXPECT_EQ(doubtful.error().landed(), Landed::unknown);
    EXPECT_EQ(bed.script.count("close-input"), 3U);
}

TEST(JobStdin, ACancelledWriteIsInDoubt) {
    JobBed bed;
    bed.answer("input", {}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.write_stdin(bed.lease, "job", "x"));
    bed.bed.pass(1s);
    bed.bed.cancel(call);
    const Time asked = bed.bed.now();
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->ended, asked);
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->error().landed(), Landed::unknown);
}

}  // namespace
}  // namespace drydock::test
