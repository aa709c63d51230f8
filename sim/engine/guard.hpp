#pragma once

#include "engine/routine.hpp"
#include "engine/task.hpp"

#include <coroutine>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

inline constexpr std::string_view guard_path = "/.drydock/guard";

/// What a job's own processes have in their environment.
inline constexpr std::string_view job_variable = "DRYDOCK_JOB";

/// A process as a claim names it: `BOOT_ID:PID:START`, of the host's present boot.
std::string claim_of(const Task& task);

/// The script lib/jobs/guard.sh, as far as others can see what it does: each step that reads or
/// changes what they share comes a moment after the one before, and the plan may strike it
/// (faults::StepFault). Names are the script's.
class Guard final : public Behaviour {
public:
    void begin(Task& self) override;
    bool signal(Task& self, int number) override;
    void child_ended(Task& self, const Task& child) override;

private:
    enum class State : std::uint8_t { live, code, unknown, absent, fenced };
    enum class Owner : std::uint8_t { alive, dead, of_another_boot };
    struct Member {
        std::uint32_t pid = 0;
        Time begun{};
    };

    // what it waits for
    struct Step {
        Guard& guard;
        bool may_be_struck;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> rest) const {
            guard.take_step(rest, may_be_struck);
        }
        void await_resume() const noexcept {}
    };
    struct Nap {  ///< gives how many naps it took
        Guard& guard;
        int most;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> rest) const { guard.take_naps(rest, most); }
        int await_resume() const noexcept { return guard.naps_; }
    };
    struct ChildEnd {
        Guard& guard;
        bool await_ready() const noexcept { return guard.child_code_.has_value(); }
        void await_suspend(std::coroutine_handle<> rest) const { guard.waiting_ = rest; }
        int await_resume() const noexcept { return *guard.child_code_; }
    };
    struct End {  ///< of the process: nothing follows
        Task& self;
        int code;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<>) const { self.exit(code); }
        void await_resume() const noexcept {}
    };

    Step step() { return {*this, true}; }
    /// A look at what is there.
    Step glance() { return {*this, !polls_}; }
    /// As many naps as it takes until there may be something to see. The script looks after each;
    /// here it looks at the same times, but where nothing can have changed.
    Nap naps(int most) { return {*this, most}; }
    Nap nap() { return {*this, 1}; }
    End exit(int code) { return {*self_, code}; }
    End end(std::string_view text);
    End give_up(std::string_view why);
    void take_step(std::coroutine_handle<> rest, bool may_be_struck);
    Duration strike(const StepIntervention& chosen);
    void take_naps(std::coroutine_handle<> rest, int most);
    void wake_after(int naps, std::coroutine_handle<> rest, Time since);

    // the verbs
    Routine<> run();
    Routine<> launch();
    Routine<> follow();
    Routine<> kill_job();
    Routine<> write_input();
    Routine<> close_input();

    // launch
    Routine<> launch_in_own_session();
    Routine<> win_claim();
    bool open_files(bool has_stdin);
    void hold_stdin();
    void begin_job(bool has_stdin);
    // follow
    Routine<bool> print_new(std::string_view name, std::optional<std::uint64_t>& offset,
                            std::uint64_t goal);
    End end_with_sizes(std::uint64_t out, std::uint64_t err);
    End end_now() { return end_with_sizes(size("out"), size("err")); }
    // kill
    void stop_members();
    void kill_members();
    // input
    Task* reader_of(std::string_view fifo) const;
    Routine<bool> send(std::string_view fifo, std::string_view bytes);

    // claims and states
    std::string why_not() const;
    Routine<> make_folder();
    Routine<std::string> claim(std::uint32_t number, std::string text);
    void claims();
    static bool is_claim(std::string_view text);
    Owner alive(std::string_view claim) const;
    bool read_exit_code();
    Routine<> look();
    State not_begun() const { return is_void_ ? State::fenced : State::absent; }
    void find_members();
    bool is_member(const Task& task, std::uint32_t leader, std::uint64_t since) const;

    Files& files() const { return self_->tasks().files(); }
    std::string path(std::string_view entry) const { return folder_ + "/" + std::string(entry); }
    std::uint64_t size(std::string_view entry) const;
    const std::string& word(std::size_t index) const { return self_->spec().argv[index]; }
    std::size_t words() const { return self_->spec().argv.size(); }

    Task* self_ = nullptr;
    std::string verb_;
    std::string job_;
    std::string folder_;
    bool polls_ = false;  ///< its looks are too many to be struck
    bool traps_ = false;
    int naps_ = 0;              ///< those of the last sleep
    std::uint32_t sleeps_ = 0;  ///< so that a sleep ends once
    std::string last_;          ///< the last launcher's claim
    bool is_void_ = false;
    State state_ = State::live;
    int code_ = 0;
    std::vector<Member> members_;
    std::uint32_t holder_ = 0;
    std::uint32_t child_ = 0;  ///< the job
    std::optional<int> child_code_;
    std::coroutine_handle<> waiting_;
    Routine<> routine_;  ///< the last member: it uses all others
};

}  // namespace drydock::sim
