#pragma once

#include <drydock/backend.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::docker {

/// Takes the frames of a multiplexed stream apart: 8 bytes {stream, 0, 0, 0, length big endian},
/// then the bytes. They may come cut and joined anywhere; a frame's bytes are handed on as they
/// come.
class FrameReader {
public:
    void add(std::string_view bytes) { buffer_.append(bytes); }

    /// The next bytes of a frame, nothing until more are added. Nothing for ever once `failed`.
    std::optional<ExecOutput> next();

    /// A header came that no engine sends: what follows means nothing.
    bool failed() const noexcept { return failed_; }
    /// All that was added is handed on, and no frame is open.
    bool is_complete() const noexcept { return !failed_ && buffer_.size() == used_ && left_ == 0; }

private:
    bool read_header();

    std::string buffer_;
    std::size_t used_ = 0;    ///< bytes of it that were handed on
    std::uint32_t left_ = 0;  ///< of the open frame, yet to come
    ExecOutput::Source source_ = ExecOutput::Source::out;
    bool failed_ = false;
};

}  // namespace drydock::docker
