"""What each verb does for one caller, and for jobs and sandboxes that are odd."""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import tracer
from kills import dead_claim
from sandbox import LIMIT, RESULT, Sandbox, Skip, boot, records, stat, wait_until

SUBREAPER = 36


def script(sandbox, text, *arguments, stdin="null", folder="-"):
    return stdin, folder, "--", str(sandbox.tools / "sh"), "-c", text, "job", *arguments


def running(sandbox, text=None, stdin="null", **options):
    """A launcher whose job has begun."""
    arguments = script(sandbox, text, str(sandbox.ran), stdin=stdin) if text else sandbox.launch_arguments(stdin)
    launcher = sandbox.start("launch", *arguments, **options)
    wait_until(lambda: sandbox.runs() == 1, "the job has begun")
    return launcher


def copy_of_sleep(sandbox, name):
    program = sandbox.top / name
    program.write_bytes(pathlib.Path(os.path.realpath("/bin/sleep")).read_bytes())
    program.chmod(0o755)
    return program


def comm(pid):
    return pathlib.Path(f"/proc/{pid}/comm").read_bytes()


def kill_all(find):
    """Until there are none: some may be born meanwhile."""
    while pids := find():
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def claimer(sandbox):
    return int(sandbox.claims()[-1].split(":")[1])


# --- results and output ---

def exit_codes(sandbox):
    for text, wanted in (("exit 0", 0), ("exit 1", 1), ("exit 255", 255), ("kill -KILL $$", 137),
                         ("kill -TERM $$", 143), ("kill -INT $$", 130), ("exec /no/such", 127)):
        with Sandbox(sandbox.tools, sandbox.original) as other:
            assert other.launch(*script(other, text)) == 0
            assert other.exit() == wanted and other.follow()[0].startswith(f"code {wanted} "), text
    assert sandbox.launch("null", "-", "--", "/no/such/program") == 0 and sandbox.exit() == 127
    assert sandbox.launch(*sandbox.launch_arguments()) == 101


def output_while_it_grows(sandbox):
    """Binary, with several readers, of which one comes back at an offset."""
    data = os.urandom(3_000_000) + b"\0\n" * 1000
    source = sandbox.top / "data"
    source.write_bytes(data)
    text = 'n=0; while [ $n -lt 4 ]; do cat "$1"; head -c 1000 "$1" >&2; n=$((n + 1)); sleep 0.1; done'
    launcher = sandbox.start("launch", *script(sandbox, text, str(source)))
    wait_until(lambda: (sandbox.folder / "out").exists(), "output")
    followers = [sandbox.start("follow", "0", "0") for _ in range(3)]
    for follower in followers:
        end, out, err = records(follower.communicate(timeout=LIMIT)[0])
        assert out == data * 4 and err == data[:1000] * 4, f"{len(out)} and {len(err)} bytes"
        assert end == f"code 0 {len(data) * 4} 4000", end
    launcher.communicate()
    stream = sandbox.call("follow", str(len(data) * 4 - 2), "-")[1]
    assert stream == b"out %d 2\n\0\nend code 0 %d 4000\n" % (len(data) * 4 - 2, len(data) * 4), stream
    assert sandbox.call("follow", "-", "-")[1] == b"end code 0 %d 4000\n" % (len(data) * 4)


def output_that_the_job_truncates(sandbox):
    assert sandbox.launch(*script(sandbox, "echo lost >&2; echo kept >/dev/stderr")) == 0
    assert sandbox.follow() == ("code 0 0 5", b"", b"kept\n")
    assert sandbox.call("follow", "-", "10")[1] == b"end code 0 0 5\n"


def live_record_and_slow_sleep(sandbox):
    """A sleep that knows no fractions, and is quick, so that ten seconds are short."""
    real = os.readlink(sandbox.tools / "sleep")
    if "busybox" in real:
        raise Skip("busybox sh has its own sleep")
    tools = sandbox.top / "tools"
    tools.mkdir()
    for tool in sandbox.tools.iterdir():
        (tools / tool.name).symlink_to(os.readlink(tool))
    (tools / "sleep").unlink()
    (tools / "sleep").write_text(f"#!/bin/sh\ncase $1 in *.*) exit 1 ;; esac\nexec {real} 0.01\n")
    (tools / "sleep").chmod(0o755)
    launcher = running(sandbox)
    follower = sandbox.start("follow", "0", "0", env={"PATH": str(tools)})
    assert follower.stdout.readline() == b"live\n"
    sandbox.go.touch()
    assert records(follower.stdout.read()) == RESULT
    follower.wait()
    launcher.communicate()


