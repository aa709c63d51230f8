#pragma once

#include <drydock/scenarios/scenario.hpp>

#include <string_view>
#include <variant>

namespace drydock::scenarios {

/// The lease that a step is about, or empty.
inline std::string_view key_of(const ActorStep& step) {
    return std::visit(
        [](const auto& each) -> std::string_view {
            if constexpr (requires { each.key; }) {
                return each.key;
            } else {
                return {};
            }
        },
        step);
}

/// The job that a step is about, or empty.
inline std::string_view job_of(const ActorStep& step) {
    return std::visit(
        [](const auto& each) -> std::string_view {
            if constexpr (requires { each.job; }) {
                return each.job;
            } else {
                return {};
            }
        },
        step);
}

}  // namespace drydock::scenarios
