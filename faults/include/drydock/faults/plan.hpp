#pragma once

#include <drydock/faults/choice.hpp>
#include <drydock/faults/site.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::faults {

/// One choice at one site.
struct PlanEntry {
    SiteName at;
    Choice choose;
    bool sticky = false;  ///< file form `"repeat": "until_faults_stop"`

    bool operator==(const PlanEntry&) const = default;
};

/// The choices of a run that differ from the default. Always legal: every choice fits its site, and
/// no two entries name the same site.
class Plan {
public:
    static constexpr std::size_t max_entries = 100'000;
    static constexpr std::size_t max_processes = 128;

    Plan() = default;
    /// Throws InputError, pointers relative to the list of entries.
    explicit Plan(std::vector<PlanEntry> entries);

    /// Reads a JSON array of entries. Throws InputError whose pointer starts with `pointer`.
    static Plan from_json(const nlohmann::json& json, std::string_view pointer = "");

    const std::vector<PlanEntry>& entries() const& noexcept { return entries_; }
    std::vector<PlanEntry> entries() && { return std::move(entries_); }
    bool empty() const noexcept { return entries_.empty(); }
    std::size_t size() const noexcept { return entries_.size(); }

    bool operator==(const Plan&) const = default;

private:
    std::vector<PlanEntry> entries_;
};

nlohmann::json to_json(const Plan& plan);

/// Equal for equal plans, entries in the same order.
std::uint64_t digest(const Plan& plan);

}  // namespace drydock::faults
