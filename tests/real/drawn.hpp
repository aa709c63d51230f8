#pragma once

#include "compare.hpp"

#include <cstdint>

namespace drydock::real {

/// Sequences of 3 to 12 calls, legal and illegal ones, on two names.
std::vector<Sequence> drawn_sequences(std::uint64_t seed, std::size_t count);

/// Takes calls away for as long as the two still differ.
std::string shrunk_difference(const Sockets& sockets, const Sequence& sequence,
                              const std::string& found);

}  // namespace drydock::real