def states_before_it_begins(sandbox):
    assert sandbox.follow()[0] == "absent"
    sandbox.folder.mkdir()
    (sandbox.folder / "claim.1").symlink_to(dead_claim())
    assert sandbox.follow()[0] == "absent"
    assert sandbox.kill() == "fenced" == sandbox.follow()[0] == sandbox.kill()
    assert sandbox.launch() == 101 and sandbox.runs() == 0


# --- stdin ---

def stdin_to_its_end(sandbox):
    launcher = sandbox.start("launch", "stdin", "-", "--", str(sandbox.tools / "cat"))
    wait_until(lambda: (sandbox.folder / "begun").exists(), "the job has begun")
    every = b"".join(bytes([n]) for n in range(256))
    escaped = "".join(f"\\0{n:03o}" for n in range(256))
    assert sandbox.call("input", escaped * 16) == (0, b"written\n")
    assert sandbox.call("input", "x" * 4097)[1].startswith(b"end broken ")
    assert sandbox.call("input", "the end\\n") == (0, b"written\n")
    assert sandbox.call("close-input") == (0, b"closed\n")
    assert launcher.wait(LIMIT) == 0
    assert sandbox.follow()[:2] == ("code 0 4104 0", every * 16 + b"the end\n")
    for verb in (("input", "late"), ("close-input",)):
        assert sandbox.call(*verb)[1] == b"end code 0 4104 0\n"


def stdin_closed_twice(sandbox):
    text = 'cat; echo ran >>"$1"; read -r _ || echo ended; until [ -e "$2" ]; do sleep 0.02; done'
    arguments = script(sandbox, text, str(sandbox.ran), str(sandbox.go), stdin="stdin")
    launcher = sandbox.start("launch", *arguments)
    wait_until(lambda: (sandbox.folder / "begun").exists(), "the job has begun")
    assert sandbox.call("close-input")[1] == b"closed\n"
    wait_until(lambda: sandbox.runs() == 1, "cat has ended")
    assert sandbox.call("close-input")[1] == b"closed\n"
    sandbox.go.touch()
    launcher.communicate()
    assert sandbox.follow()[1] == b"ended\n"


def stdin_right_after_the_launch(sandbox):
    """Input must wait for a reader, and never be lost to the start."""
    launcher = sandbox.start("launch", "stdin", "-", "--", str(sandbox.tools / "cat"))
    wait_until(sandbox.claims, "a claim")
    assert sandbox.call("input", "early\\n")[1] == b"written\n"
    assert sandbox.call("close-input")[1] == b"closed\n"
    launcher.communicate()
    assert sandbox.follow() == ("code 0 6 0", b"early\n", b"")


def stdin_is_not_given_to_a_claimer_that_never_begins(sandbox):
    """Its successor has a stdin of its own, in which the input would be missing."""
    sandbox.folder.mkdir()
    claimer = subprocess.Popen(["sleep", "60"], start_new_session=True)
    (sandbox.folder / "claim.1").symlink_to(f"{boot()}:{claimer.pid}:{stat(claimer.pid)[3]}")
    fifos = []
    for name in ("in", "close"):
        os.mkfifo(sandbox.folder / name)
        fifos.append(os.open(sandbox.folder / name, os.O_RDWR))
    giver = sandbox.start("input", "early\\n")
    try:
        giver.wait(0.5)
    except subprocess.TimeoutExpired:
        pass
    for fifo in fifos:
        os.close(fifo)
    claimer.kill()
    claimer.wait()
    launcher = sandbox.start("launch", "stdin", "-", "--", str(sandbox.tools / "cat"))
    said = giver.communicate(timeout=LIMIT)[0]
    if said == b"end absent\n":
        said = sandbox.call("input", "early\\n")[1]
    assert said == b"written\n"
    assert sandbox.call("close-input")[1] == b"closed\n"
    launcher.communicate(timeout=LIMIT)
    assert sandbox.follow() == ("code 0 6 0", b"early\n", b"")


