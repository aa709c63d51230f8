#include <drydock/faults/fate.hpp>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, 6> arrival_names{
    "now", "never", "after_timeout", "after_retry", "after_remove", "twice"};

constexpr std::array<std::string_view, fate_kind_count> fate_names{
    "refused",   "request_lost", "reply_lost",    "reset_before", "reset_after",
    "late",      "duplicated",   "status_before", "status_after", "partial",
    "truncated", "cut_header",   "stalled",       "slow",         "composed"};

constexpr std::array<std::string_view, 4> local_names{"fail", "write_refused", "lost_before_sync",
                                                      "disk_full"};

FateKind kind_of_absent(const Fate& fate) {
    if (fate.answer.kind != Answer::Kind::none) {
        return FateKind::composed;
    }
    switch (fate.reply.kind) {
        case Reply::Kind::not_sent: return FateKind::refused;
        case Reply::Kind::lost: return FateKind::request_lost;
        case Reply::Kind::reset: return FateKind::reset_before;
        default: return FateKind::composed;
    }
}

FateKind kind_of_applied(Reply::Kind reply) {
    switch (reply) {
        case Reply::Kind::lost: return FateKind::reply_lost;
        case Reply::Kind::reset: return FateKind::reset_after;
        case Reply::Kind::cut_body: return FateKind::truncated;
        case Reply::Kind::cut_header: return FateKind::cut_header;
        case Reply::Kind::stall: return FateKind::stalled;
        case Reply::Kind::slow: return FateKind::slow;
        default: return FateKind::composed;
    }
}

FateKind kind_of_status(const Fate& fate) {
    if (fate.reply.kind != Reply::Kind::ok) {
        return FateKind::composed;
    }
    switch (fate.answer.kind) {
        case Answer::Kind::before: return FateKind::status_before;
        case Answer::Kind::after: return FateKind::status_after;
        case Answer::Kind::partial: return FateKind::partial;
        default: return FateKind::composed;
    }
}

}  // namespace

std::string_view name(Arrival arrival) {
    return arrival_names.at(static_cast<std::size_t>(arrival));
}

std::string_view name(FateKind kind) { return fate_names.at(static_cast<std::size_t>(kind)); }

std::string_view name(LocalFate::Kind kind) {
    return local_names.at(static_cast<std::size_t>(kind));
}

FateKind kind_of(const Fate& fate) {
    const bool applied = fate.answer.kind == Answer::Kind::applied;
    switch (fate.arrival) {
        case Arrival::never: return kind_of_absent(fate);
        case Arrival::now: return applied ? kind_of_applied(fate.reply.kind) : kind_of_status(fate);
        case Arrival::twice:
            return applied && fate.reply.kind == Reply::Kind::ok ? FateKind::duplicated
                                                                 : FateKind::composed;
        default:
            return applied && fate.reply.kind == Reply::Kind::lost ? FateKind::late
                                                                   : FateKind::composed;
    }
}

namespace fates {
namespace {

Fate absent(Reply::Kind reply) { return {Arrival::never, {Answer::Kind::none, 0}, {reply, {}}}; }

Fate applied(Arrival arrival, Reply::Kind reply, Duration by = {}) {
    return {arrival, {}, {reply, by}};
}

Fate answered(Answer::Kind kind, int status) { return {Arrival::now, {kind, status}, {}}; }

}  // namespace

// clang-format off
Fate refused() { return absent(Reply::Kind::not_sent); }
Fate request_lost() { return absent(Reply::Kind::lost); }
Fate reply_lost() { return applied(Arrival::now, Reply::Kind::lost); }
Fate reset_before() { return absent(Reply::Kind::reset); }
Fate reset_after() { return applied(Arrival::now, Reply::Kind::reset); }
Fate late(Arrival trigger) { return applied(trigger, Reply::Kind::lost); }
Fate duplicated() { return applied(Arrival::twice, Reply::Kind::ok); }
Fate status_before(int status) { return answered(Answer::Kind::before, status); }
Fate status_after(int status) { return answered(Answer::Kind::after, status); }
Fate partial(int status) { return answered(Answer::Kind::partial, status); }
Fate truncated() { return applied(Arrival::now, Reply::Kind::cut_body); }
Fate cut_header() { return applied(Arrival::now, Reply::Kind::cut_header); }
Fate stalled() { return applied(Arrival::now, Reply::Kind::stall); }
Fate slow(Duration by) { return applied(Arrival::now, Reply::Kind::slow, by); }
// clang-format on

}  // namespace fates
}  // namespace drydock::faults
