#include "manager/naming.hpp"

#include "support/manager_bed.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace drydock::detail {
namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Docker's rule: [a-zA-Z0-9][a-zA-Z0-9_.-]+
bool is_legal(const std::string& name) {
    return name.size() >= 2 && is_letter_or_digit(name[0]) &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-';
           });
}

const std::vector<std::string>& odd_keys() {
    static const std::vector<std::string> keys{"scan-1",
                                               "scan/1",
                                               "scan_1",
                                               "scan 1",
                                               "scan%2F1",
                                               "Scan-1",
                                               "../../etc",
                                               "a\"b\\c",
                                               "a\nb",
                                               "\xc3\xbc\xe2\x82\xac",
                                               "-",
                                               ".",
                                               "a&b=c?d#e",
                                               std::string(300, 'x'),
                                               std::string(300, 'x') + "y",
                                               "{\"x\":[1]}"};
    return keys;
}

TEST(ManagerNaming, NamesOfOddKeysAreLegalShortAndDistinct) {
    std::set<std::string> names;
    for (const std::string& key : odd_keys()) {
        const std::string name = sandbox_name("runner", key, 1);
        EXPECT_TRUE(is_legal(name)) << name;
        EXPECT_LE(name.size(), 80U);
        names.insert(name);
    }
    EXPECT_EQ(names.size(), odd_keys().size());
}

TEST(ManagerNaming, OwnerKeyAndAttemptAllTell) {
    EXPECT_NE(sandbox_name("a", "k", 1), sandbox_name("a", "k", 2));
    EXPECT_NE(sandbox_name("a", "k", 1), sandbox_name("b", "k", 1));
    EXPECT_NE(sandbox_name("a-b", "c", 1), sandbox_name("a", "b-c", 1));
    EXPECT_NE(sandbox_name("ab", "c", 1), sandbox_name("a", "bc", 1));
    EXPECT_NE(sandbox_name("a", "k-1", 1), sandbox_name("a", "k", 11));
}

TEST(ManagerNaming, AnyKeyWorksEndToEnd) {
    for (const char* backend : {"docker", "daytona"}) {
        for (const std::string& key : odd_keys()) {
            test::ManagerBed bed({.backend = backend});
            Result<Lease> lease = bed.acquire(key);
            ASSERT_TRUE(lease) << key << ": " << lease.error().describe();
            EXPECT_EQ(lease->sandbox().label(label::lease), key);
            EXPECT_EQ(bed.sandboxes()[0].lease, key);
            EXPECT_TRUE(bed.run(lease->release()));
            EXPECT_EQ(bed.living(), 0U);
        }
    }
}

TEST(ManagerNaming, AnyKeyIsFoundByNameAfterACrash) {
    for (const std::string& key : odd_keys()) {
        test::ManagerBed bed;
        const auto call = bed.begin_acquire(key);
        ASSERT_TRUE(bed.run_until([&] { return bed.sandboxes().size() == 1; })) << key;
        bed.crash();
        bed.restart();
        ASSERT_TRUE(bed.run(bed.manager().recover())) << key;
        EXPECT_EQ(bed.living(), 0U) << key;
    }
}

TEST(ManagerNaming, OnlyAllThreeLabelsMakeASandboxTheRows) {
    LedgerRecord row;
    row.owner = "a";
    row.key = "k";
    row.attempt = 2;
    SandboxInfo sandbox;
    sandbox.labels = labels_of(row);
    EXPECT_TRUE(is_of_row(sandbox, row));
    for (std::size_t i = 0; i < 3; ++i) {
        SandboxInfo other = sandbox;
        other.labels[i].second = "x";
        EXPECT_FALSE(is_of_row(other, row)) << i;
        other.labels.erase(other.labels.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(is_of_row(other, row)) << i;
    }
}

RC_GTEST_PROP(ManagerNaming, AnyKeyMakesALegalName,
              (const std::string& owner, const std::string& key, std::uint32_t attempt)) {
    RC_ASSERT(is_legal(sandbox_name(owner, key, attempt)));
}

RC_GTEST_PROP(ManagerNaming, DifferentKeysHaveDifferentNames,
              (const std::string& one, const std::string& other)) {
    RC_PRE(one != other);
    RC_ASSERT(sandbox_name("o", one, 1) != sandbox_name("o", other, 1));
}

}  // namespace
}  // namespace drydock::detail
