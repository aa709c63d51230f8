#include "docker/mount_spec.hpp"

#include "docker/fields.hpp"
#include "engine/files.hpp"
#include "engine/holds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr std::string_view data_root = "/var/lib/docker";

/// What exists on the simulated host; a mount of type bind wants its source there.
constexpr std::array<std::string_view, 17> host_paths = {"/",
                                                         "/bin",
                                                         "/dev",
                                                         "/etc",
                                                         "/home",
                                                         "/lib",
                                                         "/mnt",
                                                         "/opt",
                                                         "/proc",
                                                         "/root",
                                                         "/run",
                                                         "/srv",
                                                         "/sys",
                                                         "/tmp",
                                                         "/usr",
                                                         "/var",
                                                         "/var/run/docker.sock"};

/// The words of a mode exclude each other within their group.
struct ModeWord {
    std::string_view word;
    int group;
};
constexpr int propagation_group = 2;
constexpr std::array<ModeWord, 14> mode_words = {{
    {"rw", 0},
    {"ro", 0},
    {"z", 1},
    {"Z", 1},
    {"private", propagation_group},
    {"rprivate", propagation_group},
    {"slave", propagation_group},
    {"rslave", propagation_group},
    {"shared", propagation_group},
    {"rshared", propagation_group},
    {"nocopy", 3},
    {"consistent", 4},
    {"cached", 4},
    {"delegated", 4},
}};

const ModeWord* mode_word(std::string_view word) {
    const auto* at = std::find_if(mode_words.begin(), mode_words.end(),
                                  [word](const ModeWord& one) { return one.word == word; });
    return at == mode_words.end() ? nullptr : at;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// A bind of a folder that holds the engine's own data must not spread the engine's mounts.
std::string_view default_propagation(std::string_view source) {
    return is_at_or_below(data_root, source) ? "rslave" : "rprivate";
}

std::string no_absolute_path(std::string_view path) {
    return fmt::format("invalid mount path: '{}' mount path must be absolute", path);
}

std::string why_no_bind(const Mount& mount, bool wants_source) {
    if (mount.source.empty()) {
        return "field Source must not be empty";
    }
    if (!mount.source.starts_with('/')) {
        return no_absolute_path(mount.source);
    }
    if (wants_source && !holds(host_paths, clean_path(mount.source))) {
        return "bind source path does not exist: " + mount.source;
    }
    return {};
}

/// Docker's checks of a mount, in their order.
std::string why_invalid(const Mount& mount, bool wants_source) {
    if (mount.destination.empty()) {
        return "field Target must not be empty";
    }
    if (clean_path(mount.destination) == "/") {
        return "invalid specification: destination can't be '/'";
    }
    if (!mount.destination.starts_with('/')) {
        return no_absolute_path(mount.destination);
    }
    if (mount.type == "bind") {
        return why_no_bind(mount, wants_source);
    }
    if (mount.type == "volume") {
        return mount.name.empty() && !mount.writable
                   ? "must not set ReadOnly mode when using anonymous volumes"
                   : "";
    }
    if (mount.type == "tmpfs") {
        return mount.source.empty() ? "" : "field Source must not be specified";
    }
    return "mount type unknown";
}

/// An error of the whole mount, or the mount with its paths in their plain form.
void check(MountSpec& spec, bool wants_source) {
    Mount& mount = spec.mount;
    if (const std::string why = why_invalid(mount, wants_source); !why.empty()) {
        spec.error = fmt::format("invalid mount config for type \"{}\": {}", mount.type, why);
        return;
    }
    mount.destination = clean_path(mount.destination);
    if (mount.type == "bind") {
        mount.source = clean_path(mount.source);
        if (mount.propagation.empty()) {
            mount.propagation = default_propagation(mount.source);
        }
    }
}

MountSpec refused_spec(std::string error) {
    MountSpec spec;
    spec.error = std::move(error);
    return spec;
}

void read_mode(Mount& mount, std::string_view mode) {
    for (const std::string_view word : split(mode, ',')) {
        const ModeWord* known = mode_word(word);
        if (known != nullptr && known->group == propagation_group) {
            mount.propagation = word;
        }
        mount.writable = mount.writable && word != "ro";
    }
    mount.mode = mode;
}

}  // namespace

