// Call sequences against a live engine and the model: both must answer alike.
#include "compare.hpp"
#include "drawn.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace drydock::real {
namespace {

const char* const sequences_path = "tests/real/docker_sequences.txt";
constexpr std::size_t drawn_count = 300;
/// Of a model that differs in much, the first few tell enough.
constexpr std::size_t shrink_at_most = 5;

std::string environment(const char* name, const std::string& otherwise = "") {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

class RealDocker : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"DRYDOCK_REAL_SOCKET", "DRYDOCK_MODEL_SOCKET"}) {
            if (environment(name).empty()) GTEST_SKIP() << name << " is not set";
        }
    }

    void expect_alike(const std::vector<Sequence>& sequences) {
        for (const std::string& found : differences(sockets, sequences)) {
            if (!found.empty()) ADD_FAILURE() << found;
        }
    }

    const Sockets sockets{environment("DRYDOCK_REAL_SOCKET"), environment("DRYDOCK_MODEL_SOCKET")};
};

TEST_F(RealDocker, WrittenSequences) { expect_alike(read_sequences(sequences_path)); }

TEST_F(RealDocker, DrawnSequences) {
    const std::uint64_t seed = std::stoull(environment("DRYDOCK_REAL_SEED", "768"));
    const std::vector<Sequence> sequences = drawn_sequences(seed, drawn_count);
    const std::vector<std::string> found = differences(sockets, sequences);
    std::size_t shrunk = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].empty()) continue;
        const bool shrinks = shrunk++ < shrink_at_most;
        ADD_FAILURE() << (shrinks ? shrunk_difference(sockets, sequences[i], found[i]) : found[i]);
    }
}

/// One sequence again, from a file of one's own.
TEST_F(RealDocker, GivenSequences) {
    const std::string path = environment("DRYDOCK_REAL_SEQUENCES");
    if (path.empty()) GTEST_SKIP() << "DRYDOCK_REAL_SEQUENCES is not set";
    expect_alike(read_sequences(path));
}

}  // namespace
}  // namespace drydock::real