def stdin_ends_with_the_claimer(sandbox):
    launcher = running(sandbox, 'echo ran >>"$1"; cat; exec <&-; echo ran >>"$1"; sleep 60', stdin="stdin")
    os.kill(claimer(sandbox), signal.SIGKILL)
    launcher.communicate()
    wait_until(lambda: sandbox.runs() == 2, "cat has ended")
    assert sandbox.call("input", "lost")[1].startswith(b"end broken ")
    kill_all(sandbox.processes)
    assert sandbox.follow()[0] == "unknown 0 0"


def no_stdin(sandbox):
    launcher = running(sandbox)
    assert sandbox.call("input", "x")[1] == b"end broken the job has no stdin\n"
    sandbox.go.touch()
    launcher.communicate()
    with Sandbox(sandbox.tools, sandbox.original) as other:
        assert other.launch("null", "-", "--", str(other.tools / "cat")) == 0
        assert other.follow()[0] == "code 0 0 0"


# --- jobs that misbehave ---

def ignores_term(sandbox):
    launcher = running(sandbox, 'trap "" TERM HUP INT; echo ran >>"$1"; while :; do sleep 0.1; done')
    assert sandbox.kill() == "unknown 0 0"
    assert launcher.wait(LIMIT) == -signal.SIGKILL


def forks_for_ever(sandbox):
    launcher = running(sandbox, 'echo ran >>"$1"; f() { f & }; f; while :; do sleep 30 & sleep 0.02; done')
    assert sandbox.kill().startswith("unknown "), "killed"
    assert not sandbox.processes() and not sandbox.leftovers()
    launcher.communicate()


def daemon_is_found_by_its_tag(sandbox):
    text = 'setsid sh -c \'echo ran >>"$1"; exec sleep 60\' daemon "$1" & sleep 0.1; exit 3'
    launcher = running(sandbox, text)
    launcher.communicate()
    assert sandbox.follow()[0].startswith("code 3 ") and sandbox.processes()
    assert sandbox.kill().startswith("code 3 ") and not sandbox.processes()


def daemon_that_executes_for_ever(sandbox):
    """In the middle of an execution its tag cannot be read. Each round is a chance to miss it."""
    program = sandbox.top / "again"
    program.write_text('exec sh "$0"\n')
    for _ in range(20):
        with Sandbox(sandbox.tools, sandbox.original) as other:
            launcher = running(other, f'setsid sh {program} & echo ran >>"$1"')
            launcher.communicate()
            assert other.kill().startswith("code 0 ")
            assert not any(other.processes() for _ in range(5)), "a process is left"


def daemon_with_a_name_of_two_lines(sandbox):
    program = copy_of_sleep(sandbox, "a\nb) Z")
    launcher = running(sandbox, f"setsid '{program}' 60 & echo ran >>\"$1\"; exit 3")
    launcher.communicate()
    wait_until(lambda: any(b"a\nb" in comm(pid) for pid in sandbox.processes()), "its name")
    assert sandbox.kill().startswith("code 3 ") and not sandbox.processes()


def others_come_and_go(sandbox):
    """Then no look at all processes is complete."""
    others = subprocess.Popen(["sh", "-c", "while :; do sleep 0 & sleep 0; done"], start_new_session=True)
    try:
        launcher = running(sandbox, 'setsid sh -c \'echo ran >>"$1"; exec sleep 60\' daemon "$1" & sleep 60')
        kill_all(sandbox.leftovers)
        launcher.communicate()
        assert sandbox.kill() == "unknown 0 0" == sandbox.follow()[0] and not sandbox.processes()
    finally:
        others.kill()
        others.wait()


def daemon_keeps_a_lost_job_alive(sandbox):
    launcher = running(sandbox, 'setsid sh -c \'echo ran >>"$1"; exec sleep 60\' daemon "$1" & sleep 60')
    kill_all(sandbox.leftovers)
    launcher.communicate()
    follower = sandbox.start("follow", "-", "-")
    try:
        follower.wait(0.5)
        raise AssertionError(f"follow ended: {follower.stdout.read()}")
    except subprocess.TimeoutExpired:
        pass
    [daemon] = sandbox.processes()
    os.kill(daemon, signal.SIGKILL)
    assert records(follower.communicate(timeout=LIMIT)[0])[0] == "unknown 0 0"


