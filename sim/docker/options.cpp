#include "docker/options.hpp"

#include "docker/fields.hpp"

#include <algorithm>
#include <array>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct Option {
    std::string_view key;
    json::value_t type;
};

constexpr auto text = json::value_t::string;
constexpr auto flag = json::value_t::boolean;
constexpr auto number = json::value_t::number_integer;
constexpr auto list = json::value_t::array;
constexpr auto object = json::value_t::object;

constexpr std::array<Option, 14> config_options = {{
    {"Hostname", text},
    {"Domainname", text},
    {"AttachStdin", flag},
    {"AttachStdout", flag},
    {"AttachStderr", flag},
    {"StdinOnce", flag},
    {"Volumes", object},
    {"Healthcheck", object},
    {"StopSignal", text},
    {"Shell", list},
    {"MacAddress", text},
    {"NetworkDisabled", flag},
    {"OnBuild", list},
    {"ArgsEscaped", flag},
}};

constexpr std::array<Option, 62> host_options = {{
    {"Binds", list},
    {"ContainerIDFile", text},
    {"LogConfig", object},
    {"VolumeDriver", text},
    {"VolumesFrom", list},
    {"CapAdd", list},
    {"CapDrop", list},
    {"CgroupnsMode", text},
    {"Dns", list},
    {"DnsOptions", list},
    {"DnsSearch", list},
    {"ExtraHosts", list},
    {"GroupAdd", list},
    {"IpcMode", text},
    {"Cgroup", text},
    {"Links", list},
    {"OomScoreAdj", number},
    {"PidMode", text},
    {"Privileged", flag},
    {"PublishAllPorts", flag},
    {"ReadonlyRootfs", flag},
    {"SecurityOpt", list},
    {"StorageOpt", object},
    {"Tmpfs", object},
    {"UTSMode", text},
    {"UsernsMode", text},
    {"ShmSize", number},
    {"Sysctls", object},
    {"Runtime", text},
    {"ConsoleSize", list},
    {"Isolation", text},
    {"CpuShares", number},
    {"Memory", number},
    {"NanoCpus", number},
    {"CgroupParent", text},
    {"BlkioWeight", number},
    {"BlkioWeightDevice", list},
    {"BlkioDeviceReadBps", list},
    {"BlkioDeviceWriteBps", list},
    {"BlkioDeviceReadIOps", list},
    {"BlkioDeviceWriteIOps", list},
    {"CpuPeriod", number},
    {"CpuQuota", number},
    {"CpuRealtimePeriod", number},
    {"CpuRealtimeRuntime", number},
    {"CpusetCpus", text},
    {"CpusetMems", text},
    {"Devices", list},
    {"DeviceCgroupRules", list},
    {"DeviceRequests", list},
    {"KernelMemory", number},
    {"KernelMemoryTCP", number},
    {"MemoryReservation", number},
    {"MemorySwap", number},
    {"MemorySwappiness", number},
    {"OomKillDisable", flag},
    {"PidsLimit", number},
    {"Ulimits", list},
    {"MaskedPaths", list},
    {"ReadonlyPaths", list},
    {"Mounts", list},
    {"Init", flag},
}};

constexpr std::int64_t most_memory = std::int64_t{1} << 62;

bool is_of(const json& value, json::value_t type) {
    return type == number ? value.is_number_integer() : value.type() == type;
}

std::string_view go_type(json::value_t type) {
    switch (type) {
        case text: return "string";
        case flag: return "bool";
        case list: return "[]string";
        case object: return "map[string]string";
        default: return "int64";
    }
}

/// As good as not given: an engine fills it with its default. An empty list is none of these.
bool is_empty(const json& value) {
    switch (value.type()) {
        case json::value_t::null: return true;
        case text: return value.get_ref<const std::string&>().empty();
        case flag: return !value.get<bool>();
        case list: return false;
        case object: return value.empty();
        default: return value == 0;
    }
}

template <class Options>
json given(const json& body, const Options& options, Fields& fields) {
    json values;  // null, and no memory for it, until there is one
    for (const auto& [key, value] : body.items()) {
        const auto option = std::find_if(options.begin(), options.end(),
                                         [&](const Option& one) { return one.key == key; });
        if (option == options.end() || is_empty(value)) {
            continue;
        }
        if (is_of(value, option->type)) {
            values[key] = value;
        } else {
            fields.refuse(key, value, go_type(option->type));
        }
    }
    return values;
}

std::string kept(const json& values) { return values.empty() ? std::string() : values.dump(); }

}  // namespace

void read_config_options(const json& body, CreateBody& read) {
    Fields fields(body, "ContainerConfigWrapper.", read.refusal);
    read.config.config_options = kept(given(body, config_options, fields));
}

void read_host_options(const json& host, CreateBody& read) {
    Fields fields(host, "HostConfig.", read.refusal);
    json values = given(host, host_options, fields);
    if (values.is_null()) {
        return;
    }
    read.config.has_read_only_root = values.value("ReadonlyRootfs", false);
    if (const auto tmpfs = values.find("Tmpfs"); tmpfs != values.end()) {
        for (const auto& [path, options] : tmpfs->items()) {
            read.config.tmpfs.push_back(clean_path(path));
        }
    }
    const std::int64_t memory = values.value("Memory", std::int64_t{0});
    if (memory > 0 && memory < most_memory && !values.contains("MemorySwap")) {
        values["MemorySwap"] = 2 * memory;
    }
    if (values.value("MemorySwappiness", std::int64_t{0}) == -1) {
        values.erase("MemorySwappiness");
    }
    if (const auto mounts = values.find("Mounts"); mounts != values.end() && mounts->empty()) {
        values.erase(mounts);
    }
    if (const auto log = values.find("LogConfig"); log != values.end()) {
        const auto driver = log->find("Type");
        read.config.keeps_no_log = driver != log->end() && *driver == "none";
        if (driver == log->end() || is_empty(*driver)) {
            values.erase(log);
        }
    }
    read.config.host_options = kept(values);
}

std::string with_options(std::string_view object_text, std::string_view options) {
    auto shown = ordered_json::parse(object_text);
    const auto values = ordered_json::parse(options);
    for (const auto& [key, value] : values.items()) {
        ordered_json& place = shown[key];
        if (place.is_object()) {
            place.update(value);
        } else {
            place = value;
        }
    }
    return shown.dump();
}

}  // namespace drydock::sim::docker
