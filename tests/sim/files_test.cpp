#include "engine/files.hpp"

#include <drydock/sim/engine.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

const WallTime born = simulated_start;
const WallTime later = simulated_start + 5s;

Files files(const SandboxConfig& config = {}) { return Files(config, born); }

std::string content(const Files& files, std::string_view path, std::size_t offset = 0) {
    std::string_view bytes;
    const FileError error = files.read(path, offset, bytes);
    return error == FileError::none ? std::string(bytes) : std::string(text(error));
}

std::string link_text(const Files& files, std::string_view path) {
    std::string_view target;
    const FileError error = files.read_link(path, target);
    return error == FileError::none ? std::string(target) : std::string(text(error));
}

std::vector<std::string> names(const Files& files, std::string_view path,
                               View view = View::sandbox) {
    std::vector<std::string> all;
    EXPECT_EQ(files.list(path, all, view), FileError::none);
    return all;
}

TEST(Files, BeginAsTheImage) {
    const Files all = files();
    EXPECT_THAT(names(all, "/"), ElementsAre(".dockerenv", "bin", "dev", "etc", "proc", "root",
                                             "sys", "tmp", "work"));
    EXPECT_EQ(content(all, "/etc/group"), "root:x:0:\nnobody:x:65534:\n");
    EXPECT_EQ(all.find("/tmp")->mode, 01777);
    EXPECT_EQ(all.look_up("/bin/sh").path, "/bin/busybox");
    EXPECT_EQ(all.find("/etc/group")->changed, WallTime{});

    SandboxConfig bare;
    bare.has_no_image = true;
    EXPECT_THAT(names(files(bare), "/"), ElementsAre());
}

TEST(Files, TakeMemoryOnlyWhereTheyDiffer) {
    Files one = files();
    const Files other = files();
    EXPECT_TRUE(one.root().changes().empty());
    ASSERT_EQ(one.append("/etc/group", "more:x:7:\n", later), FileError::none);
    EXPECT_EQ(one.root().changes().size(), 1u);
    EXPECT_EQ(content(one, "/etc/group"), "root:x:0:\nnobody:x:65534:\nmore:x:7:\n");
    EXPECT_EQ(content(other, "/etc/group"), "root:x:0:\nnobody:x:65534:\n");
    EXPECT_EQ(&one.root().base(), &other.root().base());
}

TEST(Files, FolderAndLinkAreMadeOnce) {
    Files all = files();
    EXPECT_EQ(all.make_folder("/tmp/job", later, 01777), FileError::none);
    EXPECT_EQ(all.find("/tmp/job")->mode, 01777);
    EXPECT_EQ(all.find("/tmp/job")->changed, later);
    EXPECT_EQ(all.find("/tmp")->changed, later);
    EXPECT_EQ(all.make_folder("/tmp/job", later), FileError::exists);
    EXPECT_EQ(all.make_folder("/tmp/no/job", later), FileError::absent);

    EXPECT_EQ(all.make_link("/tmp/job/claim.1", "boot:7:1", later), FileError::none);
    EXPECT_EQ(all.make_link("/tmp/job/claim.1", "boot:8:1", later), FileError::exists);
    EXPECT_EQ(all.make_folder("/tmp/job/claim.1", later), FileError::exists);
    EXPECT_EQ(link_text(all, "/tmp/job/claim.1"), "boot:7:1");
    EXPECT_EQ(link_text(all, "/tmp/job/claim.2"), "No such file or directory");
    EXPECT_EQ(link_text(all, "/etc/group"), "Invalid argument");
    EXPECT_FALSE(all.exists("/tmp/job/claim.1")) << "it leads nowhere";
    EXPECT_THAT(names(all, "/tmp/job"), ElementsAre("claim.1"));
}

TEST(Files, ContentIsEmptiedExtendedAndReadFromAnOffset) {
    Files all = files();
    ASSERT_EQ(all.truncate("/tmp/out", born), FileError::none);
    EXPECT_EQ(content(all, "/tmp/out"), "");
    ASSERT_EQ(all.append("/tmp/out", "one\n", born), FileError::none);
    ASSERT_EQ(all.append("/tmp/out", "two\n", later), FileError::none);
    EXPECT_EQ(content(all, "/tmp/out"), "one\ntwo\n");
    EXPECT_EQ(content(all, "/tmp/out", 4), "two\n");
    EXPECT_EQ(content(all, "/tmp/out", 99), "");
    EXPECT_EQ(all.find("/tmp/out")->changed, later);
    ASSERT_EQ(all.truncate("/tmp/out", later), FileError::none);
    EXPECT_EQ(content(all, "/tmp/out"), "");

    EXPECT_EQ(all.append("/tmp", "x", later), FileError::is_a_folder);
    EXPECT_EQ(all.append("/etc/group/x", "x", later), FileError::not_a_folder);
    EXPECT_EQ(content(all, "/tmp"), "Is a directory");
    EXPECT_EQ(content(all, "/tmp/none"), "No such file or directory");
}

