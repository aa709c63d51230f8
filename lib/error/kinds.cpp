#include <drydock/error.hpp>

#include <array>

namespace drydock {

namespace {

constexpr std::array<std::string_view, error_kind_count> kind_names{
    "cancelled",    "deadline",     "connect",   "reset",    "timeout", "pool_timeout", "protocol",
    "unauthorized", "forbidden",    "not_found", "conflict", "invalid", "rate_limited", "quota",
    "unavailable",  "provisioning", "internal",  "teardown", "ledger",
};

}  // namespace

std::string_view name(ErrorKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::optional<ErrorKind> error_kind_from_name(std::string_view name) {
    for (std::size_t i = 0; i < kind_names.size(); ++i) {
        if (kind_names.at(i) == name) return static_cast<ErrorKind>(i);
    }
    return std::nullopt;
}

std::string_view name(Landed landed) {
    switch (landed) {
        case Landed::no: return "no";
        case Landed::yes: return "yes";
        case Landed::unknown: return "unknown";
    }
    return "unknown";
}

}  // namespace drydock
