#include <drydock/sim/pool.hpp>
#include <drydock/sim/site_counters.hpp>
#include <drydock/sim/timer_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace drydock::sim {
namespace {

/// What the heap must agree with: a list, searched for its least (due, order).
class Model {
public:
    struct Entry {
        Time due;
        std::uint64_t order;
        Op* op;
    };

    void push(Op& op, Time due) { entries_.push_back(Entry{due, order_++, &op}); }
    void remove(const Op& op) {
        std::erase_if(entries_, [&op](const Entry& entry) { return entry.op == &op; });
    }
    const Entry& least() const {
        return *std::min_element(entries_.begin(), entries_.end(),
                                 [](const auto& a, const auto& b) {
                                     return std::pair(a.due, a.order) < std::pair(b.due, b.order);
                                 });
    }
    const std::vector<Entry>& entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
    std::uint64_t order_ = 0;
};

std::uint32_t next(std::uint32_t& state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

TEST(KernelHeap, AgreesWithASortedListUnderRandomArmingAndDisarming) {
    Pool pool;
    TimerHeap heap(pool);
    Model model;
    std::deque<Op> ops;
    std::uint32_t random = 1;
    for (int round = 0; round < 20'000; ++round) {
        const std::uint32_t dice = next(random) % 8;
        if (dice < 4 || model.entries().empty()) {
            Op& op = ops.emplace_back(nullptr, nullptr);
            const Time due{Duration(next(random) % 64)};
            const Ticket ticket = heap.push(op, due);
            ASSERT_EQ(heap.find(ticket), &op);
            model.push(op, due);
        } else {
            const std::size_t any = next(random) % model.entries().size();
            Op& op = dice < 7 ? *model.least().op : *model.entries()[any].op;
            heap.remove(op);
            model.remove(op);
            ASSERT_EQ(op.slot, Op::none);
        }
        ASSERT_EQ(heap.size(), model.entries().size());
        if (!heap.empty()) {
            ASSERT_EQ(&heap.next(), model.least().op);
            ASSERT_EQ(heap.next_due(), model.least().due);
        }
    }
}

TEST(KernelHeap, ATicketDoesNotFitTheNextOpInItsSlot) {
    Pool pool;
    TimerHeap heap(pool);
    Op first(nullptr, nullptr);
    Op second(nullptr, nullptr);
    const Ticket old = heap.push(first, Time{});
    heap.remove(first);
    const Ticket fresh = heap.push(second, Time{});
    EXPECT_EQ(old.slot, fresh.slot);
    EXPECT_EQ(heap.find(old), nullptr);
    EXPECT_EQ(heap.find(fresh), &second);
    EXPECT_EQ(heap.find(Ticket()), nullptr);
}

TEST(KernelPool, CountsWhatIsTakenAndGivesAlignedMemory) {
    Pool pool;
    std::vector<std::pair<void*, std::size_t>> blocks;
    for (std::size_t bytes = 0; bytes < 3000; bytes += 7) {
        void* block = pool.take(bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0U);
        std::fill_n(static_cast<unsigned char*>(block), bytes, static_cast<unsigned char>(bytes));
        blocks.emplace_back(block, bytes);
    }
    EXPECT_EQ(pool.live(), blocks.size());
    for (const auto& [block, bytes] : blocks) {
        const auto* byte = static_cast<unsigned char*>(block);
        const auto pattern = static_cast<unsigned char>(bytes);
        EXPECT_TRUE(std::all_of(byte, byte + bytes,
                                [pattern](unsigned char value) { return value == pattern; }));
        pool.give(block, bytes);
    }
    EXPECT_EQ(pool.live(), 0U);
}

TEST(KernelSiteCounters, CountFromOnePerOperationAndLease) {
    SiteCounters counters;
    EXPECT_EQ(counters.count(Operation::container_start, 7), 0U);
    EXPECT_EQ(counters.next(Operation::container_start, 7), 1U);
    EXPECT_EQ(counters.next(Operation::container_start, 7), 2U);
    EXPECT_EQ(counters.next(Operation::container_start, 0), 1U);
    EXPECT_EQ(counters.next(Operation::unstaging, 7), 1U);
    EXPECT_EQ(counters.next(Operation::container_start, 7), 3U);
    EXPECT_EQ(counters.count(Operation::container_start, 7), 3U);
    EXPECT_EQ(counters.count(Operation::container_create, 7), 0U);
}

}  // namespace
}  // namespace drydock::sim
