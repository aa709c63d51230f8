"""Kills a launcher, and a killer, at each call that changes something: the guard's shell alone, the
child alone, or all at once. Then others come and must find what the protocol allows."""

import collections
import os
import signal
import subprocess

from sandbox import LIMIT, RESULT, Sandbox, alive, boot, stat, wait_until
from tracer import Tracer

WAYS = ("shell", "child", "all")
KILLER_CALLS = ("mkdir", "mkdirat", "symlink", "symlinkat", "kill")
BIRTHS = ("clone", "clone3", "fork", "vfork")
SETUPS = ("absent", "dead claim", "running", "ended")


def ways(point, alone):
    """Without children, the shell alone is all at once."""
    if alone:
        return WAYS[:1]
    return WAYS if point.process != 0 else ("shell", "all")


def kill_at(target, way, **options):
    """A tracer that kills when it comes to that point, and lets the survivors go."""
    def at_point(point):
        if not point.same(target):
            return True
        tracer.hit = True
        ordinals = {"shell": [0], "child": [target.process], "all": list(tracer.pids.values())}[way]
        for pid, ordinal in list(tracer.pids.items()):
            if ordinal in ordinals:
                os.kill(pid, signal.SIGKILL)
        return False

    tracer = Tracer(at_point, **options)
    tracer.hit = False
    return tracer


def points_of(sandbox, verb, arguments, **options):
    """[(point, whether the shell had no children then)]"""
    points = []

    def at_point(point):
        # After a call is before the next one, unless there is one process more to run meanwhile.
        if not point.after or point.call in BIRTHS:
            points.append((point, len(tracer.pids) == 1))
        return True

    tracer = Tracer(at_point, **options)
    tracer.run(sandbox.argv(verb, *arguments), sandbox.environment, "/")
    return points


# --- launch ---

def launch_points(tools, guard, stdin):
    """[(point, ways to kill, whether the job runs then)] and the ordinal of the job's process."""
    with Sandbox(tools, guard) as sandbox:
        sandbox.go.touch()
        points = points_of(sandbox, "launch", sandbox.launch_arguments(stdin))
    [job] = {point.process for point, _ in points if point.path.endswith("/ran")}
    shell = [point for point, _ in points if point.process == 0]
    forked = max(i for i, point in enumerate(shell) if point.call in BIRTHS)
    waits = next(i for i in range(forked, len(shell)) if shell[i].call in ("wait4", "waitid"))
    running = shell[forked:waits + 1]
    if stdin == "stdin":
        # Up to there it is the same as without.
        first = next(i for i, (point, _) in enumerate(points) if point.path.endswith("/in"))
        points = points[first:]
    return [(point, ways(point, alone), point in running) for point, alone in points], job


