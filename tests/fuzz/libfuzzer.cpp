// The main program of one target: DRYDOCK_FUZZ_TARGET is its name.
#include "fuzz/targets.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const drydock::fuzz::Target& target = drydock::fuzz::target(DRYDOCK_FUZZ_TARGET);
    target.run({reinterpret_cast<const char*>(data), size});
    return 0;
}
