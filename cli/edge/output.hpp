#pragma once

#include <string_view>

namespace drydock::cli {

/// Standard output. Where it cannot be written (a full disk, a closed descriptor) a command goes on
/// and leaves its files behind; `check` then tells.
class Output {
public:
    /// Takes the numbers of standard streams that are closed, so that no file or socket gets one.
    Output();

    void print(std::string_view text);
    /// Throws NotThere if something could not be written.
    void check() const;

private:
    int error_ = 0;
};

/// To standard error. Whoever closed that is told nothing, and nothing fails.
void print_error(std::string_view text);

}  // namespace drydock::cli
