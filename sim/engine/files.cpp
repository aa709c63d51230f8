#include "engine/files.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim {
namespace {

constexpr std::uint64_t folder_size = 4096;
constexpr std::uint16_t link_mode = 0777;
constexpr int most_links = 40;

std::string joined(std::string_view folder, std::string_view name) {
    std::string path(folder);
    if (path != "/") {
        path.push_back('/');
    }
    return path.append(name);
}

std::string_view parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 || slash == std::string_view::npos ? std::string_view("/")
                                                         : path.substr(0, slash);
}

/// Takes the first name off a path, and all slashes before it.
std::string_view take_name(std::string_view& path) {
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size());
    return name;
}

bool is_folder(const Inode& inode) { return inode.kind == FileKind::folder; }
bool is_plain_file(const Inode& inode) { return inode.kind == FileKind::file; }

/// What it takes of the disk: a link is kept in its inode.
std::uint64_t space_of(const Inode& inode) {
    return is_folder(inode) ? folder_size : is_plain_file(inode) ? inode.content.size() : 0;
}

void erase_with_content(FileTree& tree, const std::string& path) {
    for (const std::string& name : tree.names_in(path)) {
        erase_with_content(tree, joined(path, name));
    }
    tree.erase(path);
}

}  // namespace

bool is_at_or_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) &&
           (path.size() == folder.size() || folder == "/" || path[folder.size()] == '/');
}

std::string_view text(FileError error) {
    constexpr std::array<std::string_view, 11> texts = {"Success",
                                                        "File exists",
                                                        "No such file or directory",
                                                        "Not a directory",
                                                        "Is a directory",
                                                        "Invalid argument",
                                                        "Directory not empty",
                                                        "Resource busy",
                                                        "Read-only file system",
                                                        "No space left on device",
                                                        "Too many levels of symbolic links"};
    return texts[static_cast<std::size_t>(error)];
}

Files::Files(const SandboxConfig& config, WallTime born)
    : root_(config.has_no_image ? no_files() : image_files()) {
    if (!config.working_dir.empty()) {
        make_folders(config.working_dir, born);
    }
    for (const Mount& mount : config.mounts) {
        add_mount(mount.destination, mount.type == "tmpfs", mount.writable, born);
    }
    for (const std::string& path : config.tmpfs) {
        add_mount(path, true, true, born);
    }
    has_read_only_root_ = config.has_read_only_root;
}

void Files::make_folders(std::string_view path, WallTime now) {
    std::string at;
    while (path.find_first_not_of('/') != std::string_view::npos) {
        at.append("/").append(take_name(path));
        make_folder(at, now);
    }
}

void Files::add_mount(const std::string& path, bool is_tmpfs, bool is_writable, WallTime now) {
    make_folders(path, now);
    MountedTree mounted{path, is_tmpfs, is_writable, FileTree(no_files())};
    mounted.tree.put(path, {.kind = FileKind::folder, .mode = 0755, .changed = now});
    mounts_.push_back(std::move(mounted));
}

const Files::MountedTree* Files::mount_of(std::string_view path, View view) const {
    const MountedTree* nearest = nullptr;
    for (const MountedTree& mount : mounts_) {
        const bool is_seen = view == View::sandbox || !mount.is_tmpfs;
        const bool is_nearer = nearest == nullptr || nearest->path.size() < mount.path.size();
        if (is_seen && is_nearer && is_at_or_below(path, mount.path)) {
            nearest = &mount;
        }
    }
    return nearest;
}

const FileTree& Files::tree_of(std::string_view path, View view) const {
    const MountedTree* const mount = mount_of(path, view);
    return mount == nullptr ? root_ : mount->tree;
}

FileTree& Files::tree_of(std::string_view path, View view) {
    return const_cast<FileTree&>(std::as_const(*this).tree_of(path, view));
}

// Entries stand under their resolved paths: one that is found as it is was reached by no link.
FoundFile Files::look_up(std::string_view path, LastLink last, View view) const {
    const Inode* const plain = tree_of(path, view).find(path);
    const bool is_followed = last == LastLink::followed;
    if (plain != nullptr && !(plain->kind == FileKind::link && is_followed)) {
        return {.path = std::string(path), .inode = plain};
    }
    const std::string_view folder = parent_of(path);
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const bool is_name = !name.empty() && name != "." && name != "..";
    const Inode* const parent = tree_of(folder, view).find(folder);
    if (plain == nullptr && is_name && parent != nullptr && is_folder(*parent)) {
        return {.path = std::string(path)};
    }
    return walk(path, last, view);
}

