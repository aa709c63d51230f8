#pragma once

#include "engine/files.hpp"

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// What the engine says of a path of an archive call: a link at its end is not followed.
struct PathStat {
    FileError error = FileError::none;
    std::string path;  ///< where it is
    std::string name;  ///< what an archive calls it; empty for the root
    const Inode* inode = nullptr;
    std::string link_target{};  ///< of a link: where it leads in the end
};

PathStat stat_path(const Files& files, std::string_view path);

/// Of X-Docker-Container-Path-Stat.
std::string header_value(const PathStat& stat);

/// As Go says it: "no space left on device".
std::string go_text(FileError error);

}  // namespace drydock::sim::docker
