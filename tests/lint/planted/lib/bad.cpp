// Only read by the lints' own test, never compiled.
#include <drydock/faults/plan.hpp>  // layers: upward
#include <boost/asio/experimental/awaitable_operators.hpp>  // banned_calls: lost_result
#include <thread>
#include <unordered_map>  // banned_calls: unordered

#include "../sim/world.hpp"  // layers: relative
#include "sim/world.hpp"     // layers: upward
#include "topic/private.hpp"

void bad() {
    auto a = std::chrono::steady_clock::now();                         // banned_calls: clock
    auto b = std::chrono::system_clock::now();                         // banned_calls: clock
    using Clock = std::chrono::high_resolution_clock;                  // banned_calls: clock
    boost::asio::steady_timer timer(executor);                         // banned_calls: timer
    std::thread thread([] {});                                         // banned_calls: thread
    std::this_thread::sleep_for(std::chrono::seconds(1));              // banned_calls: thread
    std::random_device device;                                         // banned_calls: random
    std::uniform_int_distribution<int> dice(1, 6);                     // banned_calls: distribution
    std::shuffle(list.begin(), list.end(), engine);                    // banned_calls: distribution
    const char* home = std::getenv("HOME");                            // banned_calls: environment
    boost::asio::ip::tcp::socket tcp(executor);                        // banned_calls: socket
    boost::asio::local::stream_protocol::socket local(executor);       // banned_calls: socket
    int fd = ::socket(AF_INET, SOCK_STREAM, 0);                        // banned_calls: socket
    std::unordered_map<int, int> map;                                  // banned_calls: unordered
    std::map<Sandbox*, int> by_address;                                // banned_calls: pointer_order
    boost::asio::co_spawn(executor, run(), boost::asio::detached);     // banned_calls: lost_error
    const int big = 1'000'000; std::set<const Sandbox*> in_one_line;   // banned_calls: pointer_order
}

void good() {
    // steady_clock::now in a comment, /* or */ getenv
    /* std::random_device
       std::thread */
    const char* text = "std::getenv(\"HOME\") and \\";
    const char* raw = R"(std::this_thread)";
    const char quote = '"';
    std::map<std::string, Sandbox*> by_name;
    std::chrono::steady_clock::time_point named_type;
    client.connect(executor);
    std::this_threadlike();
}
