#include <drydock/scenarios/schema.hpp>

#include "embedded/scenario_schema.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <memory>
#include <string>

namespace drydock::scenarios {
namespace {

using valijson::adapters::NlohmannJsonAdapter;

const valijson::Schema& parsed_schema() {
    static const auto schema = [] {
        const auto json = nlohmann::json::parse(scenario_schema());
        auto parsed = std::make_unique<valijson::Schema>();
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(NlohmannJsonAdapter(json), *parsed);
        return parsed;
    }();
    return *schema;
}

/// valijson's context ("<root>", "[plan]", "[2]") as a JSON pointer.
std::string pointer_of(const valijson::ValidationResults::Error& error) {
    std::string pointer;
    for (const std::string& part : error.context) {
        if (part.size() > 1 && part.front() == '[') {
            pointer = faults::below(pointer, std::string_view(part).substr(1, part.size() - 2));
        }
    }
    return pointer;
}

}  // namespace

std::string_view scenario_schema() { return embedded::scenario_schema; }

void check_against_schema(const nlohmann::json& document) {
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(parsed_schema(), NlohmannJsonAdapter(document), &results)) {
        return;
    }
    // The last error is the outermost; the first, the deepest, says most.
    valijson::ValidationResults::Error first;
    results.popError(first);
    throw faults::InputError(pointer_of(first), first.description);
}

}  // namespace drydock::scenarios
