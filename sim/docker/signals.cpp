#include "docker/signals.hpp"

#include <array>
#include <string>
#include <utility>

namespace drydock::sim::docker {

std::optional<int> signal_number(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, int>, 8> signals = {{{"HUP", 1},
                                                                          {"INT", 2},
                                                                          {"QUIT", 3},
                                                                          {"KILL", 9},
                                                                          {"USR1", 10},
                                                                          {"USR2", 12},
                                                                          {"TERM", 15},
                                                                          {"STOP", 19}}};
    std::string name;
    for (const char c : text) {
        name.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
    }
    if (name.starts_with("SIG")) {
        name.erase(0, 3);
    }
    for (const auto& [word, number] : signals) {
        if (word == name) {
            return number;
        }
    }
    return std::nullopt;
}

}  // namespace drydock::sim::docker
