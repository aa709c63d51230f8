#pragma once

#include <drydock/scenarios/scenario.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace drydock::cli {

/// An environment variable, nothing if it is not set or empty.
std::optional<std::string> environment(const char* name);

/// A default number of runs times DRYDOCK_WORK: the sanitizers' share of the work. At least 1.
std::uint64_t scaled(std::uint64_t runs);

/// DRYDOCK_START_ATTEMPTS where it is set and right; warns on standard error where it is not right.
std::optional<std::uint32_t> start_attempts();

}  // namespace drydock::cli
