#include <drydock/reports/listing.hpp>

#include <drydock/faults/choice.hpp>
#include <drydock/operation.hpp>
#include <drydock/scenarios/invariant.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace drydock::reports {
namespace {

struct Row {
    std::string name;
    std::string about;
};

struct Section {
    std::string_view title;
    std::vector<Row> rows;
};

Section scenarios_of(const Catalogue& catalogue) {
    Section section{"scenarios", {}};
    for (const auto& entry : catalogue.corpus) {
        section.rows.push_back({entry.scenario.name, entry.scenario.about});
    }
    return section;
}

Section clients_of(const Catalogue& catalogue) {
    Section section{"clients", {}};
    for (const auto& kind : catalogue.clients->kinds()) {
        section.rows.push_back({kind.name, kind.about});
    }
    return section;
}

Section backends_of(const Catalogue& catalogue) {
    Section section{"backends", {}};
    for (const auto& kind : catalogue.backends->kinds()) {
        section.rows.push_back({kind.name, kind.about});
    }
    return section;
}

Section invariants() {
    Section section{"invariants", {}};
    for (const scenarios::Invariant& invariant : scenarios::all_invariants()) {
        section.rows.push_back({std::string(invariant.name), std::string(invariant.about)});
    }
    return section;
}

Section choices() {
    Section section{"choices", {}};
    for (std::size_t kind = 0; kind < faults::kind_count; ++kind) {
        section.rows.push_back({std::string(faults::kind_name(kind)), ""});
    }
    return section;
}

std::string_view place_of(Operation operation) {
    if (operation == Operation::guard_step) return "inside a sandbox";
    return is_exchange(operation) ? "exchange with a backend" : "local";
}

Section operations() {
    Section section{"operations", {}};
    for (std::size_t i = 0; i < operation_count; ++i) {
        const auto operation = static_cast<Operation>(i);
        section.rows.push_back(
            {std::string(drydock::name(operation)), std::string(place_of(operation))});
    }
    return section;
}

std::vector<Section> sections(const Catalogue& catalogue) {
    return {scenarios_of(catalogue),
            clients_of(catalogue),
            backends_of(catalogue),
            invariants(),
            choices(),
            operations(),
            {"strategies", {{"random", "plans drawn from a seed"}}}};
}

}  // namespace

std::string listing(const Catalogue& catalogue) {
    std::string text;
    for (const Section& section : sections(catalogue)) {
        std::size_t width = 0;
        for (const Row& row : section.rows)
            width = std::max(width, row.name.size());
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", section.title);
        for (const Row& row : section.rows) {
            text += row.about.empty() ? fmt::format("    {}\n", row.name)
                                      : fmt::format("    {:<{}}  {}\n", row.name, width, row.about);
        }
        if (section.rows.empty()) text += "    none\n";
    }
    return text;
}

std::string listing_json(const Catalogue& catalogue) {
    nlohmann::ordered_json json{{"schema", "drydock.list/1"}};
    for (const Section& section : sections(catalogue)) {
        auto& list = json[std::string(section.title)] = nlohmann::ordered_json::array();
        for (const Row& row : section.rows) {
            list.push_back({{"name", row.name}, {"about", row.about}});
        }
    }
    return json.dump(2) + "\n";
}

}  // namespace drydock::reports
