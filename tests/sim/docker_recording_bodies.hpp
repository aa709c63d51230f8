#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace drydock::sim::test {

/// The tar that a recorded `body_tar` stands for.
std::string tar_of(const nlohmann::ordered_json& entries);
/// A tar as recordings show it.
nlohmann::ordered_json shown_tar(std::string_view tar);

/// The frames of a multiplexed stream, neighbours of one stream joined; what is none as an error.
nlohmann::ordered_json shown_frames(std::string_view bytes);
/// The stream and the length of each.
nlohmann::ordered_json frame_sizes(std::string_view bytes);

/// A list of the JSON objects that stand on a line each.
nlohmann::ordered_json lines_of(std::string_view body);

std::string decoded_base64(std::string_view text);

}  // namespace drydock::sim::test
