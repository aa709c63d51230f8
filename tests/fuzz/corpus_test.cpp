// What fuzzing has kept, through the same functions: each input that once taught something.
#include "fuzz/targets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace drydock::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

const fs::path corpus = "tests/fuzz/corpus";

std::vector<fs::path> inputs_of(const Target& target) {
    std::vector<fs::path> files;
    for (const auto& each : fs::directory_iterator(corpus / target.name)) {
        files.push_back(each.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string content_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, Holds) {
    const auto inputs = inputs_of(GetParam());
    EXPECT_FALSE(inputs.empty());
    for (const fs::path& input : inputs) {
        EXPECT_NO_THROW(GetParam().run(content_of(input))) << input;
    }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, testing::ValuesIn(targets()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FuzzTargets, NameTheirFolders) {
    std::vector<std::string> folders;
    for (const auto& each : fs::directory_iterator(corpus)) {
        folders.push_back(each.path().filename());
    }
    EXPECT_EQ(folders.size(), targets().size()) << "a corpus that nobody replays is of no use";
    EXPECT_THROW(target("nobody"), std::out_of_range);
}

}  // namespace
}  // namespace drydock::fuzz
