#include <drydock/sim/job_output.hpp>

#include <cstring>

namespace drydock::sim {

namespace {

constexpr std::uint64_t line_size = 8;

/// Adds one to a decimal number; after the greatest comes zero.
void count_on(char* first, char* last) {
    while (last > first && *last == '9') {
        *last-- = '0';
    }
    *last = *last == '9' ? '0' : static_cast<char>(*last + 1);
}

}  // namespace

std::string job_output(bool is_err, std::uint64_t size) { return job_output(is_err, 0, size); }

// Lines of their number, of which "o000000" is the first on standard output. Counted on, as jobs
// write often.
std::string job_output(bool is_err, std::uint64_t from, std::uint64_t to) {
    const std::uint64_t begin = from / line_size;
    char line[line_size] = {is_err ? 'e' : 'o', '0', '0', '0', '0', '0', '0', '\n'};
    for (std::uint64_t number = begin, digit = line_size - 2; digit > 0; --digit, number /= 10) {
        line[digit] = static_cast<char>('0' + number % 10);
    }
    const std::uint64_t lines = (to + line_size - 1) / line_size - begin;
    std::string text(lines * line_size, '\0');
    for (std::uint64_t i = 0; i < lines; ++i) {
        std::memcpy(text.data() + i * line_size, line, line_size);
        count_on(line + 1, line + line_size - 2);
    }
    text.resize(to - begin * line_size);
    return text.erase(0, from - begin * line_size);
}

}  // namespace drydock::sim
