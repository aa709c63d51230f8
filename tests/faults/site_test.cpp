#include <drydock/faults/site.hpp>

#include "faults/generators.hpp"
#include "faults/support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace drydock::faults {
namespace {

TEST(Names, CountInOrderOfAppearance) {
    Names names;
    EXPECT_EQ(names.process("runner"), 0);
    EXPECT_EQ(names.process("other"), 1);
    EXPECT_EQ(names.process("runner"), 0);
    EXPECT_EQ(names.lease(""), 0U);
    EXPECT_EQ(names.lease("scan-1"), 1U);
    EXPECT_EQ(names.lease("scan-2"), 2U);
    EXPECT_EQ(names.find_process("other"), 1);
    EXPECT_EQ(names.find_process("nobody"), std::nullopt);
    EXPECT_EQ(names.find_lease(""), 0U);
    EXPECT_EQ(names.find_lease("scan-2"), 2U);
    EXPECT_EQ(names.find_lease("scan-3"), std::nullopt);
    EXPECT_EQ(names.process_name(1), "other");
    EXPECT_EQ(names.lease_key(0), "");
    EXPECT_EQ(names.lease_key(2), "scan-2");
}

TEST(Names, RefuseTheProcessThatWouldNotFit) {
    Names names;
    for (std::size_t i = 0; i < Names::max_processes; ++i) {
        EXPECT_EQ(names.process("p" + std::to_string(i)), i);
    }
    EXPECT_THROW(names.process("one-more"), std::length_error);
    EXPECT_EQ(names.process("p7"), 7);
}

TEST(Site, KeyKeepsSeriesTogetherAndOrdered) {
    const Site first{3, 7, Operation::container_start, 1, Aspect::fate};
    Site second = first;
    second.n = 2;
    EXPECT_EQ(first.series(), second.series());
    EXPECT_EQ(first.key() + 1, second.key());
    Site widest{255, Site::max_lease, Operation::guard_step, Site::max_n, Aspect::step};
    EXPECT_EQ(widest.key() >> Site::n_bits, widest.series());
    widest.n = 0xffffffffU;
    EXPECT_EQ(widest.key() & Site::max_n, Site::max_n);
}

RC_GTEST_PROP(Site, DifferentSitesHaveDifferentKeys, ()) {
    Names names;
    const SiteName a = *any_site_name();
    const SiteName b = *any_site_name();
    RC_ASSERT((intern(a, names).key() == intern(b, names).key()) == (a == b));
}

TEST(SiteName, ReadsAndWrites) {
    const SiteName site = SiteName::parse("runner[scan-1]/container_start#12/fate");
    EXPECT_EQ(site, (SiteName{"runner", "scan-1", Operation::container_start, 12, Aspect::fate}));
    EXPECT_EQ(to_string(site), "runner[scan-1]/container_start#12/fate");
    EXPECT_EQ(SiteName::parse("a[-]/close#1/cancel").lease, "");
    EXPECT_EQ(to_string(SiteName{"a", "", Operation::close, 1, Aspect::cancel}),
              "a[-]/close#1/cancel");
}

TEST(SiteName, EncodesLeaseKeys) {
    EXPECT_EQ(encode_lease("a/b c"), "a%2Fb%20c");
    EXPECT_EQ(encode_lease("-"), "%2D");
    EXPECT_EQ(encode_lease("A_z.~:-9"), "A_z.~:-9");
    EXPECT_EQ(SiteName::parse("a[%2D]/join#1/delay").lease, "-");
    EXPECT_EQ(SiteName::parse("a[%c3%A9]/join#1/delay").lease, "\xc3\xa9");
}

RC_GTEST_PROP(SiteName, RoundTrips, ()) {
    const SiteName site = *any_site_name();
    RC_ASSERT(SiteName::parse(to_string(site)) == site);
    Names names;
    RC_ASSERT(to_string(intern(site, names), names) == to_string(site));
}

struct Bad {
    const char* text;
    const char* message;
};

class BadSite : public testing::TestWithParam<Bad> {};

TEST_P(BadSite, SaysWhatAndWhere) {
    EXPECT_EQ(error_of([] { static_cast<void>(SiteName::parse(GetParam().text)); }),
              std::string("|site \"") + GetParam().text + "\", character " + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadSite,
    testing::Values(
        Bad{"", "1: no '[' after the process; a site reads process[lease]/operation#n/aspect"},
        Bad{"Runner[-]/join#1/fate", "1: \"Runner\" is not a process name ([a-z0-9][a-z0-9_.-]*)"},
        Bad{"a[x/join#1/fate",
            "3: no ']' after the lease; a site reads "
            "process[lease]/operation#n/aspect"},
        Bad{"a[]/join#1/fate", "3: no lease key; write [-] where there is none"},
        Bad{"a[x y]/join#1/fate", "4: this character is written %20 in a site"},
        Bad{"a[x%2]/join#1/fate", "4: '%' needs two hexadecimal digits"},
        Bad{"a[%+1]/join#1/fate", "3: '%' needs two hexadecimal digits"},
        Bad{"a[x]join#1/fate",
            "5: no '/' before the operation; a site reads "
            "process[lease]/operation#n/aspect"},
        Bad{"a[x]/container_strat#1/fate",
            "6: unknown operation \"container_strat\"; did you mean \"container_start\"?"},
        Bad{"a[x]/join/fate",
            "6: no '#' after the operation; a site reads "
            "process[lease]/operation#n/aspect"},
        Bad{"a[x]/join#0/fate", "11: \"0\" is not a call number (1 to 4194303, counted from 1)"},
        Bad{"a[x]/join#01/fate", "11: \"01\" is not a call number (1 to 4194303, counted from 1)"},
        Bad{"a[x]/join#4194304/fate",
            "11: \"4194304\" is not a call number (1 to 4194303, counted from 1)"},
        Bad{"a[x]/join#-1/fate", "11: \"-1\" is not a call number (1 to 4194303, counted from 1)"},
        Bad{"a[x]/join#1/fat",
            "13: unknown aspect \"fat\" (fate, delay, cancel, crash, "
            "engine, stream or step); did you mean \"fate\"?"}));

}  // namespace
}  // namespace drydock::faults
