#include "serve/support.hpp"

#include "socket_file.hpp"

#include <drydock/faults/input_error.hpp>

#include <gmock/gmock.h>

#include <fstream>

namespace drydock::serve::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SocketFileTest : public testing::Test {
protected:
    /// The message that refuses this path.
    std::string refusal(const std::string& where) {
        try {
            const SocketFile file(context.get_executor(), where);
        } catch (const faults::InputError& error) {
            return error.what();
        }
        return "";
    }

    Scratch scratch;
    std::string path = scratch.path("s");
    asio::io_context context;
};

TEST_F(SocketFileTest, GoesWithItsServer) {
    {
        const SocketFile file(context.get_executor(), path);
        EXPECT_TRUE(fs::is_socket(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(SocketFileTest, AnAbandonedOneIsReplaced) {
    {
        Protocol::acceptor abandoned(context, Protocol::endpoint(path));
    }
    ASSERT_TRUE(fs::is_socket(path));
    EXPECT_EQ(refusal(path), "");
}

TEST_F(SocketFileTest, ALiveOneIsLeftAlone) {
    const SocketFile live(context.get_executor(), path);
    EXPECT_THAT(refusal(path), testing::AllOf(HasSubstr(path), HasSubstr("another server")));
    Protocol::socket client(context);
    client.connect(Protocol::endpoint(path));
    EXPECT_TRUE(client.is_open());
}

TEST_F(SocketFileTest, AnythingElseIsLeftAlone) {
    std::ofstream(path) << "text";
    EXPECT_THAT(refusal(path), HasSubstr("not a socket"));
    EXPECT_EQ(fs::file_size(path), 4U);
    EXPECT_THAT(refusal(scratch.path("")), HasSubstr("not a socket"));
}

TEST_F(SocketFileTest, WhatAnotherServerMadeIsNotRemoved) {
    {
        const SocketFile first(context.get_executor(), path);
        fs::rename(path, scratch.path("old"));  // keeps its inode in use
        Protocol::acceptor second(context, Protocol::endpoint(path));
    }
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(SocketFileTest, PathsThatCannotBe) {
    const std::string longest = scratch.path(std::string(107 - scratch.path("").size(), 'x'));
    EXPECT_EQ(longest.size(), 107U);
    EXPECT_EQ(refusal(longest), "");
    EXPECT_THAT(refusal(longest + "x"), HasSubstr("at most 107"));
    EXPECT_THAT(refusal(""), HasSubstr("must not be empty"));
    EXPECT_THAT(refusal(scratch.path("no/such/folder")), HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace drydock::serve::test
