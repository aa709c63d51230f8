#pragma once

#include <drydock/operation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::faults {

/// What is open at a site.
enum class Aspect : std::uint8_t {
    fate,    ///< what becomes of the exchange or the local operation
    delay,   ///< how much longer it takes
    cancel,  ///< whether the calls that wait for it are cancelled
    crash,   ///< whether the process dies
    engine,  ///< how the backend behaves from here on
    stream,  ///< what becomes of the bytes of the reply
    step,    ///< what happens to a guard before it takes the step
};

inline constexpr std::size_t aspect_count = 7;

std::string_view name(Aspect aspect);
std::optional<Aspect> aspect_from_name(std::string_view name);

/// One aspect of one call of an operation: where a choice can be made. Plain numbers, so that
/// asking costs nothing; `Names` turns them into `runner[scan-1]/container_start#1/fate` when
/// someone reads.
struct Site {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;  ///< 0: none
    Operation operation{};
    std::uint32_t n = 1;  ///< which call of this operation by that process for that lease, from 1
    Aspect aspect = Aspect::fate;

    static constexpr int lease_bits = 22;
    static constexpr int n_bits = 22;
    static constexpr std::uint32_t max_lease = (1U << lease_bits) - 1;
    static constexpr std::uint32_t max_n = (1U << n_bits) - 1;

    /// The site as one number; sites of one series stand together, ordered by n.
    constexpr std::uint64_t key() const noexcept {
        return (series() << n_bits) | std::min(n, max_n);
    }

    /// The site without its n: all calls of one operation by one process for one lease.
    constexpr std::uint64_t series() const noexcept {
        auto bits = static_cast<std::uint64_t>(process);
        bits = (bits << lease_bits) | lease;
        bits = (bits << 8) | static_cast<std::uint64_t>(operation);
        return (bits << 4) | static_cast<std::uint64_t>(aspect);
    }

    bool operator==(const Site&) const = default;
};

/// True for `[a-z0-9][a-z0-9_.-]*`.
bool is_process_name(std::string_view name);

/// The names of one run's processes (numbered from 0) and lease keys (from 1; 0 is none), in the
/// order in which they were first seen.
class Names {
public:
    static constexpr std::size_t max_processes = 256;

    /// The number of that name, given now if it has none. Throws std::length_error when full.
    std::uint8_t process(std::string_view name);
    std::uint32_t lease(std::string_view key);

    std::optional<std::uint8_t> find_process(std::string_view name) const;
    std::optional<std::uint32_t> find_lease(std::string_view key) const;

    const std::string& process_name(std::uint8_t process) const;
    /// The key as it is; empty for 0.
    const std::string& lease_key(std::uint32_t lease) const;

private:
    std::map<std::string, std::uint8_t, std::less<>> process_ids_;
    std::map<std::string, std::uint32_t, std::less<>> lease_ids_;
    std::vector<std::string> processes_;
    std::vector<std::string> leases_{std::string{}};
};

/// A site spelt out, as files name it. Means the same in every run.
struct SiteName {
    std::string process;
    std::string lease;  ///< the key as it is, not encoded; empty: none
    Operation operation{};
    std::uint32_t n = 1;
    Aspect aspect = Aspect::fate;

    /// Reads `runner[scan-1]/container_start#1/fate`. Throws InputError.
    static SiteName parse(std::string_view text);

    bool operator==(const SiteName&) const = default;
};

std::string to_string(const SiteName& site);
std::string to_string(const Site& site, const Names& names);

SiteName spell_out(const Site& site, const Names& names);
/// The site's numbers; gives new ones to names not seen before.
Site intern(const SiteName& site, Names& names);

/// A lease key as it stands in a site: what is outside `[A-Za-z0-9_.~:-]` is percent-encoded, and
/// `-` alone too, as it means none.
std::string encode_lease(std::string_view key);

}  // namespace drydock::faults
