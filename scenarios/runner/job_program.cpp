#include "runner/job_program.hpp"

#include <drydock/faults/duration.hpp>

#include <string_view>

namespace drydock::scenarios {

std::vector<std::string> argv_of(const JobProgram& program) {
    std::vector<std::string> argv{"drydock-job", "takes=" + faults::format_duration(program.takes)};
    const auto add = [&argv](std::string_view name, std::uint32_t value) {
        if (value != 0) argv.push_back(std::string(name) + "=" + std::to_string(value));
    };
    add("out", program.out);
    add("err", program.err);
    add("exit", static_cast<std::uint32_t>(program.exit_code));
    add("reads", program.reads);
    add("children", program.children);
    if (program.ignores_term) argv.emplace_back("ignores_term");
    if (program.is_launcher) argv.emplace_back("launcher");
    return argv;
}

}  // namespace drydock::scenarios
