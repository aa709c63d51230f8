#pragma once

#include <string>

namespace drydock::cli {

/// The source tree that this binary was built from.
std::string source_dir();

}  // namespace drydock::cli
