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
    awaitable<Result<std::string>> exec_create(CallContext context, std::string_view id,
                                               const ExecSpec& spec) override;
    awaitable<Result<void>> exec_start(CallContext context, std::string_view exec) override;
    awaitable<Result<std::unique_ptr<ExecStream>>> exec_open(CallContext context,
                                                             std::string_view exec) override;
    awaitable<Result<ExecStatus>> exec_inspect(CallContext context, std::string_view exec) override;
    awaitable<Result<void>> upload(CallContext context, std::string_view id,
                                   std::string_view folder,
                                   const std::vector<FileEntry>& entries) override;
    awaitable<Result<std::vector<FileEntry>>> download(CallContext context, std::string_view id,
                                                       std::string_view folder) override;

private:
    void note(const CallContext& context, const Error& error);

    Backend& adapter_;
    sim::Program& program_;
};

}  // namespace drydock::scenarios
