#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace drydock::sim::test {

/// The tar that a recorded `body_tar` stands for.
std::string tar_of(const nlohmann::ordered_json& entries);
/// A tar as recordings show it.
nlohmann::ordered_json shown_tar(std::string_view tar);

std::string decoded_base64(std::string_view text);

}  // namespace drydock::sim::test
