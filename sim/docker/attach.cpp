#include "docker/exchange.hpp"
#include "docker/streaming.hpp"

#include <fmt/format.h>

namespace drydock::sim {
namespace {

using docker::StreamWriter;

std::string why_not_attached(const Sandbox& sandbox) {
    if (sandbox.status == Status::paused) {
        return fmt::format("Container {} is paused, unpause the container before attach",
                           sandbox.name);
    }
    return sandbox.status == Status::restarting
               ? fmt::format("Container {} is restarting, wait until the container is running",
                             sandbox.id)
               : std::string();
}

/// One client that is attached to a container's own program. The container's streams keep the
/// writer, and the writer keeps the connection.
struct Attached {
    std::weak_ptr<StreamWriter> writer;
    std::weak_ptr<Streams> streams;
    docker::DetachKeys keys;
    bool has_input = false;

    void leave(bool is_told) const {
        const auto leaving = writer.lock();
        const auto left = streams.lock();
        if (!leaving || !left) {
            return;
        }
        left->forget(*leaving);
        if (is_told) {
            leaving->ended();
        }
    }
};

void pass_input(SandboxEngine& engine, const Sandbox& sandbox, Attached& attached,
                std::string_view bytes) {
    if (!attached.has_input) {
        return;
    }
    if (!sandbox.config.tty) {
        engine.input(sandbox, bytes);
    } else if (const auto passed = attached.keys.pass(bytes)) {
        engine.input(sandbox, *passed);
    } else {
        attached.leave(true);
    }
}

/// What the client does reaches the container; nothing of it keeps the container's run going.
StreamClient client_of(SandboxEngine& engine, const Sandbox& sandbox,
                       const std::shared_ptr<Attached>& attached) {
    const auto end_input = [&engine, &sandbox, attached] {
        if (attached->has_input && sandbox.config.stdin_once) {
            engine.input_end(sandbox);
        }
    };
    return {.input = [&engine, &sandbox, attached](
                         std::string_view bytes) { pass_input(engine, sandbox, *attached, bytes); },
            .input_end = end_input,
            .left =
                [attached, end_input] {
                    end_input();
                    attached->leave(false);
                }};
}

}  // namespace

void DockerModel::attach(const docker::Call& call, const Exchange& exchange) {
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(docker::hijack_error(404, "No such container: " + call.reference));
    }
    const Sandbox& sandbox = *found.sandbox;
    if (const std::string why = why_not_attached(sandbox); !why.empty()) {
        return exchange.reply(docker::hijack_error(409, why));
    }
    auto keys = docker::DetachKeys::read(call.parameter("detachKeys"));
    if (!keys) {
        return exchange.reply(docker::hijack_error(
            400, fmt::format("Invalid detach keys ({}) provided", call.parameter("detachKeys"))));
    }
    const StreamWriter::Wanted wanted{.out = call.flag("stdout"), .err = call.flag("stderr")};
    Streams& streams = engine_.streams(sandbox);
    const auto writer = std::make_shared<StreamWriter>(wanted, !sandbox.config.tty);
    const auto attached = std::make_shared<Attached>(Attached{.writer = writer,
                                                              .streams = sandbox.streams,
                                                              .keys = std::move(*keys),
                                                              .has_input = call.flag("stdin")});
    writer->open(
        exchange.stream(docker::hijack_head(*call.request), client_of(engine_, sandbox, attached)));
    if (call.flag("logs")) {
        for (const Streams::Line& line : streams.log()) {
            writer->written(line.source, line.text);
        }
    }
    if (call.flag("stream")) {
        streams.attach(writer);
    } else {
        writer->ended();
    }
}

}  // namespace drydock::sim
