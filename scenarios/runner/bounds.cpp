#include "runner/bounds.hpp"

#include "runner/subject.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace drydock::scenarios {

namespace {

constexpr Bounds without_output{.operations = 250'000, .steps = 1'000'000};
// A byte of a record that was torn comes once more.
constexpr std::uint64_t reads_of_a_byte = 2;
constexpr std::uint64_t steps_of_a_read = 8;

template <class Visit>
void each_step(const ProcessScript& process, Visit visit) {
    for (const ActorScript& actor : process.actors) {
        for (const ActorStep& step : actor.steps)
            visit(step);
    }
}

bool reads_output(const ActorStep& step) {
    const auto* run = std::get_if<RunStep>(&step);
    return (run && run->waits) || std::holds_alternative<WaitStep>(step);
}

/// Bytes of output, as often as a step of the process reads them.
std::uint64_t bytes_read(const ProcessScript& process) {
    std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> written;
    each_step(process, [&](const ActorStep& step) {
        const auto* run = std::get_if<RunStep>(&step);
        if (!run) return;
        const std::uint64_t bytes = std::uint64_t{run->program.out} + run->program.err;
        std::uint64_t& most = written[{run->key, run->job}];
        most = std::max(most, bytes);
    });
    std::uint64_t bytes = 0;
    each_step(process, [&](const ActorStep& step) {
        if (reads_output(step)) bytes += written[{key_of(step), job_of(step)}];
    });
    return bytes;
}

}  // namespace

Bounds bounds_of(const Scenario& scenario) {
    Bounds bounds = without_output;
    for (const ProcessScript& process : scenario.processes) {
        const std::uint64_t reads = bytes_read(process) * reads_of_a_byte;
        bounds.operations = std::max(bounds.operations, without_output.operations + reads);
        bounds.steps += reads * steps_of_a_read;
    }
    return bounds;
}

}  // namespace drydock::scenarios
