#pragma once

#include "story/teller.hpp"

#include <vector>

namespace drydock::reports {

/// Tells what goes on and on once, and then how often: a watch looks a hundred times, a removal is
/// tried until its deadline. Each flow is looked at by itself, so that loops of several leases that
/// run at once are found too. Only routine sentences are left out, and of them only those that
/// their flow has told since its last turning point; two are alike if only numbers of calls (#17)
/// differ.
std::vector<Sentence> without_repeats(std::vector<Sentence> sentences);

}  // namespace drydock::reports
