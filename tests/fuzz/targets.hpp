// The readers of what comes from outside, each as one function of any bytes. A target does what the
// program does with such input, and checks what must hold for all of it. libFuzzer calls them with
// bytes of its own, an ordinary test with the kept corpus.
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>

namespace drydock::fuzz {

/// Something that must hold for every input does not.
struct Broken : std::logic_error {
    using std::logic_error::logic_error;
};

inline void check(bool holds, const char* what) {
    if (!holds) throw Broken(what);
}

struct Target {
    std::string_view name;  ///< also of its folder in corpus/
    void (*run)(std::string_view input);
};

std::span<const Target> targets();
/// Throws std::out_of_range if there is none of that name.
const Target& target(std::string_view name);

void read_plan(std::string_view input);
void read_scenario(std::string_view input);
void read_docker_json(std::string_view input);
void read_docker_frames(std::string_view input);
void read_docker_archive(std::string_view input);
void read_guard_records(std::string_view input);

}  // namespace drydock::fuzz
