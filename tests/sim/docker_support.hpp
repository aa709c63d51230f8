#pragma once

#include <drydock/docker.hpp>
#include <drydock/sim/docker_face.hpp>
#include <drydock/sim/pending.hpp>
#include <drydock/sim/process.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace drydock::sim::test {

/// Notes what a model said to one exchange; a stream is its reply once it has ended. The test may
/// act as the client of a stream.
class RecordingResponder final : public Responder,
                                 public std::enable_shared_from_this<RecordingResponder> {
public:
    void applied() override { ++applied_count; }
    void trait_took_effect() override { trait_struck = true; }
    void head(const Response& begun) override { header = begun; }
    void reply(Response answer) override {
        response = std::move(answer);
        ++replies;
        if (on_reply) {
            on_reply(response);
        }
    }
    std::shared_ptr<ReplyStream> stream(Response begun, StreamClient of_client) override {
        header = begun;
        response = std::move(begun);
        client = std::move(of_client);
        return std::make_shared<Recorded>(weak_from_this());
    }

    void send(std::string_view bytes) const {
        if (client.input) client.input(bytes);
    }
    void end_input() const {
        if (client.input_end) client.input_end();
    }
    void leave() {
        if (const auto left = std::exchange(client, {}).left) left();
    }

    std::optional<Response> header;  ///< if it came ahead of the body
    Response response;               ///< of a stream: what came so far
    std::function<void(const Response&)> on_reply;
    StreamClient client;  ///< of a stream: what the model wants to hear
    int applied_count = 0;
    int replies = 0;
    bool trait_struck = false;

private:
    class Recorded final : public ReplyStream {
    public:
        explicit Recorded(std::weak_ptr<RecordingResponder> to) : to_(std::move(to)) {}
        void send(std::string_view bytes) override {
            if (const auto to = to_.lock()) to->response.body.append(bytes);
        }
        void end() override {
            if (const auto to = to_.lock()) {
                to->client = {};
                to->reply(std::move(to->response));
            }
        }

    private:
        std::weak_ptr<RecordingResponder> to_;
    };
};

/// A model in a world of its own, spoken to without any network.
class ModelHarness {
public:
    explicit ModelHarness(Personality personality = docker_personality())
        : model(world, personality) {}

    std::shared_ptr<RecordingResponder> send(const Request& request,
                                             Intervention intervention = {}) {
        auto responder = std::make_shared<RecordingResponder>();
        model.handle(request, intervention, responder);
        return responder;
    }
    /// Sends and lets time pass until the answer is there.
    Response ask(const Request& request) {
        const auto responder = send(request);
        world.run_until([&] { return responder->replies > 0; });
        return responder->response;
    }
    void pass(Duration duration) { world.run_until(world.now() + duration); }

    World world;
    DockerModel model;
};

/// From an adapter straight to the model of a harness, no latency. `next` intervenes once.
class DirectTransport final : public Transport {
public:
    explicit DirectTransport(ModelHarness& harness) : harness_(harness) {}

    awaitable<Exchanged> exchange(Tag, Request request, Duration limit,
                                  Interrupt interrupt) override {
        auto responder = std::make_shared<RecordingResponder>();
        last = responder;
        auto start = [&](Promise<Response> promise) {
            responder->on_reply = [promise](const Response& response) mutable {
                promise.fulfil(response);
            };
            const faults::Fate* fate = next_fate ? &*next_fate : nullptr;
            const faults::EngineChoice* trait = next_trait ? &*next_trait : nullptr;
            harness_.model.handle(request, {fate, trait}, responder);
            next_fate.reset();
            next_trait.reset();
        };
        const Executor executor = harness_process().get_executor();
        const Settled<Response> settled = co_await async_pending<Response>(
            executor, limit, interrupt, std::move(start), asio::use_awaitable);
        if (settled.wake != Wake::done) {
            co_return Exchanged(
                TransportFailure{TransportFailure::Cause::timeout, Progress::sent, 0});
        }
        co_return Exchanged(settled.value);
    }
    /// Streams are the network's business.
    awaitable<Opened> open(Tag, Request, Duration, Interrupt) override {
        co_return Opened(TransportFailure{});
    }

    Process& harness_process() { return process_; }

    std::optional<faults::Fate> next_fate;
    std::optional<faults::EngineChoice> next_trait;
    std::shared_ptr<RecordingResponder> last;

private:
    ModelHarness& harness_;
    Process process_{harness_.world, 1, "client"};
};

/// The adapter on top of a model: each call runs the world until it has returned.
class Client {
public:
    explicit Client(Personality personality = docker_personality())
        : harness(personality),
          transport(harness),
          backend(make_docker_backend(transport, personality.capabilities)) {}

    Result<std::string> create(std::string_view name, std::vector<std::string> command = {}) {
        const SandboxSpec spec{"bb", std::move(command), {}, {}};
        const Labels labels = {{"drydock.owner", "runner"},
                               {"drydock.lease", "scan-1"},
                               {"drydock.attempt", "2"},
                               {"drydock.key", "k1"}};
        return run(backend->create(context(Operation::container_create), name, spec, labels));
    }
    Result<void> start(std::string_view id) {
        return run(backend->start(context(Operation::container_start), id));
    }
    Result<SandboxInfo> inspect(std::string_view id) {
        return run(backend->inspect(context(Operation::container_inspect), id));
    }
    Result<std::vector<SandboxInfo>> list() {
        const Labels labels = {{"drydock.owner", "runner"}};
        return run(backend->list(context(Operation::container_list), labels));
    }
    Result<void> remove(std::string_view id) {
        return run(backend->remove(context(Operation::container_remove), id));
    }
    /// The state, or nothing where the sandbox is not found.
    std::optional<SandboxState> state(std::string_view id) {
        const auto info = inspect(id);
        return info ? std::optional(info->state) : std::nullopt;
    }

    void intervene(faults::Fate fate) { transport.next_fate = fate; }
    void intervene(faults::Trait trait, std::optional<Duration> lasts = {},
                   std::optional<std::string> state = {}) {
        transport.next_trait = faults::EngineChoice{trait, std::move(state), lasts};
    }
    const RecordingResponder& last() const { return *transport.last; }

    Duration limit = std::chrono::seconds(30);
    ModelHarness harness;
    DirectTransport transport;
    std::unique_ptr<Backend> backend;

private:
    CallContext context(Operation operation) const {
        return {{operation, "scan-1"}, limit, Interrupt::allowed};
    }
    template <class T>
    T run(awaitable<T> work) {
        std::optional<T> result;
        asio::co_spawn(transport.harness_process().get_executor(), std::move(work),
                       [&result](std::exception_ptr failure, T value) {
                           if (failure) {
                               std::rethrow_exception(failure);
                           }
                           result.emplace(std::move(value));
                       });
        harness.world.run_until([&] { return result.has_value(); });
        return std::move(*result);
    }
};

}  // namespace drydock::sim::test
