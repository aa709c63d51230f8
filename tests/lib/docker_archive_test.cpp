#include "docker/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::docker {
namespace {

using Kind = FileEntry::Kind;

// What is below "job" comes back with its place, kind, content and mode.
const std::vector<FileEntry> job = {
    {Kind::folder, "job", "", 0700},
    {Kind::file, "job/out", std::string("a\0b\n", 4), 0644},
    {Kind::file, "job/err", "", 0600},
    {Kind::link, "job/exit", "0", 0777},
    {Kind::file, "job/deep/er", std::string(70000, 'x'), 0755},
};

TEST(DockerArchive, WhatIsWrittenIsRead) {
    const auto read = read_archive(write_archive(job));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), job.size());
    const std::vector<std::string> paths = {"", "out", "err", "exit", "deep/er"};
    for (std::size_t i = 0; i < job.size(); ++i) {
        EXPECT_EQ((*read)[i].path, paths[i]);
        EXPECT_EQ((*read)[i].kind, job[i].kind) << paths[i];
        EXPECT_EQ((*read)[i].content, job[i].content) << paths[i];
        if (job[i].kind != Kind::link) EXPECT_EQ((*read)[i].mode, job[i].mode) << paths[i];
    }
}

TEST(DockerArchive, TheStickyBitIsKept) {
    const auto read = read_archive(write_archive({{Kind::folder, ".drydock", "", 01777}}));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->at(0).mode, 01777u);
}

TEST(DockerArchive, TheSameEntriesGiveTheSameBytes) {
    EXPECT_EQ(write_archive(job), write_archive(job));
    EXPECT_EQ(write_archive(job).size() % 512, 0u);
}

TEST(DockerArchive, WhatIsNoneOrIsCutIsNotRead) {
    EXPECT_FALSE(read_archive("<html>login</html>"));
    EXPECT_FALSE(read_archive(std::string(2048, 'x')));
    const std::string whole = write_archive(job);
    EXPECT_FALSE(read_archive(std::string_view(whole).substr(0, 512 + 512 + 2)));
    EXPECT_FALSE(read_archive(std::string_view(whole).substr(0, 40000)));
}

TEST(DockerArchive, AnEmptyOneHasNoEntries) {
    const auto read = read_archive(write_archive({}));
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->empty());
}

TEST(DockerArchive, LongNamesAreKept) {
    const std::string name = "job/" + std::string(90, 'n') + "/" + std::string(90, 'm');
    const auto read = read_archive(write_archive({{Kind::file, name, "x", 0644}}));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->at(0).path, name.substr(4));
}

}  // namespace
}  // namespace drydock::docker
