#include "docker/platform.hpp"
#include "engine/holds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace drydock::sim::docker {
namespace {

constexpr std::string_view our_system = "linux";
constexpr std::string_view our_architecture = "amd64";

constexpr std::array<std::string_view, 12> systems = {"aix",     "android", "darwin",  "dragonfly",
                                                      "freebsd", "js",      "linux",   "netbsd",
                                                      "openbsd", "plan9",   "solaris", "windows"};
constexpr std::array<std::string_view, 11> architectures = {
    "386",     "amd64", "arm",   "arm64",   "mips64", "mips64le",
    "ppc64le", "ppc64", "s390x", "riscv64", "wasm"};

std::string normal(std::string_view part) {
    std::string lower(part);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (lower == "x86_64" || lower == "x86-64") {
        return "amd64";
    }
    if (lower == "aarch64") {
        return "arm64";
    }
    return lower == "macos" ? "darwin" : lower;
}

std::vector<std::string> parts_of(std::string_view platform) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= platform.size();) {
        const std::size_t end = std::min(platform.find('/', begin), platform.size());
        parts.push_back(normal(platform.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

bool is_component(std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

}  // namespace

std::optional<Refusal> refused_platform(std::string_view platform) {
    if (platform.empty()) {
        return std::nullopt;
    }
    const std::vector<std::string> parts = parts_of(platform);
    if (parts.size() > 3) {
        return Refusal{400, fmt::format("\"{}\": cannot parse platform specifier: invalid argument",
                                        platform)};
    }
    for (const std::string& part : parts) {
        if (!is_component(part)) {
            return Refusal{
                400, fmt::format("\"{}\" is an invalid component of \"{}\": platform specifier "
                                 "component must match \"^[A-Za-z0-9_-]+$\": invalid argument",
                                 part, platform)};
        }
    }
    if (parts.size() == 1 && !holds(systems, parts[0]) && !holds(architectures, parts[0])) {
        return Refusal{400, fmt::format("\"{}\": unknown operating system or architecture: invalid "
                                        "argument",
                                        platform)};
    }
    return std::nullopt;
}

std::optional<Refusal> refused_image_platform(std::string_view platform, std::string_view image) {
    if (platform.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> parts = parts_of(platform);
    if (parts.size() == 1) {
        const bool is_system = holds(systems, parts[0]);
        parts.insert(is_system ? parts.end() : parts.begin(),
                     std::string(is_system ? our_architecture : our_system));
    }
    const std::string wanted = fmt::format("{}", fmt::join(parts, "/"));
    const std::string actual = fmt::format("{}/{}", our_system, our_architecture);
    if (wanted == actual) {
        return std::nullopt;
    }
    return Refusal{404, fmt::format("image with reference {} was found but does not match the "
                                    "specified platform: wanted {}, actual: {}",
                                    image, wanted, actual)};
}

}  // namespace drydock::sim::docker
