#include "docker_support.hpp"

#include <drydock/memory_ledger.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace drydock::test {
namespace {

LedgerRecord row(std::string owner, std::string key, std::uint32_t attempt,
                 LedgerRecord::State state = LedgerRecord::State::intent) {
    LedgerRecord record;
    record.owner = std::move(owner);
    record.key = std::move(key);
    record.attempt = attempt;
    record.state = state;
    return record;
}

std::unique_ptr<MemoryLedger> open(MemoryLedgerStore& store, const std::string& owner) {
    Result<std::unique_ptr<MemoryLedger>> opened = MemoryLedger::open(store, owner);
    return opened ? std::move(*opened) : nullptr;
}

TEST(MemoryLedger, RowsSurviveTheLedgerThatWroteThem) {
    MemoryLedgerStore store;
    {
        const auto ledger = open(store, "a");
        ASSERT_TRUE(ledger);
        EXPECT_EQ(ledger->owner(), "a");
        LedgerRecord record = row("a", "k", 3, LedgerRecord::State::created);
        record.id = "id";
        record.name = "name";
        record.acquisition = 2;
        record.may_land_until = WallTime(std::chrono::seconds(5));
        ASSERT_TRUE(run(ledger->put(record)));
    }
    const auto again = open(store, "a");
    ASSERT_TRUE(again);
    const auto rows = again->records();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].key, "k");
    EXPECT_EQ(rows[0].attempt, 3U);
    EXPECT_EQ(rows[0].acquisition, 2U);
    EXPECT_EQ(rows[0].state, LedgerRecord::State::created);
    EXPECT_EQ(rows[0].id, "id");
    EXPECT_EQ(rows[0].name, "name");
    EXPECT_EQ(rows[0].may_land_until, WallTime(std::chrono::seconds(5)));
    EXPECT_FALSE(rows[0].orphaned_at);
}

TEST(MemoryLedger, ASecondLiveOpenerOfAnOwnerIsRefused) {
    MemoryLedgerStore store;
    const auto first = open(store, "a");
    const auto second = MemoryLedger::open(store, "a");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind(), ErrorKind::ledger);
    EXPECT_NE(second.error().message().find("\"a\""), std::string::npos);
    EXPECT_TRUE(open(store, "b")) << "another owner is not concerned";
}

TEST(MemoryLedger, ItsLockIsFreeAgainWhenItIsGone) {
    MemoryLedgerStore store;
    {
        ASSERT_TRUE(open(store, "a"));
    }
    EXPECT_TRUE(open(store, "a"));
}

TEST(MemoryLedger, ARefusedOpenerLeavesTheLockInPlace) {
    MemoryLedgerStore store;
    const auto first = open(store, "a");
    EXPECT_FALSE(open(store, "a"));
    EXPECT_FALSE(open(store, "a")) << "the first refusal must not have freed it";
}

TEST(MemoryLedger, PutReplacesByOwnerKeyAndAttempt) {
    MemoryLedgerStore store;
    const auto ledger = open(store, "a");
    ASSERT_TRUE(run(ledger->put(row("a", "k", 1))));
    ASSERT_TRUE(run(ledger->put(row("a", "k", 2))));
    ASSERT_TRUE(run(ledger->put(row("a", "other", 1))));
    ASSERT_TRUE(run(ledger->put(row("a", "k", 1, LedgerRecord::State::closed))));
    const auto rows = ledger->records();
    ASSERT_EQ(rows.size(), 3U);
    for (const LedgerRecord& record : rows) {
        const bool is_replaced = record.key == "k" && record.attempt == 1;
        EXPECT_EQ(record.is_obligation(), !is_replaced);
    }
}

TEST(MemoryLedger, ShowsOnlyItsOwnersRows) {
    MemoryLedgerStore store;
    const auto a = open(store, "a");
    const auto b = open(store, "b");
    ASSERT_TRUE(run(a->put(row("a", "k", 1))));
    EXPECT_EQ(a->records().size(), 1U);
    EXPECT_TRUE(b->records().empty());
}

TEST(LedgerRecord, OnlyAClosedRowIsNoObligation) {
    using State = LedgerRecord::State;
    std::set<std::string_view> names;
    for (const State state : {State::intent, State::created, State::absent, State::closed}) {
        EXPECT_EQ(row("a", "k", 1, state).is_obligation(), state != State::closed);
        names.insert(name(state));
    }
    EXPECT_EQ(names.size(), 4U);
}

}  // namespace
}  // namespace drydock::test
