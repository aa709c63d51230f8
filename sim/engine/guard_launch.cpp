#include "engine/files.hpp"
#include "engine/guard.hpp"

#include <algorithm>
#include <utility>

namespace drydock::sim {
namespace {

constexpr int has_live_claimer = 100;
constexpr int has_begun = 101;
constexpr std::size_t stdin_word = 4;  // sh FILE launch JOB stdin|null DIR -- ARGV...
constexpr std::size_t folder_word = 5;
constexpr std::size_t dashes_word = 6;

/// An open file, written at its end.
class FileOutlet final : public Outlet {
public:
    FileOutlet(Tasks& tasks, std::string path) : tasks_(tasks), path_(std::move(path)) {}
    void write(std::string_view bytes) override {
        tasks_.files().append(path_, bytes, tasks_.wall_now());
        tasks_.note_change();
    }

private:
    Tasks& tasks_;
    std::string path_;
};

/// Keeps the job's stdin open until it is told to end it, or the claimer is gone.
class StdinHolder final : public Behaviour {
    void begin(Task&) override {}
    void input(Task& self, std::string_view) override { self.exit(0); }
    void parent_ended(Task& self) override { self.exit(1); }
};

}  // namespace

Routine<> Guard::launch() {
    if (self_->session() != self_->pid()) {
        co_await launch_in_own_session();
    }
    if (words() <= dashes_word + 1 || word(dashes_word) != "--") {
        co_await give_up("usage: guard launch JOB stdin|null DIR -- ARGV...");
    }
    const bool has_stdin = word(stdin_word) != "null";
    const std::string& folder = word(folder_word);
    const Inode* const there = files().find(folder);
    if (folder != "-" && (there == nullptr || there->kind != FileKind::folder)) {
        const std::string why = "no directory " + folder;
        co_await give_up(why);
    }
    co_await make_folder();
    co_await win_claim();
    co_await step();
    if (!open_files(has_stdin)) {
        const std::string why = "cannot open the files in " + folder_;
        co_await give_up(why);
    }
    traps_ = true;
    co_await step();
    files().truncate(path("begun"), self_->tasks().wall_now());
    if (has_stdin) {
        co_await step();
        hold_stdin();
    }
    co_await step();
    begin_job(has_stdin);
    co_await step();
    const ChildEnd job{*this};
    const int code = co_await job;
    co_await step();
    const FileError error =
        files().make_link(path("exit"), std::to_string(code), self_->tasks().wall_now());
    const int status = error == FileError::none ? 0 : 1;
    co_await exit(status);
}

Routine<> Guard::launch_in_own_session() {
    TaskSpec leader = self_->spec();
    leader.leads_session = true;
    child_ = self_->spawn(std::move(leader)).pid();
    const ChildEnd itself{*this};
    co_await itself;
    co_await exit(0);
}

/// Claims with the next number as long as the one before is of a claimer that died before its job
/// began.
Routine<> Guard::win_claim() {
    const std::string mine = claim_of(*self_);
    for (std::uint32_t n = 1;; ++n) {
        const std::string text = co_await claim(n, mine);
        if (text == mine) {
            co_return;
        }
        if (text == "void") {
            co_await exit(has_begun);
        }
        if (!is_claim(text)) {
            const std::string why = "a claim reads " + text;
            co_await give_up(why);
        }
        co_await step();
        const Owner owner = alive(text);
        if (owner == Owner::alive) {
            co_await exit(has_live_claimer);
        }
        if (owner == Owner::of_another_boot) {
            co_await exit(has_begun);
        }
        co_await step();
        if (files().exists(path("begun"))) {
            co_await exit(has_begun);
        }
    }
}

bool Guard::open_files(bool has_stdin) {
    const WallTime now = self_->tasks().wall_now();
    bool is_open = true;
    for (const std::string_view output : {"out", "err"}) {
        is_open = is_open && files().append(path(output), {}, now) == FileError::none;
    }
    if (has_stdin) {
        for (const std::string_view fifo : {"in", "close"}) {
            files().make_fifo(path(fifo), now);
            const Inode* const made = files().find(path(fifo));
            is_open = is_open && made != nullptr && made->kind == FileKind::fifo;
        }
    }
    return is_open;
}

void Guard::hold_stdin() {
    Tasks& tasks = self_->tasks();
    TaskSpec holder = self_->spec();
    holder.has_input = true;
    const auto end_stdin = [&tasks, job = job_](int) {
        for (const auto& task : tasks.all()) {
            if (task->spec().has_input && task->spec().variable(job_variable) == job) {
                tasks.input_end(*task);
            }
        }
    };
    holder_ =
        tasks.begin(std::move(holder), self_->pid(), std::make_unique<StdinHolder>(), end_stdin)
            .pid();
}

void Guard::begin_job(bool has_stdin) {
    Tasks& tasks = self_->tasks();
    TaskSpec job = self_->spec();
    if (word(folder_word) != "-") {
        job.folder = word(folder_word);
    }
    job.argv.assign(self_->spec().argv.begin() + dashes_word + 1, self_->spec().argv.end());
    job.environment.push_back("PWD=" + job.folder);
    job.environment.push_back(std::string(job_variable) + "=" + job_);
    job.out = std::make_shared<FileOutlet>(tasks, path("out"));
    job.err = std::make_shared<FileOutlet>(tasks, path("err"));
    job.has_input = has_stdin;
    job.has_terminal = false;
    job.leads_session = false;
    Task& begun = self_->spawn(std::move(job));
    child_ = begun.pid();
    const Task* const holder = tasks.find(holder_);
    if (has_stdin && (holder == nullptr || !holder->is_alive())) {
        tasks.input_end(begun);
    }
}

}  // namespace drydock::sim
