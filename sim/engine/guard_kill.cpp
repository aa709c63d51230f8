#include "engine/guard.hpp"
#include "engine/signals.hpp"

namespace drydock::sim {
namespace {

constexpr int most_tries = 50;
constexpr int hasty_tries = 5;

}  // namespace

// The fence comes first: whatever launches from now on finds it, so nothing begins any more.
Routine<> Guard::kill_job() {
    co_await make_folder();
    const std::string fence = "void";
    std::string text;
    for (std::uint32_t n = 1; text != fence; ++n) {
        text = co_await claim(n, fence);
    }
    co_await step();
    claims();
    for (int tries = 1; tries <= most_tries; ++tries) {
        co_await step();
        find_members();
        if (members_.empty()) {
            co_await look();
            if (state_ != State::live) {
                co_await step();
                co_await end_now();
            }
        } else {
            co_await step();
            stop_members();
            co_await step();
            kill_members();
        }
        if (tries > hasty_tries) {
            co_await nap();
        }
    }
    std::string left = "left";
    for (const Member& member : members_) {
        left += " " + std::to_string(member.pid);
    }
    co_await end(left);
}

// What is stopped cannot end and leave its number to another process before it is killed.
void Guard::stop_members() {
    for (const Member& member : members_) {
        if (Task* const task = self_->tasks().find(member.pid)) {
            self_->tasks().signal(*task, stop_signal, self_);
        }
    }
}

void Guard::kill_members() {
    for (const Member& member : members_) {
        if (Task* const task = self_->tasks().find(member.pid)) {
            const bool is_it = task->begun() == member.begun;
            self_->tasks().signal(*task, is_it ? kill_signal : cont_signal, self_);
        }
    }
}

}  // namespace drydock::sim
