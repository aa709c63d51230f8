#include "docker/path_stat.hpp"

#include "docker/answers.hpp"
#include "docker/fields.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace drydock::sim::docker {
namespace {

constexpr std::size_t folder_size = 4096;

/// Go has its own bits for what is no permission.
std::uint32_t go_mode(const Inode& inode) {
    constexpr std::array<std::pair<std::uint32_t, int>, 3> special = {
        {{04000, 23}, {02000, 22}, {01000, 20}}};
    std::uint32_t mode = inode.mode & 0777u;
    for (const auto& [bit, place] : special) {
        mode |= (inode.mode & bit) != 0 ? 1u << place : 0u;
    }
    switch (inode.kind) {
        case FileKind::folder: return mode | 1u << 31;
        case FileKind::link: return mode | 1u << 27;
        case FileKind::fifo: return mode | 1u << 25;
        case FileKind::file: break;
    }
    return mode;
}

std::size_t size_of(const Inode& inode) {
    return inode.kind == FileKind::folder ? folder_size : inode.content.size();
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = i; k < i + 3; ++k) {
            group = group << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const bool is_padding = i + k > bytes.size();
            text.push_back(is_padding ? '=' : digits[group >> (18 - 6 * k) & 63]);
        }
    }
    return text;
}

}  // namespace

PathStat stat_path(const Files& files, std::string_view path) {
    const bool is_dot = path == "." || path.ends_with("/.");
    const bool is_followed = is_dot || path.ends_with('/');
    const std::string clean = clean_path("/" + std::string(path));
    const FoundFile found =
        files.look_up(clean, is_followed ? LastLink::followed : LastLink::kept, View::engine);
    PathStat stat{found.error, found.path, clean.substr(clean.rfind('/') + 1), found.inode};
    if (is_dot) {
        stat.name = ".";
    }
    if (stat.error == FileError::none && stat.inode == nullptr) {
        stat.error = FileError::absent;
    }
    if (stat.inode != nullptr && stat.inode->kind == FileKind::link) {
        stat.link_target = files.look_up(clean, LastLink::followed, View::engine).path;
    }
    return stat;
}

std::string header_value(const PathStat& stat) {
    std::string json = R"({"name":)";
    append_json(json, stat.name.empty() ? "/" : stat.name);
    json.append(fmt::format(R"(,"size":{},"mode":{},"mtime":)", size_of(*stat.inode),
                            go_mode(*stat.inode)));
    append_time(json, stat.inode->changed);
    json.append(R"(,"linkTarget":)");
    append_json(json, stat.link_target);
    json.push_back('}');
    return base64(json);
}

std::string go_text(FileError error) {
    std::string said(sim::text(error));
    said.front() = static_cast<char>(said.front() - 'A' + 'a');
    return said;
}

}  // namespace drydock::sim::docker
