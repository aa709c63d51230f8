#include "engine/files.hpp"
#include "engine/guard.hpp"
#include "engine/script.hpp"

#include <algorithm>

namespace drydock::sim {
namespace {

constexpr std::size_t longest_write = 4096;
constexpr std::size_t text_word = 4;  // sh FILE input JOB TEXT

}  // namespace

Routine<> Guard::write_input() {
    if (words() != text_word + 1) {
        co_await give_up("usage: guard input JOB TEXT");
    }
    const std::vector<std::string> print = {"printf", "%b", word(text_word)};
    const std::string bytes = formatted(print);
    if (bytes.size() > longest_write) {
        co_await give_up("more than 4096 bytes");
    }
    const bool is_written = co_await send("in", bytes);
    if (!is_written) {
        co_await give_up("the job's stdin has ended with its claimer");
    }
    self_->write_out("written\n");
    co_await exit(0);
}

// Without a claimer it is closed already.
Routine<> Guard::close_input() {
    co_await send("close", "\n");
    self_->write_out("closed\n");
    co_await exit(0);
}

/// Who reads what is written there: the job, or the child that holds its stdin open.
Task* Guard::reader_of(std::string_view fifo) const {
    const auto& all = self_->tasks().all();
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& task) {
        if (!task->is_alive() || !task->spec().has_input) {
            return false;
        }
        const bool is_job = task->spec().variable(job_variable) == job_;
        const Task* const claimer = self_->tasks().find(task->parent());
        const bool is_holder = !is_job && claimer != nullptr && last_ == claim_of(*claimer);
        return fifo == "in" ? is_job : is_holder;
    });
    return at == all.end() ? nullptr : at->get();
}

/// False if the claimer, and so the job's stdin, is gone. Ends where the job has.
Routine<bool> Guard::send(std::string_view fifo, std::string_view bytes) {
    polls_ = true;
    for (;;) {
        co_await glance();
        claims();
        if (reader_of(fifo) != nullptr) {
            co_await step();
        }
        if (Task* const reader = reader_of(fifo)) {
            self_->tasks().input(*reader, bytes);
            co_return true;
        }
        if (fifo == "close" && reader_of("in") != nullptr) {
            co_return true;  // its stdin has ended already
        }
        co_await look();
        if (state_ != State::live) {
            co_await end_now();
        }
        if (files().exists(path("begun"))) {
            if (!files().exists(path(fifo))) {
                co_await give_up("the job has no stdin");
            }
            if (alive(last_) != Owner::alive) {
                co_return false;
            }
        }
        co_await nap();
    }
}

}  // namespace drydock::sim
