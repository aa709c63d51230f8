#include "jobs/records.hpp"

#include "jobs/ending.hpp"
#include "jobs/ids.hpp"
#include "jobs/output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

namespace drydock::jobs {
namespace {

using Kind = Record::Kind;
using Source = Record::Source;

std::vector<Record> all_of(RecordReader& reader) {
    std::vector<Record> records;
    while (auto record = reader.next()) {
        records.push_back(std::move(*record));
    }
    return records;
}

Record bytes_at(Source source, std::uint64_t offset, std::string bytes) {
    Record record;
    record.kind = Kind::bytes;
    record.source = source;
    record.offset = offset;
    record.bytes = std::move(bytes);
    return record;
}

TEST(JobRecords, AreReadAsTheGuardWritesThem) {
    RecordReader reader;
    reader.add("out 0 3\na\nberr 7 1\nxlive\nwritten\nclosed\nend code 3 2 1\n");
    const auto records = all_of(reader);
    ASSERT_EQ(records.size(), 6U);
    EXPECT_EQ(records[0].bytes, "a\nb");
    EXPECT_EQ(records[0].source, Source::out);
    EXPECT_EQ(records[1].bytes, "x");
    EXPECT_EQ(records[1].source, Source::err);
    EXPECT_EQ(records[1].offset, 7U);
    EXPECT_EQ(records[2].kind, Kind::live);
    EXPECT_EQ(records[3].kind, Kind::written);
    EXPECT_EQ(records[4].kind, Kind::closed);
    EXPECT_EQ(records[5].kind, Kind::end);
    EXPECT_EQ(records[5].bytes, " code 3 2 1");
    EXPECT_TRUE(reader.is_drained());
}

TEST(JobRecords, ARecordThatIsNotWholeWaits) {
    RecordReader reader;
    reader.add("out 0 5\nabcd");
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.failed());
    EXPECT_FALSE(reader.is_drained());
    reader.add("e");
    EXPECT_EQ(reader.next()->bytes, "abcde");
}

TEST(JobRecords, WhatIsNoRecordFailsForGood) {
    for (const std::string& bad :
         {std::string("OCI runtime exec failed: no such file\r\n"), std::string("out 0\n"),
          std::string("out 0 -1\n"), std::string("out x 1\na"), std::string("out 0 1 2\na"),
          std::string("out 0 99999999999\n"), std::string("live long\n"), std::string("\n"),
          std::string("outer 0 1\n"), std::string(2000, 'x')}) {
        RecordReader reader;
        reader.add("live\n" + bad);
        EXPECT_EQ(all_of(reader).size(), 1U) << bad;
        EXPECT_TRUE(reader.failed()) << bad;
        EXPECT_EQ(reader.rest(), bad.substr(0, 200));
        reader.add("live\n");
        EXPECT_FALSE(reader.next());
    }
}

RC_GTEST_PROP(JobRecords, AnyCutGivesTheSame, ()) {
    const auto parts =
        *rc::gen::container<std::vector<std::string>>(rc::gen::arbitrary<std::string>());
    std::string wire;
    for (const std::string& part : parts) {
        wire += "out 0 " + std::to_string(part.size()) + "\n" + part + "live\n";
    }
    RecordReader reader;
    std::vector<Record> records;
    for (std::size_t at = 0; at < wire.size();) {
        const auto size = *rc::gen::inRange<std::size_t>(1, 9);
        reader.add(std::string_view(wire).substr(at, size));
        at += size;
        for (Record& record : all_of(reader)) {
            records.push_back(std::move(record));
        }
    }
    RC_ASSERT(records.size() == parts.size() * 2);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        RC_ASSERT(records[2 * i].bytes == parts[i]);
    }
    RC_ASSERT(!reader.failed());
}

TEST(JobEnding, EachStateIsRead) {
    EXPECT_EQ(read_ending(" code 3 10 2")->code, 3);
    EXPECT_EQ(read_ending(" code 3 10 2")->out, 10U);
    EXPECT_EQ(read_ending(" code 3 10 2")->err, 2U);
    EXPECT_EQ(read_ending(" unknown 10 2")->kind, Ending::Kind::unknown);
    EXPECT_EQ(read_ending(" unknown 10 2")->err, 2U);
    EXPECT_EQ(read_ending(" fenced")->kind, Ending::Kind::fenced);
    EXPECT_EQ(read_ending(" absent")->kind, Ending::Kind::absent);
    EXPECT_EQ(read_ending(" left 12 13")->text, "12 13");
    EXPECT_EQ(read_ending(" broken no tail")->text, "no tail");
}

TEST(JobEnding, ACodeThatIsNoneIsUnknown) {
    for (const char* text : {" code 256 1 1", " code -1 1 1", " code x 1 1"}) {
        EXPECT_EQ(read_ending(text)->kind, Ending::Kind::unknown) << text;
    }
    for (const char* text : {"", " ", " code", " code 1", " code 1 2", " unknown", " fenced 1",
                             " gone", " code 1 2 x", " code 1 2 3 4"}) {
        EXPECT_FALSE(read_ending(text)) << text;
    }
}

TEST(JobEnding, AFolderSaysTheSame) {
    using FileKind = FileEntry::Kind;
    const FileEntry claim{FileKind::link, "claim.1", "boot:12:99", 0777};
    const FileEntry fence{FileKind::link, "claim.2", "void", 0777};
    const FileEntry begun{FileKind::file, "begun", "", 0644};
    const Folder ended = read_folder({claim,
                                      begun,
                                      {FileKind::link, "exit", "0", 0777},
                                      {FileKind::file, "out", "hello", 0644}});
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.out, "hello");
    EXPECT_TRUE(ended.has_begun);
    EXPECT_TRUE(read_folder({claim, fence}).is_fenced);
    EXPECT_FALSE(read_folder({claim, fence, begun}).is_fenced);
    EXPECT_FALSE(read_folder({claim}).is_fenced);
    EXPECT_FALSE(read_folder({{FileKind::file, "exit", "0", 0644}}).code) << "the job's own file";
    EXPECT_FALSE(read_folder({{FileKind::link, "exit", "", 0777}}).code);
    EXPECT_FALSE(read_folder({{FileKind::link, "exit", "300", 0777}}).code);
}

