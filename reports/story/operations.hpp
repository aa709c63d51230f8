#pragma once

#include <drydock/operation.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace drydock::reports {

/// What a process does in that operation, to go after its name: "asks to start sandbox 1". The
/// sandbox is the one addressed by id, 0 where it is not known.
std::string deed(Operation operation, std::uint32_t sandbox);

/// True for what only waits, so that it cannot fail.
bool is_wait(Operation operation);
/// True for what is told even if it goes as always.
bool is_told_always(Operation operation);

}  // namespace drydock::reports
