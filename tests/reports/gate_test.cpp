#include "gate/clean.hpp"
#include "gate/markdown_text.hpp"

#include <drydock/reports/gate.hpp>

#include <gmock/gmock.h>
#include <pugixml.hpp>

namespace drydock::reports {
namespace {

using faults::Verdict;
using testing::HasSubstr;
using testing::Not;

GateCase case_with(const std::string& scenario, const std::string& client, Verdict verdict) {
    GateCase each{.run = {scenario, "docker", client, {}, {}, "incidents/a.json"},
                  .source = "some/where#1",
                  .faults = {"reply_lost"}};
    each.run.report.outcome.verdict = verdict;
    return each;
}

GateCase broken_case(const std::string& scenario) {
    GateCase each = case_with(scenario, "library", Verdict::violation);
    each.run.report.outcome.violations = {{"no_leak", "sandbox <1>", "a & b"}};
    each.run.report.outcome.inert = {"p[k]/container_start#1/fate"};
    each.story = {"   4.      0.001s  the reply is LOST"};
    return each;
}

/// One of everything.
GateAccount account() {
    GateAccount account{.verdict = Verdict::nondeterministic, .plans = 40, .seed = 7};
    account.corpus = {case_with("good", "library", Verdict::pass), broken_case("bad"),
                      case_with("empty", "library", Verdict::void_),
                      case_with("good", "old", Verdict::pass)};
    account.corpus[3].run.report.outcome.violations = {{"no_leak", "s", ""}, {"no_leak", "t", ""}};
    account.finds = {broken_case("drawn"),
                     case_with("twice", "library", Verdict::nondeterministic)};
    account.coverage.rechecked = 2;
    return account;
}

pugi::xml_document parsed(const std::string& xml) {
    pugi::xml_document document;
    const pugi::xml_parse_result result = document.load_string(xml.c_str());
    EXPECT_TRUE(result) << result.description() << "\n" << xml;
    return document;
}

int count(const pugi::xml_node& node, const char* path) {
    return static_cast<int>(node.select_nodes(path).size());
}

TEST(Junit, CountsAgreeWithWhatIsThere) {
    const pugi::xml_document document = parsed(junit_xml(account()));
    const pugi::xml_node root = document.child("testsuites");
    EXPECT_EQ(root.attribute("tests").as_int(), 8);
    EXPECT_EQ(root.attribute("failures").as_int(), 3);
    EXPECT_EQ(root.attribute("errors").as_int(), 1);
    EXPECT_EQ(count(root, "testsuite"), 4);
    for (const pugi::xml_node suite : root.children("testsuite")) {
        const std::string name = suite.attribute("name").value();
        EXPECT_EQ(suite.attribute("tests").as_int(), count(suite, "testcase")) << name;
        EXPECT_EQ(suite.attribute("failures").as_int(), count(suite, "testcase/failure")) << name;
        EXPECT_EQ(suite.attribute("errors").as_int(), count(suite, "testcase/error")) << name;
        EXPECT_EQ(suite.attribute("skipped").as_int(), count(suite, "testcase/skipped")) << name;
    }
    EXPECT_EQ(count(root, "testsuite[@name='corpus']/testcase"), 3);
    EXPECT_EQ(count(root, "testsuite[@name='legacy']/testcase"), 1);
    EXPECT_EQ(count(root, "testsuite[@name='determinism']/testcase/failure"), 1);
}

TEST(Junit, AFailureSaysWhatBrokeWhyAndHowToReplayIt) {
    const pugi::xml_document document = parsed(junit_xml(account()));
    const pugi::xml_node failed =
        document.select_node("//testcase[@name='bad on docker, library']/failure").node();
    EXPECT_STREQ(failed.attribute("type").value(), "violation");
    EXPECT_STREQ(failed.attribute("message").value(), "no_leak: sandbox <1>: a & b");
    EXPECT_STREQ(failed.text().get(),
                 "no_leak: sandbox <1>: a & b\n\n   4.      0.001s  the reply is LOST\n\n"
                 "replay: ./drydock replay --client library --backend docker incidents/a.json\n");
    const pugi::xml_node empty =
        document.select_node("//testcase[@name='empty on docker, library']/error").node();
    EXPECT_STREQ(empty.attribute("type").value(), "void");
}

TEST(Junit, AnyNameIsWellFormed) {
    const std::string name = "<a> & \"b\" ]]> \x01\x1b[0m\x7f\xff \xef\xbf\xbf 'ü'\nline";
    GateAccount account{.plans = 1};
    account.corpus = {broken_case(name)};
    account.corpus[0].story = {name};
    const std::string xml = junit_xml(account);
    EXPECT_EQ(xml.find_first_of("\x01\x1b\x7f"), std::string::npos);
    EXPECT_THAT(xml, Not(HasSubstr("&#1;")));
    EXPECT_THAT(xml, Not(HasSubstr("&#01;")));
    EXPECT_THAT(xml, HasSubstr("\"b\" ]]&gt; "));  // XML allows it bare in attributes only
    const pugi::xml_document document = parsed(xml);
    const std::string bad = "\xef\xbf\xbd";
    const std::string shown =
        "<a> & \"b\" ]]> " + bad + bad + "[0m" + bad + bad + " " + bad + " 'ü'\nline";
    const pugi::xml_node failed = document.select_node("//testcase[failure]").node();
    EXPECT_EQ(failed.attribute("name").value(), shown + " on docker, library");
    EXPECT_THAT(failed.child("failure").text().get(), HasSubstr(shown));
}

TEST(Junit, ASearchThatShowsNothingIsNoPass) {
    GateAccount account{.verdict = Verdict::void_, .plans = 3};
    account.coverage.void_runs = 3;
    EXPECT_THAT(junit_xml(account), HasSubstr("message=\"every plan was void\""));
    account.plans = 0;
    account.coverage.void_runs = 0;
    const pugi::xml_document document = parsed(junit_xml(account));
    EXPECT_EQ(document.child("testsuites").attribute("skipped").as_int(), 2);
}

TEST(Markdown, LeadsWithTheVerdictAndWhatFailed) {
    const std::string text = markdown(account());
    EXPECT_THAT(text, testing::StartsWith(
                          "## drydock gate\n\n**nondeterministic**: 2 of 4 runs of the corpus did "
                          "not go as expected, and 40 random plans made 2 finds (0.0 s).\n\n"
                          "### Not as it should be\n\n#### violation: `bad` on docker, client "
                          "`library`\n\n- no\\_leak: sandbox \\<1\\>: a \\& b\n"));
    EXPECT_THAT(text, HasSubstr("```text\n   4.      0.001s  the reply is LOST\n```\n"));
    EXPECT_THAT(text, HasSubstr("```sh\n./drydock replay --client library --backend docker "
                                "incidents/a.json\n```\n"));
    EXPECT_THAT(text, HasSubstr("- `bad` on docker, `library`: `p[k]/container_start#1/fate`\n"));
    EXPECT_THAT(text, HasSubstr("| 40 | 7 | 2 | 0 | 0 | 2 |\n"));
}

TEST(Markdown, OneRowPerCapsule) {
    GateAccount account;
    account.corpus = {case_with("c", "library", Verdict::pass),
                      case_with("c", "library", Verdict::void_),
                      case_with("c", "old", Verdict::pass)};
    account.corpus[1].run.backend = "daytona";
    account.corpus[2].run.report.outcome.violations = {{"no_leak", "s", ""}, {"no_leak", "t", ""}};
    EXPECT_THAT(
        markdown(account),
        HasSubstr("| `c` | some/where\\#1 | `reply_lost` | docker, daytona | pass (docker); "
                  "**void** (daytona) | `old` broke `no_leak` |\n"));
    account.corpus[2].run.report.outcome.verdict = Verdict::expectation;
    EXPECT_THAT(markdown(account),
                HasSubstr("`old` broke **`no_leak`, which is not as expected** |\n"));
}

TEST(MarkdownText, ShowsAnythingAsItIs) {
    EXPECT_EQ(plain("a_b <i> `c`\nd"), "a\\_b \\<i\\> \\`c\\` d");
    EXPECT_EQ(code("a|b"), "`a|b`");
    EXPECT_EQ(code("a`b``c"), "```a`b``c```");
    EXPECT_EQ(code("`a"), "`` `a ``");
    EXPECT_EQ(table_row({code("a|b"), "c"}), "| `a\\|b` | c |\n");
    EXPECT_EQ(block({"a", "```", "b"}, "text"), "````text\na\n```\nb\n````\n");
}

TEST(Gate, AReplayCommandSurvivesAShell) {
    scenarios::TestedRun run{"s", "docker", "library", {}, {}, "a b/it's.json"};
    EXPECT_EQ(replay_command(run),
              "./drydock replay --client library --backend docker 'a b/it'\\''s.json'");
}

}  // namespace
}  // namespace drydock::reports
