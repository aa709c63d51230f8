#include "docker/frames.hpp"

#include <algorithm>

namespace drydock::docker {
namespace {

constexpr std::size_t header_size = 8;

}  // namespace

// Stream 0 is an echo of the input, which belongs to the output; 3 is an engine's own error, after
// which nothing of the program's comes.
bool FrameReader::read_header() {
    const auto byte = [this](std::size_t i) {
        return static_cast<unsigned char>(buffer_[used_ + i]);
    };
    if (byte(0) > 2 || byte(1) != 0 || byte(2) != 0 || byte(3) != 0) {
        failed_ = true;
        return false;
    }
    source_ = byte(0) == 2 ? ExecOutput::Source::err : ExecOutput::Source::out;
    for (std::size_t i = 4; i < header_size; ++i) {
        left_ = left_ << 8 | byte(i);
    }
    used_ += header_size;
    return true;
}

std::optional<ExecOutput> FrameReader::next() {
    while (!failed_ && left_ == 0 && buffer_.size() - used_ >= header_size && read_header()) {
    }
    const std::size_t size = std::min<std::size_t>(left_, buffer_.size() - used_);
    if (failed_ || left_ == 0 || size == 0) {
        buffer_.erase(0, used_);
        used_ = 0;
        return std::nullopt;
    }
    ExecOutput output{source_, buffer_.substr(used_, size)};
    used_ += size;
    left_ -= static_cast<std::uint32_t>(size);
    return output;
}

}  // namespace drydock::docker
