#include "runner/process_run.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <utility>

namespace drydock::scenarios {

namespace {

void rethrow(const std::exception_ptr& thrown) {
    if (thrown) std::rethrow_exception(thrown);
}

// What a restarted process does, and all it does. What it cannot meet stays in the ledger.
awaitable<void> recover_then_close(ClientUnderTest& client, bool wait_late) {
    Result<void> recovered = co_await client.recover();
    static_cast<void>(recovered);
    Result<void> closed = co_await client.close(wait_late);
    static_cast<void>(closed);
}

awaitable<void> close_only(ClientUnderTest& client) {
    Result<void> closed = co_await client.close(false);
    static_cast<void>(closed);
}

}  // namespace

ProcessRun::Incarnation::Incarnation(sim::Program& program, const ClientKind& kind,
                                     const Policy& policy)
    : runtime(program),
      transport(program),
      adapter(make_docker_backend(transport, program.simulation().capabilities())),
      backend(*adapter, program),
      ledger(sim::SimLedger::open(program).value()),
      client(kind.make({runtime, backend, *ledger, policy})) {}

ProcessRun::Incarnation::~Incarnation() = default;

ProcessRun::ProcessRun(sim::Program& program, const ProcessScript& script, const ClientKind& client,
                       const Scenario& scenario)
    : program_(program), kind_(client), scenario_(scenario) {
    std::uint32_t lane = 0;
    for (const ActorScript& actor : script.actors)
        actors_.emplace_back(*this, actor, ++lane);
    program_.strike = [this](std::uint32_t lease, std::uint32_t on_lane, std::string_view actor) {
        return strike(lease, on_lane, actor);
    };
    program_.on_crash = [this] { crashed(); };
}

// What still waits uses the client and its seams even as it is dropped, so it goes before them.
ProcessRun::~ProcessRun() { program_.end(); }

void ProcessRun::start_incarnation() {
    incarnation_.reset();  // the dead one's seams, before the living one's lock on the owner
    program_.start();
    incarnation_ = std::make_unique<Incarnation>(program_, kind_, scenario_.client);
}

void ProcessRun::begin() {
    start_incarnation();
    // Each actor begins in its own turn, inside the process.
    for (ActorRun& actor : actors_) {
        program_.simulation().world().call_after(*program_.process(), Duration::zero(),
                                                 [&actor] { actor.begin(); });
    }
    if (actors_.empty()) close_and_end();
}

void ProcessRun::actor_ended() {
    const bool all = std::all_of(actors_.begin(), actors_.end(),
                                 [](const ActorRun& actor) { return actor.has_ended(); });
    if (!all) return;
    if (holds_something()) {
        is_settled_ = true;
    } else {
        close_and_end();
    }
}

void ProcessRun::close_and_end() {
    asio::co_spawn(program_.process()->get_executor(), close_only(client()),
                   [this](const std::exception_ptr& thrown) {
                       rethrow(thrown);
                       end();
                   });
}

void ProcessRun::recover_and_end(bool wait_late) {
    start_incarnation();
    asio::co_spawn(program_.process()->get_executor(), recover_then_close(client(), wait_late),
                   [this](const std::exception_ptr& thrown) {
                       rethrow(thrown);
                       end();
                   });
}

void ProcessRun::recover_finally() {
    is_settled_ = false;
    has_recovered_finally_ = true;
    recover_and_end(true);
}

// From outside its own handler: the process's frames must be gone before its seams are.
void ProcessRun::end() {
    program_.simulation().world().call_after(Duration::zero(), [this] {
        for (const std::string& defect : incarnation_->runtime.defects()) {
            defects_.push_back(defect);
        }
        program_.end();
        is_settled_ = true;
    });
}

void ProcessRun::crashed() {
    for (ActorRun& actor : actors_)
        actor.die();
    is_settled_ = false;
    program_.simulation().world().call_after(scenario_.restart_after, [this] {
        recover_and_end(!program_.simulation().faults_are_on());
    });
}

bool ProcessRun::has_settled() const { return is_settled_; }

bool ProcessRun::holds_something() const {
    return std::any_of(actors_.begin(), actors_.end(),
                       [](const ActorRun& actor) { return !actor.holds().empty(); });
}

bool ProcessRun::has_obligations() const {
    const auto rows = program_.simulation().ledger_store().rows_of(program_.name());
    return std::any_of(rows.begin(), rows.end(),
                       [](const LedgerRecord& row) { return row.is_obligation(); });
}

void ProcessRun::hold_ends(const std::string& key) {
    const bool is_held = std::any_of(actors_.begin(), actors_.end(), [&](const ActorRun& actor) {
        return actor.holds().count(key) > 0;
    });
    if (is_held) return;
    program_.simulation().trace({.kind = sim::EventKind::handle_dropped,
                                 .process = program_.id(),
                                 .lease = program_.lease_id(key)});
}

void ProcessRun::all_holds_end(const std::string& key) {
    for (ActorRun& actor : actors_)
        actor.forget(key);
    hold_ends(key);
}

void ProcessRun::every_hold_ends() {
    for (ActorRun& actor : actors_) {
        while (!actor.holds().empty())
            all_holds_end(std::string(*actor.holds().begin()));
    }
}

void ProcessRun::look_after_holds(const std::string& key) {
    bool has_lost_one = false;
    for (ActorRun& actor : actors_) {
        const bool is_lost = actor.holds().count(key) > 0 && !client().holds(actor.lane(), key);
        if (is_lost) actor.forget(key);
        has_lost_one = has_lost_one || is_lost;
    }
    if (has_lost_one) hold_ends(key);
}

std::uint32_t ProcessRun::strike(std::uint32_t lease, std::uint32_t lane, std::string_view actor) {
    std::uint32_t struck = 0;
    for (ActorRun& candidate : actors_) {
        const bool is_meant =
            (lane == 0 || lane == candidate.lane()) && (actor.empty() || actor == candidate.name());
        if (!is_meant || !candidate.waits_for(lease)) continue;
        candidate.cancel();
        ++struck;
    }
    return struck;
}

std::string ProcessRun::waiting() const {
    if (is_settled_) return {};
    for (const ActorRun& actor : actors_) {
        if (!actor.has_ended()) return program_.name() + "/" + actor.name();
    }
    return program_.name();
}

}  // namespace drydock::scenarios
