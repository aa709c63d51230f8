#pragma once

#include "engine/file_tree.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::docker {

struct TarEntry {
    std::string path;  ///< of a folder with a slash at the end, when written
    Inode inode;
    std::string same_as{};  ///< not empty: a hard link to that entry
};

/// As the engine writes it: times in whole seconds, and modes with the kind of file in them.
std::string write_tar(const std::vector<TarEntry>& entries);

struct ReadTar {
    std::vector<TarEntry> entries;  ///< those before the error
    std::string error;              ///< in Go's words, or empty
};

/// Also of one packed with gzip, bzip2 or xz. Nothing at all is an archive without entries.
ReadTar read_tar(std::string_view bytes);

}  // namespace drydock::sim::docker
