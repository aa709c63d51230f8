#include <drydock/faults/choice.hpp>
#include <drydock/faults/duration.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace drydock::faults {
namespace {

using Json = nlohmann::json;

std::string answer_text(const Answer& answer) {
    switch (answer.kind) {
        case Answer::Kind::before: return fmt::format("before({})", answer.status);
        case Answer::Kind::after: return fmt::format("after({})", answer.status);
        case Answer::Kind::partial: return fmt::format("partial({})", answer.status);
        default: return "applied";
    }
}

std::string reply_text(const Reply& reply) {
    switch (reply.kind) {
        case Reply::Kind::ok: return "ok";
        case Reply::Kind::lost: return "lost";
        case Reply::Kind::reset: return "reset";
        case Reply::Kind::cut_header: return "cut_header";
        case Reply::Kind::cut_body: return "cut_body";
        case Reply::Kind::stall: return "stall";
        case Reply::Kind::slow: return fmt::format("slow({})", format_duration(reply.by));
        case Reply::Kind::not_sent: return "not_sent";
    }
    return {};
}

Json composed(const Fate& fate) {
    Json json{{"arrival", name(fate.arrival)}, {"reply", reply_text(fate.reply)}};
    if (fate.answer.kind != Answer::Kind::none) {
        json["answer"] = answer_text(fate.answer);
    }
    return json;
}

std::string strike_text(const Strike& strike) {
    return strike.actor.empty() ? std::string(name(strike.moment))
                                : fmt::format("{}@{}", name(strike.moment), strike.actor);
}

struct Writer {
    Json operator()(const Fate& fate) const {
        const FateKind kind = kind_of(fate);
        switch (kind) {
            case FateKind::composed: return composed(fate);
            case FateKind::late: return fmt::format("late({})", name(fate.arrival));
            case FateKind::partial:
                if (fate.answer.status == 500) {
                    return "partial";
                }
                [[fallthrough]];
            case FateKind::status_before:
            case FateKind::status_after:
                return fmt::format("{}({})", name(kind), fate.answer.status);
            case FateKind::slow: return reply_text(fate.reply);
            default: return name(kind);
        }
    }

    Json operator()(const LocalFate& fate) const {
        return fate.kind == LocalFate::Kind::fail ? fmt::format("fail({})", name(fate.error))
                                                  : std::string(name(fate.kind));
    }

    Json operator()(const Delay& delay) const { return format_duration(delay.by); }

    Json operator()(const Cancel& cancel) const {
        if (cancel.strikes.size() == 1) {
            return strike_text(cancel.strikes.front());
        }
        Json list = Json::array();
        for (const Strike& strike : cancel.strikes) {
            list.push_back(strike_text(strike));
        }
        return list;
    }

    Json operator()(const Crash& crash) const { return name(crash.moment); }

    Json operator()(const EngineChoice& choice) const {
        std::string arguments = choice.state.value_or("");
        if (choice.lasts) {
            arguments += (arguments.empty() ? "" : ", ") + format_duration(*choice.lasts);
        }
        return arguments.empty() ? std::string(name(choice.trait))
                                 : fmt::format("{}({})", name(choice.trait), arguments);
    }

    Json operator()(const StreamFault& fault) const {
        switch (fault.kind) {
            case StreamFault::Kind::split:
                return fault.length == 1 ? std::string(name(fault.kind))
                                         : fmt::format("{}({})", name(fault.kind), fault.length);
            case StreamFault::Kind::gap:
            case StreamFault::Kind::repeat:
                return fmt::format("{}({}, {})", name(fault.kind), fault.after, fault.length);
            default: return fmt::format("{}({})", name(fault.kind), fault.after);
        }
    }

    Json operator()(const StepFault& fault) const {
        return fault.by == Duration{}
                   ? std::string(name(fault.kind))
                   : fmt::format("{}({})", name(fault.kind), format_duration(fault.by));
    }
};

}  // namespace

nlohmann::json to_json(const Choice& choice) { return std::visit(Writer{}, choice); }

}  // namespace drydock::faults
