#include "vocabulary/fate_reader.hpp"

#include "vocabulary/call_syntax.hpp"
#include "vocabulary/words.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, 6> arrivals{"now",         "never",        "after_timeout",
                                                   "after_retry", "after_remove", "twice"};
constexpr std::array<std::string_view, 4> answers{"applied", "before", "after", "partial"};
constexpr std::array<std::string_view, 8> replies{"ok",       "lost",  "reset", "cut_header",
                                                  "cut_body", "stall", "slow",  "not_sent"};

Arrival late_trigger(const Call& call) {
    check_arguments(call, 1, 1, "late(after_timeout)");
    constexpr std::array<std::string_view, 3> triggers{"after_timeout", "after_retry",
                                                       "after_remove"};
    const std::size_t index = index_of(call.arguments[0], triggers, "trigger");
    return static_cast<Arrival>(static_cast<std::size_t>(Arrival::after_timeout) + index);
}

Fate plain_fate(FateKind kind) {
    switch (kind) {
        case FateKind::refused: return fates::refused();
        case FateKind::request_lost: return fates::request_lost();
        case FateKind::reply_lost: return fates::reply_lost();
        case FateKind::reset_before: return fates::reset_before();
        case FateKind::reset_after: return fates::reset_after();
        case FateKind::duplicated: return fates::duplicated();
        case FateKind::truncated: return fates::truncated();
        case FateKind::cut_header: return fates::cut_header();
        default: return fates::stalled();
    }
}

Answer read_answer(std::string_view text) {
    const Call call = parse_call(text);
    const auto kind = static_cast<Answer::Kind>(index_of(call.word, answers, "answer"));
    if (kind == Answer::Kind::applied) {
        check_arguments(call, 0, 0, "");
        return {};
    }
    check_arguments(call, kind == Answer::Kind::partial ? 0 : 1, 1, "before(500)");
    return {kind, call.arguments.empty() ? 500 : status_argument(call)};
}

Reply read_reply(std::string_view text) {
    const Call call = parse_call(text);
    const auto kind = static_cast<Reply::Kind>(index_of(call.word, replies, "reply"));
    const std::size_t count = kind == Reply::Kind::slow ? 1 : 0;
    check_arguments(call, count, count, "slow(31s)");
    return {kind, count == 1 ? duration_argument(call) : Duration{}};
}

/// Reads one field of the object form and gives its errors the field's pointer.
template <class Read>
void read_field(const nlohmann::json& json, const char* field, Read read) {
    const auto found = json.find(field);
    if (found == json.end()) {
        return;
    }
    if (!found->is_string()) {
        throw InputError(below("", field), fmt::format("{} is not a string", field));
    }
    try {
        read(found->get_ref<const std::string&>());
    } catch (const InputError& error) {
        throw error.under(below("", field));
    }
}

}  // namespace

Fate fate_from_word(std::string_view text) {
    const Call call = parse_call(text);
    const auto kind = static_cast<FateKind>(index_of(call.word, fate_words(), "fate"));
    switch (kind) {
        case FateKind::late: return fates::late(late_trigger(call));
        case FateKind::status_before:
            check_arguments(call, 1, 1, "status_before(500)");
            return fates::status_before(status_argument(call));
        case FateKind::status_after:
            check_arguments(call, 1, 1, "status_after(500)");
            return fates::status_after(status_argument(call));
        case FateKind::partial:
            check_arguments(call, 0, 1, "partial(400)");
            return call.arguments.empty() ? fates::partial()
                                          : fates::partial(status_argument(call));
        case FateKind::slow:
            check_arguments(call, 1, 1, "slow(31s)");
            return fates::slow(duration_argument(call));
        default: check_arguments(call, 0, 0, ""); return plain_fate(kind);
    }
}

Fate fate_from_object(const nlohmann::json& json) {
    constexpr std::array<std::string_view, 3> fields{"arrival", "answer", "reply"};
    for (const auto& [key, value] : json.items()) {
        if (std::find(fields.begin(), fields.end(), key) == fields.end()) {
            throw InputError(below("", key),
                             fmt::format("unknown field {} of a fate{}", in_quotes(key),
                                         did_you_mean(key, fields)));
        }
    }
    Fate fate;
    read_field(json, "arrival", [&](std::string_view text) {
        fate.arrival = static_cast<Arrival>(index_of(text, arrivals, "arrival"));
    });
    if (fate.arrival == Arrival::never) {
        fate.answer.kind = Answer::Kind::none;
    }
    read_field(json, "answer", [&](std::string_view text) { fate.answer = read_answer(text); });
    read_field(json, "reply", [&](std::string_view text) { fate.reply = read_reply(text); });
    return fate;
}

LocalFate local_fate_from_word(std::string_view text) {
    const Call call = parse_call(text);
    const auto kind = static_cast<LocalFate::Kind>(index_of(call.word, local_words(), "fate"));
    if (kind != LocalFate::Kind::fail) {
        check_arguments(call, 0, 0, "");
        return {kind, ErrorKind::ledger};
    }
    check_arguments(call, 1, 1, "fail(timeout)");
    return {kind, static_cast<ErrorKind>(index_of(call.arguments[0], error_words(), "error kind"))};
}

}  // namespace drydock::faults