def signals_to_the_claimer(sandbox):
    launcher = running(sandbox)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1):
        os.kill(claimer(sandbox), number)
    sandbox.go.touch()
    launcher.communicate()
    assert sandbox.follow() == RESULT
    with Sandbox(sandbox.tools, sandbox.original) as other:
        # The job's own group has the claimer in it.
        assert other.launch(*script(other, 'trap "exit 9" TERM; kill -TERM 0; sleep 5')) == 0
        assert other.exit() == 9


def signal_while_the_exit_code_is_recorded(sandbox):
    """From what the job left running in its group."""
    if reason := tracer.refused():
        raise Skip(reason)

    def at_point(point):
        if point.process == 0 and point.call == "execve" and (sandbox.folder / "begun").exists():
            os.kill(claimer(sandbox), signal.SIGTERM)
        return True

    sandbox.go.touch()
    tracer.Tracer(at_point).run(sandbox.argv("launch", *sandbox.launch_arguments()), sandbox.environment, "/")
    assert sandbox.follow() == RESULT, sandbox.follow()


# --- who claims ---

def kill_spares_what_only_quotes_the_tag(sandbox):
    other = f"{sandbox.job}-other"
    quotes = {**sandbox.environment, "QUOTE": f"a\nDRYDOCK_JOB={other}\nb"}
    launcher = sandbox.start("launch", *sandbox.launch_arguments(), env=quotes)
    wait_until(lambda: sandbox.runs() == 1, "the job runs")
    job, sandbox.job = sandbox.job, other
    assert sandbox.kill() == "fenced"
    sandbox.job = job
    sandbox.go.touch()
    assert launcher.wait(LIMIT) == 0
    assert sandbox.follow() == RESULT


def job_that_removes_its_folder(sandbox):
    text = f'echo ran >>"$1"; exec {shutil.which("rm")} -r {sandbox.folder}'
    assert sandbox.launch(*script(sandbox, text, str(sandbox.ran))) == 1
    assert sandbox.follow()[0] == "absent" and sandbox.runs() == 1


def environment_and_folder(sandbox):
    text = 'pwd; echo "$n $dir $STATE $DRYDOCK_JOB"; echo "$0 $1"'
    environment = {**sandbox.environment, "n": "1", "dir": "2", "STATE": "3"}
    arguments = script(sandbox, text, "a b*", folder=str(sandbox.top))
    assert sandbox.launch(*arguments, env=environment) == 0
    wanted = f"{sandbox.top}\n1 2 3 {sandbox.job}\njob a b*\n".encode()
    assert sandbox.follow()[1] == wanted, sandbox.follow()
    with Sandbox(sandbox.tools, sandbox.original) as other:
        assert other.launch(*script(other, text, folder="/no/such")) == 122 and not other.claims()


def claimer_leads_its_session(sandbox):
    """Also when the launcher does not: then it starts one that does."""
    launcher = sandbox.start("launch", *sandbox.launch_arguments(), start_new_session=False)
    wait_until(lambda: sandbox.runs() == 1, "the job has begun")
    pid = claimer(sandbox)
    assert pid != launcher.pid and stat(pid)[2] == pid, "the claimer does not lead its session"
    parents = {stat(job)[1] for job in sandbox.processes()}
    assert pid in parents, "the claimer is not the parent of the job"
    sandbox.go.touch()
    assert launcher.wait(LIMIT) == 0 and sandbox.follow() == RESULT


def claim_of_a_number_used_again(sandbox):
    """Alive is who has the claim's number and its start time."""
    pid, start = os.getpid(), stat(os.getpid())[3]
    sandbox.folder.mkdir()
    (sandbox.folder / "claim.1").symlink_to(f"{boot()}:{pid}:{start + 1}")
    sandbox.go.touch()
    assert sandbox.launch() == 0 and sandbox.follow() == RESULT


