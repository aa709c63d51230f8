#include <drydock/faults/alphabet.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

namespace drydock::faults {
namespace {

using namespace std::chrono_literals;
using Choices = std::vector<Choice>;

/// Just below and above the usual 30 s limit, and some that only change the order of things.
constexpr std::array<Duration, 4> durations{5ms, 250ms, 29900ms, 30100ms};

bool changes_state(Operation operation) {
    return operation == Operation::container_create || operation == Operation::container_start ||
           operation == Operation::container_remove || operation == Operation::exec_create ||
           operation == Operation::exec_start || operation == Operation::archive_put;
}

/// Refusals that a truthful server may give. A 404 for what exists would be a lie, except to a
/// start, whose failure makes every client look and tear down.
std::vector<int> refusals(Operation operation) {
    switch (operation) {
        case Operation::container_create: return {400, 404, 409, 429, 500, 503};
        case Operation::container_start: return {400, 404, 409, 429, 500, 503};
        case Operation::container_remove: return {409, 429, 500, 503};
        case Operation::container_list: return {400, 429, 500, 503};
        default: return {429, 500, 503};
    }
}

/// Error statuses of requests that were applied: a proxy's or the server's own failure after the
/// effect, and the conflict with itself of a request that somebody repeated.
std::vector<int> misreports(Operation operation) {
    switch (operation) {
        case Operation::container_create: return {409, 500, 503};
        case Operation::container_remove: return {404, 409, 500, 503};
        default: return {500, 503};
    }
}

Choices exchange_fates(Operation operation) {
    Choices all{fates::refused(),      fates::request_lost(), fates::reply_lost(),
                fates::reset_before(), fates::reset_after(),  fates::truncated(),
                fates::cut_header(),   fates::stalled()};
    for (const int status : refusals(operation)) {
        all.emplace_back(fates::status_before(status));
    }
    if (changes_state(operation)) {
        for (const int status : misreports(operation)) {
            all.emplace_back(fates::status_after(status));
        }
        for (const Arrival trigger :
             {Arrival::after_timeout, Arrival::after_retry, Arrival::after_remove}) {
            all.emplace_back(fates::late(trigger));
        }
        if (!may_stream(operation)) {
            all.emplace_back(fates::duplicated());
        }
    }
    if (operation == Operation::container_create) {
        all.emplace_back(fates::partial(500));
        all.emplace_back(fates::partial(400));
    }
    for (const Duration by : durations) {
        all.emplace_back(fates::slow(by));
    }
    return all;
}

Choices local_fates(Operation operation) {
    using Kind = LocalFate::Kind;
    switch (operation) {
        case Operation::ledger_put:
            return {LocalFate{Kind::write_refused, ErrorKind::ledger},
                    LocalFate{Kind::lost_before_sync, ErrorKind::ledger},
                    LocalFate{Kind::disk_full, ErrorKind::ledger}};
        case Operation::staging:
        case Operation::bootstrap:
        case Operation::undo:
        case Operation::unstaging: {
            Choices all;
            for (const ErrorKind error :
                 {ErrorKind::provisioning, ErrorKind::timeout, ErrorKind::invalid,
                  ErrorKind::internal, ErrorKind::unavailable}) {
                all.emplace_back(LocalFate{Kind::fail, error});
            }
            return all;
        }
        default: return {};
    }
}

Choices delays(Operation operation) {
    Choices all;
    if (operation != Operation::join && operation != Operation::close &&
        operation != Operation::exec_read) {
        for (const Duration by : durations) {
            all.emplace_back(Delay{by});
        }
    }
    return all;
}

Cancel cancel(std::initializer_list<Moment> moments) {
    Cancel result;
    for (const Moment moment : moments) {
        result.strikes.push_back({moment, {}});
    }
    return result;
}

Choices cancels() {
    constexpr auto before = Moment::before;
    constexpr auto in_flight = Moment::in_flight;
    constexpr auto with_completion = Moment::with_completion;
    return {cancel({before}),
            cancel({in_flight}),
            cancel({with_completion}),
            cancel({before, before}),
            cancel({in_flight, in_flight}),
            cancel({in_flight, with_completion}),
            cancel({before, in_flight, in_flight})};
}

Choices crashes() {
    return {Crash{Moment::before}, Crash{Moment::in_flight}, Crash{Moment::with_completion}};
}

EngineChoice trait(Trait trait, std::optional<std::string> state = {},
                   std::optional<Duration> lasts = {}) {
    return {trait, std::move(state), lasts};
}

Choices engine_choices(Operation operation) {
    switch (operation) {
        case Operation::container_create:
            return {trait(Trait::list_lag),
                    trait(Trait::list_lag, {}, 30s),
                    trait(Trait::stuck, "starting"),
                    trait(Trait::stuck, "removing"),
                    trait(Trait::name_held_after_remove),
                    trait(Trait::ack_without_effect),
                    trait(Trait::exit_early),
                    trait(Trait::oom),
                    trait(Trait::daemon_restart),
                    trait(Trait::ttl_expiry),
                    trait(Trait::restart)};
        case Operation::container_start:
            return {trait(Trait::list_lag),
                    trait(Trait::stuck, "starting"),
                    trait(Trait::stuck, "removing"),
                    trait(Trait::ack_without_effect),
                    trait(Trait::exit_early),
                    trait(Trait::oom),
                    trait(Trait::daemon_restart),
                    trait(Trait::ttl_expiry),
                    trait(Trait::restart)};
        case Operation::container_remove:
            return {trait(Trait::list_lag),
                    trait(Trait::stuck, "removing"),
                    trait(Trait::stuck, "removing", 30s),
                    trait(Trait::name_held_after_remove),
                    trait(Trait::name_held_after_remove, {}, 30s),
                    trait(Trait::ack_without_effect),
                    trait(Trait::daemon_restart)};
        case Operation::container_list:
            return {trait(Trait::list_lag), trait(Trait::list_lag, {}, 30s),
                    trait(Trait::daemon_restart)};
        case Operation::exec_create:
        case Operation::exec_start:
        case Operation::exec_inspect:
            return {trait(Trait::exit_early), trait(Trait::oom), trait(Trait::daemon_restart),
                    trait(Trait::ttl_expiry), trait(Trait::restart)};
        default: return {};
    }
}

/// A frame's header has 8 bytes, a record's line after it some 10 more: cuts within both, between
/// them, and well into the bytes that they carry.
constexpr std::array<std::uint64_t, 5> offsets{0, 5, 8, 13, 200};

Choices stream_faults(Operation operation) {
    Choices all;
    if (!may_stream(operation)) {
        return all;
    }
    for (auto* const make : {streams::eof, streams::reset, streams::stall, streams::error_text}) {
        for (const std::uint64_t after : offsets) {
            all.emplace_back(make(after));
        }
    }
    all.emplace_back(streams::split());
    all.emplace_back(streams::split(7));
    all.insert(all.end(), {streams::gap(0, 8), streams::gap(5, 1), streams::gap(8, 9),
                           streams::gap(200, 100), streams::repeat(8, 8), streams::repeat(13, 1),
                           streams::repeat(40, 40), streams::repeat(200, 100)});
    return all;
}

Choices step_faults() {
    Choices all;
    for (auto* const make : {steps::kill_guard, steps::kill_child, steps::kill_all}) {
        all.emplace_back(make({}));
        all.emplace_back(make(1s));
    }
    for (const Duration by : durations) {
        all.emplace_back(steps::slow(by));
    }
    return all;
}

Choices make(Operation operation, Aspect aspect) {
    const bool is_step = aspect == Aspect::step;
    if (is_step != (operation == Operation::guard_step)) {
        return {};
    }
    switch (aspect) {
        case Aspect::fate:
            return is_exchange(operation) ? exchange_fates(operation) : local_fates(operation);
        case Aspect::delay: return delays(operation);
        case Aspect::cancel: return cancels();
        case Aspect::crash: return crashes();
        case Aspect::engine: return engine_choices(operation);
        case Aspect::stream: return stream_faults(operation);
        case Aspect::step: return step_faults();
    }
    return {};
}

using Table = std::array<std::array<Choices, aspect_count>, operation_count>;

const Table& table() {
    static const Table made = [] {
        Table all;
        for (std::size_t i = 0; i < operation_count; ++i) {
            for (std::size_t j = 0; j < aspect_count; ++j) {
                all[i][j] = make(static_cast<Operation>(i), static_cast<Aspect>(j));
            }
        }
        return all;
    }();
    return made;
}

}  // namespace

std::span<const Choice> alphabet(Operation operation, Aspect aspect) {
    return table()[static_cast<std::size_t>(operation)][static_cast<std::size_t>(aspect)];
}

std::span<const std::size_t> alphabet_kinds() {
    static const std::vector<std::size_t> kinds = [] {
        std::set<std::size_t> all;
        for (const auto& row : table()) {
            for (const Choices& choices : row) {
                for (const Choice& choice : choices) {
                    all.insert(kind_index(choice));
                }
            }
        }
        return std::vector(all.begin(), all.end());
    }();
    return kinds;
}

}  // namespace drydock::faults
