"""Launchers and killers at once, in mixed shells, some of them killed at a random moment. What
happens depends on the machine; what must not happen does not."""

import os
import random
import signal
import time

from sandbox import LIMIT, RESULT, Sandbox, alive, records, stat

LAUNCHERS = 4
PER_CASE = 5
# About what a launch takes.
SPAN = 0.08


def kill_session(leader):
    """All at once, as far as that can be done from outside."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    for pid in pids:
        if alive(pid) and (stat(pid) or (0, 0, 0))[2] == leader:
            send(pid)


def send(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def strike(chance, process):
    """Kills the shell alone, or all that it started."""
    if process.poll() is None:
        (send if chance.random() < 0.5 else kill_session)(process.pid)


def finish(processes):
    for process in processes:
        process.communicate(timeout=LIMIT)
    return [process.returncode for process in processes]


def launch_round(folders, guard, seed):
    chance = random.Random(seed)
    with Sandbox(folders[0], guard) as sandbox:
        sandbox.go.touch()
        processes = [sandbox.start("launch", *sandbox.launch_arguments(), tools=chance.choice(folders))
                     for _ in range(LAUNCHERS)]
        for victim in chance.sample(processes, chance.randrange(LAUNCHERS)):
            time.sleep(chance.random() * SPAN / 2)
            strike(chance, victim)
        codes = finish(processes)
        # A killed shell may have left its job.
        end = sandbox.follow(tools=chance.choice(folders))
        if end[0] == "absent":
            assert sandbox.launch() == 0, "a dead claim blocks the job"
            end = sandbox.follow()
        check_end(sandbox, end, codes)
        return [sandbox.state()]


def check_end(sandbox, end, codes):
    runs, struck = sandbox.runs(), -signal.SIGKILL in codes
    assert runs <= 1, f"{runs} runs, launchers ended with {codes}"
    assert sandbox.launch() == 101, "the job was launched again"
    if end[0].startswith("code 7 "):
        assert runs == 1 and end == RESULT, f"{end}, {runs} runs"
    else:
        # Without a shell, or of a job that was killed with it.
        assert struck and end[0].startswith(("unknown ", "code 137 ")), f"{end}, launchers ended with {codes}"
    assert not sandbox.processes() and sandbox.runs() == runs, f"it ran on after {end}"


def kill_round(folders, guard, seed):
    """Two launchers against one kill, or two of which the first dies."""
    chance = random.Random(seed)
    with Sandbox(folders[0], guard) as sandbox:
        if chance.random() < 0.7:
            sandbox.go.touch()
        starts = [("launch", sandbox.launch_arguments())] * 2 + [("kill", ())] * 2
        chance.shuffle(starts)
        processes = {}
        for verb, arguments in starts:
            time.sleep(chance.random() * SPAN / 2)
            processes.setdefault(verb, []).append(
                sandbox.start(verb, *arguments, tools=chance.choice(folders)))
        if chance.random() < 0.5:
            strike(chance, processes["kill"][0])
        if chance.random() < 0.5:
            strike(chance, processes["launch"][0])
        ends = [process.communicate(timeout=LIMIT)[0] for process in processes["kill"]]
        check_killed(sandbox, [records(end)[0] for end in ends if end])
        finish(processes["launch"])
        check_killed(sandbox, [sandbox.kill()])
        return [sandbox.state()]


def check_killed(sandbox, ends):
    """Right after a kill said so, and for ever."""
    runs = sandbox.runs()
    assert runs <= 1 and not sandbox.processes() and not sandbox.leftovers(), f"{ends}, {runs} runs, a process is left"
    for end in ends:
        assert end.startswith(("fenced", "unknown ", "code 7 ")), end
        assert end != "fenced" or runs == 0, "fenced, but it ran"
        assert not end.startswith("code") or runs == 1, f"{end} without a run"
    assert sandbox.launch() == 101 and sandbox.runs() == runs, "it was launched after a confirmed kill"


def rounds(function, folders, guard, seeds):
    states = []
    for seed in seeds:
        try:
            states += function(folders, guard, seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return states


def cases(tools, guard):
    folders = list(tools.values())
    for name, function, count in (("launchers", launch_round, 200), ("kills", kill_round, 100)):
        for first in range(0, count, PER_CASE):
            seeds = range(first, first + PER_CASE)
            yield f"stress_of_{name}", rounds, (function, folders, guard, seeds), f"{name}, rounds from {first}"
