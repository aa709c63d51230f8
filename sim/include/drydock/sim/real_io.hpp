#pragma once

namespace drydock::sim {

class Process;

/// True if code in this process has made one of Asio's own schedulers or reactors, as a
/// steady_timer or a socket does. Such code starts a thread and waits in real time, unseen by the
/// world: a run in which this is true is not deterministic.
bool uses_real_io(Process& process);

}  // namespace drydock::sim
