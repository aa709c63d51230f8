#include <drydock/sim/backends.hpp>
#include <drydock/sim/docker_face.hpp>

#include <algorithm>
#include <stdexcept>

namespace drydock::sim {
namespace {

BackendKind kind_of(std::string name, std::string about, const Personality& personality) {
    return {std::move(name), std::move(about), personality.capabilities,
            [personality](World& world) -> std::unique_ptr<BackendModel> {
                return std::make_unique<DockerModel>(world, personality);
            }};
}

}  // namespace

void BackendRegistry::add(BackendKind kind) {
    if (kind.name.empty() || find(kind.name) != nullptr) {
        throw std::invalid_argument("backend kind '" + kind.name + "' is empty or already there");
    }
    kinds_.push_back(std::move(kind));
}

const BackendKind* BackendRegistry::find(std::string_view name) const noexcept {
    const auto at = std::find_if(kinds_.begin(), kinds_.end(),
                                 [name](const BackendKind& kind) { return kind.name == name; });
    return at == kinds_.end() ? nullptr : &*at;
}

void register_builtin_backends(BackendRegistry& registry) {
    registry.add(kind_of("docker", "Docker Engine 20.10.24, as recorded", docker_personality()));
    registry.add(kind_of("daytona",
                         "removal is only accepted, names are free at once, lists lag behind",
                         daytona_personality()));
    registry.add(kind_of("moby-current",
                         "Docker Engine as its present code is: names before containers",
                         moby_current_personality()));
}

}  // namespace drydock::sim
