// The main function of every test executable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

// Properties draw the same cases in every run unless RC_PARAMS says otherwise: a test that fails
// today must fail tomorrow. DRYDOCK_WORK scales the number of cases (sanitizers are slow).
void set_rapidcheck_defaults() {
    const char* work = std::getenv("DRYDOCK_WORK");
    const double scale = work == nullptr ? 1.0 : std::atof(work);
    const int cases = std::max(1, static_cast<int>(100 * scale));
    const std::string params = "seed=768 max_success=" + std::to_string(cases);
    setenv("RC_PARAMS", params.c_str(), /*overwrite=*/0);
}

}  // namespace

int main(int argc, char** argv) {
    set_rapidcheck_defaults();
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
