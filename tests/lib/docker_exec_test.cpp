// Execs, their streams and archives, through the adapter.
#include "docker_support.hpp"

#include "docker/answers.hpp"
#include "docker/archive.hpp"
#include "docker/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace drydock::test {
namespace {

using nlohmann::json;
using Cause = TransportFailure::Cause;
using Source = ExecOutput::Source;

const std::string frame_hi("\x01\0\0\0\0\0\0\x02hi", 10);

class DockerExec : public testing::Test {
protected:
    Result<std::string> create(const ExecSpec& spec) {
        return run(backend_->exec_create(context_of(Operation::exec_create), "box", spec));
    }
    Result<void> start() {
        return run(backend_->exec_start(context_of(Operation::exec_start), "e1"));
    }
    Result<std::unique_ptr<ExecStream>> open() {
        return run(backend_->exec_open(context_of(Operation::exec_start), "e1"));
    }
    Result<ExecStatus> inspect() {
        return run(backend_->exec_inspect(context_of(Operation::exec_inspect), "e1"));
    }
    Result<void> upload(const std::vector<FileEntry>& entries) {
        return run(backend_->upload(context_of(Operation::archive_put), "box", "/", entries));
    }
    Result<std::vector<FileEntry>> download() {
        return run(
            backend_->download(context_of(Operation::archive_get), "box", "/.drydock/job 1"));
    }
    Result<ExecOutput> read(ExecStream& stream) {
        return run(stream.read(context_of(Operation::exec_read)));
    }
    Error refusal_of_start(int status) {
        transport_.answer(status, R"({"message":"why"})");
        return start().error();
    }

    ScriptedTransport transport_;
    std::unique_ptr<Backend> backend_ = make_docker_backend(transport_);
};

TEST_F(DockerExec, CreateSaysWhatToRun) {
    transport_.answer(201, R"({"Id":"e1"})"
                           "\n");
    const ExecSpec spec{{"sh", "-c", "echo \"x\""}, {"A=1"}, true};
    const auto id = create(spec);
    ASSERT_TRUE(id);
    EXPECT_EQ(*id, "e1");
    EXPECT_EQ(transport_.last_request.target, "/v1.41/containers/box/exec");
    EXPECT_EQ(transport_.last_request.content_type, "application/json");
    EXPECT_EQ(json::parse(transport_.last_request.body),
              json::parse(R"({"AttachStdout": true, "AttachStderr": true,
                              "Cmd": ["sh", "-c", "echo \"x\""], "Env": ["A=1"]})"));
    const ExecSpec plain{{"true"}, {}, false};
    ASSERT_TRUE(create(plain));
    EXPECT_EQ(json::parse(transport_.last_request.body),
              json::parse(R"({"AttachStdout": false, "AttachStderr": false, "Cmd": ["true"]})"));
}

TEST_F(DockerExec, ACreateThatConflictsHasNotLanded) {
    transport_.answer(409, R"({"message":"Container box is not running"})");
    const Error error = create(ExecSpec{{"true"}, {}, false}).error();
    EXPECT_EQ(error.kind(), ErrorKind::conflict);
    EXPECT_EQ(error.landed(), Landed::no) << "an exec has no name to conflict about";
    transport_.answer(404, R"({"message":"No such container: box"})");
    EXPECT_EQ(create(ExecSpec{{"true"}, {}, false}).error().kind(), ErrorKind::not_found);
}

TEST_F(DockerExec, ADetachedStartSaysSo) {
    transport_.answer(200, "");
    EXPECT_TRUE(start());
    EXPECT_EQ(transport_.last_request.target, "/v1.41/exec/e1/start");
    EXPECT_EQ(transport_.last_request.body, R"({"Detach":true})");
    EXPECT_FALSE(transport_.last_request.asks_upgrade);
}

TEST_F(DockerExec, RefusedStartsAreTold) {
    EXPECT_EQ(refusal_of_start(409).kind(), ErrorKind::conflict);
    EXPECT_EQ(refusal_of_start(409).landed(), Landed::unknown)
        << "it may be its own second arrival";
    EXPECT_EQ(refusal_of_start(400).kind(), ErrorKind::invalid);
    EXPECT_EQ(refusal_of_start(400).landed(), Landed::no);
    EXPECT_EQ(refusal_of_start(404).kind(), ErrorKind::not_found);
    EXPECT_EQ(refusal_of_start(500).landed(), Landed::unknown);
}

TEST_F(DockerExec, BothSuccessesOpenAStream) {
    for (const int status : {101, 200}) {
        transport_.open_stream(status, {frame_hi});
        auto stream = open();
        ASSERT_TRUE(stream) << status;
        EXPECT_TRUE(transport_.last_request.asks_upgrade);
        EXPECT_EQ(json::parse(transport_.last_request.body),
                  json::parse(R"({"Detach": false, "Tty": false})"));
        const auto output = read(**stream);
        ASSERT_TRUE(output);
        EXPECT_EQ(output->bytes, "hi");
        EXPECT_EQ(output->source, Source::out);
        const auto end = read(**stream);
        ASSERT_TRUE(end) << "a clean end";
        EXPECT_TRUE(end->bytes.empty());
    }
}

TEST_F(DockerExec, ARefusedOpenIsAnError) {
    transport_.refuse_stream(404, "No such exec instance: e1\r\n");
    const auto stream = open();
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().kind(), ErrorKind::not_found);
    EXPECT_EQ(stream.error().message(), "No such exec instance: e1");
    transport_.fail_stream({Cause::reset, Progress::sent, 0});
    EXPECT_EQ(open().error().landed(), Landed::unknown);
    transport_.fail_stream({Cause::connect, Progress::not_sent, 0});
    EXPECT_EQ(open().error().landed(), Landed::no);
}