TEST(Files, FifoKeepsNoContent) {
    Files all = files();
    ASSERT_EQ(all.make_fifo("/tmp/in", later, 0600), FileError::none);
    EXPECT_EQ(all.make_fifo("/tmp/in", later), FileError::exists);
    EXPECT_EQ(all.append("/tmp/in", "x", later), FileError::none);
    EXPECT_EQ(all.truncate("/tmp/in", later), FileError::none);
    EXPECT_EQ(all.find("/tmp/in")->kind, FileKind::fifo);
    EXPECT_EQ(content(all, "/tmp/in"), "");
}

TEST(Files, LinksAreFollowedAsTheKernelDoes) {
    Files all = files();
    ASSERT_EQ(all.make_folder("/tmp/d", born), FileError::none);
    ASSERT_EQ(all.make_link("/tmp/d/up", "../e", born), FileError::none);
    ASSERT_EQ(all.make_link("/tmp/abs", "/tmp/d", born), FileError::none);
    ASSERT_EQ(all.make_link("/tmp/loop", "loop", born), FileError::none);
    EXPECT_EQ(all.append("/tmp/abs/up", "x", born), FileError::none) << "made where it leads";
    EXPECT_EQ(content(all, "/tmp/e"), "x");
    EXPECT_EQ(all.look_up("/tmp/abs/", LastLink::kept).path, "/tmp/d");
    EXPECT_EQ(all.look_up("/../tmp/./abs/../e").path, "/tmp/e");
    EXPECT_EQ(content(all, "tmp/e"), "x") << "from the root";
    EXPECT_EQ(content(all, "/tmp/loop"), "Too many levels of symbolic links");
    EXPECT_EQ(all.look_up("/etc/group/").error, FileError::not_a_folder);
}

TEST(Files, WhatIsRemovedIsGoneEvenFromTheImage) {
    Files all = files();
    EXPECT_EQ(all.remove("/etc", later), FileError::not_empty);
    ASSERT_EQ(all.remove("/etc/group", later), FileError::none);
    EXPECT_EQ(all.remove("/etc/group", later), FileError::absent);
    EXPECT_FALSE(all.exists("/etc/group"));
    EXPECT_THAT(names(all, "/etc"),
                ElementsAre("hostname", "hosts", "mtab", "passwd", "resolv.conf"));
    ASSERT_EQ(all.make_folder("/etc/group", later), FileError::none);
    EXPECT_THAT(names(all, "/etc/group"), ElementsAre());
    ASSERT_EQ(all.remove("/bin/sh", later), FileError::none);
    EXPECT_TRUE(all.exists("/bin/busybox")) << "the link went, not what it leads to";
}

TEST(Files, ReadOnlyRootTakesNothingButOnItsMounts) {
    SandboxConfig config;
    config.has_read_only_root = true;
    config.mounts = {{"volume", "v", "", "/data", "", "", true},
                     {"volume", "w", "", "/fixed", "", "", false}};
    Files all = files(config);
    EXPECT_EQ(all.make_folder("/tmp/job", later), FileError::read_only);
    EXPECT_EQ(all.make_folder("/tmp", later), FileError::exists) << "that comes first";
    EXPECT_EQ(all.make_link("/tmp/claim", "x", later), FileError::read_only);
    EXPECT_EQ(all.append("/etc/group", "x", later), FileError::read_only);
    EXPECT_EQ(all.truncate("/tmp/new", later), FileError::read_only);
    EXPECT_EQ(all.remove("/etc/group", later), FileError::read_only);
    EXPECT_EQ(all.change_mode("/tmp", 0755), FileError::read_only);
    EXPECT_EQ(all.append("/data/f", "x", later), FileError::none);
    EXPECT_EQ(content(all, "/data/f"), "x");
    EXPECT_EQ(all.append("/fixed/f", "x", later), FileError::read_only);
}

