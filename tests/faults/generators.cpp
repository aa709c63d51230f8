#include "faults/generators.hpp"

#include <drydock/faults/duration.hpp>

#include <algorithm>

namespace drydock::faults {
namespace {

template <class Enum>
rc::Gen<Enum> any_of_first(int count) {
    return rc::gen::map(rc::gen::inRange(0, count), [](int i) { return static_cast<Enum>(i); });
}

rc::Gen<Answer> any_answer() {
    return rc::gen::map(rc::gen::pair(any_of_first<Answer::Kind>(5), rc::gen::inRange(400, 600)),
                        [](std::pair<Answer::Kind, int> drawn) {
                            const bool bare = drawn.first == Answer::Kind::applied ||
                                              drawn.first == Answer::Kind::none;
                            return Answer{drawn.first, bare ? 0 : drawn.second};
                        });
}

rc::Gen<Reply> any_reply() {
    return rc::gen::map(rc::gen::pair(any_of_first<Reply::Kind>(8), any_duration()),
                        [](std::pair<Reply::Kind, Duration> drawn) {
                            const bool slow = drawn.first == Reply::Kind::slow;
                            return Reply{drawn.first, slow ? drawn.second : Duration{}};
                        });
}

rc::Gen<Choice> any_cancel() {
    const auto strike = rc::gen::construct<Strike>(
        any_of_first<Moment>(3), rc::gen::oneOf(rc::gen::just(std::string()), any_process_name()));
    const auto strikes =
        rc::gen::resize(6, rc::gen::nonEmpty(rc::gen::container<std::vector<Strike>>(strike)));
    return rc::gen::map(strikes, [](std::vector<Strike> all) -> Choice {
        std::sort(all.begin(), all.end(),
                  [](const Strike& a, const Strike& b) { return a.moment < b.moment; });
        return Cancel{std::move(all)};
    });
}

rc::Gen<Choice> any_engine_choice() {
    return rc::gen::exec([]() -> Choice {
        EngineChoice choice;
        choice.trait = *any_of_first<Trait>(trait_count);
        if (choice.trait == Trait::stuck) {
            choice.state = *rc::gen::element<std::string>("starting", "removing", "pulling_image");
        }
        if (*rc::gen::arbitrary<bool>()) {
            choice.lasts = *any_duration();
        }
        return choice;
    });
}

rc::Gen<Choice> any_stream_fault() {
    const auto fault = rc::gen::construct<StreamFault>(
        any_of_first<StreamFault::Kind>(stream_kind_count), rc::gen::inRange<std::uint64_t>(0, 300),
        rc::gen::inRange<std::uint64_t>(0, 300));
    return rc::gen::map(
        rc::gen::suchThat(fault, [](const StreamFault& drawn) { return !why_illegal(drawn); }),
        [](const StreamFault& drawn) -> Choice { return drawn; });
}

rc::Gen<Choice> any_step_fault() {
    return rc::gen::exec([]() -> Choice {
        const auto kind = *any_of_first<StepFault::Kind>(step_kind_count);
        const bool is_at_once = kind != StepFault::Kind::slow && *rc::gen::arbitrary<bool>();
        return StepFault{kind, is_at_once ? Duration{} : *any_duration()};
    });
}

rc::Gen<Choice> any_local_fate(Operation operation) {
    const int kinds = operation == Operation::ledger_put ? 4 : 1;
    return rc::gen::map(rc::gen::pair(any_of_first<LocalFate::Kind>(kinds),
                                      any_of_first<ErrorKind>(error_kind_count)),
                        [](std::pair<LocalFate::Kind, ErrorKind> drawn) -> Choice {
                            const bool fail = drawn.first == LocalFate::Kind::fail;
                            return LocalFate{drawn.first, fail ? drawn.second : ErrorKind::ledger};
                        });
}

}  // namespace

rc::Gen<std::string> any_process_name() {
    return rc::gen::element<std::string>("runner", "a", "0", "worker-7", "x_y.z");
}

rc::Gen<std::string> any_lease_key() {
    return rc::gen::oneOf(rc::gen::just(std::string()), rc::gen::just(std::string("-")),
                          rc::gen::just(std::string("scan-1")), rc::gen::arbitrary<std::string>());
}

rc::Gen<SiteName> any_site_name() {
    return rc::gen::construct<SiteName>(
        any_process_name(), any_lease_key(), any_of_first<Operation>(operation_count),
        rc::gen::inRange<std::uint32_t>(1, Site::max_n + 1), any_of_first<Aspect>(aspect_count));
}

rc::Gen<Duration> any_duration() {
    const auto of = [](std::int64_t unit) {
        return rc::gen::map(rc::gen::inRange<std::int64_t>(1, 5000),
                            [unit](std::int64_t count) { return Duration{count * unit}; });
    };
    return rc::gen::oneOf(of(1), of(1'000), of(1'000'000), of(1'000'000'000), of(60'000'000'000),
                          of(3'600'000'000'000));
}

rc::Gen<Fate> any_fate(Operation operation) {
    const auto fate = rc::gen::construct<Fate>(any_of_first<Arrival>(6), any_answer(), any_reply());
    return rc::gen::suchThat(fate, [operation](const Fate& drawn) {
        return !why_unfit(drawn, Aspect::fate, operation);
    });
}

rc::Gen<Choice> any_choice(Aspect aspect, Operation operation) {
    switch (aspect) {
        case Aspect::fate:
            return is_exchange(operation) ? rc::gen::cast<Choice>(any_fate(operation))
                                          : any_local_fate(operation);
        case Aspect::delay:
            return rc::gen::map(any_duration(), [](Duration by) -> Choice { return Delay{by}; });
        case Aspect::cancel: return any_cancel();
        case Aspect::crash:
            return rc::gen::map(any_of_first<Moment>(3),
                                [](Moment moment) -> Choice { return Crash{moment}; });
        case Aspect::engine: return any_engine_choice();
        case Aspect::stream: return any_stream_fault();
        case Aspect::step: break;
    }
    return any_step_fault();
}

}  // namespace drydock::faults
