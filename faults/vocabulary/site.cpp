#include <drydock/faults/site.hpp>

#include <array>
#include <cassert>
#include <stdexcept>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, aspect_count> aspect_names{
    "fate", "delay", "cancel", "crash", "engine", "stream", "step"};

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

template <class Id>
Id find_or_add(std::map<std::string, Id, std::less<>>& ids, std::vector<std::string>& names,
               std::string_view name, std::size_t limit) {
    if (const auto found = ids.find(name); found != ids.end()) {
        return found->second;
    }
    if (names.size() >= limit) {
        throw std::length_error("too many names in one run");
    }
    const auto id = static_cast<Id>(names.size());
    names.emplace_back(name);
    ids.emplace(std::string(name), id);
    return id;
}

template <class Id>
std::optional<Id> find_in(const std::map<std::string, Id, std::less<>>& ids,
                          std::string_view name) {
    const auto found = ids.find(name);
    return found == ids.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::string_view name(Aspect aspect) { return aspect_names.at(static_cast<std::size_t>(aspect)); }

std::optional<Aspect> aspect_from_name(std::string_view name) {
    for (std::size_t i = 0; i < aspect_names.size(); ++i) {
        if (aspect_names[i] == name) {
            return static_cast<Aspect>(i);
        }
    }
    return std::nullopt;
}

bool is_process_name(std::string_view name) {
    if (name.empty() || !is_lower_or_digit(name.front())) {
        return false;
    }
    return std::all_of(name.begin(), name.end(), [](char c) {
        return is_lower_or_digit(c) || c == '_' || c == '.' || c == '-';
    });
}

std::uint8_t Names::process(std::string_view name) {
    return find_or_add(process_ids_, processes_, name, max_processes);
}

std::uint32_t Names::lease(std::string_view key) {
    return key.empty() ? 0 : find_or_add(lease_ids_, leases_, key, Site::max_lease);
}

std::optional<std::uint8_t> Names::find_process(std::string_view name) const {
    return find_in(process_ids_, name);
}

std::optional<std::uint32_t> Names::find_lease(std::string_view key) const {
    return key.empty() ? std::optional<std::uint32_t>(0) : find_in(lease_ids_, key);
}

const std::string& Names::process_name(std::uint8_t process) const {
    assert(process < processes_.size());
    return processes_[process];
}

const std::string& Names::lease_key(std::uint32_t lease) const {
    assert(lease < leases_.size());
    return leases_[lease];
}

}  // namespace drydock::faults
