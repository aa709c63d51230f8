#pragma once

#include <drydock/reports/report.hpp>

#include <string>

namespace drydock::reports {

struct ConsoleOptions {
    bool has_color = false;
    bool is_quiet = false;  ///< only what is not as it should be
};

/// One run for people: a line, and below it whatever is wrong or was without effect.
std::string told(const scenarios::TestedRun& run, const ConsoleOptions& options);

/// The whole report: its runs, what a search covered, and a last line with the verdict.
std::string told(const Report& report, const ConsoleOptions& options);

}  // namespace drydock::reports
