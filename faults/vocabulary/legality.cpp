#include <drydock/faults/duration.hpp>
#include <drydock/faults/fate.hpp>

#include <fmt/format.h>

// Which combinations of the three axes make sense. Each rule is one function that says what is
// wrong.

namespace drydock::faults {
namespace {

using Reason = std::optional<std::string>;

Reason wrong_status(const Answer& answer) {
    const bool has_status = answer.kind == Answer::Kind::before ||
                            answer.kind == Answer::Kind::after ||
                            answer.kind == Answer::Kind::partial;
    const int lowest = answer.kind == Answer::Kind::partial ? 400 : 300;
    if (has_status && (answer.status < lowest || answer.status > 599)) {
        return fmt::format("status {} is not one of {} to 599{}", answer.status, lowest,
                           answer.status / 100 == 2
                               ? "; a yes without effect is the engine choice ack_without_effect"
                               : "");
    }
    return std::nullopt;
}

Reason wrong_when_absent(const Fate& fate) {
    switch (fate.answer.kind) {
        case Answer::Kind::applied:
        case Answer::Kind::after:
        case Answer::Kind::partial:
            return "a request that never arrives cannot be applied: leave answer out";
        case Answer::Kind::before:
            if (fate.reply.kind == Reply::Kind::not_sent) {
                return "a request that was not sent has no answer: leave answer out";
            }
            return std::nullopt;
        case Answer::Kind::none: break;
    }
    switch (fate.reply.kind) {
        case Reply::Kind::lost:
        case Reply::Kind::reset:
        case Reply::Kind::stall:
        case Reply::Kind::not_sent: return std::nullopt;
        default:
            return "a request that never arrives has no such reply: use lost, reset, stall or "
                   "not_sent, or an answer before(STATUS)";
    }
}

Reason wrong_when_late(const Fate& fate) {
    switch (fate.reply.kind) {
        case Reply::Kind::lost:
        case Reply::Kind::reset:
        case Reply::Kind::stall: return std::nullopt;
        default:
            return "a request that arrives when the client has given up has no such reply: use "
                   "lost, reset or stall";
    }
}

Reason wrong_when_present(const Fate& fate) {
    if (fate.answer.kind == Answer::Kind::none) {
        return "a request that arrives is answered: answer is applied, before, after or partial";
    }
    if (fate.reply.kind == Reply::Kind::not_sent) {
        return "a request that was not sent never arrives: arrival must be never";
    }
    return is_late(fate.arrival) ? wrong_when_late(fate) : std::nullopt;
}

Reason wrong_duration(const Reply& reply) {
    if (reply.kind == Reply::Kind::slow && (reply.by <= Duration{} || reply.by > max_duration)) {
        return "slow needs a duration longer than 0s";
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> why_illegal(const Fate& fate) {
    if (fate == Fate{}) {
        return "this is what happens without a choice";
    }
    if (auto reason = wrong_status(fate.answer)) {
        return reason;
    }
    if (auto reason = wrong_duration(fate.reply)) {
        return reason;
    }
    return fate.arrival == Arrival::never ? wrong_when_absent(fate) : wrong_when_present(fate);
}

}  // namespace drydock::faults
