#pragma once

#include "edge/external.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace drydock::cli {

/// A scratch copy of the sources with a build of its own: one patch after the other is applied,
/// built, tried and taken back. What its programs print stands in log files beside it.
class Workshop {
public:
    /// Copies and configures. Throws NotThere where that fails.
    Workshop(const std::filesystem::path& source, std::filesystem::path folder,
             const StopGuard& guard);

    /// Each returns false if that failed; `log()` then names the file that says why.
    bool apply(const std::filesystem::path& patch);
    bool take_back(const std::filesystem::path& patch);
    bool build();

    /// Runs the built program; what it prints goes to `output`.
    int run(std::vector<std::string> arguments, const std::filesystem::path& output);

    std::filesystem::path sources() const { return folder_ / "source"; }
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    std::string log() const { return (folder_ / "log").string(); }

private:
    bool succeeds(const std::vector<std::string>& command);

    std::filesystem::path folder_;
    const StopGuard& guard_;
};

}  // namespace drydock::cli
