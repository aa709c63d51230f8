// The ledger as a program meets it: puts take time, are sites, and fail as a disk does.
#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;

std::vector<Fault> one(std::string at, std::string choose) {
    return {{std::move(at), std::move(choose)}};
}

/// The rows of an owner of its own, next to the bed's manager.
class Bench {
public:
    explicit Bench(std::vector<Fault> faults = {})
        : bed({.plan = std::move(faults)}),
          program(bed.simulation().add_program("writer")),
          process(program.start()),
          ledger(sim::SimLedger::open(program).value()) {}
    ~Bench() { program.end(); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    Result<void> put(std::uint32_t attempt) {
        LedgerRecord row;
        row.owner = "writer";
        row.key = "k";
        row.attempt = attempt;
        std::optional<Result<void>> outcome;
        asio::co_spawn(process.get_executor(), ledger->put(row),
                       [&](const std::exception_ptr&, Result<void> result) {
                           outcome.emplace(std::move(result));
                       });
        bed.run_until([&] { return outcome.has_value(); });
        return std::move(*outcome);
    }
    std::size_t rows() { return bed.simulation().ledger_store().rows_of("writer").size(); }

    ManagerBed bed;
    sim::Program& program;
    sim::Process& process;
    std::unique_ptr<sim::SimLedger> ledger;
};

TEST(SeamsLedger, APutTakesItsTimeAndIsFoundAgain) {
    Bench bench;
    EXPECT_TRUE(bench.put(1));
    EXPECT_EQ(bench.bed.now(), Time{100us});
    EXPECT_EQ(bench.rows(), 1U);
    EXPECT_EQ(bench.ledger->records().size(), 1U);
}

TEST(SeamsLedger, ARefusedWriteIsNotThere) {
    Bench bench(one("writer[k]/ledger_put#1/fate", "write_refused"));
    const Result<void> refused = bench.put(1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind(), ErrorKind::ledger);
    EXPECT_EQ(bench.rows(), 0U);
    EXPECT_TRUE(bench.put(2));
}

TEST(SeamsLedger, OneLostBeforeItsSyncIsReportedAndMayBeFound) {
    Bench bench(one("writer[k]/ledger_put#1/fate", "lost_before_sync"));
    ASSERT_FALSE(bench.put(1));
    EXPECT_EQ(bench.rows(), 1U);
}

TEST(SeamsLedger, AFullDiskStaysFullUntilTheFaultsStop) {
    Bench bench(one("writer[k]/ledger_put#1/fate", "disk_full"));
    ASSERT_FALSE(bench.put(1));
    ASSERT_FALSE(bench.put(2)) << "nothing was chosen for this one";
    EXPECT_EQ(bench.rows(), 0U);
    bench.bed.simulation().stop_faults();
    EXPECT_TRUE(bench.put(3));
    EXPECT_EQ(bench.rows(), 1U);
}

TEST(SeamsLedger, ASlowWriteIsThereBeforeItIsConfirmed) {
    Bench bench(one("writer[k]/ledger_put#1/delay", "5s"));
    EXPECT_TRUE(bench.put(1));
    EXPECT_EQ(bench.bed.now(), Time{5s + 100us});
}

TEST(SeamsLedger, ASecondLiveOpenerOfAnOwnerIsRefused) {
    Bench bench;
    const auto second = sim::SimLedger::open(bench.program);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind(), ErrorKind::ledger);
}

}  // namespace
}  // namespace drydock::test
