#pragma once

#include <drydock/result.hpp>
#include <drydock/runtime.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock {

/// One sandbox that we may own: a row, identified by (owner, key, attempt).
struct LedgerRecord {
    enum class State : std::uint8_t {
        intent,   ///< a create may be sent, or was; its id is not known
        created,  ///< the id is known
        absent,   ///< no sandbox is known; a create given up may still land until `may_land_until`
        closed,   ///< absence confirmed, nothing may land: kept only for the attempt's number
    };

    std::string owner;
    std::string key;
    std::uint32_t attempt = 0;      ///< never reused, over acquisitions and restarts
    std::uint32_t acquisition = 0;  ///< with owner and key, the idempotency key
    State state = State::intent;
    std::string name;
    std::string id;  ///< empty while unknown
    /// Until when a create of this attempt that was given up may still land.
    std::optional<WallTime> may_land_until{};
    /// When a recoverer first found the row without its owner; the horizon counts from then.
    std::optional<WallTime> orphaned_at{};

    bool is_obligation() const noexcept { return state != State::closed; }
};

std::string_view name(LedgerRecord::State state);

/// The durable record, written before each effect. Opened by its implementation for one owner,
/// under a lock that shows the owner alive; a second live opener gets Error{ledger}.
class Ledger {
public:
    virtual ~Ledger() = default;

    virtual std::string_view owner() const noexcept = 0;
    /// The owner's rows as they were at opening: obligations, and closed ones for their numbers.
    virtual std::vector<LedgerRecord> records() const = 0;
    /// Writes or replaces the row. Success means durable; on failure it may or may not be found
    /// later. Cancellation neither stops nor hurries it.
    virtual awaitable<Result<void>> put(LedgerRecord record) = 0;
};

}  // namespace drydock
