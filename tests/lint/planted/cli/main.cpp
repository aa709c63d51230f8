#include <drydock/sim/world.hpp>

#include "arguments/parse.hpp"

auto now = std::chrono::steady_clock::now();
auto home = std::getenv("HOME");
std::random_device device;  // banned_calls: random