def settled(sandbox, root, held):
    """Whether only what has to run is left in that session."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    members = [pid for pid in pids if alive(pid) and (stat(pid) or (0, 0, 0))[2] == root]
    return set(members) <= set(sandbox.processes()) if held else not members


def launch_case(tools, guard, stdin, point, way, running, job):
    """States that were reached."""
    with Sandbox(tools, guard) as sandbox:
        held = running and way == "shell"
        if not held:
            sandbox.go.touch()
        tracer = kill_at(point, way, detaching=held)
        tracer.run(sandbox.argv("launch", *sandbox.launch_arguments(stdin)), sandbox.environment, "/")
        tracer.wait()
        assert tracer.hit, "the point was not reached"
        wait_until(lambda: not held or sandbox.runs() == 1, "the job has begun")
        wait_until(lambda: settled(sandbox, tracer.root, held), "the launcher's processes are gone")
        states = [sandbox.state()]
        check_others(sandbox, held, may_be_killed=way == "child" and point.process == job, states=states)
        return states


def check_others(sandbox, held, may_be_killed, states):
    """A second launcher runs to its end, a third attaches."""
    _, begun, ended, _ = states[0]
    follower = sandbox.start("follow", "0", "0") if held else None
    second = sandbox.launch()
    assert second == (101 if begun else 0), f"second launcher ended with {second}, begun: {begun}"
    states.append(sandbox.state())
    third = sandbox.launch()
    assert third == 101, f"third launcher ended with {third}"
    if held:
        assert follower.poll() is None, "follow ended while the job ran"
        sandbox.go.touch()
        follower.communicate(timeout=LIMIT)
    end = sandbox.follow()
    assert sandbox.runs() <= 1, f"the job ran {sandbox.runs()} times"
    if not begun or ended and not may_be_killed:
        assert end == RESULT and sandbox.runs() == 1, f"ended {end} after {sandbox.runs()} runs"
    elif ended:
        assert end == RESULT or end[0].startswith("code 137 "), f"the killed job ended {end}"
    else:
        assert end[0].startswith("unknown "), f"ended {end}"
    states.append(sandbox.state())


# --- kill ---

def dead_claim():
    process = subprocess.Popen(["true"])
    text = f"{boot()}:{process.pid}:{stat(process.pid)[3]}"
    process.wait()
    return text


def set_up(sandbox, setup):
    if setup == "dead claim":
        sandbox.folder.mkdir()
        (sandbox.folder / "claim.1").symlink_to(dead_claim())
    elif setup == "running":
        launcher = sandbox.start("launch", *sandbox.launch_arguments())
        wait_until(lambda: sandbox.runs() == 1, "the job has begun")
        return launcher
    elif setup == "ended":
        sandbox.go.touch()
        assert sandbox.launch() == 0
    return None


def changes_of_killer(call, path):
    return call in KILLER_CALLS


def killer_points(tools, guard, setup):
    with Sandbox(tools, guard) as sandbox:
        launcher = set_up(sandbox, setup)
        points = points_of(sandbox, "kill", [], interesting=changes_of_killer)
        if launcher:
            launcher.communicate()
    return points


def killer_case(tools, guard, setup, point, way):
    with Sandbox(tools, guard) as sandbox:
        launcher = set_up(sandbox, setup)
        tracer = kill_at(point, way, interesting=changes_of_killer)
        tracer.run(sandbox.argv("kill"), sandbox.environment, "/")
        tracer.wait()
        # If it was not reached, this kill needed fewer looks.
        end = sandbox.kill()
        if launcher:
            launcher.communicate(timeout=LIMIT)
        wanted = {"running": "unknown ", "ended": "code 7 "}.get(setup, "fenced")
        assert end.startswith(wanted), f"the second kill said {end}"
        assert not sandbox.processes(), "a process is left after kill"
        runs = sandbox.runs()
        assert sandbox.launch() == 101, "a launcher did not see the fence"
        assert sandbox.runs() == runs == (setup in ("running", "ended")), f"{runs} runs"
        return [sandbox.state()]


def cases(tools, guard):
    """(test, function, arguments, label)"""
    for shell, folder in tools.items():
        yield from cases_of(shell, folder, guard)


def cases_of(shell, tools, guard):
    for stdin in ("null", "stdin"):
        points, job = launch_points(tools, guard, stdin)
        for point, kinds, running in points:
            for way in kinds:
                yield (f"kill_points.{shell}", launch_case,
                       (tools, guard, stdin, point, way, running, job), f"launch {stdin}: {way} {point}")
    for setup in SETUPS:
        for point, alone in killer_points(tools, guard, setup):
            for way in ways(point, alone):
                yield (f"kill_points_of_killer.{shell}", killer_case,
                       (tools, guard, setup, point, way), f"kill {setup}: {way} {point}")


def show_points(cases):
    """How many points of which kind of call."""
    counts = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for test, _, arguments, label in cases:
        if test.startswith("kill_points"):
            point, way = arguments[3:5]
            counts[f"{test.partition('.')[2]} {label.partition(' ')[0]}"][point.call][way] += 1
    if counts:
        print("kill points (the guard's shell alone, the child alone, all at once)")
    for program, calls in counts.items():
        total = sum((found for found in calls.values()), collections.Counter())
        print(f"    {program}: " + ", ".join(f"{call} {ways_of(found)}" for call, found in sorted(calls.items()))
              + f"; in all {ways_of(total)}")


def ways_of(found):
    return "/".join(str(found[way]) for way in WAYS)
