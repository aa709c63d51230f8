#include "gate/markdown_text.hpp"
#include "gate/wrong.hpp"

#include <drydock/reports/gate.hpp>
#include <drydock/scenarios/client.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace drydock::reports {
namespace {

using faults::Verdict;

bool is_library(const GateCase& each) { return each.run.client == scenarios::library_client; }

bool is_well(const GateCase& each) { return each.run.report.outcome.verdict == Verdict::pass; }

/// All runs of one scenario file.
using Capsule = std::vector<const GateCase*>;

std::vector<Capsule> capsules_of(const GateAccount& account) {
    std::vector<Capsule> capsules;
    for (const GateCase& each : account.corpus) {
        const bool is_same =
            !capsules.empty() && capsules.back().front()->run.file == each.run.file;
        if (!is_same) capsules.emplace_back();
        capsules.back().push_back(&each);
    }
    return capsules;
}

std::string backends_of(const Capsule& capsule) {
    std::vector<std::string> names;
    for (const GateCase* each : capsule) {
        if (is_library(*each)) names.push_back(each->run.backend);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Equal words of several backends are said once.
class ByBackend {
public:
    void add(const std::string& backend, std::string word) {
        const auto known = std::find_if(words_.begin(), words_.end(),
                                        [&](const auto& each) { return each.first == word; });
        if (known == words_.end()) {
            words_.emplace_back(std::move(word), std::vector{backend});
        } else {
            known->second.push_back(backend);
        }
    }

    std::string told() const {
        if (words_.size() == 1) return words_.front().first;
        std::vector<std::string> parts;
        for (const auto& [word, backends] : words_)
            parts.push_back(fmt::format("{} ({})", word, fmt::join(backends, ", ")));
        return fmt::format("{}", fmt::join(parts, "; "));
    }

private:
    std::vector<std::pair<std::string, std::vector<std::string>>> words_;
};

std::string library_cell(const Capsule& capsule) {
    ByBackend verdicts;
    for (const GateCase* each : capsule) {
        if (!is_library(*each)) continue;
        const std::string verdict(faults::name(each->run.report.outcome.verdict));
        verdicts.add(each->run.backend, is_well(*each) ? verdict : "**" + verdict + "**");
    }
    return verdicts.told();
}

std::string broke(const GateCase& each) {
    std::vector<std::string> names;
    for (const faults::Violation& violation : each.run.report.outcome.violations) {
        const bool is_new =
            std::find(names.begin(), names.end(), violation.invariant) == names.end();
        if (is_new) names.push_back(violation.invariant);
    }
    const std::string text = names.empty() ? "nothing" : codes(names);
    return is_well(each) ? text : "**" + text + ", which is not as expected**";
}

std::string legacy_cell(const Capsule& capsule) {
    std::vector<std::string> parts;
    std::vector<std::string> done;
    for (const GateCase* each : capsule) {
        const std::string& client = each->run.client;
        const bool is_done = std::find(done.begin(), done.end(), client) != done.end();
        if (is_library(*each) || is_done) continue;
        done.push_back(client);
        ByBackend broken;
        for (const GateCase* other : capsule) {
            if (other->run.client == client) broken.add(other->run.backend, broke(*other));
        }
        parts.push_back(fmt::format("{} broke {}", code(client), broken.told()));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string verdict_line(const GateAccount& account) {
    const auto not_well =
        static_cast<std::size_t>(std::count_if(account.corpus.begin(), account.corpus.end(),
                                               [](const auto& each) { return !is_well(each); }));
    const std::string corpus =
        not_well == 0
            ? fmt::format("all {} runs of the corpus went as expected", account.corpus.size())
            : fmt::format("{} of {} runs of the corpus did not go as expected", not_well,
                          account.corpus.size());
    const std::string found = account.finds.empty()
                                  ? "found nothing"
                                  : fmt::format("made {} finds", account.finds.size());
    return fmt::format("**{}**: {}, and {} random plans {} ({:.1f} s).\n",
                       faults::name(account.verdict), corpus, account.plans, found,
                       account.seconds);
}

void add_failure(std::string& text, const GateCase& each) {
    const scenarios::TestedRun& run = each.run;
    fmt::format_to(std::back_inserter(text), "\n#### {}: {} on {}, client {}\n\n",
                   faults::name(run.report.outcome.verdict), code(run.scenario), plain(run.backend),
                   code(run.client));
    for (const std::string& line : wrong_with(run))
        text += "- " + plain(line) + "\n";
    if (!each.story.empty()) {
        text += "\nWhat decided it, in virtual time:\n\n";
        text += block(each.story, "text");
    }
    text += "\nThe whole story:\n\n" + block({replay_command(run)}, "sh");
}

void add_failures(std::string& text, const GateAccount& account) {
    std::string failures;
    for (const auto* cases : {&account.corpus, &account.finds}) {
        for (const GateCase& each : *cases) {
            if (!is_well(each)) add_failure(failures, each);
        }
    }
    if (!failures.empty()) text += "\n### Not as it should be\n" + failures;
}

void add_capsules(std::string& text, const GateAccount& account) {
    text +=
        "\n### Capsules\n\nEach is a reproduced incident. The library must come through it; a "
        "legacy client has the historic mistake and must break just the rules that it is kept "
        "for.\n\n";
    text += table_row({"capsule", "source", "faults", "backends", "library", "legacy client"});
    text += "| --- | --- | --- | --- | --- | --- |\n";
    for (const Capsule& capsule : capsules_of(account)) {
        const GateCase& first = *capsule.front();
        text +=
            table_row({code(first.run.scenario), plain(first.source),
                       first.faults.empty() ? "none" : codes(first.faults),
                       plain(backends_of(capsule)), library_cell(capsule), legacy_cell(capsule)});
    }
}

void add_search(std::string& text, const GateAccount& account) {
    const Coverage& coverage = account.coverage;
    text += "\n### Random search\n\n";
    text += table_row({"plans", "seed", "finds", "void", "choices inert", "made twice"});
    text += "| --- | --- | --- | --- | --- | --- |\n";
    text += table_row({std::to_string(account.plans), std::to_string(account.seed),
                       std::to_string(account.finds.size()), std::to_string(coverage.void_runs),
                       std::to_string(coverage.inert_choices), std::to_string(coverage.rechecked)});
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : coverage.choices_by_kind)
        kinds.push_back(fmt::format("{} {}", code(kind), count));
    if (kinds.empty()) return;
    fmt::format_to(std::back_inserter(text), "\nChosen: {}.\n", fmt::join(kinds, ", "));
}

// A choice that a legacy client never comes to is no fault of the capsule's.
void add_without_effect(std::string& text, const GateAccount& account) {
    std::string lines;
    for (const GateCase& each : account.corpus) {
        const faults::Outcome& outcome = each.run.report.outcome;
        std::vector<std::string> sites = outcome.inert;
        for (const std::string& site : outcome.unknown_sites) {
            if (std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
        }
        if (sites.empty()) continue;
        fmt::format_to(std::back_inserter(lines), "- {} on {}, {}{}: {}\n", code(each.run.scenario),
                       plain(each.run.backend), code(each.run.client),
                       outcome.is_void ? ", **void**" : "", codes(sites));
    }
    text += "\n### Choices without effect in the corpus\n\n";
    text += lines.empty() ? "None: every choice of every capsule changed its run.\n" : lines;
}

}  // namespace

std::string markdown(const GateAccount& account) {
    std::string text = "## drydock gate\n\n" + verdict_line(account);
    add_failures(text, account);
    add_capsules(text, account);
    add_search(text, account);
    add_without_effect(text, account);
    return text;
}

}  // namespace drydock::reports
