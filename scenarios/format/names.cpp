#include <drydock/scenarios/reader.hpp>

#include <drydock/faults/text.hpp>
#include <drydock/scenarios/invariant.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace drydock::scenarios {
namespace {

using Words = std::vector<std::string_view>;

template <class Things>
Words names_in(const Things& things) {
    Words names;
    for (const auto& thing : things)
        names.push_back(thing.name);
    return names;
}

void check_word(std::string_view word, const Words& known, std::string_view what,
                const std::string& pointer) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    throw faults::InputError(
        pointer, fmt::format("unknown {} {}{} (known: {})", what, faults::in_quotes(word),
                             faults::did_you_mean(word, known), fmt::join(known, ", ")));
}

class Names {
public:
    explicit Names(const ClientRegistry& clients)
        : clients_(names_in(clients.kinds())), invariants_(names_in(all_invariants())) {}

    void check(const Expectation& expect, const std::string& pointer) const {
        for (const auto& [client, broken] : expect.legacy) {
            const std::string place = faults::below(pointer + "/legacy", client);
            check_word(client, clients_, "client", place);
            for (std::size_t i = 0; i < broken.size(); ++i) {
                check_word(broken[i], invariants_, "invariant", faults::below(place, i));
            }
        }
    }

    void check(const Found& found) const {
        check_word(found.client, clients_, "client", "/found/client");
        check_word(found.invariant, invariants_, "invariant", "/found/invariant");
    }

private:
    Words clients_;
    Words invariants_;
};

void check(const Scenario& scenario, const Names& names) {
    names.check(scenario.expect, "/expect");
    for (const auto& [kind, expect] : scenario.expect_by_kind) {
        names.check(expect, faults::below("/expect/by_kind", kind));
    }
    if (scenario.found) names.check(*scenario.found);
}

}  // namespace

void check_names(const Scenario& scenario, std::string_view file_name,
                 const ClientRegistry& clients) {
    try {
        check(scenario, Names(clients));
    } catch (const faults::InputError& error) {
        throw error.in_file(file_name);
    }
}

}  // namespace drydock::scenarios
