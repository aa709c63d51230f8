#include "docker/create_body.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 41> all_capabilities = {
    "AUDIT_CONTROL",   "AUDIT_READ",   "AUDIT_WRITE",
    "BLOCK_SUSPEND",   "BPF",          "CHECKPOINT_RESTORE",
    "CHOWN",           "DAC_OVERRIDE", "DAC_READ_SEARCH",
    "FOWNER",          "FSETID",       "IPC_LOCK",
    "IPC_OWNER",       "KILL",         "LEASE",
    "LINUX_IMMUTABLE", "MAC_ADMIN",    "MAC_OVERRIDE",
    "MKNOD",           "NET_ADMIN",    "NET_BIND_SERVICE",
    "NET_BROADCAST",   "NET_RAW",      "PERFMON",
    "SETFCAP",         "SETGID",       "SETPCAP",
    "SETUID",          "SYSLOG",       "SYS_ADMIN",
    "SYS_BOOT",        "SYS_CHROOT",   "SYS_MODULE",
    "SYS_NICE",        "SYS_PACCT",    "SYS_PTRACE",
    "SYS_RAWIO",       "SYS_RESOURCE", "SYS_TIME",
    "SYS_TTY_CONFIG",  "WAKE_ALARM",
};

std::string upper(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return result;
}

std::optional<Refusal> refused_list(const json& host, const char* key) {
    constexpr std::string_view prefix = "CAP_";
    const auto list = host.find(key);
    if (list == host.end() || !list->is_array()) {
        return std::nullopt;
    }
    for (const json& entry : *list) {
        const std::string name = entry.is_string() ? upper(entry.get<std::string>()) : "";
        std::string_view plain = name;
        if (plain.starts_with(prefix)) {
            plain.remove_prefix(prefix.size());
        }
        const bool is_known = std::find(all_capabilities.begin(), all_capabilities.end(), plain) !=
                              all_capabilities.end();
        if (!is_known && name != "ALL") {
            return Refusal{400, "invalid " + std::string(key) + ": unknown capability: \"CAP_" +
                                    std::string(plain) + "\""};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Refusal> refused_capabilities(const json& host) {
    auto refusal = refused_list(host, "CapAdd");
    return refusal ? refusal : refused_list(host, "CapDrop");
}

}  // namespace drydock::sim::docker
