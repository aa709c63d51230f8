#include "engine/file_tree.hpp"

#include <set>
#include <utility>

namespace drydock::sim {
namespace {

std::string beginning_of(std::string_view folder) {
    return folder == "/" ? std::string(folder) : std::string(folder) + "/";
}

/// Calls `found(name, value)` for each entry of the map right in the folder.
template <class Map, class Found>
void for_names(const Map& map, const std::string& beginning, Found found) {
    for (auto at = map.upper_bound(beginning); at != map.end() && at->first.starts_with(beginning);
         ++at) {
        const std::string_view name = std::string_view(at->first).substr(beginning.size());
        if (name.find('/') == std::string_view::npos) {
            found(name, at->second);
        }
    }
}

}  // namespace

const Inode* FileTree::find(std::string_view path) const {
    if (const auto changed = changes_.find(path); changed != changes_.end()) {
        return changed->second ? &*changed->second : nullptr;
    }
    const auto at = base_->find(path);
    return at == base_->end() ? nullptr : &at->second;
}

Inode& FileTree::edit(std::string_view path) {
    auto changed = changes_.find(path);
    if (changed == changes_.end()) {
        changed = changes_.emplace(path, base_->find(path)->second).first;
    }
    return *changed->second;
}

void FileTree::put(std::string path, Inode inode) {
    changes_.insert_or_assign(std::move(path), std::move(inode));
}

void FileTree::erase(std::string_view path) {
    if (base_->contains(path)) {
        changes_.insert_or_assign(std::string(path), std::nullopt);
    } else if (const auto changed = changes_.find(path); changed != changes_.end()) {
        changes_.erase(changed);
    }
}

std::vector<std::string> FileTree::names_in(std::string_view folder) const {
    const std::string beginning = beginning_of(folder);
    std::set<std::string, std::less<>> names;
    for_names(*base_, beginning, [&](std::string_view name, const Inode&) { names.emplace(name); });
    for_names(changes_, beginning, [&](std::string_view name, const std::optional<Inode>& inode) {
        if (inode) {
            names.emplace(name);
        } else {
            names.erase(std::string(name));
        }
    });
    return {names.begin(), names.end()};
}

}  // namespace drydock::sim
