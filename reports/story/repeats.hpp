#pragma once

#include "story/teller.hpp"

#include <vector>

namespace drydock::reports {

/// Tells what goes on and on once, and then how often: a watch looks a hundred times, a removal is
/// tried until its deadline. Sentences are alike if only numbers of calls (#17) differ.
std::vector<Sentence> without_repeats(std::vector<Sentence> sentences);

}  // namespace drydock::reports
