#pragma once

#include <drydock/faults/site.hpp>
#include <drydock/sim/choices.hpp>
#include <drydock/sim/program.hpp>
#include <drydock/sim/simulation.hpp>

#include <cstdint>
#include <memory>

namespace drydock::sim {

/// One suspension of a program at its site, with the cancels and the crash that were chosen there.
/// Nothing is done where nothing was chosen: `is_chosen` guards the three hooks.
class Suspension {
public:
    Suspension(Program& program, Tag tag, std::uint32_t subject = 0);

    const faults::Site& site() const noexcept { return site_; }
    Made choice(faults::Aspect aspect) const;
    Executor executor() const { return program_.process()->get_executor(); }
    Program& program() const noexcept { return program_; }

    /// How much longer a local operation takes, if so chosen.
    Duration chosen_delay() const;

    bool is_chosen() const noexcept { return cancel_ || crash_ || program_.has_run_away(); }

    /// Strikes what falls before the operation. False if it was cancelled by that: nothing of it is
    /// done then. Does not return to a program that has run away.
    awaitable<bool> before(Interrupt interrupt);
    /// Arms what falls while the operation is pending.
    awaitable<void> arm_in_flight();
    /// Strikes what falls with the completion, ahead of it.
    awaitable<void> with_completion();

    void completed(std::uint64_t value, std::uint32_t subject = 0) {
        program_.completed(site_, value, subject);
    }

private:
    /// Shared with armed callbacks, which may outlive the suspension.
    struct State {
        Program& program;
        faults::Site site;
        Made cancel;
        Made crash;
        bool is_pending = true;

        void strike(std::size_t index, std::uint32_t lane);
        void die();
    };

    bool falls(faults::Moment moment, std::size_t index) const;
    std::size_t strikes() const;
    awaitable<Wake> strike_all(faults::Moment moment, Interrupt interrupt);

    Program& program_;
    faults::Site site_;
    Made cancel_;
    Made crash_;
    std::shared_ptr<State> state_;
};

}  // namespace drydock::sim
