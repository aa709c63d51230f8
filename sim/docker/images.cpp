#include "docker/images.hpp"

#include "docker/answers.hpp"
#include "docker/create_body.hpp"
#include "docker/inspect_text.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

namespace drydock::sim::docker {

bool is_image(std::string_view tagged, std::string_view reference) {
    constexpr std::size_t short_id = 12;
    constexpr std::string_view prefix = "sha256:";
    if (with_tag(reference) == tagged) {
        return true;
    }
    if (reference.starts_with(prefix)) {
        reference.remove_prefix(prefix.size());
    }
    const std::string id = image_id(tagged).substr(prefix.size());
    return reference.size() >= short_id && id.starts_with(reference);
}

Response image_answer(std::string_view tagged, WallTime made) {
    std::string body = R"({"Id":)";
    append_json(body, image_id(tagged));
    body.append(R"(,"RepoTags":[)");
    append_json(body, tagged);
    body.append(R"(],"RepoDigests":[],"Parent":"","Comment":"Imported from -","Created":)");
    append_time(body, made);
    body.append(text::image).append(hex_digest({"layer", tagged}));
    body.append(R"("]},"Metadata":{"LastTagTime":)");
    append_time(body, made);
    body.append("}}\n");
    return answer(200, std::move(body));
}

Response no_image_answer(std::string_view reference) {
    return error_answer(
        404, fmt::format("no such image: {}: No such image: {}", reference, with_tag(reference)));
}

}  // namespace drydock::sim::docker
