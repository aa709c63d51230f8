#include <drydock/faults/outcome.hpp>

#include <array>
#include <cstddef>

namespace drydock::faults {

std::string_view name(Verdict verdict) {
    constexpr std::array<std::string_view, 5> names{"pass", "violation", "expectation", "void",
                                                    "nondeterministic"};
    return names.at(static_cast<std::size_t>(verdict));
}

}  // namespace drydock::faults
