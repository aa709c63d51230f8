#include "support/manager_bed.hpp"

#include <drydock/sim/backends.hpp>

#include <algorithm>
#include <stdexcept>

namespace drydock::test {

namespace {

faults::Plan plan_of(const std::vector<Fault>& faults_chosen) {
    std::vector<faults::PlanEntry> entries;
    for (const Fault& fault : faults_chosen) {
        const auto site = faults::SiteName::parse(fault.at);
        entries.push_back(
            {.at = site,
             .choose = faults::choice_from_text(fault.choose, site.aspect, site.operation),
             .sticky = fault.sticky});
    }
    return faults::Plan(std::move(entries));
}

const sim::BackendKind& backend_kind(std::string_view name) {
    static const sim::BackendRegistry registry = [] {
        sim::BackendRegistry made;
        sim::register_builtin_backends(made);
        return made;
    }();
    const sim::BackendKind* kind = registry.find(name);
    if (kind == nullptr) throw std::invalid_argument("no such backend");
    return *kind;
}

}  // namespace

struct ManagerBed::Incarnation {
    Incarnation(sim::Program& program, const Policy& policy,
                const std::function<std::unique_ptr<Backend>(Backend&, Runtime&)>& put_between)
        : runtime(program),
          transport(program),
          backend(make_docker_backend(transport, program.simulation().capabilities())),
          between(put_between ? put_between(*backend, runtime) : nullptr),
          ledger(sim::SimLedger::open(program).value()) {
        manager.emplace(runtime, between ? *between : *backend, *ledger, policy);
    }

    sim::SimRuntime runtime;
    sim::SimTransport transport;
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Backend> between;
    std::unique_ptr<sim::SimLedger> ledger;
    std::optional<SandboxManager> manager;
};

ManagerBed::ManagerBed(BedOptions options)
    : chooser_(plan_of(options.plan), names_),
      simulation_(chooser_, names_, backend_kind(options.backend),
                  {.late_horizon = options.policy.late_horizon}),
      program_(simulation_.add_program("runner")),
      policy_(std::move(options.policy)),
      between_(std::move(options.between)) {
    restart();
}

// The frames of calls under way use the seams: they go first.
ManagerBed::~ManagerBed() { program_.end(); }

SandboxManager& ManagerBed::manager() { return *incarnation_->manager; }

PendingPtr<Lease> ManagerBed::begin_acquire(std::string key) {
    return begin(manager().acquire(request_for(std::move(key))));
}

Result<Lease> ManagerBed::acquire(std::string key) {
    return run(manager().acquire(request_for(std::move(key))));
}

void ManagerBed::pass(Duration duration) { simulation_.world().run_until(now() + duration); }

bool ManagerBed::run_until(const std::function<bool()>& done) {
    return simulation_.world().run_until([&done] { return done(); });
}

void ManagerBed::crash() { program_.crash(); }

void ManagerBed::restart() {
    incarnation_.reset();
    program_.start();
    incarnation_ = std::make_unique<Incarnation>(program_, policy_, between_);
}

std::vector<std::string> ManagerBed::destroy_manager() {
    incarnation_->manager.reset();
    return incarnation_->runtime.defects();
}

const std::vector<std::string>& ManagerBed::defects() const {
    return incarnation_->runtime.defects();
}

std::vector<sim::SandboxTruth> ManagerBed::sandboxes() {
    auto& backend = simulation_.backend();
    const auto truth = backend.sandboxes();
    return {truth.begin(), truth.end()};
}

std::size_t ManagerBed::living() {
    const auto all = sandboxes();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const sim::SandboxTruth& each) { return !each.is_gone; }));
}

std::vector<LedgerRecord> ManagerBed::open_rows() {
    auto& store = simulation_.ledger_store();
    std::vector<LedgerRecord> rows = store.rows_of("runner");
    std::erase_if(rows, [](const LedgerRecord& row) { return !row.is_obligation(); });
    return rows;
}

std::size_t ManagerBed::count(Operation operation) {
    auto& world = simulation_.world();
    const auto& events = world.trace().events();
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [operation](const sim::Event& event) {
            return event.kind == sim::EventKind::started &&
                   event.operation == static_cast<std::uint8_t>(operation);
        }));
}

LeaseRequest request_for(std::string key) {
    LeaseRequest request;
    request.key = std::move(key);
    request.spec.image = "bb";
    request.spec.command = {"sleep", "86400"};
    return request;
}

}  // namespace drydock::test
