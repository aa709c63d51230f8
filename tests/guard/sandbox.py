"""One guard folder and one job in it, driven as a library drives them: each verb by a process that
leads its session, as an exec does."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).parents[2]
GUARD = ROOT / "lib" / "jobs" / "guard.sh"
TOOLS = ("mkdir", "ln", "readlink", "tail", "head", "wc", "tr", "sleep", "mkfifo", "setsid", "cat")
LIMIT = 200

# Appends to a file outside that it ran, waits for leave to end, and has known output.
JOB = """echo ran >>"$1"
n=0
until [ -e "$2" ] || [ $n = 5000 ]; do n=$((n + 1)); sleep 0.02; done
echo output
echo problem >&2
exit 7"""
RESULT = ("code 7 7 8", b"output\n", b"problem\n")


class Skip(Exception):
    """This cannot be tried here, for the reason given."""


def shells():
    """Those installed, and those missing."""
    names = ("dash", "busybox")
    return [name for name in names if shutil.which(name)], [name for name in names if not shutil.which(name)]


def tool_folder(shell, where):
    """A PATH with nothing but what the guard and the jobs need, so that runs are alike."""
    folder = pathlib.Path(where) / shell
    folder.mkdir()
    (folder / "sh").symlink_to(shutil.which(shell))
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which("busybox" if shell == "busybox" else tool))
    return folder


def boot():
    return pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def stat(pid):
    """(state, parent, session, start) of a process, or None."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[0], int(fields[1]), int(fields[3]), int(fields[19])


def alive(pid, start=None):
    found = stat(pid)
    return found is not None and found[0] not in "ZX" and start in (None, found[3])


def wait_until(condition, what="", limit=LIMIT):
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {limit} s for: {what}")
        time.sleep(0.005)


def records(stream):
    """(end record, out, err) of what follow printed from offset 0; fails on any torn record."""
    parts = {"out": b"", "err": b""}
    while stream:
        line, newline, stream = stream.partition(b"\n")
        assert newline, f"a torn line: {line!r}"
        words = line.decode().split(" ")
        if words[0] == "end":
            assert not stream, f"after the end: {stream[:80]!r}"
            return " ".join(words[1:]), parts["out"], parts["err"]
        if words == ["live"]:
            continue
        name, offset, size = words[0], int(words[1]), int(words[2])
        assert offset == len(parts[name]), f"{line!r} at {len(parts[name])}"
        assert 0 < size <= len(stream), f"{line!r} with {len(stream)} bytes"
        parts[name] += stream[:size]
        stream = stream[size:]
    raise AssertionError("no end record")


class Sandbox:
    def __init__(self, tools, guard=GUARD):
        self.tools = tools
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="guard-"))
        self.root = self.top / ".drydock"
        self.root.mkdir()
        self.guard = self.root / "guard"
        self.original = guard
        shutil.copyfile(guard, self.guard)
        self.job = f"j-{uuid.uuid4().hex}"
        self.folder = self.root / self.job
        self.ran = self.top / "ran"
        self.go = self.top / "go"
        self.environment = {"PATH": str(tools)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # By id, and only what carries this sandbox's own job.
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.top, ignore_errors=True)

    def argv(self, verb, *arguments, tools=None):
        return [str((tools or self.tools) / "sh"), str(self.guard), verb, self.job, *arguments]

    def launch_arguments(self, stdin="null", script=JOB):
        return (stdin, "-", "--", str(self.tools / "sh"), "-c", script, "job", str(self.ran), str(self.go))

    def start(self, verb, *arguments, tools=None, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.DEVNULL, "env": self.environment, "cwd": "/",
                   "start_new_session": True, **options}
        return subprocess.Popen(self.argv(verb, *arguments, tools=tools), **options)

    def call(self, verb, *arguments, **options):
        """(exit code, stdout)"""
        process = self.start(verb, *arguments, **options)
        try:
            output = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"{verb} did not end in {LIMIT} s") from None
        return process.returncode, output

    def launch(self, *arguments, **options):
        return self.call("launch", *(arguments or self.launch_arguments()), **options)[0]

    def follow(self, **options):
        return records(self.call("follow", "0", "0", **options)[1])

    def kill(self, **options):
        return records(self.call("kill", **options)[1])[0]

    def runs(self):
        return self.ran.read_text().count("\n") if self.ran.exists() else 0

    def claims(self):
        texts = []
        while (path := self.folder / f"claim.{len(texts) + 1}").is_symlink():
            texts.append(os.readlink(path))
        return texts

    def owner(self, text):
        if text == "void":
            return text
        boot_id, pid, start = text.split(":")
        return "alive" if boot_id == boot() and alive(pid, int(start)) else "dead"

    def processes(self):
        """Running processes with the job's tag."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"DRYDOCK_JOB={self.job}".encode() in environment and alive(entry.name):
                found.append(int(entry.name))
        return found

    def leftovers(self):
        """Running processes in the session of a claimer."""
        leaders = {int(text.split(":")[1]) for text in self.claims() if text != "void"}
        pids = (int(entry.name) for entry in pathlib.Path("/proc").glob("[0-9]*"))
        return [pid for pid in pids if alive(pid) and (stat(pid) or (0, 0, 0))[2] in leaders]

    def exit(self):
        path = self.folder / "exit"
        if not path.is_symlink():
            assert not path.exists(), "exit is not a link"
            return None
        text = os.readlink(path)
        assert re.fullmatch(r"\d{1,3}", text) and int(text) < 256, f"exit reads {text!r}"
        return int(text)

    def state(self):
        """What the model of the guard is compared in."""
        return (tuple(self.owner(text) for text in self.claims()), (self.folder / "begun").exists(),
                self.exit() is not None, bool(self.processes()))
