#pragma once

#include <drydock/backend.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::docker {

/// A tar of these entries, owned by root, without times: the same entries give the same bytes.
std::string write_archive(const std::vector<FileEntry>& entries);

/// The entries of a tar, in its order, or nothing if it is none or was cut. The first part of each
/// path, which names the folder that was asked for, is left out.
std::optional<std::vector<FileEntry>> read_archive(std::string_view bytes);

}  // namespace drydock::docker
