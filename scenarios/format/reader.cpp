#include <drydock/scenarios/reader.hpp>

#include "format/parts.hpp"
#include "format/syntax.hpp"

#include <drydock/faults/text.hpp>
#include <drydock/scenarios/schema.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace drydock::scenarios {
namespace {

constexpr std::string_view format = "drydock.scenario/1";
constexpr std::size_t longest_line = 4096;

constexpr std::array<std::string_view, 10> fields{"schema",  "name",   "about",     "source",
                                                  "backend", "client", "processes", "plan",
                                                  "expect",  "found"};

/// First, so that a file of another format is told so and not that its fields are unknown.
void check_format(const Node& root) {
    if (!root.is_object()) {
        root.fail("a scenario is an object");
    }
    const Node schema = root.at("schema");
    if (schema.text(longest_line) != format) {
        schema.fail(
            fmt::format("{} is not \"{}\"", faults::in_quotes(schema.text(longest_line)), format));
    }
}

std::string read_line(const Node& root, std::string_view field) {
    const auto node = root.find(field);
    return node ? node->text(longest_line) : std::string{};
}

Scenario read(const Node& root, std::span<const std::string> known_kinds) {
    check_format(root);
    root.check_fields(fields);
    Scenario scenario;
    scenario.name = root.at("name").name();
    scenario.about = read_line(root, "about");
    scenario.source = read_line(root, "source");
    scenario.backend = read_backend(root.at("backend"), known_kinds);
    if (const auto client = root.find("client")) {
        read_client(*client, scenario);
    }
    scenario.processes = read_processes(root.at("processes"));
    if (const auto plan = root.find("plan")) {
        scenario.plan = read_plan(*plan, &scenario.processes);
    }
    if (const auto expect = root.find("expect")) {
        read_expect(*expect, scenario);
    }
    if (const auto found = root.find("found")) {
        scenario.found = read_found(*found);
    }
    check_against_schema(root.json());
    return scenario;
}

/// The list of entries in a plan's or a scenario's file.
Node plan_in(const Node& root) {
    if (root.is_array()) {
        return root;
    }
    if (!root.is_object() || !root.find("plan")) {
        root.fail("a plan is a list of entries, or an object with one in plan");
    }
    root.check_fields(fields);
    return root.at("plan");
}

}  // namespace

Scenario read_scenario(std::string_view text, std::string_view file_name,
                       std::span<const std::string> known_kinds) {
    try {
        const nlohmann::json document = parse_json(text);
        return read(Node(document), known_kinds);
    } catch (const faults::InputError& error) {
        throw error.in_file(file_name);
    }
}

faults::Plan read_plan(std::string_view text, std::string_view file_name,
                       const std::vector<ProcessScript>* processes) {
    try {
        const nlohmann::json document = parse_json(text);
        return read_plan(plan_in(Node(document)), processes);
    } catch (const faults::InputError& error) {
        throw error.in_file(file_name);
    }
}

}  // namespace drydock::scenarios
