#include <drydock/faults/choice.hpp>

#include "vocabulary/call_syntax.hpp"
#include "vocabulary/fate_reader.hpp"
#include "vocabulary/step_reader.hpp"
#include "vocabulary/stream_reader.hpp"
#include "vocabulary/words.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace drydock::faults {
namespace {

using Json = nlohmann::json;

Moment read_moment(std::string_view text) {
    return static_cast<Moment>(index_of(text, moment_words(), "moment"));
}

Strike read_strike(std::string_view text) {
    const std::size_t at = text.find('@');
    Strike strike{read_moment(text.substr(0, at)), {}};
    if (at != std::string_view::npos) {
        strike.actor = text.substr(at + 1);
        if (!is_process_name(strike.actor)) {
            throw InputError("", fmt::format("{} is not an actor's name ([a-z0-9][a-z0-9_.-]*)",
                                             in_quotes(strike.actor)));
        }
    }
    return strike;
}

bool is_state_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

EngineChoice read_engine_choice(std::string_view text) {
    const Call call = parse_call(text);
    EngineChoice choice{
        static_cast<Trait>(index_of(call.word, trait_words(), "engine choice")), {}, {}};
    std::size_t next = 0;
    if (choice.trait == Trait::stuck) {
        check_arguments(call, 1, 2, "stuck(starting) or stuck(starting, 30s)");
        if (!is_state_name(call.arguments[0])) {
            throw InputError("", fmt::format("{} is not a state's name ([a-z_]+)",
                                             in_quotes(call.arguments[0])));
        }
        choice.state = call.arguments[0];
        next = 1;
    } else {
        check_arguments(call, 0, 1, "list_lag(30s)");
    }
    if (next < call.arguments.size()) {
        choice.lasts = duration_argument(call, next);
    }
    return choice;
}

/// A word that clearly belongs to another aspect gets told so, not that it is no duration.
Delay read_delay(std::string_view text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
        index_of(parse_call(text).word, {}, "duration");
    }
    return {parse_duration(text)};
}

Choice read_word(std::string_view text, Aspect aspect, Operation operation) {
    switch (aspect) {
        case Aspect::fate: {
            const Call call = parse_call(text);
            const auto known = local_words();
            const bool local = std::find(known.begin(), known.end(), call.word) != known.end();
            const auto exchange = fate_words();
            const bool other =
                std::find(exchange.begin(), exchange.end(), call.word) != exchange.end();
            // An exchange's fate at a local operation (or the reverse) is read, and then found
            // unfit.
            if (is_exchange(operation) ? !local : other) {
                return fate_from_word(text);
            }
            return local_fate_from_word(text);
        }
        case Aspect::delay: return read_delay(text);
        case Aspect::cancel: return Cancel{{read_strike(text)}};
        case Aspect::crash: return Crash{read_moment(text)};
        case Aspect::engine: return read_engine_choice(text);
        case Aspect::stream: return stream_fault_from_word(text);
        case Aspect::step: return step_fault_from_word(text);
    }
    throw InputError("", "unknown aspect");
}

Cancel read_cancel_list(const Json& json) {
    Cancel cancel;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (!json[i].is_string()) {
            throw InputError(below("", i), "a moment is a string");
        }
        try {
            cancel.strikes.push_back(read_strike(json[i].get_ref<const std::string&>()));
        } catch (const InputError& error) {
            throw error.under(below("", i));
        }
    }
    return cancel;
}

Choice read_any(const Json& json, Aspect aspect, Operation operation) {
    if (json.is_string()) {
        return read_word(json.get_ref<const std::string&>(), aspect, operation);
    }
    if (json.is_array() && aspect == Aspect::cancel) {
        return read_cancel_list(json);
    }
    if (json.is_object() && aspect == Aspect::fate) {
        return fate_from_object(json);
    }
    const char* forms = aspect == Aspect::cancel ? "a string or a list of strings"
                        : aspect == Aspect::fate ? "a string or an object"
                                                 : "a string";
    throw InputError("", fmt::format("a choice for aspect {} is {}", name(aspect), forms));
}

}  // namespace

Choice choice_from_json(const nlohmann::json& json, Aspect aspect, Operation operation) {
    Choice choice = read_any(json, aspect, operation);
    if (auto reason = why_unfit(choice, aspect, operation)) {
        throw InputError("", *std::move(reason));
    }
    return choice;
}

Choice choice_from_text(std::string_view text, Aspect aspect, Operation operation) {
    return choice_from_json(Json(text), aspect, operation);
}

}  // namespace drydock::faults
