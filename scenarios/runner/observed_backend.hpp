#pragma once

#include <drydock/backend.hpp>
#include <drydock/sim/program.hpp>

namespace drydock::scenarios {

/// Notes in the trace what an adapter made of each exchange, so that a judge can hold it against
/// the truth. Changes nothing.
class ObservedBackend final : public Backend {
public:
    ObservedBackend(Backend& adapter, sim::Program& program)
        : adapter_(adapter), program_(program) {}

    const Capabilities& capabilities() const noexcept override { return adapter_.capabilities(); }
    awaitable<Result<std::string>> create(CallContext context, std::string_view name,
                                          const SandboxSpec& spec, const Labels& labels) override;
    awaitable<Result<void>> start(CallContext context, std::string_view id) override;
    awaitable<Result<SandboxInfo>> inspect(CallContext context,
                                           std::string_view id_or_name) override;
    awaitable<Result<std::vector<SandboxInfo>>> list(CallContext context,
                                                     const Labels& labels) override;
    awaitable<Result<void>> remove(CallContext context, std::string_view id) override;

private:
    void note(const CallContext& context, const Error& error);

    Backend& adapter_;
    sim::Program& program_;
};

}  // namespace drydock::scenarios
