#include <drydock/faults/alphabet.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace drydock::faults {
namespace {

template <class Visit>
void for_each_letter(Visit visit) {
    for (std::size_t i = 0; i < operation_count; ++i) {
        for (std::size_t j = 0; j < aspect_count; ++j) {
            const auto operation = static_cast<Operation>(i);
            const auto aspect = static_cast<Aspect>(j);
            for (const Choice& choice : alphabet(operation, aspect)) {
                visit(operation, aspect, choice);
            }
        }
    }
}

bool has(Operation operation, Aspect aspect, const Choice& choice) {
    const auto letters = alphabet(operation, aspect);
    return std::find(letters.begin(), letters.end(), choice) != letters.end();
}

TEST(Alphabet, EveryLetterFitsItsSite) {
    for_each_letter([](Operation operation, Aspect aspect, const Choice& choice) {
        EXPECT_EQ(why_unfit(choice, aspect, operation), std::nullopt) << to_string(choice);
    });
}

TEST(Alphabet, NoLetterTwice) {
    std::set<std::string> seen;
    for_each_letter([&](Operation operation, Aspect aspect, const Choice& choice) {
        const std::string letter = std::string(name(operation)) + "/" + std::string(name(aspect)) +
                                   ": " + to_string(choice);
        EXPECT_TRUE(seen.insert(letter).second) << letter;
    });
}

TEST(Alphabet, LateAndDuplicatedOnlyWhereStateChanges) {
    const Choice late = fates::late(Arrival::after_timeout);
    EXPECT_TRUE(has(Operation::container_create, Aspect::fate, late));
    EXPECT_TRUE(has(Operation::container_start, Aspect::fate, late));
    EXPECT_TRUE(has(Operation::container_remove, Aspect::fate, late));
    EXPECT_TRUE(has(Operation::exec_start, Aspect::fate, late));
    EXPECT_FALSE(has(Operation::container_inspect, Aspect::fate, late));
    EXPECT_FALSE(has(Operation::container_list, Aspect::fate, fates::duplicated()));
}

TEST(Alphabet, StreamsAreStruckWhereTheyAreOpened) {
    EXPECT_TRUE(has(Operation::exec_start, Aspect::stream, streams::reset(5)));
    EXPECT_TRUE(alphabet(Operation::container_start, Aspect::stream).empty());
    EXPECT_TRUE(alphabet(Operation::exec_read, Aspect::fate).empty());
    EXPECT_TRUE(alphabet(Operation::exec_read, Aspect::delay).empty());
    EXPECT_FALSE(alphabet(Operation::exec_read, Aspect::cancel).empty());
}

TEST(Alphabet, GuardsAreStruckAtTheirSteps) {
    EXPECT_TRUE(has(Operation::guard_step, Aspect::step, steps::kill_guard()));
    EXPECT_TRUE(has(Operation::guard_step, Aspect::step,
                    steps::slow(std::chrono::seconds(30) + std::chrono::milliseconds(100))));
    for (std::size_t i = 0; i < operation_count; ++i) {
        const auto operation = static_cast<Operation>(i);
        const bool is_step = operation == Operation::guard_step;
        EXPECT_EQ(alphabet(operation, Aspect::step).empty(), !is_step) << name(operation);
        EXPECT_EQ(alphabet(operation, Aspect::cancel).empty(), is_step) << name(operation);
    }
}

TEST(Alphabet, NoServerDeniesWhatExists) {
    EXPECT_FALSE(has(Operation::container_remove, Aspect::fate, fates::status_before(404)));
    EXPECT_FALSE(has(Operation::container_inspect, Aspect::fate, fates::status_before(404)));
}

TEST(Alphabet, EveryKindOfFaultIsInIt) {
    std::set<std::string_view> all;
    for (const std::size_t kind : alphabet_kinds()) {
        all.insert(kind_name(kind));
    }
    EXPECT_EQ(all.size(), kind_count - 1) << "all but composed";
    for (std::size_t i = 0; i + 1 < fate_kind_count; ++i) {
        EXPECT_TRUE(all.contains(name(static_cast<FateKind>(i)))) << i;
    }
    for (std::size_t i = 0; i < trait_count; ++i) {
        EXPECT_TRUE(all.contains(name(static_cast<Trait>(i)))) << i;
    }
    for (std::size_t i = 0; i < stream_kind_count; ++i) {
        EXPECT_TRUE(all.contains(name(static_cast<StreamFault::Kind>(i)))) << i;
    }
    for (std::size_t i = 0; i < step_kind_count; ++i) {
        const auto kind = static_cast<StepFault::Kind>(i);
        EXPECT_TRUE(all.contains(kind_name(StepFault{kind, {}}))) << i;
    }
    for (const char* kind : {"delay", "cancel", "crash", "fail", "write_refused"}) {
        EXPECT_TRUE(all.contains(kind)) << kind;
    }
}

}  // namespace
}  // namespace drydock::faults
