#include <drydock/sim/sim_event.hpp>

namespace drydock::sim {

void SimEvent::set() {
    set_ = true;
    for (Promise<Woken>& waiter : waiters_) {
        waiter.fulfil(Woken());
    }
    waiters_.clear();
}

void SimEvent::enlist(Promise<Woken> waiter) {
    if (set_) {
        waiter.fulfil(Woken());
        return;
    }
    // Waiters that gave up are forgotten when the list would have to grow.
    if (waiters_.size() == waiters_.capacity()) {
        std::erase_if(waiters_, [](const Promise<Woken>& other) { return !other.wanted(); });
    }
    waiters_.push_back(waiter);
}

}  // namespace drydock::sim
