#include <drydock/sim/job_output.hpp>

namespace drydock::sim {

namespace {

constexpr std::uint64_t line = 8;

// Lines of the number of their first byte, of which `o 000000` is the first on standard output.
char byte_at(bool is_err, std::uint64_t offset) {
    const std::uint64_t place = offset % line;
    if (place == 0) return is_err ? 'e' : 'o';
    if (place == line - 1) return '\n';
    std::uint64_t number = offset / line;
    for (std::uint64_t i = place; i < line - 2; ++i)
        number /= 10;
    return static_cast<char>('0' + number % 10);
}

}  // namespace

std::string job_output(bool is_err, std::uint64_t size) {
    std::string text;
    text.reserve(size);
    for (std::uint64_t offset = 0; offset < size; ++offset)
        text.push_back(byte_at(is_err, offset));
    return text;
}

}  // namespace drydock::sim
