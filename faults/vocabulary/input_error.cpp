#include <drydock/faults/input_error.hpp>

#include <fmt/format.h>

#include <utility>

namespace drydock::faults {
namespace {

bool is_position(std::string_view pointer) { return !pointer.empty() && pointer.front() != '/'; }

std::string describe(const std::string& pointer, const std::string& message,
                     const std::string& file) {
    if (file.empty()) {
        return pointer.empty() ? message : fmt::format("{}: {}", pointer, message);
    }
    if (pointer.empty()) {
        return fmt::format("{}: {}", file, message);
    }
    return fmt::format("{}:{}{}: {}", file, is_position(pointer) ? "" : " ", pointer, message);
}

}  // namespace

InputError::InputError(std::string pointer_in, std::string message_in, std::string file_in)
    : std::runtime_error(describe(pointer_in, message_in, file_in)),
      pointer(std::move(pointer_in)),
      message(std::move(message_in)),
      file(std::move(file_in)) {}

InputError InputError::under(std::string_view prefix) const {
    return InputError(std::string(prefix) + pointer, message, file);
}

InputError InputError::in_file(std::string_view name) const {
    return InputError(pointer, message, std::string(name));
}

std::string below(std::string_view pointer, std::string_view key) {
    std::string result(pointer);
    result += '/';
    for (const char c : key) {
        if (c == '~') {
            result += "~0";
        } else if (c == '/') {
            result += "~1";
        } else {
            result += c;
        }
    }
    return result;
}

std::string below(std::string_view pointer, std::size_t index) {
    return fmt::format("{}/{}", pointer, index);
}

}  // namespace drydock::faults