TEST(Files, MountsAreSeenAndAreNotTheRootsOwn) {
    SandboxConfig config;
    config.mounts = {{"bind", "", "/host", "/data/in", "", "", true}};
    config.tmpfs = {"/scratch"};
    Files all = files(config);
    EXPECT_TRUE(all.is_on_mount("/data/in"));
    EXPECT_TRUE(all.is_on_mount("/scratch/deep/down"));
    EXPECT_FALSE(all.is_on_mount("/data/inside"));
    ASSERT_EQ(all.make_link("/tmp/s", "/scratch", born), FileError::none);
    EXPECT_TRUE(all.is_on_mount("/tmp/s/f"));
    EXPECT_EQ(all.remove("/scratch", later), FileError::busy);

    ASSERT_EQ(all.append("/scratch/f", "x", later), FileError::none);
    EXPECT_THAT(names(all, "/scratch"), ElementsAre("f"));
    EXPECT_THAT(names(all, "/scratch", View::engine), ElementsAre()) << "it looks under a tmpfs";
    ASSERT_EQ(all.append("/data/in/g", "x", later), FileError::none);
    EXPECT_THAT(names(all, "/data/in", View::engine), ElementsAre("g"));
    EXPECT_EQ(all.root().find("/data/in/g"), nullptr);
}

TEST(Files, FullDiskTakesLinksAndEmptyFilesOnly) {
    Files all = files();
    all.set_free_space(4096 + 3);
    EXPECT_EQ(all.make_folder("/tmp/job", later), FileError::none);
    EXPECT_EQ(all.make_folder("/tmp/more", later), FileError::no_space);
    EXPECT_EQ(all.append("/tmp/job/out", "four", later), FileError::no_space);
    EXPECT_EQ(content(all, "/tmp/job/out"), "fou") << "what fits is written";
    EXPECT_EQ(all.make_link("/tmp/job/exit", "0", later), FileError::none);
    EXPECT_EQ(all.truncate("/tmp/job/begun", later), FileError::none);
    ASSERT_EQ(all.remove("/tmp/job/out", later), FileError::none);
    EXPECT_EQ(all.append("/tmp/job/out", "abc", later), FileError::none) << "room came back";
    all.set_free_space(std::nullopt);
    EXPECT_EQ(all.append("/tmp/job/out", "defg", later), FileError::none);
}

TEST(Files, UnpackingReplacesAllButFolders) {
    Files all = files();
    ASSERT_EQ(all.make_folder("/tmp/d", born), FileError::none);
    ASSERT_EQ(all.append("/tmp/d/f", "x", born), FileError::none);
    ASSERT_EQ(all.make_link("/tmp/l", "d", born), FileError::none);
    ASSERT_EQ(all.unpack("/tmp/d", {.kind = FileKind::folder, .mode = 0700, .changed = later}),
              FileError::none);
    EXPECT_EQ(content(all, "/tmp/d/f"), "x");
    EXPECT_EQ(all.find("/tmp/d")->mode, 0700);
    ASSERT_EQ(all.unpack("/tmp/l", {.mode = 0755, .uid = 7, .changed = later, .content = "y"}),
              FileError::none);
    EXPECT_EQ(content(all, "/tmp/l"), "y") << "the link itself was replaced";
    ASSERT_EQ(all.unpack("/tmp/d", {.changed = later}), FileError::none);
    EXPECT_EQ(all.look_up("/tmp/d/f").error, FileError::not_a_folder);
}

TEST(Files, WorkingFolderIsMade) {
    SandboxConfig config;
    config.working_dir = "/srv/app";
    EXPECT_TRUE(files(config).exists("/srv/app"));
}

// Of a sandbox: they outlive its runs, and go with it.
class SandboxFiles : public testing::Test {
protected:
    SandboxFiles() {
        SandboxConfig config;
        config.image = "bb";
        config.tmpfs = {"/scratch"};
        engine.create("a1", config, [](const Outcome&) {});
        engine.start("a1");
    }
    World world;
    SandboxEngine engine{world, docker_personality()};
};

TEST_F(SandboxFiles, StayOverStopAndStartButForTmpfs) {
    ASSERT_EQ(engine.files("a1")->append("/tmp/f", "x", later), FileError::none);
    ASSERT_EQ(engine.files("a1")->append("/scratch/f", "x", later), FileError::none);
    engine.kill("a1", 9);
    EXPECT_FALSE(engine.files("a1")->exists("/scratch/f"));
    engine.start("a1");
    EXPECT_EQ(content(*engine.files("a1"), "/tmp/f"), "x");
    EXPECT_TRUE(engine.files("a1")->exists("/scratch"));
}

TEST_F(SandboxFiles, GoWithTheirSandbox) {
    ASSERT_EQ(engine.files("a1")->append("/tmp/f", "x", later), FileError::none);
    bool is_gone = false;
    engine.remove("a1", true, [] {}, [&](const Outcome&) { is_gone = true; });
    world.run_until([&] { return is_gone; });
    EXPECT_EQ(engine.files("a1"), nullptr);
    engine.create("a1", {}, [](const Outcome&) {});
    EXPECT_FALSE(engine.files("a1")->exists("/tmp/f"));
}

}  // namespace
}  // namespace drydock::sim::test
