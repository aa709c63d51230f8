#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// Error{deadline} or Error{cancelled}: how a public call that was given up ends.
Error given_up(Wake wake);

Error refused(std::string message);

/// The latch of a public call: a cancel that fell while it was not suspended.
awaitable<bool> is_cancelled();

/// Error{teardown} for the first of them that may still exist, if one may.
std::optional<Error> left_of(const Obligations& obligations);

/// Begins the teardown of everything of the key that may exist.
void pursue_all(const CorePtr& core, const std::shared_ptr<KeyLease>& lease);

/// Teardowns by the events that their ends set: a later one of the same row is another one.
using Teardowns = std::vector<std::shared_ptr<Event>>;

/// Those of the key that are under way now.
Teardowns under_way(const KeyLease& lease);

/// Waits for each of them. Nothing interrupts it.
awaitable<void> wait_all(CorePtr core, std::string key, Teardowns teardowns);

/// Gives one hold back. The last one begins the teardown, and only then is there an obligation.
ObligationPtr give_back(const CorePtr& core, const std::shared_ptr<LiveSandbox>& live);

/// `give_back`, and if it was the last hold, until the teardown has ended.
awaitable<Result<void>> release_live(CorePtr core, std::shared_ptr<LiveSandbox> live);

/// Ends the key's flight, releases all its handles, and tears down.
awaitable<Result<void>> clean_up_key(CorePtr core, std::string key);

/// What closing does to one key: ends its flight and begins its teardown. What an earlier deadline
/// left to the ledger stays there.
awaitable<void> end_key(CorePtr core, std::string key);

}  // namespace drydock::detail
