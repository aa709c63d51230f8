#pragma once

#include "engine/file_tree.hpp"

#include <drydock/sim/sandbox.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// How a call on files went.
enum class FileError : std::uint8_t {
    none,
    exists,
    absent,
    not_a_folder,
    is_a_folder,
    not_a_link,
    not_empty,
    busy,  ///< a mount is there
    read_only,
    no_space,
    too_many_links,
};

/// As the C library says it: "File exists".
std::string_view text(FileError error);

/// Both absolute and clean.
bool is_at_or_below(std::string_view path, std::string_view folder);

/// Whose eyes see the files: those of the sandbox's processes, or the engine's, which does not see
/// what a tmpfs holds and finds what lies under it.
enum class View : std::uint8_t { sandbox, engine };

/// Whether a link at the end of a path is followed.
enum class LastLink : std::uint8_t { followed, kept };

/// Where a path leads. Without an inode and without an error: to nothing yet, in a folder.
struct FoundFile {
    FileError error = FileError::none;
    std::string path;  ///< clean, no link in it but maybe the last
    const Inode* inode = nullptr;
};

/// The file system of one sandbox: the image's tree, what differs from it, and mounts, whose
/// content is the sandbox's own too (no two share one). Relative paths begin at the root. Calls
/// follow links as the kernel does; an inode is good until the next change.
class Files {
public:
    Files(const SandboxConfig& config, WallTime born);

    FoundFile look_up(std::string_view path, LastLink last = LastLink::followed,
                      View view = View::sandbox) const;
    /// Null unless it is there.
    const Inode* find(std::string_view path) const { return look_up(path).inode; }
    bool exists(std::string_view path) const { return find(path) != nullptr; }

    FileError make_folder(std::string_view path, WallTime now, std::uint16_t mode = 0755);
    FileError make_link(std::string_view path, std::string text, WallTime now);
    FileError make_fifo(std::string_view path, WallTime now, std::uint16_t mode = 0644);
    /// A redirection by `>`: makes the file, or empties it. A FIFO stays what it is.
    FileError truncate(std::string_view path, WallTime now);
    /// A write at the end, by `>>`: makes the file first if need be. On a full disk what fits is
    /// written.
    FileError append(std::string_view path, std::string_view bytes, WallTime now);
    FileError remove(std::string_view path, WallTime now);
    FileError change_mode(std::string_view path, std::uint16_t mode);
    /// What the engine does with an entry of an archive: it is put in place of whatever is there,
    /// but a folder stays with what it holds.
    FileError unpack(std::string_view path, Inode inode);

    /// The text of a link, good until the next change.
    FileError read_link(std::string_view path, std::string_view& text) const;
    /// The content from an offset on, as far as there is any; good until the next change.
    FileError read(std::string_view path, std::size_t offset, std::string_view& bytes) const;
    FileError list(std::string_view path, std::vector<std::string>& names,
                   View view = View::sandbox) const;

    /// Whether the create put a mount there or above.
    bool is_on_mount(std::string_view path) const;
    /// Whether anything can be written there at all; the path is one that was looked up.
    bool is_writable(std::string_view path, View view = View::sandbox) const;
    /// So many bytes can still be written, in files and folders; nothing: any number. Links and
    /// empty files need none.
    void set_free_space(std::optional<std::uint64_t> bytes) { free_space_ = bytes; }
    /// What a tmpfs holds goes when the sandbox's run ends.
    void forget_tmpfs();
    /// The sandbox's own layer.
    const FileTree& root() const noexcept { return root_; }

private:
    struct MountedTree {
        std::string path;
        bool is_tmpfs = false;
        bool is_writable = true;
        FileTree tree;
    };

    void make_folders(std::string_view path, WallTime now);
    void add_mount(const std::string& path, bool is_tmpfs, bool is_writable, WallTime now);
    const MountedTree* mount_of(std::string_view path, View view) const;
    const FileTree& tree_of(std::string_view path, View view) const;
    FileTree& tree_of(std::string_view path, View view);
    FoundFile walk(std::string_view path, LastLink last, View view) const;
    /// As look_up, but what is not there is an error.
    FoundFile existing(std::string_view path, LastLink last = LastLink::followed,
                       View view = View::sandbox) const;
    /// Makes an entry at a place that look_up found free.
    FileError make(const FoundFile& found, Inode inode);
    void touch_parent(std::string_view path, WallTime now);
    /// The file whose content is to change, made if it was not there; its inode is null then.
    FoundFile open_for_writing(std::string_view path, WallTime now);
    /// How many of these bytes fit.
    std::uint64_t take_space(std::uint64_t bytes);
    void give_space(std::uint64_t bytes);

    FileTree root_;
    bool has_read_only_root_ = false;
    std::vector<MountedTree> mounts_;
    std::optional<std::uint64_t> free_space_;
};

/// The tree of the recorded image, with what the engine adds to each container. One for all.
const FileMap& image_files();
/// Nothing but a root.
const FileMap& no_files();

}  // namespace drydock::sim
