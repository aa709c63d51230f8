#include "runner/observed_backend.hpp"

#include <drydock/sim/simulation.hpp>

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

}  // namespace drydock::scenarios
