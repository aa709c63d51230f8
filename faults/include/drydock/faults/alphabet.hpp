#pragma once

#include <drydock/faults/choice.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace drydock::faults {

/// The choices that searches make at sites of this operation and aspect: a fixed table, every entry
/// legal there. What a truthful server would never do is left out (a remove that answers 404 for a
/// sandbox that exists); hand-written plans may still say it.
std::span<const Choice> alphabet(Operation operation, Aspect aspect);

/// Every kind name (see `kind_name`) that occurs in some alphabet, sorted.
std::span<const std::string_view> alphabet_kinds();

}  // namespace drydock::faults