std::string why_no_volume(const Mount& mount) {
    constexpr std::string_view inner = "_.-";
    if (mount.type != "volume" || mount.name.empty()) {
        return {};
    }
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    if (mount.name.size() == 1) {
        return fmt::format(
            "create {}: volume name is too short, names should be at least two "
            "alphanumeric characters",
            mount.name);
    }
    const bool is_name =
        is_plain(mount.name[0]) && std::all_of(mount.name.begin(), mount.name.end(), [&](char c) {
            return is_plain(c) || inner.find(c) != std::string_view::npos;
        });
    return is_name ? std::string()
                   : fmt::format(
                         "create {0}: \"{0}\" includes invalid characters for a local "
                         "volume name, only \"[a-zA-Z0-9][a-zA-Z0-9_.-]\" are allowed. If "
                         "you intended to pass a host directory, use absolute path",
                         mount.name);
}

bool is_mount_mode(std::string_view mode) {
    if (mode.empty()) {
        return true;
    }
    std::array<int, 5> counts{};
    for (const std::string_view word : split(mode, ',')) {
        const ModeWord* known = mode_word(word);
        if (known == nullptr || ++counts[static_cast<std::size_t>(known->group)] > 1) {
            return false;
        }
    }
    return true;
}

MountSpec read_bind(const std::string& text) {
    const std::string invalid = fmt::format("invalid volume specification: '{}'", text);
    const std::vector<std::string_view> parts = split(text, ':');
    const bool is_target_with_mode = parts.size() == 2 && is_mount_mode(parts[1]);
    if (parts[0].empty() || parts.size() > 3 || is_target_with_mode) {
        return refused_spec(invalid);
    }
    const std::string_view mode = parts.size() == 3 ? parts[2] : std::string_view();
    if (!is_mount_mode(mode)) {
        return refused_spec(fmt::format("invalid mode: {}", mode));
    }
    MountSpec spec;
    Mount& mount = spec.mount;
    const std::string_view source = parts.size() == 1 ? std::string_view() : parts[0];
    mount.type = source.starts_with('/') ? "bind" : "volume";
    (mount.type == "bind" ? mount.source : mount.name) = source;
    mount.destination = parts.size() == 1 ? parts[0] : parts[1];
    read_mode(mount, mode);
    check(spec, false);
    if (!spec.error.empty()) {
        spec.error = invalid + ": " + spec.error;
    }
    return spec;
}

MountSpec read_mount(const json& object) {
    MountSpec spec;
    Mount& mount = spec.mount;
    std::optional<Refusal> ill_typed;
    if (!object.is_object()) {
        return refused_spec(
            "json: cannot unmarshal a value into Go struct field HostConfig.Mounts "
            "of type mount.Mount");
    }
    Fields fields(object, "Mount.HostConfig.Mounts.", ill_typed);
    std::string source;
    bool is_read_only = false;
    fields.read("Type", mount.type);
    fields.read("Source", source);
    fields.read("Target", mount.destination);
    fields.read("ReadOnly", is_read_only);
    if (const json* options = fields.find_object("BindOptions", "mount.BindOptions")) {
        Fields(*options, "BindOptions.HostConfig.Mounts.BindOptions.", ill_typed)
            .read("Propagation", mount.propagation);
    }
    if (ill_typed) {
        return refused_spec(ill_typed->message);
    }
    (mount.type == "volume" ? mount.name : mount.source) = source;
    mount.writable = !is_read_only;
    spec.is_client_error = true;
    check(spec, true);
    return spec;
}

}  // namespace drydock::sim::docker