def kill_spares_a_number_used_again(sandbox):
    # Else the claim would be older than the sandbox, and tell by that.
    wait_until(lambda: time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") > stat(1)[3] + 3, "time")
    stranger = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        sandbox.folder.mkdir()
        claim = f"{boot()}:{stranger.pid}:{stat(stranger.pid)[3] - 1}"
        (sandbox.folder / "claim.1").symlink_to(claim)
        (sandbox.folder / "begun").touch()
        assert sandbox.kill() == "unknown 0 0"
        assert stranger.poll() is None and stat(stranger.pid)[0] == "S", "a stranger was killed or stopped"
    finally:
        stranger.kill()
        stranger.wait()


def kill_spares_sessions_of_a_restarted_sandbox(sandbox):
    """It gives the numbers of sessions out again, and their leaders may have gone again."""
    text = f'echo "$$"; exec >/dev/null; sleep 60 & echo ran >>"{sandbox.ran}"'
    leader = subprocess.Popen(["sh", "-c", text], start_new_session=True, stdout=subprocess.PIPE)
    leader.communicate()
    sandbox.folder.mkdir()
    (sandbox.folder / "claim.1").symlink_to(f"{boot()}:{leader.pid}:{stat(1)[3] - 1}")
    (sandbox.folder / "begun").touch()
    assert sandbox.kill() == "unknown 0 0"
    [stranger] = sandbox.leftovers()
    assert stat(stranger)[0] == "S", "a stranger was stopped"
    os.kill(stranger, signal.SIGKILL)


def claim_of_another_boot(sandbox):
    sandbox.folder.mkdir()
    other = re.sub("^.", lambda match: "1" if match[0] == "0" else "0", boot())
    (sandbox.folder / "claim.1").symlink_to(f"{other}:{os.getpid()}:{stat(os.getpid())[3]}")
    assert sandbox.launch() == 101 and sandbox.runs() == 0
    assert sandbox.follow()[0] == "unknown 0 0" == sandbox.kill()


def name_like_a_state(sandbox):
    # Whoever does not see that it lives runs the job: that must end, then, to be seen.
    sandbox.go.touch()
    program = copy_of_sleep(sandbox, "a) Z 1 (b")
    process = subprocess.Popen([str(program), "60"], start_new_session=True)
    try:
        wait_until(lambda: b") Z" in comm(process.pid), "its name")
        sandbox.folder.mkdir()
        (sandbox.folder / "claim.1").symlink_to(f"{boot()}:{process.pid}:{stat(process.pid)[3]}")
        assert sandbox.launch() == 100
    finally:
        process.kill()
        # A zombie from here on.
        wait_until(lambda: stat(process.pid)[0] == "Z", "its death")
    assert sandbox.launch() == 0 and sandbox.follow() == RESULT
    process.wait()


def parent_that_does_not_reap(sandbox):
    """As some PID 1: what is dead stays a zombie."""
    libc = ctypes.CDLL(None)
    libc.prctl(SUBREAPER, 1, 0, 0, 0)
    try:
        launcher = running(sandbox, 'echo ran >>"$1"; sleep 60 & sleep 60')
        os.kill(claimer(sandbox), signal.SIGKILL)
        kill_all(sandbox.processes)
        assert sandbox.follow()[0] == "unknown 0 0"
        assert sandbox.kill() == "unknown 0 0"
        launcher.communicate()
        with Sandbox(sandbox.tools, sandbox.original) as other:
            killed = running(other, 'echo ran >>"$1"; sleep 60 & sleep 60')
            assert other.kill() == "unknown 0 0"
            killed.communicate()
    finally:
        libc.prctl(SUBREAPER, 0, 0, 0, 0)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


# --- sandboxes that cannot, or hardly ---

def missing_tool(sandbox):
    if "busybox" in os.readlink(sandbox.tools / "ln"):
        raise Skip("busybox sh has its own tools")
    for tool in ("ln", "readlink", "tail"):
        tools = sandbox.top / f"without_{tool}"
        tools.mkdir()
        for other in sandbox.tools.iterdir():
            if other.name != tool:
                (tools / other.name).symlink_to(os.readlink(other))
        environment = {"PATH": str(tools)}
        assert sandbox.launch(*sandbox.launch_arguments(), env=environment) == 122
        assert sandbox.call("follow", "0", "0", env=environment)[1] == f"end broken no {tool}\n".encode()
        assert not sandbox.folder.exists()


class Mounted:
    """A sandbox in a small file system of its own."""

    def __init__(self, sandbox, on_root=False, size="256k"):
        self.sandbox = sandbox
        self.place = sandbox.root if on_root else sandbox.top / "small"
        self.size = size

    def __enter__(self):
        self.place.mkdir(exist_ok=True)
        self.mount("-t", "tmpfs", "-o", f"size={self.size},mode=1777", "none")
        root = self.place if self.place == self.sandbox.root else self.place / ".drydock"
        root.mkdir(exist_ok=True)
        self.sandbox.root, self.sandbox.guard = root, root / "guard"
        self.sandbox.folder = root / self.sandbox.job
        self.sandbox.guard.write_bytes(self.sandbox.original.read_bytes())
        return self

    def mount(self, *options):
        done = subprocess.run(["mount", *options, str(self.place)], capture_output=True, text=True)
        if done.returncode:
            raise Skip(f"mount is refused: {done.stderr.strip()}")

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", str(self.place)], check=False)


def folder_on_a_mount(sandbox):
    with Mounted(sandbox, on_root=True):
        assert sandbox.launch() == 122 and not sandbox.folder.exists()
        assert sandbox.call("kill")[1].startswith(b"end broken ")


def read_only(sandbox):
    with Mounted(sandbox) as place:
        place.mount("-o", "remount,ro")
        assert sandbox.launch() == 122 and not sandbox.folder.exists()
        place.mount("-o", "remount,rw")


def full_disk(sandbox):
    with Mounted(sandbox):
        launcher = sandbox.start("launch", *script(sandbox, "while echo filling; do :; done; exit 7"))
        assert launcher.wait(LIMIT) == 0
        end, out, err = sandbox.follow()
        assert end == f"code 7 {len(out)} {len(err)}" and len(out) > 50_000, end


def another_user(sandbox):
    if os.geteuid() != 0:
        raise Skip("needs root, to become another")
    sandbox.root.chmod(0o1777)
    sandbox.top.chmod(0o777)
    for path in (sandbox.tools, sandbox.tools.parent):
        path.chmod(0o755)
    user = {"user": 65534, "group": 65534, "extra_groups": []}
    try:
        sandbox.go.touch()
        assert sandbox.launch(*sandbox.launch_arguments(), **user) == 0
    except (PermissionError, ValueError, OSError) as error:
        raise Skip(f"cannot become another: {error}") from error
    assert sandbox.follow(**user) == RESULT and sandbox.kill(**user) == RESULT[0]
    sandbox.go.unlink()
    with Sandbox(sandbox.tools, sandbox.original) as other:
        other.root.chmod(0o1777)
        other.top.chmod(0o777)
        launcher = running(other, **user)
        assert other.kill(**user) == "unknown 0 0"
        assert launcher.wait(LIMIT) == -signal.SIGKILL


CASES = (
    exit_codes, output_while_it_grows, output_that_the_job_truncates, live_record_and_slow_sleep,
    states_before_it_begins, stdin_to_its_end, stdin_closed_twice, stdin_right_after_the_launch,
    stdin_is_not_given_to_a_claimer_that_never_begins, stdin_ends_with_the_claimer, no_stdin,
    ignores_term, forks_for_ever, daemon_is_found_by_its_tag, daemon_that_executes_for_ever,
    daemon_with_a_name_of_two_lines, daemon_keeps_a_lost_job_alive, others_come_and_go,
    signals_to_the_claimer, signal_while_the_exit_code_is_recorded, environment_and_folder,
    kill_spares_what_only_quotes_the_tag, job_that_removes_its_folder,
    claimer_leads_its_session, claim_of_a_number_used_again, kill_spares_a_number_used_again,
    kill_spares_sessions_of_a_restarted_sandbox, claim_of_another_boot, name_like_a_state,
    parent_that_does_not_reap, missing_tool, folder_on_a_mount, read_only, full_disk, another_user,
)


def one(case, folder, guard):
    with Sandbox(folder, guard) as sandbox:
        case(sandbox)


def cases(tools, guard):
    for shell, folder in tools.items():
        for case in CASES:
            yield f"{case.__name__}.{shell}", one, (case, folder, guard), case.__name__
