#include "docker/mounts.hpp"

#include "docker/answers.hpp"
#include "docker/fields.hpp"
#include "docker/json_parts.hpp"
#include "docker/mount_spec.hpp"
#include "docker/volumes.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

bool is_taken(const std::vector<Mount>& mounts, std::string_view destination) {
    return std::any_of(mounts.begin(), mounts.end(), [destination](const Mount& mount) {
        return mount.destination == destination;
    });
}

/// Why the mount is not taken in, if it is not.
std::optional<Refusal> refused(const MountSpec& spec, const std::vector<Mount>& mounts) {
    if (!spec.error.empty()) {
        return Refusal{spec.is_client_error ? 400 : 500, spec.error};
    }
    if (is_taken(mounts, spec.mount.destination)) {
        return Refusal{400, "Duplicate mount point: " + spec.mount.destination};
    }
    if (std::string why = why_no_volume(spec.mount); !why.empty()) {
        return Refusal{400, std::move(why)};
    }
    return std::nullopt;
}

/// Adds a mount that Binds or Mounts asks for.
void add(MountSpec spec, CreateBody& read) {
    if (read.late_refusal) {
        return;
    }
    read.late_refusal = refused(spec, read.config.mounts);
    if (spec.mount.type == "volume" && spec.mount.mode.empty()) {
        spec.mount.mode = "z";
    }
    read.config.mounts.push_back(std::move(spec.mount));
}

void sort(std::vector<Mount>& mounts) {
    std::sort(mounts.begin(), mounts.end(),
              [](const Mount& a, const Mount& b) { return a.destination < b.destination; });
}

std::string volume_of(const Sandbox& sandbox, const Mount& mount) {
    return mount.name.empty() ? hex_digest({"volume", sandbox.id, mount.destination}) : mount.name;
}

/// Takes over the mounts of the containers in `read.volumes_from`.
std::optional<Refusal> add_volumes_from(const SandboxEngine& engine, CreateBody& read) {
    for (const std::string& entry : read.volumes_from) {
        const std::size_t colon = std::min(entry.find(':'), entry.size());
        const std::string reference = entry.substr(0, colon);
        const std::string mode = colon < entry.size() ? entry.substr(colon + 1) : "";
        if (entry.empty()) {
            return Refusal{500, "volumes-from specification cannot be an empty string"};
        }
        if (!is_mount_mode(mode)) {
            return Refusal{500, "invalid mode: " + mode};
        }
        const Sandbox* other = engine.resolve(reference);
        if (other == nullptr) {
            return Refusal{400, "No such container: " + reference};
        }
        for (Mount mount : other->config.mounts) {
            if (is_taken(read.config.mounts, mount.destination)) {
                continue;
            }
            if (mount.type == "volume") {
                mount.name = volume_of(*other, mount);
            }
            mount.writable = mount.writable && mode.find("ro") == std::string::npos;
            read.config.mounts.push_back(std::move(mount));
        }
    }
    sort(read.config.mounts);
    return std::nullopt;
}

void append_mount(std::string& body, const Sandbox& sandbox, const Mount& mount) {
    const bool is_volume = mount.type == "volume";
    std::string source = mount.source;
    body.append(R"({"Type":")").append(mount.type).push_back('"');
    if (is_volume) {
        const std::string volume = volume_of(sandbox, mount);
        body.append(R"(,"Name":)");
        append_json(body, volume);
        source = mount_point_of(volume);
    }
    body.append(R"(,"Source":)");
    append_json(body, source);
    body.append(R"(,"Destination":)");
    append_json(body, mount.destination);
    body.append(is_volume ? R"(,"Driver":"local","Mode":)" : R"(,"Mode":)");
    append_json(body, mount.mode);
    body.append(R"(,"RW":)");
    append_flag(body, mount.writable);
    body.append(R"(,"Propagation":)");
    append_json(body, mount.propagation);
    body.push_back('}');
}

}  // namespace

std::optional<Refusal> refused_mounts(const json& host) {
    const auto mounts = host.find("Mounts");
    if (mounts == host.end() || !mounts->is_array()) {
        return std::nullopt;
    }
    for (const json& object : *mounts) {
        MountSpec spec = read_mount(object);
        if (!spec.error.empty()) {
            return Refusal{spec.is_client_error ? 400 : 500, std::move(spec.error)};
        }
    }
    return std::nullopt;
}

void read_mounts(const json& host, CreateBody& read) {
    Fields fields(host, "HostConfig.", read.refusal);
    fields.read("VolumesFrom", read.volumes_from);
    std::vector<std::string> binds;
    fields.read("Binds", binds);
    for (const std::string& bind : binds) {
        add(read_bind(bind), read);
    }
    if (const json* mounts = fields.find_array("Mounts", "[]mount.Mount")) {
        for (const json& object : *mounts) {
            add(read_mount(object), read);
        }
    }
    sort(read.config.mounts);
}

void read_volumes(const json& body, CreateBody& read) {
    const auto volumes = body.find("Volumes");
    if (volumes == body.end() || !volumes->is_object()) {
        return;
    }
    for (const auto& [path, nothing] : volumes->items()) {
        std::string destination = clean_path(path);
        if (!is_taken(read.config.mounts, destination)) {
            Mount mount;
            mount.type = "volume";
            mount.destination = std::move(destination);
            read.config.mounts.push_back(std::move(mount));
        }
    }
    sort(read.config.mounts);
}

std::optional<Refusal> late_refusal(const SandboxEngine& engine, std::string_view name,
                                    CreateBody& read) {
    if (!read.config.working_dir.empty() && !read.late_refusal) {
        read.late_refusal = refused_working_dir(read.config);
    }
    if (read.volumes_from.empty() && !read.late_refusal) {
        return std::nullopt;
    }
    if (!name.empty() && engine.resolve("/" + std::string(name)) != nullptr) {
        return std::nullopt;  // that comes first, and is refused by the engine
    }
    auto refusal = add_volumes_from(engine, read);
    return refusal ? refusal : read.late_refusal;
}

void append_mounts(std::string& body, const Sandbox& sandbox) {
    body.push_back('[');
    for (const Mount& mount : sandbox.config.mounts) {
        if (body.back() == '}') {
            body.push_back(',');
        }
        append_mount(body, sandbox, mount);
    }
    body.push_back(']');
}

bool has_mount(const Sandbox& sandbox, std::string_view wanted) {
    const auto& mounts = sandbox.config.mounts;
    return std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
        return mount.source == wanted || mount.destination == wanted ||
               (mount.type == "volume" && volume_of(sandbox, mount) == wanted);
    });
}

}  // namespace drydock::sim::docker
