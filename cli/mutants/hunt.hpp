#pragma once

#include "mutants/workshop.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace drydock::cli {

/// What became of one known mistake.
struct Caught {
    std::string breakage;
    bool is_found = false;
    std::string by;          ///< "random", "corpus", or why it could not even be tried
    std::uint64_t runs = 0;  ///< of random plans, until it was found
    double seconds = 0;      ///< without building
    std::string invariant;   ///< that it broke first
};

struct HuntOptions {
    std::uint64_t runs = 10000;
    std::uint64_t seed = 1;
    std::string corpus = "scenarios/incidents";  ///< within the sources
};

/// Looks for mistakes in whatever library the workshop has built now.
Caught hunt(Workshop& workshop, const HuntOptions& options);

/// Applies the patch, builds, hunts, takes it back.
Caught hunt_mutant(Workshop& workshop, const std::filesystem::path& patch,
                   const HuntOptions& options);

std::string table_of(const std::vector<Caught>& caught);

}  // namespace drydock::cli
