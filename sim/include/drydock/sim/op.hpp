#pragma once

#include <cstdint>
#include <limits>
#include <utility>

namespace drydock {
enum class Wake : std::uint8_t;
enum class Interrupt : std::uint8_t;
}  // namespace drydock

namespace drydock::sim {

class Process;
class World;

/// Something the scheduler can run once, or destroy unrun. It is in at most one place: armed in the
/// timer heap, queued as ready, or in the graveyard. It frees itself when called.
struct Op {
    enum class Order : std::uint8_t { run, destroy };
    using Function = void (*)(World& world, Op* self, Order order);

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    Op(Function what, Process* whose) noexcept : function(what), owner(whose) {}

    Function function;
    Process* owner;             ///< null: the world itself, no crash reaches it
    Op* next = nullptr;         ///< link of the queue it is in
    std::uint32_t slot = none;  ///< in the timer heap while armed
    std::uint32_t lane = 0;     ///< lane of the executor it was started on
    Wake wake{};                ///< how it ended; preset to what its timer means
};

/// First in, first out, linked through the ops themselves.
class OpQueue {
public:
    bool empty() const noexcept { return head_ == nullptr; }
    const Op* front() const noexcept { return head_; }

    void push(Op& op) noexcept {
        op.next = nullptr;
        if (tail_ != nullptr) {
            tail_->next = &op;
        } else {
            head_ = &op;
        }
        tail_ = &op;
    }

    Op* pop() noexcept {
        Op* op = head_;
        if (op != nullptr) {
            head_ = op->next;
            if (head_ == nullptr) {
                tail_ = nullptr;
            }
        }
        return op;
    }

    /// All of it, in order; this queue is empty afterwards.
    OpQueue take() noexcept { return std::exchange(*this, OpQueue()); }

private:
    Op* head_ = nullptr;
    Op* tail_ = nullptr;
};

}  // namespace drydock::sim
