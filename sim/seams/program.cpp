#include <drydock/sim/program.hpp>
#include <drydock/sim/simulation.hpp>

#include <utility>

namespace drydock::sim {

Program::Program(Simulation& simulation, std::uint8_t id, std::string name)
    : simulation_(simulation), id_(id), name_(std::move(name)) {}

Program::~Program() = default;

Process& Program::start() {
    process_ = std::make_unique<Process>(simulation_.world(), id_, name_);
    simulation_.trace(
        {.kind = EventKind::process_started, .process = id_, .value = ++incarnation_});
    return *process_;
}

bool Program::has_run_away() const noexcept {
    return begun_ > simulation_.options().most_operations;
}

void Program::drop(EventKind kind) {
    if (!is_alive()) return;
    simulation_.trace({.kind = kind, .process = id_, .value = incarnation_});
    process_->crash();
    simulation_.network().client_died(id_);
}

void Program::end() { drop(EventKind::process_ended); }

void Program::crash() {
    if (!is_alive()) return;
    drop(EventKind::process_crashed);
    if (on_crash) on_crash();
}

faults::Site Program::begin(Tag tag, std::uint32_t subject) {
    ++begun_;
    const std::uint32_t lease = lease_id(tag.lease);
    const std::uint32_t n = counters_.next(tag.operation, lease);
    simulation_.trace({.kind = EventKind::started,
                       .operation = static_cast<std::uint8_t>(tag.operation),
                       .process = id_,
                       .lease = lease,
                       .n = n,
                       .subject = subject});
    return {.process = id_, .lease = lease, .operation = tag.operation, .n = n};
}

// Not traced: there are many, and they follow from what the sandbox's processes did before.
faults::Site Program::begin_guard_step(std::string_view lease) {
    const std::uint32_t id = lease_id(lease);
    return {.process = id_,
            .lease = id,
            .operation = Operation::guard_step,
            .n = counters_.next(Operation::guard_step, id),
            .aspect = faults::Aspect::step};
}

void Program::completed(const faults::Site& site, std::uint64_t value, std::uint32_t subject) {
    last_completed_ = site;
    simulation_.trace({.kind = EventKind::completed,
                       .operation = static_cast<std::uint8_t>(site.operation),
                       .process = id_,
                       .lease = site.lease,
                       .n = site.n,
                       .subject = subject,
                       .value = value});
}

std::uint32_t Program::lease_id(std::string_view key) {
    if (key.empty()) return 0;
    if (key != last_key_) {
        last_lease_ = simulation_.names().lease(key);
        last_key_ = key;
    }
    return last_lease_;
}

}  // namespace drydock::sim
