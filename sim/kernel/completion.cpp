#include <drydock/runtime.hpp>
#include <drydock/sim/completion.hpp>

namespace drydock::sim::detail {

void CancelByTicket::operator()(asio::cancellation_type_t type) const noexcept {
    if ((type & asio::cancellation_type::terminal) == asio::cancellation_type::none) {
        return;
    }
    Op* op = world_->claim(ticket_);
    if (op != nullptr) {
        op->wake = Wake::cancelled;
        world_->make_ready(*op);
    }
}

}  // namespace drydock::sim::detail
