#include <drydock/scenarios/gate.hpp>

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>
#include <drydock/scenarios/reader.hpp>

#include <stdexcept>

namespace drydock::scenarios {
namespace {

const ClientKind& library_of(const ClientRegistry& clients) {
    const ClientKind* library = clients.find(library_client);
    if (library == nullptr) throw std::invalid_argument("no client \"library\" is registered");
    return *library;
}

// All of them before the first run: a misspelt name should not cost a gate.
void check_all_names(const GateOptions& options) {
    for (const CorpusEntry& entry : options.corpus) {
        for (const std::string& kind : entry.scenario.backend.kinds) {
            if (options.backends.find(kind) == nullptr) {
                throw faults::InputError("/backend/kind",
                                         "no backend " + faults::in_quotes(kind) + " is known",
                                         entry.file);
            }
        }
        check_names(entry.scenario, entry.file, options.clients);
    }
}

class Gate {
public:
    Gate(const GateOptions& options, const SearchProgress& progress)
        : options_(options), progress_(progress), library_(library_of(options.clients)) {}

    GateReport run() {
        for (const CorpusEntry& entry : options_.corpus) {
            for (const std::string& kind : entry.scenario.backend.kinds) {
                test(entry, *options_.backends.find(kind));
            }
        }
        report_.random = search();
        return std::move(report_);
    }

private:
    void test(const CorpusEntry& entry, const sim::BackendKind& backend) {
        const Scenario& scenario = entry.scenario;
        add(test_library(scenario, backend, library_), entry);
        for (const auto& [client, expected] : scenario.expectation_on(backend.name).legacy) {
            add(test_legacy(scenario, backend, *options_.clients.find(client)), entry);
        }
    }

    void add(TestedRun run, const CorpusEntry& entry) {
        run.file = entry.file;
        report_.corpus.push_back(std::move(run));
    }

    SearchReport search() const {
        SearchOptions search{.client = library_,
                             .backends = {},
                             .runs = options_.plans,
                             .seed = options_.seed,
                             .stop_at_first = false,
                             .recheck_every = options_.recheck_every};
        for (const sim::BackendKind& kind : options_.backends.kinds()) {
            search.backends.push_back(&kind);
        }
        return explore_random(search, progress_);
    }

    const GateOptions& options_;
    const SearchProgress& progress_;
    const ClientKind& library_;
    GateReport report_;
};

}  // namespace

GateReport run_gate(const GateOptions& options, const SearchProgress& progress) {
    check_all_names(options);
    return Gate(options, progress).run();
}

}  // namespace drydock::scenarios