FoundFile Files::walk(std::string_view path, LastLink last, View view) const {
    std::string at = "/";
    std::string unlinked;  // the path after the last link that was followed
    std::string_view rest = path;
    for (int links = 0; links <= most_links;) {
        const std::string_view name = take_name(rest);
        if (name.empty()) {
            return {.path = at, .inode = tree_of(at, view).find(at)};
        }
        if (name == "." || name == "..") {
            at.resize(name == "." ? at.size() : parent_of(at).size());
            continue;
        }
        const std::size_t folder_length = at.size();
        at.append(at == "/" ? "" : "/").append(name);
        const Inode* const inode = tree_of(at, view).find(at);
        const bool is_last = rest.find_first_not_of('/') == std::string_view::npos;
        if (inode == nullptr) {
            return {.error = is_last ? FileError::none : FileError::absent,
                    .path = is_last ? at : at.append(rest)};
        }
        const bool is_followed = !rest.empty() || last == LastLink::followed;
        if (inode->kind == FileKind::link && is_followed) {
            ++links;
            at.resize(inode->content.starts_with('/') ? 1 : folder_length);
            unlinked = inode->content + std::string(rest);
            rest = unlinked;
            continue;
        }
        if (!rest.empty() && !is_folder(*inode)) {
            return {.error = FileError::not_a_folder, .path = at.append(rest)};
        }
    }
    return {.error = FileError::too_many_links, .path = at};
}

FoundFile Files::existing(std::string_view path, LastLink last, View view) const {
    FoundFile found = look_up(path, last, view);
    if (found.error == FileError::none && found.inode == nullptr) {
        found.error = FileError::absent;
    }
    return found;
}

bool Files::is_on_mount(std::string_view path) const {
    return mount_of(look_up(path).path, View::sandbox) != nullptr;
}

bool Files::is_writable(std::string_view clean_path, View view) const {
    const MountedTree* const mount = mount_of(clean_path, view);
    return mount == nullptr ? !has_read_only_root_ : mount->is_writable;
}

std::uint64_t Files::take_space(std::uint64_t bytes) {
    if (!free_space_) {
        return bytes;
    }
    const std::uint64_t taken = std::min(bytes, *free_space_);
    *free_space_ -= taken;
    return taken;
}

void Files::give_space(std::uint64_t bytes) {
    if (free_space_) {
        *free_space_ += bytes;
    }
}

FileError Files::make(const FoundFile& found, Inode inode) {
    if (found.error != FileError::none) {
        return found.error;
    }
    if (found.inode != nullptr) {
        return FileError::exists;
    }
    if (!is_writable(found.path, View::sandbox)) {
        return FileError::read_only;
    }
    if (free_space_.value_or(space_of(inode)) < space_of(inode)) {
        return FileError::no_space;
    }
    take_space(space_of(inode));
    touch_parent(found.path, inode.changed);
    tree_of(found.path, View::sandbox).put(found.path, std::move(inode));
    return FileError::none;
}

void Files::touch_parent(std::string_view path, WallTime now) {
    const std::string_view parent = parent_of(path);
    tree_of(parent, View::sandbox).edit(parent).changed = now;
}

FileError Files::make_folder(std::string_view path, WallTime now, std::uint16_t mode) {
    return make(look_up(path, LastLink::kept),
                {.kind = FileKind::folder, .mode = mode, .changed = now});
}

FileError Files::make_link(std::string_view path, std::string text, WallTime now) {
    Inode link{.kind = FileKind::link, .mode = link_mode, .changed = now};
    link.content = std::move(text);
    return make(look_up(path, LastLink::kept), std::move(link));
}

FileError Files::make_fifo(std::string_view path, WallTime now, std::uint16_t mode) {
    return make(look_up(path, LastLink::kept),
                {.kind = FileKind::fifo, .mode = mode, .changed = now});
}

FoundFile Files::open_for_writing(std::string_view path, WallTime now) {
    FoundFile found = look_up(path);
    if (found.error == FileError::none && found.inode == nullptr) {
        found.error = make(found, {.changed = now});
    } else if (found.inode != nullptr && is_folder(*found.inode)) {
        found.error = FileError::is_a_folder;
    } else if (found.inode != nullptr && is_plain_file(*found.inode) &&
               !is_writable(found.path, View::sandbox)) {
        found.error = FileError::read_only;
    }
    return found;
}

