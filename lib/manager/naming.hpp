#pragma once

#include <drydock/backend.hpp>
#include <drydock/ledger.hpp>

#include <string>
#include <string_view>

namespace drydock::detail {

/// The sandbox's name: readable, unique per (owner, key, attempt), and legal for every backend.
std::string sandbox_name(std::string_view owner, std::string_view key, std::uint32_t attempt);

/// One per acquisition, the same over its attempts (druks ENG-822).
std::string idempotency_key(const LedgerRecord& row);

/// What every sandbox of the row carries from its create on.
Labels labels_of(const LedgerRecord& row);

/// The labels that find the row's sandbox.
Labels row_labels(const LedgerRecord& row);

/// True if `sandbox` is the one that this row's create makes: the name alone proves nothing where
/// names can be reused.
bool is_of_row(const SandboxInfo& sandbox, const LedgerRecord& row);

}  // namespace drydock::detail
