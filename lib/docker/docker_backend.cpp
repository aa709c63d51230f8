#include <drydock/docker.hpp>

#include "docker/answers.hpp"
#include "docker/archive.hpp"
#include "docker/classify.hpp"
#include "docker/exec_stream.hpp"
#include "docker/requests.hpp"

#include <utility>

namespace drydock {
namespace {

/// What `read` makes of a success; a refusal or a failure otherwise. `read` returns an optional.
template <class T, class Read>
Result<T> outcome(Operation operation, const Exchanged& exchanged, Read read) {
    if (!exchanged) {
        return docker::failed(operation, exchanged.error());
    }
    const Response& response = *exchanged;
    if (!docker::is_success(operation, response.status)) {
        return docker::refused(operation, response);
    }
    std::optional<T> value = read(response.body);
    if (!value) {
        return docker::unreadable(operation, response);
    }
    return std::move(*value);
}

Result<void> outcome(Operation operation, const Exchanged& exchanged) {
    if (!exchanged) {
        return docker::failed(operation, exchanged.error());
    }
    if (!docker::is_success(operation, exchanged->status)) {
        return docker::refused(operation, *exchanged);
    }
    return {};
}

class DockerBackend final : public Backend {
public:
    DockerBackend(Transport& transport, Capabilities capabilities)
        : transport_(transport), capabilities_(capabilities) {}

    const Capabilities& capabilities() const noexcept override { return capabilities_; }

    awaitable<Result<std::string>> create(CallContext context, std::string_view name,
                                          const SandboxSpec& spec, const Labels& labels) override {
        Request request = docker::create_request(name, spec, labels);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome<std::string>(context.tag.operation, exchanged, docker::read_created_id);
    }

    awaitable<Result<void>> start(CallContext context, std::string_view id) override {
        Request request = docker::start_request(id);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome(context.tag.operation, exchanged);
    }

    awaitable<Result<SandboxInfo>> inspect(CallContext context,
                                           std::string_view id_or_name) override {
        Request request = docker::inspect_request(id_or_name);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome<SandboxInfo>(context.tag.operation, exchanged, docker::read_sandbox);
    }

    awaitable<Result<std::vector<SandboxInfo>>> list(CallContext context,
                                                     const Labels& labels) override {
        Request request = docker::list_request(labels);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome<std::vector<SandboxInfo>>(context.tag.operation, exchanged,
                                                    docker::read_sandboxes);
    }

    awaitable<Result<void>> remove(CallContext context, std::string_view id) override {
        Request request = docker::remove_request(id);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome(context.tag.operation, exchanged);
    }

    awaitable<Result<std::string>> exec_create(CallContext context, std::string_view id,
                                               const ExecSpec& spec) override {
        Request request = docker::exec_create_request(id, spec);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome<std::string>(context.tag.operation, exchanged, docker::read_created_id);
    }

    awaitable<Result<void>> exec_start(CallContext context, std::string_view exec) override {
        Request request = docker::exec_start_request(exec);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome(context.tag.operation, exchanged);
    }

    awaitable<Result<std::unique_ptr<ExecStream>>> exec_open(CallContext context,
                                                             std::string_view exec) override {
        Request request = docker::exec_open_request(exec);
        Opened opened = co_await transport_.open(context.tag, std::move(request), context.limit,
                                                 context.interrupt);
        if (!opened) co_return docker::failed(context.tag.operation, opened.error());
        const Response& head = opened->head;
        if (!docker::is_success(context.tag.operation, head.status)) {
            co_return docker::refused(context.tag.operation, head);
        }
        if (!opened->stream) co_return docker::unreadable(context.tag.operation, head);
        co_return docker::make_exec_stream(std::move(opened->stream), head.status);
    }

    awaitable<Result<ExecStatus>> exec_inspect(CallContext context,
                                               std::string_view exec) override {
        Request request = docker::exec_inspect_request(exec);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome<ExecStatus>(context.tag.operation, exchanged, docker::read_exec);
    }

    awaitable<Result<void>> upload(CallContext context, std::string_view id,
                                   std::string_view folder,
                                   const std::vector<FileEntry>& entries) override {
        std::string archive = docker::write_archive(entries);
        Request request = docker::upload_request(id, folder, std::move(archive));
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome(context.tag.operation, exchanged);
    }

    awaitable<Result<std::vector<FileEntry>>> download(CallContext context, std::string_view id,
                                                       std::string_view folder) override {
        Request request = docker::download_request(id, folder);
        const Exchanged exchanged = co_await transport_.exchange(context.tag, std::move(request),
                                                                 context.limit, context.interrupt);
        co_return outcome<std::vector<FileEntry>>(context.tag.operation, exchanged,
                                                  docker::read_archive);
    }

private:
    Transport& transport_;
    Capabilities capabilities_;
};

}  // namespace

Capabilities docker_capabilities() { return {}; }

std::unique_ptr<Backend> make_docker_backend(Transport& transport, Capabilities capabilities) {
    return std::make_unique<DockerBackend>(transport, capabilities);
}

}  // namespace drydock
