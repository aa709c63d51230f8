#include "docker/unpacking.hpp"

#include "docker/fields.hpp"
#include "docker/path_stat.hpp"
#include "docker/tar.hpp"
#include "engine/files.hpp"

#include <fmt/format.h>

#include <utility>

namespace drydock::sim::docker {
namespace {

/// One archive on its way into a folder.
class Unpacking {
public:
    Unpacking(std::string folder, bool keeps_kinds, WallTime now, Files& files)
        : folder_(std::move(folder)), keeps_kinds_(keeps_kinds), now_(now), files_(files) {}

    /// What is wrong with the entry, or nothing.
    std::string put(TarEntry entry) {
        const std::string name = clean_path(entry.path);
        const std::string path = clean_path(folder_ + "/" + name);
        if (!is_at_or_below(path, folder_)) {
            return fmt::format("\"{}\" is outside of \"{}\"", name, folder_);
        }
        const FoundFile there = files_.look_up(path, LastLink::kept, View::engine);
        if (std::string why = refused_kind(entry.inode, there, path); !why.empty()) {
            return why;
        }
        if (std::string why = refused_link(entry, path); !why.empty()) {
            return why;
        }
        make_parents(path);
        const FileError error = files_.unpack(path, std::move(entry.inode));
        return error == FileError::none ? std::string()
                                        : fmt::format("write {}: {}", path, go_text(error));
    }

private:
    std::string refused_kind(const Inode& inode, const FoundFile& there,
                             const std::string& path) const {
        if (!keeps_kinds_ || there.inode == nullptr) {
            return {};
        }
        const bool is_folder = inode.kind == FileKind::folder;
        const bool was_folder = there.inode->kind == FileKind::folder;
        if (is_folder == was_folder) {
            return {};
        }
        return was_folder ? fmt::format(
                                "cannot overwrite directory \"{}\" with non-directory "
                                "\"{}\"",
                                path, folder_)
                          : fmt::format(
                                "cannot overwrite non-directory \"{}\" with directory "
                                "\"{}\"",
                                path, folder_);
    }

    /// A link must not lead out, at least by its text. A hard link becomes a copy.
    std::string refused_link(TarEntry& entry, const std::string& path) const {
        if (entry.inode.kind == FileKind::link) {
            const std::string target =
                clean_path(path.substr(0, path.rfind('/')) + "/" + entry.inode.content);
            return is_at_or_below(target, folder_)
                       ? std::string()
                       : fmt::format("invalid symlink \"{}\" -> \"{}\"", path, entry.inode.content);
        }
        if (entry.same_as.empty()) {
            return {};
        }
        const std::string target = clean_path(folder_ + "/" + entry.same_as);
        const FoundFile found = files_.look_up(target, LastLink::kept, View::engine);
        if (!is_at_or_below(target, folder_)) {
            return fmt::format("invalid hardlink \"{}\" -> \"{}\"", target, entry.same_as);
        }
        if (found.inode == nullptr) {
            return fmt::format("link {} {}: no such file or directory", target, path);
        }
        entry.inode = *found.inode;
        return {};
    }

    void make_parents(const std::string& path) {
        for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
             slash = path.find('/', slash + 1)) {
            const std::string parent = path.substr(0, slash);
            if (files_.look_up(parent, LastLink::followed, View::engine).inode == nullptr) {
                // An error shows when the entry itself is put.
                (void)files_.unpack(parent,
                                    {.kind = FileKind::folder, .mode = 0755, .changed = now_});
            }
        }
    }

    std::string folder_;
    bool keeps_kinds_;
    WallTime now_;
    Files& files_;
};

}  // namespace

std::string unpack(std::string_view tar, const std::string& folder, bool keeps_kinds, WallTime now,
                   Files& files) {
    ReadTar read = read_tar(tar);
    Unpacking unpacking(folder, keeps_kinds, now, files);
    for (TarEntry& entry : read.entries) {
        if (std::string error = unpacking.put(std::move(entry)); !error.empty()) {
            return error;
        }
    }
    return read.error;
}

}  // namespace drydock::sim::docker
