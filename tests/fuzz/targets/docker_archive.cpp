#include "docker/archive.hpp"
#include "fuzz/targets.hpp"
#include "jobs/ending.hpp"

namespace drydock::fuzz {
namespace {

std::size_t size_of(const std::vector<FileEntry>& entries) {
    std::size_t size = 0;
    for (const FileEntry& entry : entries)
        size += entry.content.size();
    return size;
}

}  // namespace

void read_docker_archive(std::string_view input) {
    const auto entries = docker::read_archive(input);
    if (!entries) return;
    check(size_of(*entries) <= input.size(), "files hold no more than the archive does");
    static_cast<void>(jobs::read_folder(*entries));
}

}  // namespace drydock::fuzz
