#pragma once

#include <drydock/time.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

enum class FileKind : std::uint8_t { folder, file, link, fifo };

/// One entry of a file system, as plain data.
struct Inode {
    FileKind kind = FileKind::file;
    std::uint16_t mode = 0644;  ///< permissions only; nobody checks them, as all are root
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    WallTime changed{};     ///< mtime
    std::string content{};  ///< of a file; of a link its text
};

/// Entries by absolute, clean path ("/", "/tmp", "/tmp/a").
using FileMap = std::map<std::string, Inode, std::less<>>;

/// Entries on top of others that are shared and never change: only differences take memory. Knows
/// nothing of links or of what may be done.
class FileTree {
public:
    /// `base` must outlive the tree.
    explicit FileTree(const FileMap& base) : base_(&base) {}

    const Inode* find(std::string_view path) const;
    /// The entry, to be changed. It must be there.
    Inode& edit(std::string_view path);
    void put(std::string path, Inode inode);
    void erase(std::string_view path);
    /// Sorted names of what lies right in that folder.
    std::vector<std::string> names_in(std::string_view folder) const;

    const FileMap& base() const noexcept { return *base_; }
    /// What differs from the base, sorted by path; nothing for what is gone.
    const std::map<std::string, std::optional<Inode>, std::less<>>& changes() const noexcept {
        return changes_;
    }

private:
    const FileMap* base_;
    std::map<std::string, std::optional<Inode>, std::less<>> changes_;
};

}  // namespace drydock::sim
