// GET /events: what happened, and what happens until the client leaves.
#include "docker/call.hpp"
#include "docker/events.hpp"
#include "docker/exchange.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace drydock::sim {
namespace {

/// One client that hears events.
struct Subscription {
    docker::Filters filters;
    std::shared_ptr<ReplyStream> stream;
    std::uint32_t listener = 0;
    Callback until;
};

void tell(const Subscription& subscription, const EngineEvent& event, const SandboxEngine& engine) {
    const docker::ShownEvent shown = docker::shown(event, engine);
    if (docker::passes(subscription.filters, shown)) {
        std::string line;
        docker::append_event(line, shown);
        subscription.stream->send(line);
    }
}

/// Without a beginning and an end only the future counts.
void tell_kept(const Subscription& subscription, const docker::Moment& since,
               const docker::Moment& until, const SandboxEngine& engine) {
    if (!since.at && !until.at) {
        return;
    }
    for (const EngineEvent& event : engine.events().kept()) {
        const WallTime at = engine.wall_at(event.at);
        if ((!since.at || at >= *since.at) && (!until.at || at <= *until.at)) {
            tell(subscription, event, engine);
        }
    }
}

}  // namespace

void DockerModel::events(const docker::Call& call, const Exchange& exchange) {
    const docker::Moment since = docker::read_moment(call.parameter("since"));
    const docker::Moment until = docker::read_moment(call.parameter("until"));
    docker::Filters filters = docker::read_filters(call.parameter("filters"));
    for (const std::string& error : {since.error, until.error}) {
        if (!error.empty()) {
            return exchange.reply(docker::error_answer(500, error));
        }
    }
    if (since.at && until.at && *until.at < *since.at) {
        return exchange.reply(docker::error_answer(
            400, fmt::format("`since` time ({}) cannot be after `until` time ({})",
                             call.parameter("since"), call.parameter("until"))));
    }
    if (!filters.error.empty()) {
        return exchange.reply(docker::error_answer(500, filters.error));
    }
    follow_events(exchange, std::move(filters), since, until);
}

void DockerModel::follow_events(const Exchange& exchange, docker::Filters filters,
                                const docker::Moment& since, const docker::Moment& until) {
    const auto subscription = std::make_shared<Subscription>();
    subscription->filters = std::move(filters);
    const std::weak_ptr<Subscription> weak = subscription;
    const auto leave = [this, weak] {
        if (const auto left = weak.lock()) {
            left->until.cancel();
            engine_.events().forget(left->listener);
        }
    };
    Response head = docker::answer(200);
    head.headers.push_back({"Content-Type", "application/json"});
    subscription->stream = exchange.stream(std::move(head), {.left = leave});
    tell_kept(*subscription, since, until, engine_);
    const WallTime now = engine_.wall_at(engine_.world().now());
    if (until.at && *until.at < now) {
        return subscription->stream->end();
    }
    subscription->listener = engine_.events().listen(
        [this, subscription](const EngineEvent& event) { tell(*subscription, event, engine_); });
    if (until.at) {
        subscription->until =
            engine_.world().call_after(*until.at - now, [leave, stream = subscription->stream] {
                leave();
                stream->end();
            });
    }
}

}  // namespace drydock::sim
