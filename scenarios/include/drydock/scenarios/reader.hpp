#pragma once

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/plan.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/scenario.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::scenarios {

/// Files longer than this are refused before they are read.
inline constexpr std::size_t max_file_size = std::size_t{16} << 20;
/// Deeper nesting is refused; the format needs far less.
inline constexpr std::size_t max_nesting = 64;

/// Reads a scenario or capsule (format drydock.scenario/1). Everything wrong with it is a
/// faults::InputError that names the file, the JSON pointer (line and column where it is not JSON)
/// and the cause: syntax, duplicate keys, unknown or misspelt fields and words, values out of
/// range, names used twice, jobs in leases that nobody acquires, cancels of actors that are not
/// there, expectations about steps that do not exist. `known_kinds`: the backends that there are.
Scenario read_scenario(std::string_view text, std::string_view file_name,
                       std::span<const std::string> known_kinds);

/// Throws the same where `expect.legacy` or `found` names a client that is not registered or an
/// invariant that there is not. Apart from the reading, as who only shows a file needs no clients.
void check_names(const Scenario& scenario, std::string_view file_name,
                 const ClientRegistry& clients);

/// Reads a plan by itself: a list of entries, or an object with such a list in "plan" and no fields
/// but a scenario's. If `processes` are given, its cancels must name actors of theirs.
faults::Plan read_plan(std::string_view text, std::string_view file_name,
                       const std::vector<ProcessScript>* processes = nullptr);

/// The file of a scenario, read back to an equal one. Says every limit, defaults too, so that a
/// capsule keeps its meaning when defaults change. All text must be UTF-8 (what was read is).
std::string write_scenario(const Scenario& scenario);

}  // namespace drydock::scenarios