TEST_F(DockerExec, AFrameThatIsCutIsALostConnection) {
    transport_.open_stream(101, {frame_hi, frame_hi.substr(0, 9)});
    auto stream = open();
    ASSERT_TRUE(stream);
    EXPECT_EQ(read(**stream)->bytes, "hi");
    EXPECT_TRUE((*stream)->is_drained());
    EXPECT_EQ(read(**stream)->bytes, "h");
    EXPECT_FALSE((*stream)->is_drained());
    const auto cut = read(**stream);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().kind(), ErrorKind::reset);
    EXPECT_EQ(cut.error().landed(), Landed::yes) << "the program was started";
}

TEST_F(DockerExec, BytesThatAreNoFrameAreAProtocolError) {
    transport_.open_stream(101, {frame_hi + "unexpected text"});
    auto stream = open();
    EXPECT_EQ(read(**stream)->bytes, "hi");
    EXPECT_FALSE((*stream)->is_drained());
    EXPECT_EQ(read(**stream).error().kind(), ErrorKind::protocol);
}

TEST_F(DockerExec, AStreamThatBreaksSaysHow) {
    for (const auto& [cause, kind] : {std::pair(Cause::reset, ErrorKind::reset),
                                      std::pair(Cause::timeout, ErrorKind::timeout)}) {
        transport_.open_stream(101, {frame_hi}, TransportFailure{cause, Progress::reply_begun, 0});
        auto stream = open();
        EXPECT_EQ(read(**stream)->bytes, "hi");
        const auto broken = read(**stream);
        ASSERT_FALSE(broken);
        EXPECT_EQ(broken.error().kind(), kind);
        EXPECT_EQ(broken.error().operation(), Operation::exec_read);
        EXPECT_EQ(broken.error().landed(), Landed::yes);
    }
}

TEST_F(DockerExec, AnExitCodeIsOnlyThereOnceItIsKnown) {
    const auto status = [this](std::string body) {
        transport_.answer(200, std::move(body));
        return inspect();
    };
    EXPECT_TRUE(status(R"({"ID":"e1","Running":true,"ExitCode":null})")->is_running);
    EXPECT_FALSE(status(R"({"Running":true,"ExitCode":0,"Pid":4})")->exit_code);
    EXPECT_FALSE(status(R"({"Running":false,"ExitCode":null,"Pid":0})")->exit_code);
    EXPECT_EQ(
        status(R"({"ExitCode":137,"ProcessConfig":{"tty":false},"Running":false})")->exit_code,
        137);
    for (const char* body : {"", "{}", R"({"Running":false})", R"({"Running":1,"ExitCode":0})",
                             R"({"Running":false,"ExitCode":"0"})"}) {
        EXPECT_EQ(status(body).error().kind(), ErrorKind::protocol) << body;
    }
    EXPECT_EQ(transport_.last_request.target, "/v1.41/exec/e1/json");
}

TEST_F(DockerExec, AnUploadIsATar) {
    transport_.answer(200, "");
    EXPECT_TRUE(upload({{FileEntry::Kind::file, "x/guard", "script", 0755}}));
    EXPECT_EQ(transport_.last_request.method, Method::put);
    EXPECT_EQ(transport_.last_request.target, "/v1.41/containers/box/archive?path=%2F");
    EXPECT_EQ(transport_.last_request.content_type, "application/x-tar");
    const auto sent = docker::read_archive(transport_.last_request.body);
    ASSERT_TRUE(sent);
    EXPECT_EQ(sent->at(0).path, "guard");
    EXPECT_EQ(sent->at(0).content, "script");
}

TEST_F(DockerExec, AReadOnlyRootIsNoPassingFailure) {
    transport_.answer(500, R"({"message":"container rootfs is marked read-only"})");
    const Error read_only = upload({}).error();
    EXPECT_EQ(read_only.kind(), ErrorKind::invalid);
    EXPECT_EQ(read_only.landed(), Landed::no);
    transport_.answer(500, R"({"message":"extraction point is not a directory"})");
    EXPECT_EQ(upload({}).error().kind(), ErrorKind::unavailable);
    EXPECT_EQ(upload({}).error().landed(), Landed::unknown);
}

TEST_F(DockerExec, ADownloadGivesTheFolder) {
    transport_.answer(200,
                      docker::write_archive({{FileEntry::Kind::folder, "job 1/", "", 0700},
                                             {FileEntry::Kind::link, "job 1/exit", "7", 0777}}));
    const auto entries = download();
    ASSERT_TRUE(entries);
    EXPECT_EQ(transport_.last_request.target,
              "/v1.41/containers/box/archive?path=%2F.drydock%2Fjob%201");
    ASSERT_EQ(entries->size(), 2u);
    EXPECT_EQ(entries->at(1).path, "exit");
    EXPECT_EQ(entries->at(1).content, "7");
    transport_.answer(404, R"({"message":"Could not find the file"})");
    EXPECT_EQ(download().error().kind(), ErrorKind::not_found);
    transport_.answer(200, "no tar");
    EXPECT_EQ(download().error().kind(), ErrorKind::protocol);
}

TEST_F(DockerExec, PausedIsToldFromExited) {
    const auto read = [](std::string_view status) {
        return docker::read_sandbox(R"({"Id":"a","Name":"/n","State":{"Status":")" +
                                    std::string(status) + R"("},"Config":{"Labels":{}}})");
    };
    EXPECT_TRUE(read("paused")->is_paused);
    EXPECT_FALSE(read("exited")->is_paused);
    EXPECT_FALSE(read("running")->is_paused);
}

}  // namespace
}  // namespace drydock::test
