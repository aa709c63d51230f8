#include "mutants/workshop.hpp"

#include "context.hpp"

#include <utility>
#include <vector>

namespace drydock::cli {
namespace {

namespace fs = std::filesystem;

// Builds and hidden folders (.git above all) stay behind; hidden files may be needed.
bool is_left_out(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return entry.is_directory() && (name == "build" || name == "out" || name.front() == '.');
}

void copy_tree(const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        const fs::path target = to / entry.path().filename();
        if (is_left_out(entry)) continue;
        if (entry.is_directory()) {
            copy_tree(entry.path(), target);
        } else if (entry.is_regular_file()) {
            fs::copy_file(entry.path(), target, fs::copy_options::overwrite_existing);
        }
    }
}

}  // namespace

Workshop::Workshop(const fs::path& source, fs::path folder, const StopGuard& guard)
    : folder_(std::move(folder)), guard_(guard) {
    need_programs({"cmake", "ninja", "patch", "clang++-19"});
    try {
        copy_tree(source, sources());
    } catch (const fs::filesystem_error& error) {
        throw NotThere(std::string("the sources cannot be copied: ") + error.what());
    }
    // Relative, as all commands run in the copy.
    const bool is_configured =
        succeeds({"cmake", "--preset", "release", "-B", "../build", "-DDRYDOCK_TESTS=OFF"});
    if (!is_configured) throw NotThere("cmake could not configure the copy; see " + log());
}

bool Workshop::apply(const fs::path& patch) {
    return succeeds({"patch", "-p1", "--batch", "--forward", "--fuzz=0", "-r", "-", "-i",
                     fs::absolute(patch).string()});
}

bool Workshop::take_back(const fs::path& patch) {
    return succeeds({"patch", "-p1", "--batch", "-R", "-i", fs::absolute(patch).string()});
}

bool Workshop::build() { return succeeds({"ninja", "-C", "../build", "drydock"}); }

int Workshop::run(std::vector<std::string> arguments, const fs::path& output) {
    arguments.insert(arguments.begin(), (folder_ / "build" / "drydock").string());
    return run_program(arguments, sources().string(), output.string(), guard_);
}

bool Workshop::succeeds(const std::vector<std::string>& command) {
    return run_program(command, sources().string(), log(), guard_) == 0;
}

}  // namespace drydock::cli
