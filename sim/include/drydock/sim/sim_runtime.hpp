#pragma once

#include <drydock/faults/random.hpp>
#include <drydock/runtime.hpp>
#include <drydock/sim/program.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// drydock::Runtime of one incarnation of a program, in virtual time. Each suspension is a site.
class SimRuntime final : public drydock::Runtime {
public:
    explicit SimRuntime(Program& program);

    asio::any_io_executor executor() override;
    Time now() override;
    /// Virtual time counted from a fixed date.
    WallTime wall_now() override;
    std::uint64_t random_bits() override { return random_.next(); }

    awaitable<Wake> sleep(Tag tag, Duration duration, Interrupt interrupt) override;
    std::unique_ptr<drydock::Event> make_event() override;
    awaitable<Wake> wait(Tag tag, drydock::Event& event, std::optional<Time> until,
                         Interrupt interrupt) override;
    awaitable<Result<void>> call(Tag tag, Callback callback, std::optional<Time> until,
                                 Interrupt interrupt) override;
    void report(std::string_view defect) override;

    /// Defects reported by this incarnation while it lived.
    const std::vector<std::string>& defects() const noexcept { return defects_; }

private:
    Program& program_;
    faults::SplitMix64 random_;
    std::vector<std::string> defects_;
};

}  // namespace drydock::sim