TEST(JobIds, AFolderHasThePlainNameOrAHash) {
    EXPECT_EQ(folder_name("scan-1.2_x"), "scan-1.2_x");
    EXPECT_EQ(folder_name(std::string(64, 'a')), std::string(64, 'a'));
    for (const std::string& id :
         {std::string(65, 'a'), std::string("a/b"), std::string(".."), std::string("-x"),
          std::string("guard"), std::string("\xc3\xa9")}) {
        const std::string name = folder_name(id);
        EXPECT_EQ(name.size(), 33U) << id;
        EXPECT_EQ(name.find_first_not_of("x0123456789abcdef"), std::string::npos) << name;
        EXPECT_EQ(name, folder_name(id));
    }
    EXPECT_NE(folder_name("a/b"), folder_name("b/a"));
    EXPECT_NE(folder_name("a b"), folder_name("a c"));
    EXPECT_NE(folder_name(folder_name("a b")), folder_name("a b")) << "an id may look like a hash";
}

TEST(JobIds, BytesAreEscapedForPrintf) {
    EXPECT_EQ(escaped(std::string("a\0\n\xff\\", 5)), "\\0141\\0000\\0012\\0377\\0134");
    EXPECT_EQ(escaped(""), "");
}

/// An Output that collects what it passes on.
struct Collector {
    std::string text;
    Output output{[this](const JobOutput& part) { text.append(part.bytes); }, OutputFrom()};
};

TEST(JobOutput, WhatCameTwiceIsCut) {
    Collector collector;
    EXPECT_TRUE(collector.output.take(bytes_at(Source::out, 0, "abc")));
    EXPECT_TRUE(collector.output.take(bytes_at(Source::out, 1, "bcd")));
    EXPECT_TRUE(collector.output.take(bytes_at(Source::out, 0, "ab")));
    EXPECT_TRUE(collector.output.take(bytes_at(Source::out, 4, "e")));
    collector.output.confirm();
    EXPECT_EQ(collector.text, "abcde");
}

TEST(JobOutput, WhatSaysOtherwiseWhatIsHeldIsNotBelieved) {
    Collector collector;
    Output& output = collector.output;
    EXPECT_TRUE(output.take(bytes_at(Source::out, 0, "ab")));
    EXPECT_TRUE(output.take(bytes_at(Source::out, 2, "cdXX")));
    EXPECT_FALSE(output.take(bytes_at(Source::out, 0, "abcdef")));
    output.drop();
    EXPECT_EQ(collector.text, "ab");
    EXPECT_TRUE(output.take(bytes_at(Source::out, 2, "cdef")));
    EXPECT_TRUE(output.take(bytes_at(Source::err, 0, "cdX"))) << "of the other output";
    EXPECT_TRUE(output.take(bytes_at(Source::out, 0, "abcdefg")));
    output.confirm();
    EXPECT_EQ(collector.text, "abcdefcdXg");
}

TEST(JobOutput, WhatIsHeldIsDroppedWithAStreamThatSkips) {
    Collector collector;
    EXPECT_TRUE(collector.output.take(bytes_at(Source::out, 0, "abc")));
    EXPECT_FALSE(collector.output.take(bytes_at(Source::out, 4, "e")));
    collector.output.drop();
    EXPECT_EQ(collector.text, "");
    EXPECT_EQ(collector.output.at().out, 0U);
}

TEST(JobOutput, AnEndKnowsWhatIsMissing) {
    Collector collector;
    EXPECT_TRUE(collector.output.take(bytes_at(Source::out, 0, "abc")));
    EXPECT_TRUE(collector.output.is_complete(3, 0)) << "what is held counts";
    EXPECT_FALSE(collector.output.is_complete(4, 0));
    EXPECT_FALSE(collector.output.is_complete(3, 1));
    EXPECT_TRUE(collector.output.is_complete(2, 0)) << "the job truncated it";
    collector.output.confirm();
    EXPECT_FALSE(collector.output.end(Source::out, 3).has_gap);
    EXPECT_TRUE(collector.output.end(Source::out, 4).has_gap);
    EXPECT_TRUE(collector.output.end(Source::out, 2).has_gap);
}

TEST(JobOutput, WithoutASinkNothingIsMissing) {
    const Output output({}, OutputFrom());
    EXPECT_FALSE(output.has_sink());
    EXPECT_TRUE(output.is_complete(5, 5));
    EXPECT_FALSE(output.end(Source::out, 5).has_gap);
}

TEST(JobOutput, AFileIsTakenFromWhereTheSinkIs) {
    Collector collector;
    collector.output.take(bytes_at(Source::out, 0, "ab"));
    collector.output.confirm();
    collector.output.take_whole(Source::out, "abcd");
    collector.output.take_whole(Source::out, "ab");
    EXPECT_EQ(collector.text, "abcd");
}

TEST(JobOutput, ASinkThatThrowsIsAnInternalError) {
    Output output([](const JobOutput&) { throw std::runtime_error("disk full"); }, OutputFrom());
    const auto error = guarded([&] { output.take_whole(Source::out, "x"); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::internal);
    EXPECT_NE(error->message().find("disk full"), std::string_view::npos);
}

}  // namespace
}  // namespace drydock::jobs
