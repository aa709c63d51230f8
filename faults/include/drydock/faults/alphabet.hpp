#pragma once

#include <drydock/faults/choice.hpp>

#include <cstddef>
#include <span>

namespace drydock::faults {

/// The choices that searches make at sites of this operation and aspect: a fixed table, every entry
/// legal there. What a truthful server would never do is left out (a remove that answers 404 for a
/// sandbox that exists); hand-written plans may still say it.
std::span<const Choice> alphabet(Operation operation, Aspect aspect);

/// The kinds (see `kind_index`) that occur in some alphabet, in ascending order.
std::span<const std::size_t> alphabet_kinds();

}  // namespace drydock::faults
