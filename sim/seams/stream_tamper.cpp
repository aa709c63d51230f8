#include <drydock/sim/stream_line.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace drydock::sim {
namespace {

using Kind = faults::StreamFault::Kind;

constexpr std::string_view error_line = "Error: the connection to the runtime was lost\r\n";

std::string_view take_front(std::string_view& bytes, std::uint64_t count) {
    const std::string_view front =
        bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(count, bytes.size())));
    bytes.remove_prefix(front.size());
    return front;
}

}  // namespace

StreamTamper::StreamTamper(faults::StreamFault fault) : fault_(fault), untouched_(fault.after) {
    if (fault.kind != Kind::split) return;
    piece_ = static_cast<std::size_t>(fault.length);
    untouched_ = std::numeric_limits<std::uint64_t>::max();
}

void StreamTamper::stop() {
    if (has_struck_ && !missing_) return;
    missing_ = 0;
    fault_.reset();
    piece_ = std::string::npos;
}

StreamTamper::Passed StreamTamper::pass(std::string_view sent) {
    Passed passed;
    if (cut_) {
        passed.withheld = !sent.empty();
        return passed;
    }
    if (fault_ && !has_struck_) {
        passed.bytes = take_front(sent, untouched_);
        untouched_ -= passed.bytes.size();
        if (fault_->kind == Kind::repeat) {
            tail_ += passed.bytes;
            tail_.erase(0, tail_.size() - std::min<std::size_t>(tail_.size(), fault_->length));
        }
        if (untouched_ == 0) strike(passed);
    }
    const std::string_view gone = take_front(sent, cut_ ? sent.size() : missing_);
    missing_ -= cut_ ? 0 : gone.size();
    passed.withheld = !gone.empty();
    has_gap_ = has_gap_ || (passed.withheld && !cut_);
    passed.bytes += sent;
    passed.differs = passed.differs || (has_gap_ && !sent.empty());
    return passed;
}

void StreamTamper::strike(Passed& passed) {
    has_struck_ = true;
    switch (fault_->kind) {
        case Kind::eof:
        case Kind::reset:
        case Kind::stall: cut_ = fault_->kind; break;
        case Kind::error_text:
            cut_ = fault_->kind;
            passed.bytes += error_line;
            passed.differs = true;
            break;
        case Kind::gap: missing_ = fault_->length; break;
        case Kind::repeat:
            passed.bytes += std::exchange(tail_, {});
            passed.differs = true;
            break;
        case Kind::split: break;
    }
}

}  // namespace drydock::sim
