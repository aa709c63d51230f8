#include "gate/clean.hpp"
#include "gate/wrong.hpp"

#include <drydock/reports/gate.hpp>
#include <drydock/scenarios/client.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include <sstream>

namespace drydock::reports {
namespace {

using faults::Verdict;

void set(pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name).set_value(clean(value).c_str());
}

/// One testsuite under construction; counts its cases.
class Suite {
public:
    Suite(pugi::xml_node parent, const std::string& name)
        : name_(name), node_(parent.append_child("testsuite")) {
        set(node_, "name", name);
        for (const char* count : {"tests", "failures", "errors", "skipped"})
            node_.append_attribute(count).set_value(0);
    }

    pugi::xml_node add_case(const std::string& name) {
        count("tests");
        pugi::xml_node added = node_.append_child("testcase");
        set(added, "classname", "drydock." + name_);
        set(added, "name", name);
        return added;
    }

    /// `kind` is "failure" (something broke) or "error" (the run shows nothing).
    void fail(pugi::xml_node of, const char* kind, Verdict verdict, const std::string& message,
              const std::string& text) {
        count(std::string(kind) == "error" ? "errors" : "failures");
        pugi::xml_node failure = of.append_child(kind);
        set(failure, "type", std::string(faults::name(verdict)));
        set(failure, "message", message);
        failure.text().set(clean(text).c_str());
    }

    void skip(pugi::xml_node of, const std::string& why) {
        count("skipped");
        set(of.append_child("skipped"), "message", why);
    }

    void add(const GateCase& each) {
        const pugi::xml_node added = add_case(title_of(each.run));
        const Verdict verdict = each.run.report.outcome.verdict;
        if (verdict == Verdict::pass) return;
        const std::vector<std::string> wrong = wrong_with(each.run);
        const std::string message =
            wrong.empty() ? std::string(faults::name(verdict)) : wrong.front();
        fail(added, verdict == Verdict::void_ ? "error" : "failure", verdict, message,
             fmt::format("{}\n\n{}\n\nreplay: {}\n", fmt::join(wrong, "\n"),
                         fmt::join(each.story, "\n"), replay_command(each.run)));
    }

    int value(const char* count) const { return node_.attribute(count).as_int(); }

private:
    void count(const char* what) { node_.attribute(what).set_value(value(what) + 1); }

    std::string name_;
    pugi::xml_node node_;
};

void add_search(pugi::xml_node root, const GateAccount& account) {
    Suite suite(root, "random");
    const pugi::xml_node search = suite.add_case("the search itself");
    const Coverage& coverage = account.coverage;
    const std::string figures =
        fmt::format("{} plans, seed {}: {} void, {} choices inert", account.plans, account.seed,
                    coverage.void_runs, coverage.inert_choices);
    if (account.plans == 0) {
        suite.skip(search, "no plans were asked for");
    } else if (coverage.void_runs == account.plans) {
        suite.fail(search, "error", Verdict::void_, "every plan was void", figures);
    }
    pugi::xml_node out = search;
    out.append_child("system-out").text().set(clean(figures).c_str());
    for (const GateCase& find : account.finds) {
        const bool is_nondeterministic =
            find.run.report.outcome.verdict == Verdict::nondeterministic;
        if (!is_nondeterministic) suite.add(find);
    }
}

void add_determinism(pugi::xml_node root, const GateAccount& account) {
    Suite suite(root, "determinism");
    const pugi::xml_node twice = suite.add_case("runs made twice are the same");
    if (account.coverage.rechecked == 0) suite.skip(twice, "no run was made twice");
    for (const GateCase& find : account.finds) {
        if (find.run.report.outcome.verdict == Verdict::nondeterministic) suite.add(find);
    }
}

// JUnit's readers differ in whether they add the suites up themselves.
void add_sums(pugi::xml_node root) {
    for (const char* count : {"tests", "failures", "errors", "skipped"}) {
        int sum = 0;
        for (const pugi::xml_node suite : root.children("testsuite"))
            sum += suite.attribute(count).as_int();
        root.append_attribute(count).set_value(sum);
    }
}

}  // namespace

std::string junit_xml(const GateAccount& account) {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    set(declaration, "version", "1.0");
    set(declaration, "encoding", "UTF-8");
    pugi::xml_node root = document.append_child("testsuites");
    set(root, "name", "drydock gate");
    set(root, "time", fmt::format("{:.3f}", account.seconds));
    {
        Suite corpus(root, "corpus");
        for (const GateCase& each : account.corpus) {
            if (each.run.client == scenarios::library_client) corpus.add(each);
        }
        Suite legacy(root, "legacy");
        for (const GateCase& each : account.corpus) {
            if (each.run.client != scenarios::library_client) legacy.add(each);
        }
    }
    add_search(root, account);
    add_determinism(root, account);
    add_sums(root);
    std::ostringstream text;
    document.save(text, "  ");
    return text.str();
}

}  // namespace drydock::reports
