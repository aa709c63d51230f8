#include "edge/source_dir.hpp"

namespace drydock::cli {

std::string source_dir() { return DRYDOCK_SOURCE_DIR; }

}  // namespace drydock::cli
