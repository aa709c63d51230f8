// `drydock serve` as a process of its own.
#include "cli/support.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace drydock::cli {
namespace {

using testing::HasSubstr;

class ServeCommand : public CliTest {
protected:
    ~ServeCommand() override {
        if (child_ > 0) end(SIGKILL);
    }

    /// Starts it in a child, its standard output going to a pipe and its errors to a file.
    void begin(const std::vector<const char*>& arguments) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        child_ = fork();
        if (child_ == 0) {
            dup2(ends[1], STDOUT_FILENO);
            if (std::freopen(path("err").c_str(), "w", stderr) == nullptr) _exit(99);
            std::vector<const char*> argv{"drydock", "serve"};
            argv.insert(argv.end(), arguments.begin(), arguments.end());
            const int code = cli_main(static_cast<int>(argv.size()), argv.data());
            std::fflush(nullptr);
            _exit(code);
        }
        close(ends[1]);
        out_ = fdopen(ends[0], "r");
    }
    std::string line_of_output() {
        char line[512] = "";
        return std::fgets(line, sizeof line, out_) == nullptr ? "" : line;
    }
    /// Its exit code.
    int end(int signal) {
        kill(child_, signal);
        int status = 0;
        waitpid(child_, &status, 0);
        std::fclose(out_);
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    std::string socket_ = path("engine.sock");

private:
    pid_t child_ = 0;
    std::FILE* out_ = nullptr;
};

TEST_F(ServeCommand, SaysThatItListensAndEndsOnASignal) {
    for (const int signal : {SIGTERM, SIGINT}) {
        const std::string endpoint = "unix://" + socket_;
        begin({"--docker", endpoint.c_str(), "--image", "bb", "--image", "alpine"});
        EXPECT_EQ(line_of_output(), "listening on unix:" + socket_ + "\n");
        EXPECT_TRUE(std::filesystem::is_socket(socket_));
        EXPECT_EQ(end(signal), 0);
        EXPECT_FALSE(std::filesystem::exists(socket_));
        EXPECT_EQ(text_of("err"), "");
    }
}

TEST_F(ServeCommand, ALiveSocketIsTwo) {
    const std::string endpoint = "unix:" + socket_;
    begin({"--docker", endpoint.c_str()});
    ASSERT_NE(line_of_output(), "");
    const Called called = call({"serve", "--docker", endpoint});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, testing::AllOf(HasSubstr(socket_), HasSubstr("another server")));
    EXPECT_EQ(end(SIGTERM), 0);
}

TEST_F(ServeCommand, AKilledServersSocketIsReplaced) {
    const std::string endpoint = "unix:" + socket_;
    begin({"--docker", endpoint.c_str()});
    ASSERT_NE(line_of_output(), "");
    EXPECT_EQ(end(SIGKILL), 128 + SIGKILL);
    EXPECT_TRUE(std::filesystem::is_socket(socket_));
    begin({"--docker", endpoint.c_str()});
    EXPECT_EQ(line_of_output(), "listening on unix:" + socket_ + "\n");
    EXPECT_EQ(end(SIGTERM), 0);
}

TEST_F(ServeCommand, BadArguments) {
    const auto refusal = [](const std::vector<std::string>& arguments) {
        const Called called = call(arguments);
        EXPECT_EQ(called.code, 2);
        EXPECT_EQ(called.out, "");
        return called.err;
    };
    EXPECT_THAT(refusal({"serve"}), HasSubstr("--docker"));
    EXPECT_THAT(refusal({"serve", "--docker", "tcp://127.0.0.1:2375"}), HasSubstr("unix:PATH"));
    EXPECT_THAT(refusal({"serve", "--docker", "unix:"}), HasSubstr("empty"));
    EXPECT_THAT(refusal({"serve", "--docker", "unix:" + std::string(108, 'x')}), HasSubstr("107"));
    EXPECT_THAT(refusal({"serve", "--docker", "unix:" + file("plain", std::string("text"))}),
                HasSubstr("not a socket"));
    EXPECT_THAT(refusal({"serve", "--docker", "unix:" + socket_, "--kind", "daytona"}),
                HasSubstr("only docker"));
}

}  // namespace
}  // namespace drydock::cli
