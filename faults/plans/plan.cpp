#include <drydock/faults/plan.hpp>

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <set>
#include <utility>

namespace drydock::faults {
namespace {

using Json = nlohmann::json;

void check_fields(const Json& json) {
    constexpr std::array<std::string_view, 3> known{"at", "choose", "repeat"};
    if (!json.is_object()) {
        throw InputError("", "a plan's entry is an object with at and choose");
    }
    for (const auto& [key, value] : json.items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw InputError(below("", key), fmt::format("unknown field {}{}", in_quotes(key),
                                                         did_you_mean(key, known)));
        }
    }
    for (const char* field : {"at", "choose"}) {
        if (!json.contains(field)) {
            throw InputError("", fmt::format("no field \"{}\"", field));
        }
    }
}

/// Runs `read` and gives its errors the pointer of the field.
template <class Read>
auto in_field(const char* field, Read read) {
    try {
        return read();
    } catch (const InputError& error) {
        throw error.under(below("", field));
    }
}

SiteName read_site(const Json& json) {
    if (!json.is_string()) {
        throw InputError("", "a site is a string");
    }
    return SiteName::parse(json.get_ref<const std::string&>());
}

bool read_repeat(const Json& json) {
    if (json != "until_faults_stop") {
        throw InputError("", "repeat is \"until_faults_stop\", or is left out");
    }
    return true;
}

PlanEntry read_entry(const Json& json) {
    check_fields(json);
    PlanEntry entry;
    entry.at = in_field("at", [&] { return read_site(json["at"]); });
    entry.choose = in_field("choose", [&] {
        return choice_from_json(json["choose"], entry.at.aspect, entry.at.operation);
    });
    if (json.contains("repeat")) {
        entry.sticky = in_field("repeat", [&] { return read_repeat(json["repeat"]); });
    }
    return entry;
}

void check_entry(const PlanEntry& entry, std::size_t index) {
    if (!is_process_name(entry.at.process) || entry.at.n == 0 || entry.at.n > Site::max_n) {
        throw InputError(below(below("", index), "at"), "not a site");
    }
    if (auto reason = why_unfit(entry.choose, entry.at.aspect, entry.at.operation)) {
        throw InputError(below(below("", index), "choose"), *std::move(reason));
    }
}

}  // namespace

Plan::Plan(std::vector<PlanEntry> entries) : entries_(std::move(entries)) {
    if (entries_.size() > max_entries) {
        throw InputError("", fmt::format("a plan has at most {} entries", max_entries));
    }
    std::set<std::string_view> processes;
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        check_entry(entries_[i], i);
        processes.insert(entries_[i].at.process);
        if (processes.size() > max_processes) {
            throw InputError(below(below("", i), "at"),
                             fmt::format("a plan names at most {} processes", max_processes));
        }
        std::string site = to_string(entries_[i].at);
        const auto [first, is_new] = seen.emplace(std::move(site), i);
        if (!is_new) {
            throw InputError(
                below(below("", i), "at"),
                fmt::format("{} already has a choice, in entry {}", first->first, first->second));
        }
    }
}

Plan Plan::from_json(const nlohmann::json& json, std::string_view pointer) {
    if (!json.is_array()) {
        throw InputError(std::string(pointer), "a plan is a list of entries");
    }
    try {
        std::vector<PlanEntry> entries;
        for (std::size_t i = 0; i < json.size(); ++i) {
            try {
                entries.push_back(read_entry(json[i]));
            } catch (const InputError& error) {
                throw error.under(below("", i));
            }
        }
        return Plan(std::move(entries));
    } catch (const InputError& error) {
        throw error.under(pointer);
    }
}

nlohmann::json to_json(const Plan& plan) {
    Json list = Json::array();
    for (const PlanEntry& entry : plan.entries()) {
        Json json{{"at", to_string(entry.at)}, {"choose", to_json(entry.choose)}};
        if (entry.sticky) {
            json["repeat"] = "until_faults_stop";
        }
        list.push_back(std::move(json));
    }
    return list;
}

std::uint64_t digest(const Plan& plan) { return fnv1a(to_json(plan).dump()); }

}  // namespace drydock::faults
