// What the folder of a job and the processes of the sandbox say about it.
#include "engine/files.hpp"
#include "engine/guard.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace drydock::sim {
namespace {

/// Of the host on which all sandboxes run: no restart of one, or of the engine, changes it.
constexpr std::string_view boot_id = "5f1d2f6e-3c0b-4b7e-9d5a-0c0a51de0b07";

/// A real tick is 10 ms, in which no sandbox comes up again and gives out the same pids; here one
/// may.
std::uint64_t start_of(const Task& task) {
    constexpr std::uint64_t up_before = 1'000'000;
    const auto run =
        std::chrono::duration_cast<std::chrono::microseconds>(task.begun().time_since_epoch());
    return up_before + static_cast<std::uint64_t>(run.count());
}

struct Claim {
    std::string_view boot;
    std::uint32_t pid = 0;
    std::uint64_t start = 0;
};

template <class Number>
Number number(std::string_view text) {
    Number value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

Claim read_claim(std::string_view text) {
    const std::size_t first = std::min(text.find(':'), text.size());
    const std::size_t last = text.rfind(':');
    if (last == std::string_view::npos || last <= first) {
        return {};
    }
    return {text.substr(0, first), number<std::uint32_t>(text.substr(first + 1, last - first - 1)),
            number<std::uint64_t>(text.substr(last + 1))};
}

}  // namespace

std::string claim_of(const Task& task) {
    return std::string(boot_id) + ":" + std::to_string(task.pid()) + ":" +
           std::to_string(start_of(task));
}

bool Guard::is_claim(std::string_view text) {
    return std::count(text.begin(), text.end(), ':') >= 2;
}

Guard::Owner Guard::alive(std::string_view claim) const {
    const Claim read = read_claim(claim);
    if (read.boot != boot_id) {
        return Owner::of_another_boot;
    }
    const Task* const task = self_->tasks().find(read.pid);
    const bool is_it = task != nullptr && start_of(*task) == read.start && task->is_alive();
    return is_it ? Owner::alive : Owner::dead;
}

Routine<> Guard::make_folder() {
    if (self_->tasks().sandbox().config.has_read_only_root) {
        const std::string why = folder_.substr(0, folder_.rfind('/')) + " is not writable";
        co_await give_up(why);
    }
    co_await step();
    files().make_folder(folder_, self_->tasks().wall_now());
    if (!files().exists(folder_)) {
        const std::string why = "no folder " + folder_;
        co_await give_up(why);
    }
}

/// Tries to make that claim, and says what it reads. Only that tells who owns it.
Routine<std::string> Guard::claim(std::uint32_t number, std::string text) {
    const std::string link = path("claim." + std::to_string(number));
    co_await step();
    files().make_link(link, std::move(text), self_->tasks().wall_now());
    co_await step();
    std::string_view read;
    if (files().read_link(link, read) != FileError::none) {
        const std::string why = "cannot make " + link;
        co_await give_up(why);
    }
    co_return std::string(read);
}

void Guard::claims() {
    last_.clear();
    is_void_ = false;
    std::string_view text;
    for (std::uint32_t n = 1;; ++n) {
        if (files().read_link(path("claim." + std::to_string(n)), text) != FileError::none) {
            return;
        }
        if (text == "void") {
            is_void_ = true;
        } else {
            last_ = text;
        }
    }
}

bool Guard::read_exit_code() {
    std::string_view text;
    if (files().read_link(path("exit"), text) != FileError::none) {
        return false;
    }
    code_ = number<int>(text);
    return code_ <= 255 && text == std::to_string(code_);
}

/// The state; live while anything of the job runs.
Routine<> Guard::look() {
    state_ = State::live;
    co_await glance();
    if (read_exit_code()) {
        state_ = State::code;
        co_return;
    }
    co_await glance();
    if (!last_.empty() && alive(last_) == Owner::alive) {
        co_return;
    }
    claims();
    co_await glance();
    if (last_.empty()) {
        state_ = not_begun();
        co_return;
    }
    if (!is_claim(last_)) {
        const std::string why = "a claim reads " + last_;
        co_await give_up(why);
    }
    const Owner owner = alive(last_);
    if (owner == Owner::alive) {
        co_return;
    }
    if (owner == Owner::dead) {
        co_await glance();  // only now does the absence of begun prove anything
        if (!files().exists(path("begun"))) {
            state_ = not_begun();
            co_return;
        }
        // A later claimer may have written it: its claim is there, then, by now.
        const std::string dead = last_;
        co_await glance();
        claims();
        if (last_ != dead) {
            co_return;
        }
    }
    co_await glance();
    find_members();
    if (!members_.empty()) {
        co_return;
    }
    co_await glance();  // the link may have been made until its last process was gone
    state_ = read_exit_code() ? State::code : State::unknown;
}

bool Guard::is_member(const Task& task, std::uint32_t leader, std::uint64_t since) const {
    return task.is_alive() && task.session() != self_->session() && start_of(task) >= since &&
           (task.session() == leader || task.spec().variable(job_variable) == job_);
}

/// The job's running processes: of the session that the claimer leads, or with the job's tag.
void Guard::find_members() {
    members_.clear();
    const Claim last = read_claim(last_);
    const bool is_of_this_boot = last.boot == boot_id;
    const std::uint64_t since = is_of_this_boot ? last.start : 0;
    std::uint32_t leader = is_of_this_boot ? last.pid : 0;
    const Task* const there = self_->tasks().find(leader);
    const auto& all = self_->tasks().all();
    const bool is_stranger = there != nullptr && start_of(*there) != since;
    if (is_stranger || start_of(*all.front()) > since) {  // or of an earlier run of the sandbox
        leader = 0;
    }
    for (const auto& task : all) {
        if (is_member(*task, leader, since)) {
            members_.push_back({task->pid(), task->begun()});
        }
    }
}

std::uint64_t Guard::size(std::string_view entry) const {
    const Inode* const inode = files().find(path(entry));
    return inode == nullptr ? 0 : inode->content.size();
}

}  // namespace drydock::sim