FileError Files::truncate(std::string_view path, WallTime now) {
    const FoundFile found = open_for_writing(path, now);
    const bool is_emptied =
        found.error == FileError::none && found.inode != nullptr && is_plain_file(*found.inode);
    if (is_emptied) {
        give_space(space_of(*found.inode));
        Inode& file = tree_of(found.path, View::sandbox).edit(found.path);
        file.content.clear();
        file.changed = now;
    }
    return found.error;
}

FileError Files::append(std::string_view path, std::string_view bytes, WallTime now) {
    const FoundFile found = open_for_writing(path, now);
    if (found.error != FileError::none || bytes.empty()) {
        return found.error;
    }
    if (found.inode != nullptr && found.inode->kind == FileKind::fifo) {
        return FileError::none;  // what goes through a FIFO is no file's content
    }
    const std::uint64_t fitting = take_space(bytes.size());
    Inode& file = tree_of(found.path, View::sandbox).edit(found.path);
    file.content.append(bytes.substr(0, fitting));
    file.changed = now;
    return fitting == bytes.size() ? FileError::none : FileError::no_space;
}

FileError Files::remove(std::string_view path, WallTime now) {
    const FoundFile found = existing(path, LastLink::kept);
    if (found.error != FileError::none) {
        return found.error;
    }
    const bool is_mount = std::any_of(mounts_.begin(), mounts_.end(), [&](const MountedTree& one) {
        return one.path == found.path;
    });
    FileTree& tree = tree_of(found.path, View::sandbox);
    if (is_mount || found.path == "/") {
        return FileError::busy;
    }
    if (!is_writable(found.path, View::sandbox)) {
        return FileError::read_only;
    }
    if (is_folder(*found.inode) && !tree.names_in(found.path).empty()) {
        return FileError::not_empty;
    }
    give_space(space_of(*found.inode));
    tree.erase(found.path);
    touch_parent(found.path, now);
    return FileError::none;
}

FileError Files::change_mode(std::string_view path, std::uint16_t mode) {
    const FoundFile found = existing(path);
    if (found.error != FileError::none) {
        return found.error;
    }
    if (!is_writable(found.path, View::sandbox)) {
        return FileError::read_only;
    }
    tree_of(found.path, View::sandbox).edit(found.path).mode = mode;
    return FileError::none;
}

FileError Files::unpack(std::string_view path, Inode inode) {
    const FoundFile found = look_up(path, LastLink::kept, View::engine);
    if (found.error != FileError::none) {
        return found.error;
    }
    if (!is_writable(found.path, View::engine)) {
        return FileError::read_only;
    }
    FileTree& tree = tree_of(found.path, View::engine);
    if (inode.kind == FileKind::link) {
        inode.mode = link_mode;  // whatever the archive says
    }
    if (found.inode != nullptr && is_folder(*found.inode) && is_folder(inode)) {
        tree.edit(found.path) = std::move(inode);
        return FileError::none;
    }
    if (found.inode != nullptr) {
        give_space(space_of(*found.inode));
        erase_with_content(tree, found.path);
    }
    const std::uint64_t fitting = take_space(space_of(inode));
    if (fitting < space_of(inode)) {
        inode.content.resize(fitting);
        tree.put(found.path, std::move(inode));
        return FileError::no_space;
    }
    tree.put(found.path, std::move(inode));
    return FileError::none;
}

FileError Files::read_link(std::string_view path, std::string_view& text) const {
    const FoundFile found = existing(path, LastLink::kept);
    if (found.error != FileError::none) {
        return found.error;
    }
    text = found.inode->content;
    return found.inode->kind == FileKind::link ? FileError::none : FileError::not_a_link;
}

FileError Files::read(std::string_view path, std::size_t offset, std::string_view& bytes) const {
    const FoundFile found = existing(path);
    if (found.error != FileError::none) {
        return found.error;
    }
    bytes = std::string_view(found.inode->content);
    bytes.remove_prefix(std::min(offset, bytes.size()));
    return is_folder(*found.inode) ? FileError::is_a_folder : FileError::none;
}

FileError Files::list(std::string_view path, std::vector<std::string>& names, View view) const {
    const FoundFile found = existing(path, LastLink::followed, view);
    if (found.error != FileError::none) {
        return found.error;
    }
    if (!is_folder(*found.inode)) {
        return FileError::not_a_folder;
    }
    names = tree_of(found.path, view).names_in(found.path);
    return FileError::none;
}

void Files::forget_tmpfs() {
    for (MountedTree& mount : mounts_) {
        if (mount.is_tmpfs) {
            Inode folder = *mount.tree.find(mount.path);
            mount.tree = FileTree(no_files());
            mount.tree.put(mount.path, std::move(folder));
        }
    }
}

}  // namespace drydock::sim
