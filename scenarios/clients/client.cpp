#include <drydock/scenarios/client.hpp>

namespace drydock::scenarios {

namespace {

Error no_jobs() {
    return Error({.kind = ErrorKind::invalid, .message = "this client runs no jobs"});
}

}  // namespace

awaitable<Result<JobReport>> ClientUnderTest::run(std::uint32_t, JobRequest) {
    co_return no_jobs();
}

awaitable<Result<void>> ClientUnderTest::start(std::uint32_t, JobRequest) { co_return no_jobs(); }

awaitable<Result<JobReport>> ClientUnderTest::wait(std::uint32_t, std::string, std::string) {
    co_return no_jobs();
}

awaitable<Result<void>> ClientUnderTest::write_stdin(std::uint32_t, std::string, std::string,
                                                     std::string) {
    co_return no_jobs();
}

awaitable<Result<JobReport>> ClientUnderTest::kill(std::uint32_t, std::string, std::string) {
    co_return no_jobs();
}

}  // namespace drydock::scenarios
