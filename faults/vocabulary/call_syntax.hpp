#pragma once

#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace drydock::faults {

/// A word of a plan with its arguments: `late(after_timeout)`, `stuck(starting, 30s)`, `refused`.
struct Call {
    std::string_view word;
    std::vector<std::string_view> arguments;
};

/// Splits it; blanks around arguments are dropped. Throws InputError.
Call parse_call(std::string_view text);

/// Throws unless there are `least` to `most` arguments; the message shows the example.
void check_arguments(const Call& call, std::size_t least, std::size_t most,
                     std::string_view example);

/// The argument as an HTTP status; its range is checked with the fate.
int status_argument(const Call& call, std::size_t index = 0);
Duration duration_argument(const Call& call, std::size_t index = 0);
/// The argument as a number of bytes; its range is checked with the fault.
std::uint64_t bytes_argument(const Call& call, std::size_t index);

}  // namespace drydock::faults
