#pragma once

#include <drydock/job.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace drydock::jobs {

/// The name of a job's folder: its id where that is a plain name, else a hash of it.
std::string folder_name(std::string_view id);

/// Why such a job cannot be launched, or such an id be a job's; nothing if it can.
std::optional<std::string> why_impossible(const JobSpec& spec);
std::optional<std::string> why_no_id(std::string_view id);

/// `bytes` in the escapes of printf %b.
std::string escaped(std::string_view bytes);

}  // namespace drydock::jobs
