#include "live_world.hpp"

#include <utility>

namespace drydock::serve {

namespace {

constexpr std::chrono::milliseconds tick = std::chrono::milliseconds(5);

}  // namespace

LiveWorld::LiveWorld(const asio::any_io_executor& executor, sim::World& world,
                     sim::BackendModel& model)
    : world_(world), model_(model), start_(std::chrono::steady_clock::now()), tick_(executor) {}

void LiveWorld::handle(const Request& request, std::shared_ptr<sim::Responder> responder) {
    run([&] { model_.handle(request, {}, std::move(responder)); });
}

void LiveWorld::catch_up() {
    world_.run_until(Time{} + (std::chrono::steady_clock::now() - start_));
}

// A world does not say when its next timer is due, so while it has one it is looked at.
void LiveWorld::tick_while_armed() {
    if (is_ticking_ || world_.idle()) return;
    is_ticking_ = true;
    tick_.expires_after(tick);
    tick_.async_wait([weak = weak_from_this()](boost::system::error_code failure) {
        const auto self = weak.lock();
        if (failure || !self) return;
        self->is_ticking_ = false;
        self->catch_up();
        self->tick_while_armed();
    });
}

}  // namespace drydock::serve
