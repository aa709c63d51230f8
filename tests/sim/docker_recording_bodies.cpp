#include "docker_recording_bodies.hpp"

#include "docker/tar.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>

namespace drydock::sim::test {
namespace {

using json = nlohmann::ordered_json;
using docker::TarEntry;

FileKind kind_of(const std::string& word) {
    return word == "dir" ? FileKind::folder : word == "symlink" ? FileKind::link : FileKind::file;
}

std::string shown_mode(const Inode& inode) {
    const int bits = inode.kind == FileKind::folder ? 040000
                     : inode.kind == FileKind::link ? 0120000
                                                    : 0100000;
    return fmt::format("{:o}", bits | inode.mode);
}

struct Frame {
    int stream = 0;
    std::string text;
};

/// A torn one at the end has the stream -1.
std::vector<Frame> frames_of(std::string_view bytes) {
    constexpr std::size_t header = 8;
    std::vector<Frame> frames;
    while (!bytes.empty()) {
        std::size_t length = 0;
        for (std::size_t i = 4; i < header && i < bytes.size(); ++i) {
            length = length << 8 | static_cast<unsigned char>(bytes[i]);
        }
        if (bytes.size() < header + length) {
            frames.push_back({-1, std::string(bytes)});
            break;
        }
        frames.push_back({bytes[0], std::string(bytes.substr(header, length))});
        bytes.remove_prefix(header + length);
    }
    return frames;
}

}  // namespace

std::string tar_of(const json& entries) {
    constexpr std::int64_t recorded_time = 1700000000;
    std::vector<TarEntry> all;
    for (const json& entry : entries) {
        TarEntry one;
        one.path = entry.at("name").get<std::string>();
        one.inode.kind = kind_of(entry.value("type", "file"));
        const char* const usual = one.inode.kind == FileKind::link ? "0777" : "0644";
        one.inode.mode =
            static_cast<std::uint16_t>(std::stoul(entry.value("mode", usual), nullptr, 8));
        one.inode.uid = entry.value("uid", 0u);
        one.inode.gid = entry.value("gid", 0u);
        one.inode.changed = WallTime(std::chrono::seconds(entry.value("mtime", recorded_time)));
        one.inode.content = entry.value("text", entry.value("target", ""));
        all.push_back(std::move(one));
    }
    return docker::write_tar(all);
}

json shown_tar(std::string_view tar) {
    json all = json::array();
    const docker::ReadTar read = docker::read_tar(tar);
    for (const TarEntry& entry : read.entries) {
        const Inode& inode = entry.inode;
        json one = {{"name", entry.path},
                    {"mode", shown_mode(inode)},
                    {"uid", inode.uid},
                    {"gid", inode.gid}};
        switch (inode.kind) {
            case FileKind::folder: one["type"] = "dir"; break;
            case FileKind::link:
                one["type"] = "symlink";
                one["target"] = inode.content;
                break;
            default: one["type"] = "file"; one["text"] = inode.content;
        }
        all.push_back(std::move(one));
    }
    if (!read.error.empty()) {
        all.push_back({{"error", read.error}});
    }
    return all;
}

json shown_frames(std::string_view bytes) {
    json all = json::array();
    for (const Frame& frame : frames_of(bytes)) {
        if (!all.empty() && all.back().at("stream") == frame.stream) {
            all.back()["text"] = all.back()["text"].get<std::string>() + frame.text;
        } else {
            all.push_back({{"stream", frame.stream}, {"text", frame.text}});
        }
    }
    return all;
}

json frame_sizes(std::string_view bytes) {
    json all = json::array();
    for (const Frame& frame : frames_of(bytes)) {
        all.push_back(json::array({frame.stream, frame.text.size()}));
    }
    return all;
}

json lines_of(std::string_view body) {
    json all = json::array();
    for (std::size_t end = 0; (end = body.find('\n')) != std::string_view::npos;) {
        all.push_back(json::parse(body.substr(0, end), nullptr, false));
        body.remove_prefix(end + 1);
    }
    if (!body.empty()) {
        all.push_back(std::string(body));  // of a line without an end
    }
    return all;
}

std::string decoded_base64(std::string_view text) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text.substr(0, text.find('='))) {
        group = group << 6 | static_cast<std::uint32_t>(digits.find(c));
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<char>(group >> bits & 0xff));
        }
    }
    return bytes;
}

}  // namespace drydock::sim::test
