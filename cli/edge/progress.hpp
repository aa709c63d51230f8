#pragma once

#include "context.hpp"
#include "edge/stopwatch.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace drydock::cli {

/// One line on standard error that overwrites itself, on a terminal only; and the budget, as the
/// same clock serves both.
class Progress {
public:
    Progress(const Context& context, std::string what, std::uint64_t runs,
             std::optional<Duration> budget);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// After each run. False when the budget is spent.
    bool operator()(std::uint64_t runs, std::uint64_t finds);

    double seconds() const { return stopwatch_.seconds(); }

private:
    std::string what_;
    std::uint64_t runs_;
    std::optional<Duration> budget_;
    bool is_shown_;
    Stopwatch stopwatch_;
    Duration next_{};
};

/// A budget as the command line says it, "60s". Throws faults::InputError.
std::optional<Duration> budget_from(const std::string& text);

}  // namespace drydock::cli
