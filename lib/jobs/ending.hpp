#pragma once

#include <drydock/job.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::jobs {

/// What the guard, or the job's folder, says of the job's end.
struct Ending {
    enum class Kind : std::uint8_t { code, unknown, fenced, absent, left, broken };
    Kind kind = Kind::unknown;
    int code = 0;           ///< only of `code`
    std::uint64_t out = 0;  ///< the files' sizes: of `code` and `unknown`
    std::uint64_t err = 0;
    std::string text{};  ///< the processes that are left, or what is broken
};

/// Out of what stands behind `end` in the guard's record; nothing if that says nothing.
std::optional<Ending> read_ending(std::string_view text);

/// A job's folder, read by archive while no guard can run.
struct Folder {
    std::string out;
    std::string err;
    std::optional<int> code;
    bool has_begun = false;
    bool is_fenced = false;  ///< claimed by nobody for ever
};

Folder read_folder(const std::vector<FileEntry>& entries);

}  // namespace drydock::jobs
