// Files in and out of a container by archive.
#include "docker/call.hpp"
#include "docker/exchange.hpp"
#include "docker/path_stat.hpp"
#include "docker/tar.hpp"
#include "docker/unpacking.hpp"
#include "engine/files.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

namespace drydock::sim {
namespace {

Response no_such_file(std::string_view path, std::string_view reference) {
    return docker::error_answer(
        404, fmt::format("Could not find the file {} in container {}", path, reference));
}

std::string path_in(std::string_view folder, std::string_view name) {
    return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
}

/// A folder with all that it holds, in the order of a walk.
void gather(const Files& files, const std::string& path, const std::string& shown,
            const Inode& inode, std::vector<docker::TarEntry>& entries) {
    const bool is_folder = inode.kind == FileKind::folder;
    entries.push_back({is_folder && !shown.ends_with('/') ? shown + "/" : shown, inode});
    std::vector<std::string> names;
    if (!is_folder || files.list(path, names, View::engine) != FileError::none) {
        return;
    }
    for (const std::string& name : names) {
        const std::string below = path_in(path, name);
        const FoundFile found = files.look_up(below, LastLink::kept, View::engine);
        gather(files, below, path_in(shown, name), *found.inode, entries);
    }
}

}  // namespace

void DockerModel::archive(const docker::Call& call, const Exchange& exchange) {
    const std::string path(call.parameter("path"));
    if (path.empty()) {
        return exchange.reply(docker::error_answer(400, "bad parameter: pathcannot be empty"));
    }
    Files* const files = engine_.files(call.reference);
    if (files == nullptr) {
        return exchange.reply(Outcome{.verdict = Verdict::no_such_sandbox}, call.reference);
    }
    const docker::PathStat stat = docker::stat_path(*files, path);
    if (stat.error == FileError::absent) {
        return exchange.reply(no_such_file(path, call.reference));
    }
    if (stat.error != FileError::none) {
        const std::string id = engine_.inspect(call.reference).id;
        return exchange.reply(
            docker::error_answer(500, fmt::format("lstat {}{}: {}", layer_folder(id), stat.path,
                                                  docker::go_text(stat.error))));
    }
    const Method method = call.request->method;
    if (method == Method::put) {
        return exchange.reply(put_archive(call, exchange, *files));
    }
    Response response = docker::answer(200);
    if (method == Method::get) {
        std::vector<docker::TarEntry> entries;
        gather(*files, stat.path, stat.name, *stat.inode, entries);
        response.headers.push_back({"Content-Type", "application/x-tar"});
        response.body = docker::write_tar(entries);
        engine_.announce(*engine_.resolve(call.reference), "archive-path");
    }
    response.headers.push_back({"X-Docker-Container-Path-Stat", docker::header_value(stat)});
    exchange.reply(std::move(response));
}

Response DockerModel::put_archive(const docker::Call& call, const Exchange& exchange,
                                  Files& files) {
    const FoundFile folder =
        files.look_up(call.parameter("path"), LastLink::followed, View::engine);
    if (folder.inode == nullptr) {  // of a link that leads nowhere
        return no_such_file(call.parameter("path"), call.reference);
    }
    if (folder.inode->kind != FileKind::folder) {
        return docker::error_answer(500, "extraction point is not a directory");
    }
    if (!files.is_writable(folder.path, View::engine)) {
        return docker::error_answer(500, files.is_on_mount(folder.path)
                                             ? "mounted volume is marked read-only"
                                             : "container rootfs is marked read-only");
    }
    const WallTime now = engine_.wall_at(engine_.world().now());
    const std::string error = docker::unpack(call.request->body, folder.path,
                                             call.flag("noOverwriteDirNonDir"), now, files);
    exchange.responder->applied();
    engine_.announce(*engine_.resolve(call.reference), "extract-to-dir");
    return error.empty()
               ? docker::answer(200)
               : docker::error_answer(500, "Error processing tar file(exit status 1): " + error);
}

}  // namespace drydock::sim
