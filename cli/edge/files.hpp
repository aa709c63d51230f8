#pragma once

#include "context.hpp"

#include <drydock/scenarios/gate.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace drydock::cli {

/// The files of that folder with that extension, in order of their names; at least one. Throws
/// faults::InputError naming the folder.
std::vector<std::string> files_in(const std::string& folder, std::string_view extension);

/// The text of a file, at most scenarios::max_file_size. Throws faults::InputError naming it.
std::string read_file(const std::string& path);

/// Writes a file and makes the folders it is to stand in. Throws faults::InputError naming it.
void write_file(const std::string& path, std::string_view text);

/// Throws faults::InputError naming the file if `write_file` could not write it now. What stands in
/// it stays, and a file that was not there is not there afterwards.
void check_writable(const std::string& path);
/// The same of --json and --out.
void check_outputs(const CommonOptions& options);

/// The scenario in that file; all that it names is registered. DRYDOCK_START_ATTEMPTS holds where
/// the file says no number of attempts and `with_environment`.
scenarios::CorpusEntry read_scenario_file(const Context& context, const std::string& path,
                                          bool with_environment = false);

/// The scenarios of all paths; a folder stands for its *.json, in order of their names.
std::vector<scenarios::CorpusEntry> read_scenario_files(const Context& context,
                                                        const std::vector<std::string>& paths,
                                                        bool with_environment = false);

}  // namespace drydock::cli
