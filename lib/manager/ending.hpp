#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// Error{deadline} or Error{cancelled}: how a public call that was given up ends.
Error given_up(Wake wake);

Error refused(std::string message);

/// True while a sandbox of the key exists, or may, that nobody holds or makes.
bool has_remaining(const KeyLease& lease);
/// Error{teardown} for the first of them.
Error remaining(const KeyLease& lease);

/// Begins the teardown of everything of the key that may exist.
void pursue_all(const CorePtr& core, const std::shared_ptr<KeyLease>& lease);

/// Waits for the teardowns of the key that are under way. Nothing interrupts it.
awaitable<void> wait_all(CorePtr core, std::shared_ptr<KeyLease> lease);

/// True while a teardown of the key is under way.
bool is_tearing_down(const KeyLease& lease);

/// Gives one hold back. The last one begins the teardown.
void give_back(const CorePtr& core, const std::shared_ptr<LiveSandbox>& live);

/// `give_back`, and if it was the last hold, until the teardown has ended.
awaitable<Result<void>> release_live(CorePtr core, std::shared_ptr<LiveSandbox> live);

/// Ends the key's flight, releases all its handles, and tears down.
awaitable<Result<void>> clean_up_key(CorePtr core, std::string key);

/// What closing does to one key: ends its flight and begins its teardown. What an earlier deadline
/// left to the ledger stays there.
awaitable<void> end_key(CorePtr core, std::string key);

}  // namespace drydock::detail
