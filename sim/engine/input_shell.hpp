#pragma once

#include "engine/shell.hpp"

#include <string>
#include <string_view>

namespace drydock::sim {

/// A shell that reads its statements from its input, line by line; at a terminal with busybox's
/// greeting, prompt and echo. A terminal that goes away is no end of input.
class InputShell final : public Shell {
public:
    InputShell() : Shell(std::vector<Statement>()) {}

    void begin(Task& self) override;
    void input(Task& self, std::string_view bytes) override;
    void input_end(Task& self) override;
    void resized(Task& self, int rows, int columns) override;

private:
    void ran_out(Task& self) override;
    bool perform_program(Task& self, const std::vector<std::string>& words) override;
    void run_next_line(Task& self);
    std::string prompt(const Task& self) const;

    std::string unread_;
    bool is_over_ = false;
    int rows_ = 0;
    int columns_ = 0;
};

}  // namespace drydock::sim
