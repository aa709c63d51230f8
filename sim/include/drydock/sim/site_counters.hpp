#pragma once

#include <drydock/operation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace drydock::sim {

/// Numbers the occurrences of (operation, lease) at one process, from 1. Lease ids are dense:
/// interned keys, 0 for none.
class SiteCounters {
public:
    std::uint32_t next(Operation operation, std::uint32_t lease) {
        if (lease >= counts_.size()) {
            counts_.resize(static_cast<std::size_t>(lease) + 1);
        }
        return ++counts_[lease][static_cast<std::size_t>(operation)];
    }

    /// How many there were so far.
    std::uint32_t count(Operation operation, std::uint32_t lease) const noexcept {
        return lease < counts_.size() ? counts_[lease][static_cast<std::size_t>(operation)] : 0;
    }

private:
    std::vector<std::array<std::uint32_t, operation_count>> counts_;
};

}  // namespace drydock::sim
