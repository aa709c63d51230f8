#pragma once

#include "sequence.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace drydock::real {

struct Sockets {
    std::string engine;
    std::string model;
};

/// Runs the sequence on both and compares each answer and what each holds afterwards. Empty if they
/// agree, else the sequence, the call that they first differ in, and both answers. `prefix` keeps
/// sequences apart that run at the same time.
std::string difference(const Sockets& sockets, const Sequence& sequence, const std::string& prefix);

/// The differences of all sequences, in their order, some of which run at the same time.
std::vector<std::string> differences(const Sockets& sockets,
                                     const std::vector<Sequence>& sequences);

}  // namespace drydock::real
