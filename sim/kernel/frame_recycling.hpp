#pragma once

#ifndef DRYDOCK_NO_POOL
#include <boost/asio/detail/thread_context.hpp>
#include <boost/asio/detail/thread_info_base.hpp>
#endif

namespace drydock::sim {

// While one of these exists, Asio keeps the last few freed coroutine frames for the next ones, as
// it does inside io_context::run. Without it every frame is a malloc; with many clients their
// frames of changing sizes make glibc split and merge all the time (8 % of 100,000 naive clients).
//
// This is the one place that names Asio's private parts: there is no public way. Anything it gets
// wrong shows at compile time, and the class may be emptied, as it is for the sanitizers, at that
// price.
#ifndef DRYDOCK_NO_POOL
class FrameRecycling : private boost::asio::detail::thread_context {
public:
    FrameRecycling() : entry_(this, memory_) {}
    FrameRecycling(const FrameRecycling&) = delete;
    FrameRecycling& operator=(const FrameRecycling&) = delete;

private:
    boost::asio::detail::thread_info_base memory_;
    thread_call_stack::context entry_;
};
#else
class FrameRecycling {
public:
    FrameRecycling() {}
    ~FrameRecycling() {}
};
#endif

}  // namespace drydock::sim
