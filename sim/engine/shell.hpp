#pragma once

#include "engine/script.hpp"
#include "engine/task.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

/// Runs statements, each at once but for what waits: `sleep`, `cat`, `wait`. Ends after the last
/// one, with its status.
class Shell : public Behaviour {
public:
    explicit Shell(std::vector<Statement> statements) : script_(std::move(statements)) {}
    /// A single program, its words as they are.
    explicit Shell(std::vector<std::string> words) : only_(std::move(words)) {}

    void begin(Task& self) override;
    void input(Task& self, std::string_view bytes) override;
    void input_end(Task& self) override;
    bool signal(Task& self, int number) override;
    void child_ended(Task& self, const Task& child) override;

protected:
    /// There is no statement left.
    virtual void ran_out(Task& self);
    virtual bool perform_program(Task& self, const std::vector<std::string>& words);
    void run(Task& self);
    void add(std::vector<Statement> statements);
    bool is_idle() const noexcept { return wait_ == Wait::none && frames_.empty(); }
    int status() const noexcept { return status_; }

private:
    enum class Wait : std::uint8_t { none, time, input, children };
    struct Frame {
        const std::vector<Statement>* list = nullptr;
        std::size_t at = 0;
        bool is_loop = false;
        std::string name{};                 ///< of a `for`
        std::vector<std::string> values{};  ///< those to come
        std::size_t waits = 0;              ///< before this round
    };
    struct Trap {
        int signal = 0;
        std::vector<Statement> statements;
    };

    void step(Task& self, const Statement& statement);
    bool begin_next_round(Frame& frame);
    void perform(Task& self, std::vector<std::string> words);
    bool perform_builtin(Task& self, const std::vector<std::string>& words);
    void pause_for(Task& self, std::optional<Duration> time);
    void resume(Task& self);
    std::string value_of(const Task& self, std::string_view name) const;
    void set(std::string_view name, std::string value);
    std::vector<std::string> expanded(const Task& self, std::string_view text) const;
    void print(Task& self, const std::string& text) const;
    void trap(const std::vector<std::string>& words);
    void kill(Task& self, const std::vector<std::string>& words);
    void cat(Task& self, const std::vector<std::string>& words);
    void ls(Task& self, const std::string& path);
    void rm(Task& self, const std::vector<std::string>& words);
    std::uint32_t spawn(Task& self, std::vector<std::string> words) const;

    std::vector<Statement> script_;
    std::vector<std::string> only_;
    std::vector<Frame> frames_;
    std::vector<std::pair<std::string, std::string>> variables_;
    std::vector<Trap> traps_;
    std::string unread_input_;
    bool prints_to_err_ = false;  ///< the command at hand
    bool is_input_over_ = false;
    Wait wait_ = Wait::none;
    std::size_t waits_ = 0;
    int status_ = 0;
    std::uint32_t last_child_ = 0;
    std::uint32_t foreground_ = 0;  ///< the child that is waited for; 0: all
};

}  // namespace drydock::sim
