// Archive calls beyond the recordings.
#include "docker_support.hpp"

#include "docker/tar.hpp"
#include "engine/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace drydock::sim::test {
namespace {

using docker::TarEntry;
using testing::ElementsAre;

constexpr WallTime packed{std::chrono::seconds(1700000000)};

TarEntry file(std::string path, std::string content) {
    return {std::move(path), {.changed = packed, .content = std::move(content)}};
}
TarEntry folder(std::string path) {
    return {std::move(path), {.kind = FileKind::folder, .mode = 0755, .changed = packed}};
}
TarEntry link(std::string path, std::string text) {
    return {std::move(path),
            {.kind = FileKind::link, .mode = 0777, .changed = packed, .content = std::move(text)}};
}

class DockerArchive : public testing::Test {
protected:
    DockerArchive() {
        Request request;
        request.method = Method::post;
        request.target = "/containers/create?name=a1";
        request.content_type = "application/json";
        request.body = R"({"Image":"bb","Cmd":["sleep","300"]})";
        EXPECT_EQ(harness.ask(request).status, 201);
    }
    Response call(Method method, const std::string& query, std::string body = {}) {
        Request request;
        request.method = method;
        request.target = "/containers/a1/archive?" + query;
        request.body = std::move(body);
        return harness.ask(request);
    }
    /// Status, and the text of an error.
    std::string put(const std::string& query, std::string body) {
        const Response response = call(Method::put, query, std::move(body));
        const std::string error =
            response.body.empty() ? ""
                                  : " " + nlohmann::json::parse(response.body).value("message", "");
        return std::to_string(response.status) + error;
    }
    std::vector<std::string> names_of(const std::string& query) {
        std::vector<std::string> names;
        for (const TarEntry& entry : docker::read_tar(call(Method::get, query).body).entries) {
            names.push_back(entry.path);
        }
        return names;
    }
    std::string content(std::string_view path) {
        std::string_view bytes;
        const FileError error = files().read(path, 0, bytes);
        return error == FileError::none ? std::string(bytes) : std::string(text(error));
    }
    Files& files() { return *harness.model.engine().files("a1"); }

    ModelHarness harness;
};

TEST_F(DockerArchive, HeadersHaveTheKindInTheMode) {
    ASSERT_EQ(put("path=/tmp", docker::write_tar({file("f", "x"), link("l", "f")})), "200");
    const std::string tar = call(Method::get, "path=/tmp/f").body;
    EXPECT_EQ(tar.size(), 2048u) << "a header, a block and the end: short enough for a length";
    EXPECT_EQ(tar.substr(100, 7), "0100644");
    EXPECT_EQ(tar.substr(136, 11), "14524770400") << "the time in whole seconds";
    EXPECT_EQ(call(Method::get, "path=/tmp/l").body.substr(100, 7), "0120777");
    EXPECT_EQ(tar, call(Method::get, "path=/tmp/f").body);
}

TEST_F(DockerArchive, NamesBeginWithWhatWasAskedFor) {
    ASSERT_EQ(put("path=/tmp", docker::write_tar({file("d/f", "x"), folder("d-more"),
                                                  file("d/a/b", "y"), link("l", "d")})),
              "200");
    EXPECT_THAT(names_of("path=/tmp/d"), ElementsAre("d/", "d/a/", "d/a/b", "d/f"));
    EXPECT_THAT(names_of("path=/tmp/d/."), ElementsAre("./", "./a/", "./a/b", "./f"));
    EXPECT_THAT(names_of("path=/tmp/d/"), ElementsAre("d/", "d/a/", "d/a/b", "d/f"));
    EXPECT_THAT(names_of("path=/tmp/l"), ElementsAre("l")) << "the link itself";
    EXPECT_THAT(names_of("path=/tmp/l/"), ElementsAre("l/", "l/a/", "l/a/b", "l/f"));
    EXPECT_EQ(names_of("path=/")[0], "/");
}

TEST_F(DockerArchive, LinkAsTargetIsFollowed) {
    ASSERT_EQ(put("path=/tmp", docker::write_tar({folder("d"), link("l", "d")})), "200");
    EXPECT_EQ(put("path=/tmp/l", docker::write_tar({file("f", "x")})), "200");
    EXPECT_EQ(content("/tmp/d/f"), "x");
}

TEST_F(DockerArchive, WhatCameBeforeAFailureStays) {
    std::string tar = docker::write_tar({file("one", "1"), file("two", std::string(700, '2'))});
    EXPECT_EQ(put("path=/tmp", tar.substr(0, 512 + 512 + 512 + 600)),
              "500 Error processing tar file(exit status 1): unexpected EOF");
    EXPECT_EQ(content("/tmp/one"), "1");
    tar = docker::write_tar({file("three", "3"), file("../four", "4"), file("five", "5")});
    EXPECT_EQ(put("path=/tmp", tar),
              "500 Error processing tar file(exit status 1): \"../four\" is outside of \"/tmp\"");
    EXPECT_EQ(content("/tmp/three"), "3");
    EXPECT_FALSE(files().exists("/tmp/five"));
    EXPECT_EQ(put("path=/tmp", std::string(600, 'x')),
              "500 Error processing tar file(exit status 1): archive/tar: invalid tar header");
}

TEST_F(DockerArchive, LinksThatLeadOutAreRefused) {
    EXPECT_EQ(put("path=/tmp", docker::write_tar({link("l", "../etc")})),
              "500 Error processing tar file(exit status 1): invalid symlink \"/tmp/l\" -> "
              "\"../etc\"");
    EXPECT_EQ(put("path=/tmp", docker::write_tar({link("l", "/etc")})), "200")
        << "absolute ones are taken as they are";
}

TEST_F(DockerArchive, KindsAreKeptIfAsked) {
    ASSERT_EQ(put("path=/tmp", docker::write_tar({folder("d"), file("f", "x")})), "200");
    EXPECT_EQ(put("path=/tmp&noOverwriteDirNonDir=true", docker::write_tar({file("d", "y")})),
              "500 Error processing tar file(exit status 1): cannot overwrite directory "
              "\"/tmp/d\" with non-directory \"/tmp\"");
    EXPECT_EQ(put("path=/tmp&noOverwriteDirNonDir=true", docker::write_tar({folder("f")})),
              "500 Error processing tar file(exit status 1): cannot overwrite non-directory "
              "\"/tmp/f\" with directory \"/tmp\"");
    EXPECT_EQ(put("path=/tmp", docker::write_tar({file("d", "y")})), "200");
    EXPECT_EQ(content("/tmp/d"), "y");
}

TEST_F(DockerArchive, FullDiskIsToldInTheEnginesWords) {
    files().set_free_space(2);
    EXPECT_EQ(put("path=/tmp", docker::write_tar({file("f", "xyz")})),
              "500 Error processing tar file(exit status 1): write /tmp/f: no space left on "
              "device");
}

TEST_F(DockerArchive, WhatIsBelowAFileIsNoFolder) {
    const Response response = call(Method::get, "path=/etc/group/x");
    EXPECT_EQ(response.status, 500);
    EXPECT_THAT(response.body, testing::HasSubstr("/etc/group: not a directory"));
    EXPECT_EQ(put("path=/tmp/none", {}), "404 Could not find the file /tmp/none in container a1");
}

}  // namespace
}  // namespace drydock::sim::test
