#pragma once

#include "engine/execs.hpp"
#include "engine/files.hpp"
#include "engine/guard.hpp"
#include "engine/streams.hpp"
#include "engine/task.hpp"

#include <drydock/sim/engine.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::test {

using Words = std::vector<std::string>;

/// One exec, and what it printed.
struct Ran final : Listener {
    void written(Source source, std::string_view bytes) override {
        (source == Source::out ? out : err).append(bytes);
    }
    void ended() override { has_ended = true; }
    int exit_code() const { return exec->exit_code.value_or(-1); }
    /// Its `end` record; or the first line of what it printed.
    std::string answer() const;

    std::shared_ptr<Exec> exec;
    std::string out;
    std::string err;
    bool has_ended = false;
};

/// A sandbox that runs and has the guard in it. Steps of guards are counted from 1, over all of
/// them, and struck as `plan` says.
class GuardHarness {
public:
    explicit GuardHarness(SandboxConfig config = plain());
    ~GuardHarness();
    GuardHarness(const GuardHarness&) = delete;
    GuardHarness& operator=(const GuardHarness&) = delete;

    static SandboxConfig plain();

    std::shared_ptr<Ran> run(Words argv, Words environment = {});
    std::shared_ptr<Ran> guard(Words words);
    /// Of the job "j", whose words are those of drydock-job.
    std::shared_ptr<Ran> launch(Words job, std::string in = "null");
    std::shared_ptr<Ran> follow(std::string out = "0", std::string err = "0") {
        return guard({"follow", "j", std::move(out), std::move(err)});
    }
    std::shared_ptr<Ran> kill() { return guard({"kill", "j"}); }
    /// Lets the exec run to its end, and returns its answer.
    std::string end_of(const std::shared_ptr<Ran>& ran);

    void pass(Duration time) { world.run_until(world.now() + time); }
    void restart();
    /// To the exec's process, if it has not ended.
    void signal(const Ran& ran, int number);

    // what is there
    Files& files() { return *engine.files("c1"); }
    /// The text of a link, the content of a file, or "-".
    std::string entry(std::string_view name);
    std::vector<std::string> claims();
    /// How often the job took effect.
    std::size_t begun(std::string_view job = "j") const;
    const ProcessTruth* truth(std::string_view job = "j") const;
    std::size_t living(std::string_view job = "j") const;
    /// Of files, processes and events.
    std::uint64_t digest();

    World world;
    SandboxEngine engine{world, docker_personality()};
    std::map<std::uint32_t, faults::StepFault> plan;
    std::map<std::uint32_t, bool> struck;
    std::uint32_t steps = 0;

private:
    std::vector<std::shared_ptr<Exec>> execs_;
};

}  // namespace drydock::sim::test
