#include "engine/identity.hpp"

namespace drydock::sim {
namespace {

std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::uint64_t folded(std::initializer_list<std::string_view> parts) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const std::string_view part : parts) {
        for (const char c : part) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        hash = (hash ^ 0x1ffU) * 0x100000001b3ULL;  // no byte: parts cannot run into each other
    }
    return hash;
}

}  // namespace

std::string hex_digest(std::initializer_list<std::string_view> parts) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex(64, '0');
    std::uint64_t word = folded(parts);
    char* at = hex.data();
    for (int i = 0; i < 4; ++i) {
        word = mixed(word);
        for (int shift = 60; shift >= 0; shift -= 4) {
            *at++ = digits[word >> shift & 15];
        }
    }
    return hex;
}

std::string layer_folder(std::string_view sandbox_id) {
    return "/var/lib/docker/vfs/dir/" + hex_digest({sandbox_id, "layer"});
}

}  // namespace drydock::sim
