#pragma once

namespace drydock {

/// What a backend promises. The only place where backends differ above the adapters; the
/// conformance suite checks each claim.
struct Capabilities {
    bool unique_names = true;  ///< a second create under a living name is refused with a conflict
    bool list_consistent =
        true;  ///< a list shows what was created before it and nothing that is gone
    bool removal_confirmed = true;  ///< a successful remove answers only when the sandbox is gone
    /// A name stays taken until its sandbox is gone. Where it does not (Daytona renames on
    /// deletion), a sandbox under removal can run beside its successor of the same name.
    bool name_held_until_gone = true;
};

}  // namespace drydock
