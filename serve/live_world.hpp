#pragma once

#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace drydock::serve {

/// A world that follows the real clock, and the backend that lives in it.
class LiveWorld : public std::enable_shared_from_this<LiveWorld> {
public:
    LiveWorld(const asio::any_io_executor& executor, sim::World& world, sim::BackendModel& model);

    /// Hands the request to the model at the present time. What is due at once has happened when
    /// this returns; the responder may be called later too.
    void handle(const Request& request, std::shared_ptr<sim::Responder> responder);

    /// The same for anything else that happens to the model.
    template <class Happening>
    void run(Happening happening) {
        catch_up();
        happening();
        catch_up();
        tick_while_armed();
    }

private:
    void catch_up();
    void tick_while_armed();

    sim::World& world_;
    sim::BackendModel& model_;
    std::chrono::steady_clock::time_point start_;
    asio::steady_timer tick_;
    bool is_ticking_ = false;
};

}  // namespace drydock::serve
