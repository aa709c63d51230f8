"""Holds one guard at each of its calls that looks at the job, while the others make a big step:
the races, one at a time and the same in each run."""

import os
import signal
import subprocess

from kills import dead_claim
from sandbox import LIMIT, Sandbox, alive, boot, records, stat, wait_until
from tracer import Tracer

NAP = "clock_nanosleep"


class Other:
    """Plays a claimer, of which only the process and its files matter."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.job = None
        self.keepers = []
        self.waited = False
        self.signalled = False
        self.process = subprocess.Popen(["sleep", str(LIMIT)], start_new_session=True)
        self.text = f"{boot()}:{self.process.pid}:{stat(self.process.pid)[3]}"

    def claim(self, number):
        """Whether it is ours."""
        self.sandbox.folder.mkdir(exist_ok=True)
        try:
            (self.sandbox.folder / f"claim.{number}").symlink_to(self.text)
            return True
        except FileExistsError:
            return False

    def begin(self):
        (self.sandbox.folder / "begun").touch()
        with self.sandbox.ran.open("a") as file:
            file.write("ran\n")

    def start_job(self):
        """In a session of its own, under a parent that reaps only when its stdin ends."""
        script = f"DRYDOCK_JOB={self.sandbox.job} setsid sleep {LIMIT} & echo $!; read -r _; wait; exec sleep {LIMIT}"
        keeper = subprocess.Popen([str(self.sandbox.tools / "sh"), "-c", script], start_new_session=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.keepers.append(keeper)
        self.job = int(keeper.stdout.readline())
        wait_until(lambda: stat(self.job)[2] == self.job and self.job in self.sandbox.processes(), "the job")

    def record(self, code):
        (self.sandbox.folder / "exit").symlink_to(str(code))

    def die(self):
        self.process.kill()
        self.process.wait()

    def end_job(self):
        for pid in self.sandbox.processes():
            os.kill(pid, signal.SIGKILL)
        for keeper in self.keepers:
            keeper.kill()
            keeper.wait()


def looks(sandbox, other):
    """Which calls are about the job or its claimer."""
    def interesting(call, path):
        entry = path.startswith(("JOB/claim.", "JOB/begun", "JOB/exit"))
        about = path in (f"{other.process.pid}/stat", f"{other.job}/stat")
        return entry or about or call == "kill"
    return interesting


# --- what the others do: set(sandbox, other), step(sandbox, other), check(sandbox, other, result) ---

def claimed(sandbox, other):
    other.claim(1)


def nothing(sandbox, other):
    pass


def after_dead(sandbox, other):
    sandbox.folder.mkdir()
    (sandbox.folder / "claim.1").symlink_to(dead_claim())


def begins_and_dies(sandbox, other):
    other.begin()
    other.die()


def dies(sandbox, other):
    other.die()


def takes_over(sandbox, other):
    other.won = other.claim(2)


def takes_over_begins_and_dies(sandbox, other):
    other.won = other.claim(2)
    if other.won:
        begins_and_dies(sandbox, other)


def real_kill(sandbox, other):
    other.end = sandbox.kill()


def real_launch(sandbox, other):
    other.status = sandbox.launch()


def never_ran_again(sandbox, other, result):
    assert sandbox.runs() == 1 and result[0] in (100, 101), f"{result}, {sandbox.runs()} runs"


def ran_or_attached(sandbox, other, result):
    assert (result[0], sandbox.runs()) in ((100, 0), (0, 1)), f"{result}, {sandbox.runs()} runs"


def one_of_both(sandbox, other, result):
    if other.won:
        assert result[0] in (100, 101), f"{result} though another owns the claim"
        other.die()
    assert sandbox.runs() <= 1 and (other.won or sandbox.runs() == 1), f"{sandbox.runs()} runs"


def killed_means_killed(sandbox, other, result):
    assert not sandbox.processes(), "a process is left"
    runs = sandbox.runs()
    if other.end == "fenced":
        assert runs == 0, "it ran after the fence was confirmed"
    assert sandbox.launch() == 101 and sandbox.runs() == runs <= 1, f"{other.end}, {runs} runs"
    later = sandbox.kill()
    assert later == other.end, f"kill said {other.end}, then {later}"


LAUNCH = {
    "the claimer begins and dies": (claimed, begins_and_dies, never_ran_again),
    "the claimer dies": (claimed, dies, ran_or_attached),
    "another takes over": (after_dead, takes_over, one_of_both),
    "another takes over, begins and dies": (after_dead, takes_over_begins_and_dies, one_of_both),
    "a kill comes": (nothing, real_kill, killed_means_killed),
    "a kill comes after a dead claim": (after_dead, real_kill, killed_means_killed),
    "another launches": (nothing, real_launch, lambda sandbox, other, result:
                         one_ran(sandbox, result[0], other.status)),
}


def one_ran(sandbox, *statuses):
    assert sandbox.runs() == 1 and 0 in statuses, f"{sandbox.runs()} runs, launchers ended with {statuses}"


# --- kill, with others that launch ---

def running_launcher(sandbox, other):
    other.launcher = sandbox.start("launch", *sandbox.launch_arguments())
    wait_until(lambda: sandbox.runs() == 1, "the job has begun")


def job_ends(sandbox, other):
    """Unless it has been stopped already."""
    sandbox.go.touch()
    pid = other.launcher.pid
    wait_until(lambda: not alive(pid) or stat(pid)[0] == "T", "the launcher has ended")


def job_leaves_its_session(sandbox, other):
    other.claim(1)
    other.begin()
    other.start_job()


def lost_with_job(sandbox, other):
    job_leaves_its_session(sandbox, other)
    other.die()


def daemon_forks_and_ends(sandbox, other):
    """Unless it may have been stopped already."""
    if other.signalled:
        return
    parent = other.job
    other.start_job()
    os.kill(parent, signal.SIGKILL)
    wait_until(lambda: not alive(parent), "the daemon's death")


def daemon_forks_ends_and_is_reaped(sandbox, other):
    if other.signalled:
        return
    parent, [keeper] = other.job, other.keepers
    daemon_forks_and_ends(sandbox, other)
    keeper.stdin.close()
    wait_until(lambda: stat(parent) is None, "the daemon's burial")


def end_is_true(sandbox, other, result):
    end = records(result[1])[0]
    assert not sandbox.processes() and not sandbox.leftovers(), f"a process is left after {end}"
    runs = sandbox.runs()
    assert sandbox.launch() == 101 and sandbox.runs() == runs <= 1, f"{end}, {runs} runs"
    assert end != "fenced" or runs == 0, "fenced, but it ran"
    exit_code = sandbox.exit()
    assert end.startswith("code 7 ") == (exit_code == 7), f"{end}, exit code {exit_code}"


KILL = {
    "a launcher comes": (nothing, real_launch, end_is_true),
    "a launcher comes after a dead claim": (after_dead, real_launch, end_is_true),
    "the job ends": (running_launcher, job_ends, end_is_true),
    "a daemon ends": (job_leaves_its_session, lambda sandbox, other: other.end_job(), end_is_true),
    "a lost job forks and ends": (lost_with_job, daemon_forks_and_ends, end_is_true),
    "a lost job forks, ends and is reaped": (lost_with_job, daemon_forks_ends_and_is_reaped, end_is_true),
}


# --- follow ---

def successor_begins(sandbox, other):
    """The claimer dies, another takes over and begins."""
    other.die()
    other.next = Other(sandbox)
    other.next.claim(2)
    other.next.begin()


def successor_ends(sandbox, other):
    other.next.record(7)
    other.next.die()


def job_ends_without_code(sandbox, other):
    other.end_job()


def runs_it_all(sandbox, other):
    other.begin()
    other.record(7)
    other.die()


def says(wanted, waits=False):
    def check(sandbox, other, result):
        end = records(result[1])[0]
        assert end.startswith(wanted), f"follow said {end}, not {wanted}"
        assert other.waited or not waits, f"follow said {end} while the job ran"
    return check


# (set, step, what ends it when follow has seen the step, check)
FOLLOW = {
    "a successor begins": (claimed, successor_begins, successor_ends, says("code 7", waits=True)),
    "a dead claimer's successor begins": (after_dead, successor_begins, successor_ends, says(("code 7", "absent"))),
    "the claimer dies before its job": (job_leaves_its_session, dies, job_ends_without_code, says("unknown", waits=True)),
    "a lost job forks and ends": (lost_with_job, daemon_forks_and_ends, job_ends_without_code,
                                  says("unknown", waits=True)),
    "a lost job forks, ends and is reaped": (lost_with_job, daemon_forks_ends_and_is_reaped, job_ends_without_code,
                                             says("unknown", waits=True)),
    "the claimer ends": (claimed, runs_it_all, nothing, says("code 7")),
}

PLANS = {"launch": LAUNCH, "kill": KILL, "follow": FOLLOW}


# --- running them ---

def run(tools, guard, verb, plan, stop):
    """Makes the step at stop number `stop`; returns whether there was one."""
    set_up, step, finish, check = plan
    with Sandbox(tools, guard) as sandbox:
        sandbox.go.touch() if set_up is not running_launcher else None
        other = Other(sandbox)
        seen = {"stops": 0, "stepped": False, "naps": 0}
        try:
            set_up(sandbox, other)
            result = held_run(sandbox, other, verb, step, finish, stop, seen)
            if seen["stepped"]:
                check(sandbox, other, result)
        finally:
            other.end_job()
            other.die()
            if hasattr(other, "next"):
                other.next.die()
        return seen["stepped"]


def held_run(sandbox, other, verb, step, finish, stop, seen):
    """(exit code, output) of the verb, held at that stop for the step."""
    interesting = looks(sandbox, other)

    def at_point(point):
        if point.after:
            return True
        if seen["stepped"]:
            # Two naps later it has looked at everything again.
            seen["naps"] += point.call == NAP
            if seen["naps"] < 2:
                return True
            finish(sandbox, other)
            other.waited = True
            return False
        if point.call == NAP:
            # It waits for the step, and would for ever.
            os.kill(tracer.root, signal.SIGKILL)
            return False
        seen["stops"] += 1
        if seen["stops"] < stop:
            other.signalled = other.signalled or point.call == "kill"
            return True
        seen["stepped"] = True
        step(sandbox, other)
        return finish is not None

    arguments = {"launch": sandbox.launch_arguments(), "follow": ("0", "0"), "kill": ()}[verb]
    output = sandbox.top / "output"
    tracer = Tracer(at_point, lambda call, path: call == NAP or interesting(call, path), output)
    tracer.run(sandbox.argv(verb, *arguments), sandbox.environment, "/")
    return tracer.wait(), output.read_bytes()


def one(tools, guard, verb, plan_name):
    plan = PLANS[verb][plan_name]
    if verb != "follow":
        plan = (plan[0], plan[1], None, plan[2])
    stop, stepped = 0, True
    while stepped:
        stop += 1
        try:
            stepped = run(tools, guard, verb, plan, stop)
        except AssertionError as error:
            raise AssertionError(f"at stop {stop}: {error}") from error
    assert stop > 3, f"only {stop - 1} stops"


def cases(tools, guard):
    for shell, folder in tools.items():
        for verb, plans in PLANS.items():
            for name in plans:
                yield f"pauses.{shell}", one, (folder, guard, verb, name), f"{verb} while {name}"
