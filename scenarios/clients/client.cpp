#include <drydock/scenarios/client.hpp>

namespace drydock::scenarios {

namespace {

Error no_jobs() {
    return Error({.kind = ErrorKind::invalid, .message = "this client runs no jobs"});
}

}  // namespace

awaitable<Result<JobReport>> ClientUnderTest::run_job(std::uint32_t, JobRequest) {
    co_return no_jobs();
}

awaitable<Result<void>> ClientUnderTest::start_job(std::uint32_t, JobRequest) {
    co_return no_jobs();
}

awaitable<Result<JobReport>> ClientUnderTest::wait_for_job(std::uint32_t, std::string,
                                                           std::string) {
    co_return no_jobs();
}

awaitable<Result<void>> ClientUnderTest::write_stdin(std::uint32_t, std::string, std::string,
                                                     std::string) {
    co_return no_jobs();
}

awaitable<Result<JobReport>> ClientUnderTest::kill_job(std::uint32_t, std::string, std::string) {
    co_return no_jobs();
}

}  // namespace drydock::scenarios
