#pragma once

#include "docker/answers.hpp"

#include <drydock/sim/docker_face.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace drydock::sim {

/// One request's intervention and way back; copyable, as a removal answers later.
struct DockerModel::Exchange {
    faults::Answer chosen;
    std::optional<faults::EngineChoice> trait;
    std::shared_ptr<Responder> responder;

    struct UnheardStream final : ReplyStream {
        void send(std::string_view) override {}
        void end() override {}
    };

    bool is(faults::Answer::Kind kind) const { return chosen.kind == kind; }

    /// `real` unless the plan has chosen another status.
    void reply(Response real) const {
        const bool is_chosen = is(faults::Answer::Kind::after);
        responder->reply(is_chosen ? docker::chosen_answer(chosen.status) : std::move(real));
    }
    /// The same for a stream, which nobody hears then.
    std::shared_ptr<ReplyStream> stream(Response head, StreamClient client) const {
        if (!is(faults::Answer::Kind::after)) {
            return responder->stream(std::move(head), std::move(client));
        }
        responder->reply(docker::chosen_answer(chosen.status));
        return std::make_shared<UnheardStream>();
    }
    void reply(const Outcome& outcome, std::string_view reference) const {
        reply(docker::outcome_answer(outcome, reference));
    }
};

}  // namespace drydock::sim
