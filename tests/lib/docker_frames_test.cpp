#include "docker/frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

namespace drydock::docker {
namespace {

using Source = ExecOutput::Source;

std::string header(char stream, std::size_t size) {
    const auto byte = [size](unsigned shift) {
        return static_cast<char>(static_cast<unsigned char>(size >> shift));
    };
    return {stream, 0, 0, 0, byte(24), byte(16), byte(8), byte(0)};
}

std::string frame(char stream, const std::string& bytes) {
    return header(stream, bytes.size()) + bytes;
}

/// All that comes out, neighbours of one source joined.
using Seen = std::vector<std::pair<Source, std::string>>;

void read_on(FrameReader& reader, Seen& seen) {
    while (auto output = reader.next()) {
        if (seen.empty() || seen.back().first != output->source) {
            seen.emplace_back(output->source, std::string());
        }
        seen.back().second += output->bytes;
    }
}

TEST(DockerFrames, SeveralFramesMayComeAtOnce) {
    FrameReader reader;
    reader.add(frame(1, "out") + frame(2, "err") + frame(1, "") + frame(1, "out2"));
    Seen seen;
    read_on(reader, seen);
    EXPECT_EQ(seen, (Seen{{Source::out, "out"}, {Source::err, "err"}, {Source::out, "out2"}}));
    EXPECT_TRUE(reader.is_complete());
}

TEST(DockerFrames, BytesAreHandedOnBeforeTheirFrameIsWhole) {
    FrameReader reader;
    reader.add(header(1, 10) + "abc");
    Seen seen;
    read_on(reader, seen);
    EXPECT_EQ(seen, (Seen{{Source::out, "abc"}}));
    EXPECT_FALSE(reader.is_complete()) << "seven bytes are to come";
    reader.add("defghij");
    read_on(reader, seen);
    EXPECT_EQ(seen, (Seen{{Source::out, "abcdefghij"}}));
    EXPECT_TRUE(reader.is_complete());
}

TEST(DockerFrames, AHeaderThatIsCutIsNotComplete) {
    FrameReader reader;
    reader.add(frame(1, "x") + header(1, 1).substr(0, 7));
    Seen seen;
    read_on(reader, seen);
    EXPECT_FALSE(reader.is_complete());
    EXPECT_FALSE(reader.failed());
}

TEST(DockerFrames, AnImpossibleHeaderFailsForGood) {
    for (const std::string& bad :
         {std::string("HTTP/1.1"), frame(3, "x"), frame(4, "x"),
          std::string("\x01\x01\0\0\0\0\0\x01", 8), std::string("\x01\0\x01\0\0\0\0\x01", 8),
          std::string("\x01\0\0\x01\0\0\0\x01", 8)}) {
        FrameReader reader;
        reader.add(frame(1, "good") + bad);
        Seen seen;
        read_on(reader, seen);
        EXPECT_EQ(seen, (Seen{{Source::out, "good"}}));
        EXPECT_TRUE(reader.failed());
        EXPECT_FALSE(reader.is_complete());
        reader.add(frame(1, "more"));
        EXPECT_FALSE(reader.next());
    }
}

RC_GTEST_PROP(DockerFrames, AnyCutGivesTheSame, ()) {
    const auto parts = *rc::gen::container<std::vector<std::pair<bool, std::string>>>(
        rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::arbitrary<std::string>()));
    std::string wire;
    FrameReader whole;
    Seen wanted;
    for (const auto& [is_err, bytes] : parts) {
        wire += frame(is_err ? 2 : 1, bytes);
    }
    whole.add(wire);
    read_on(whole, wanted);

    FrameReader cut;
    Seen seen;
    for (std::size_t at = 0; at < wire.size();) {
        const auto size = *rc::gen::inRange<std::size_t>(1, 12);
        cut.add(std::string_view(wire).substr(at, size));
        at += size;
        read_on(cut, seen);
    }
    RC_ASSERT(seen == wanted);
    RC_ASSERT(cut.is_complete());
}

}  // namespace
}  // namespace drydock::docker
