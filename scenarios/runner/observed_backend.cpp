#include "runner/observed_backend.hpp"

#include <drydock/sim/simulation.hpp>

#include <utility>

namespace drydock::scenarios {

void ObservedBackend::note(const CallContext& context, const Error& error) {
    program_.simulation().trace(
        {.kind = sim::EventKind::exchange_read,
         .operation = static_cast<std::uint8_t>(context.tag.operation),
         .detail = static_cast<std::uint8_t>(1 + static_cast<int>(error.kind())),
         .process = program_.id(),
         .lease = program_.lease_id(context.tag.lease),
         .n = program_.last_completed().n,
         .subject = error.message().empty() ? 1U : 0U,
         .value = static_cast<std::uint64_t>(error.landed())});
}

awaitable<Result<std::string>> ObservedBackend::create(CallContext context, std::string_view name,
                                                       const SandboxSpec& spec,
                                                       const Labels& labels) {
    Result<std::string> result = co_await adapter_.create(context, name, spec, labels);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<void>> ObservedBackend::start(CallContext context, std::string_view id) {
    Result<void> result = co_await adapter_.start(context, id);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<SandboxInfo>> ObservedBackend::inspect(CallContext context,
                                                        std::string_view id_or_name) {
    Result<SandboxInfo> result = co_await adapter_.inspect(context, id_or_name);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<std::vector<SandboxInfo>>> ObservedBackend::list(CallContext context,
                                                                  const Labels& labels) {
    Result<std::vector<SandboxInfo>> result = co_await adapter_.list(context, labels);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<void>> ObservedBackend::remove(CallContext context, std::string_view id) {
    Result<void> result = co_await adapter_.remove(context, id);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<std::string>> ObservedBackend::exec_create(CallContext context,
                                                            std::string_view id,
                                                            const ExecSpec& spec) {
    Result<std::string> result = co_await adapter_.exec_create(context, id, spec);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<void>> ObservedBackend::exec_start(CallContext context, std::string_view exec) {
    Result<void> result = co_await adapter_.exec_start(context, exec);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<std::unique_ptr<ExecStream>>> ObservedBackend::exec_open(CallContext context,
                                                                          std::string_view exec) {
    Result<std::unique_ptr<ExecStream>> result = co_await adapter_.exec_open(context, exec);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<ExecStatus>> ObservedBackend::exec_inspect(CallContext context,
                                                            std::string_view exec) {
    Result<ExecStatus> result = co_await adapter_.exec_inspect(context, exec);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<void>> ObservedBackend::upload(CallContext context, std::string_view id,
                                                std::string_view folder,
                                                const std::vector<FileEntry>& entries) {
    Result<void> result = co_await adapter_.upload(context, id, folder, entries);
    if (!result) note(context, result.error());
    co_return result;
}

awaitable<Result<std::vector<FileEntry>>> ObservedBackend::download(CallContext context,
                                                                    std::string_view id,
                                                                    std::string_view folder) {
    Result<std::vector<FileEntry>> result = co_await adapter_.download(context, id, folder);
    if (!result) note(context, result.error());
    co_return result;
}

}  // namespace drydock::scenarios
