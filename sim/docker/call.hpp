#pragma once

#include <drydock/transport.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim::docker {

/// A request, taken apart: which route, whom it names, its query.
struct Call {
    enum class Route : std::uint8_t {
        create,
        start,
        inspect,
        list,
        remove,
        stop,
        kill,
        restart,
        pause,
        unpause,
        rename,
        wait,
        exec_create,
        exec_start,
        exec_inspect,
        exec_resize,
        logs,
        attach,
        archive,
        copy,
        events,
        top,
        stats,
        resize,
        update,
        changes,
        ping,
        version,
        info,
        image,
        image_list,
        image_tag,
        image_remove,
        commit,
        disk_usage,
        volume,
        network,
        none,
    };
    Route route = Route::none;
    int minor_version = 41;  ///< of the API, 1.N
    std::string reference;   ///< from the path
    std::vector<std::pair<std::string, std::string>> query;
    const Request* request = nullptr;
    std::string version_error;  ///< not empty: the version in the path is refused
    bool is_too_old = false;    ///< that is why

    /// The first value of that name, as Go reads it.
    std::string_view parameter(std::string_view name) const noexcept;
    bool has(std::string_view name) const noexcept;
    /// Docker's reading of a boolean: empty, 0, no, false and none are false, all else is true.
    bool flag(std::string_view name) const noexcept;
};

Call read_call(const Request& request);
/// The same without the query.
Call read_route(const Request& request);

}  // namespace drydock::sim::docker
