#pragma once

#include <drydock/transport.hpp>

#include <string_view>

namespace drydock::sim::docker {

/// The inspect of an image, by its name or its id; `tagged` is its name with a tag.
Response image_answer(std::string_view tagged, WallTime made);
Response no_image_answer(std::string_view reference);

/// Whether that is the image's name, id, or at least twelve digits of the id.
bool is_image(std::string_view tagged, std::string_view reference);

}  // namespace drydock::sim::docker
