#pragma once

#include <cstdint>
#include <string>

namespace drydock::sim {

/// What a `drydock-job` writes: its first `size` bytes, the same for every job. No stretch of it
/// repeats soon, so that bytes which are missing, come twice or stand elsewhere show.
std::string job_output(bool is_err, std::uint64_t size);

/// Those from one offset to another.
std::string job_output(bool is_err, std::uint64_t from, std::uint64_t to);

}  // namespace drydock::sim
