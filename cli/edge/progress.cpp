#include "edge/progress.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/faults/input_error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <utility>

namespace drydock::cli {
namespace {

constexpr Duration between_lines = std::chrono::milliseconds(200);

}  // namespace

Progress::Progress(const Context& context, std::string what, std::uint64_t runs,
                   std::optional<Duration> budget)
    : what_(std::move(what)),
      runs_(runs),
      budget_(budget),
      is_shown_(!context.options.is_quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (is_shown_) print_error("\r\x1b[K");
}

bool Progress::operator()(std::uint64_t runs, std::uint64_t finds) {
    const Duration elapsed = stopwatch_.elapsed();
    if (is_shown_ && elapsed >= next_) {
        next_ = elapsed + between_lines;
        const std::string of = runs_ == 0 ? "" : fmt::format(" of {}", runs_);
        print_error(fmt::format("\r\x1b[K{}: {}{} runs, {} found", what_, runs, of, finds));
    }
    return !budget_ || elapsed < *budget_;
}

std::optional<Duration> budget_from(const std::string& text) {
    if (text.empty()) return std::nullopt;
    try {
        return faults::parse_duration(text);
    } catch (const faults::InputError& error) {
        throw faults::InputError("", "--budget: " + error.message);
    }
}

}  // namespace drydock::cli
