#include <drydock/sim/timer_heap.hpp>

#include <stdexcept>

namespace drydock::sim {

void TimerHeap::grow() {
    if (entries_.empty()) {
        entries_.reserve(initial_capacity);
        entries_.resize(root);
    } else {
        entries_.reserve(entries_.size() * 2);
    }
}

void TimerHeap::add_slot() {
    if (slots_.size() == std::size_t{1} << slot_bits) {
        throw std::length_error("too many operations are armed at once");
    }
    if (slots_.size() == slots_.capacity()) {
        slots_.reserve(slots_.empty() ? initial_capacity : slots_.size() * 2);
    }
    free_ = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back(Slot{nullptr, Op::none, 0});
}

}  // namespace drydock::sim
