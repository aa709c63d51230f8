#pragma once

#include <drydock/sim/engine.hpp>
#include <drydock/sim/exec.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

class Task;

/// The execs of all sandboxes of an engine.
class Execs {
public:
    explicit Execs(SandboxEngine& engine) : engine_(engine) {}

    /// In a sandbox that runs.
    const Exec& create(const Sandbox& sandbox, ExecConfig config);
    /// Null if there is no such exec, or no more.
    std::shared_ptr<Exec> find(std::string_view id) const;
    /// The ids of those that were not begun or have not ended, in order of their making.
    std::vector<std::string> pending_in(const Sandbox& sandbox) const;

    /// Starts one that has not begun. Empty, or why it cannot be run; its exit code says so too.
    /// The listener hears only what the exec asked for, and the end.
    std::string start(const std::shared_ptr<Exec>& exec, std::shared_ptr<Listener> listener);
    void input(const Exec& exec, std::string_view bytes);
    void input_end(const Exec& exec);
    void resize(const Exec& exec, int rows, int columns);

    /// The sandbox's run has ended: those that never began are gone.
    void run_ended(const Sandbox& sandbox);
    void removed(const Sandbox& sandbox);
    void forget_all() { execs_.clear(); }

private:
    Task* reader_of(const Exec& exec);

    SandboxEngine& engine_;
    std::vector<std::shared_ptr<Exec>> execs_;
    /// By sandbox and command, also those that are no more: an id never comes again.
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> made_;
};

}  // namespace drydock::sim
