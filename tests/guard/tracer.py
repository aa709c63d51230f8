"""Runs a program, and stops it and its children at each call that changes something.

A point is one stop, named by the process (in order of birth), the count of its calls, and whether
the call is about to be made or has been made. Programs that run alike have the same points in each
run. strace can kill a process at its Nth call, too, but counts in each process anew, so that
it cannot tell one child from the next.
"""

import ctypes
import os
import platform
import re
import signal
import struct
from dataclasses import dataclass

SEIZE, INTERRUPT, TO_CALL, CONTINUE, DETACH, LISTEN = 0x4206, 0x4207, 24, 7, 17, 0x4208
CALL_INFO, MESSAGE = 0x420E, 0x4201
# TRACESYSGOOD, TRACEFORK, TRACEVFORK, TRACECLONE, TRACEEXEC, TRACESECCOMP, EXITKILL
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x100000
BIRTHS, EXECUTED, FILTERED, EVENT_STOP = (1, 2, 3), 4, 7, 128
# For prctl and its filter.
NO_NEW_PRIVILEGES, SECCOMP, SECCOMP_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN, TRACE, ALLOW = 0x20, 0x15, 0x06, 0x7FF00000, 0x7FFF0000
WALL = 0x40000000
O_CREAT = 0o100
EXIT = 2

NUMBERS = {
    "x86_64": {
        2: "open", 4: "stat", 6: "lstat", 21: "access", 56: "clone", 57: "fork", 58: "vfork",
        59: "execve", 60: "exit", 61: "wait4", 62: "kill", 83: "mkdir", 88: "symlink",
        89: "readlink", 133: "mknod", 231: "exit_group", 247: "waitid", 257: "openat",
        258: "mkdirat", 259: "mknodat", 262: "newfstatat", 266: "symlinkat", 267: "readlinkat",
        230: "clock_nanosleep", 269: "faccessat", 332: "statx", 435: "clone3", 439: "faccessat2",
    },
    "aarch64": {
        33: "mknodat", 34: "mkdirat", 36: "symlinkat", 48: "faccessat", 56: "openat",
        78: "readlinkat", 79: "newfstatat", 115: "clock_nanosleep", 93: "exit", 94: "exit_group", 95: "waitid",
        129: "kill", 220: "clone", 221: "execve", 260: "wait4", 291: "statx", 435: "clone3",
        439: "faccessat2",
    },
}
# Only the calls whose path is one of their arguments, and which.
PATHS = {
    "open": 0, "stat": 0, "lstat": 0, "access": 0, "mkdir": 0, "readlink": 0, "mknod": 0,
    "symlink": 1, "openat": 1, "mkdirat": 1, "mknodat": 1, "newfstatat": 1, "symlinkat": 2,
    "readlinkat": 1, "faccessat": 1, "faccessat2": 1, "statx": 1, "execve": 0,
}
CHANGING = {
    "open", "openat", "mkdir", "mkdirat", "mknod", "mknodat", "symlink", "symlinkat", "clone",
    "clone3", "fork", "vfork", "execve", "wait4", "waitid", "exit", "exit_group", "kill",
}
# Nothing is changed by their return.
WAITS = ("wait4", "waitid")


def changes(call, path):
    return call in CHANGING and path != "dev/null"


libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long
CALLS = NUMBERS.get(platform.machine(), {})


@dataclass(frozen=True)
class Point:
    process: int  # 0 is the program itself
    count: int
    after: bool
    call: str
    path: str  # its last two parts

    def __str__(self):
        who = "shell" if self.process == 0 else f"child {self.process}"
        return f"{'after' if self.after else 'before'} {self.call} {self.path} of {who}"

    def same(self, other):
        return (self.process, self.count, self.after) == (other.process, other.count, other.after)


def ptrace(request, pid, address=0, data=0):
    if libc.ptrace(request, pid, address, data) < 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x}")


def filter_calls():
    """From now on only CALLS stop this process: the shells make thousands of others."""
    steps = [(LOAD, 0, 0, 0)]
    for left, number in zip(range(len(CALLS), 0, -1), CALLS):
        steps.append((JUMP_IF_EQUAL, left, 0, number))
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, TRACE)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.prctl(SECCOMP, SECCOMP_FILTER, program, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def refused():
    """Why nothing can be traced here, or None."""
    if not CALLS:
        return f"no call numbers for {platform.machine()}"
    points = []
    try:
        Tracer(lambda point: points.append(point) or True).run(["true"], dict(os.environ), "/")
    except OSError as error:
        return f"ptrace is refused: {error.strerror}"
    return None if points else "seccomp or the question for a call is refused"


class Tracer:
    """run() calls at_point(point) at each point, until that returns False: then it lets all
    processes run, and waits for their end, or detaches from them. Detaching costs: then each call
    must stop, as a filter stays when the tracer goes. `pids` are those alive, in order of birth."""

    def __init__(self, at_point, interesting=changes, output="/dev/null", detaching=False):
        self.at_point = at_point
        self.interesting = interesting
        self.output = output
        self.detaching = detaching
        self.pids = {}
        self.dead = set()
        self.counts = {}
        self.calls = {}
        self.born = 0
        self.status = None

    def run(self, argv, environment, folder, lead=True):
        self.root = self.start(argv, environment, folder, lead)
        self.letting_go = False
        while self.pids:
            pid, status = os.waitpid(-1, WALL)
            if os.WIFSTOPPED(status):
                self.stopped(pid, status)
            else:
                # Or another child of this process, which is then reaped, too.
                self.dead.add(pid)
                self.pids.pop(pid, None)
                if pid == self.root:
                    self.status = os.waitstatus_to_exitcode(status)
        return self

    def wait(self):
        """The exit code of the program, after run() has let go of it."""
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.root, 0)[1])
        return self.status

    def start(self, argv, environment, folder, lead):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(writing)
                os.read(reading, 1)
                os.close(reading)
                if lead:
                    os.setsid()
                os.chdir(folder)
                null = os.open("/dev/null", os.O_RDWR)
                for number in range(3):
                    os.dup2(null, number)
                os.dup2(os.open(self.output, os.O_WRONLY | os.O_CREAT, 0o600), 1)
                os.closerange(3, 1024)
                if not self.detaching:
                    filter_calls()
                os.execvpe(argv[0], argv, environment)
            finally:
                os._exit(99)
        os.close(reading)
        try:
            ptrace(SEIZE, pid, 0, OPTIONS)
            if self.detaching:
                # From the next call on it stops at each.
                ptrace(INTERRUPT, pid)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        finally:
            os.close(writing)
        self.add(pid)
        # What Python does before the program begins is not the program's.
        self.executed = False
        return pid

    def add(self, pid):
        # A child's death may be reported before its birth.
        if pid not in self.pids and pid not in self.dead:
            self.pids[pid] = self.born
            self.counts[pid] = 0
            self.born += 1

    def stopped(self, pid, status):
        self.add(pid)
        event, number = status >> 16, os.WSTOPSIG(status)
        if event in BIRTHS:
            # The child is attached from now on, and may stop later than its parent goes on.
            child = ctypes.c_ulong()
            ptrace(MESSAGE, pid, 0, ctypes.addressof(child))
            self.add(child.value)
        if self.letting_go and self.detaching:
            self.detach(pid, 0 if event or number == signal.SIGTRAP | 0x80 else number)
        elif event == FILTERED or number == signal.SIGTRAP | 0x80:
            self.at_call(pid)
        elif event == EVENT_STOP and number in (signal.SIGSTOP, signal.SIGTSTP):
            ptrace(LISTEN, pid)
        elif event:
            self.executed = self.executed or event == EXECUTED
            # A birth and an execution come in the middle of a call.
            self.proceed(pid, returning=bool(self.calls.get(pid)))
        else:
            self.proceed(pid, number)

    def proceed(self, pid, number=0, returning=False):
        """Up to the next call, or up to the return from this one."""
        try:
            ptrace(TO_CALL if self.detaching or returning else CONTINUE, pid, 0, number)
        except ProcessLookupError:
            pass  # killed meanwhile: waitpid will say so

    def detach(self, pid, number=0):
        try:
            ptrace(DETACH, pid, 0, number)
            self.pids.pop(pid, None)
        except ProcessLookupError:
            pass  # killed: its parent learns of it only after us

    def at_call(self, pid):
        point = self.point(pid) if self.executed and not self.letting_go else None
        if point is None or self.at_point(point):
            self.proceed(pid, returning=point is not None and not point.after)
            return
        self.letting_go = True
        if not self.detaching:
            self.proceed(pid)
            return
        for other in list(self.pids):
            if other != pid:
                try:
                    ptrace(INTERRUPT, other)
                except ProcessLookupError:
                    pass
        self.detach(pid)

    def point(self, pid):
        data = ctypes.create_string_buffer(88)
        try:
            ptrace(CALL_INFO, pid, 88, ctypes.addressof(data))
        except ProcessLookupError:
            return None
        if data.raw[0] != EXIT:
            number, *arguments = struct.unpack_from("=7Q", data.raw, 24)
            self.calls[pid] = self.name(pid, CALLS.get(number), arguments)
            if self.calls[pid]:
                self.counts[pid] += 1
        call = self.calls.get(pid)
        if data.raw[0] == EXIT:
            self.calls[pid] = None
        if not call:
            return None
        if data.raw[0] == EXIT and call[0] in WAITS:
            return None
        return Point(self.pids[pid], self.counts[pid], data.raw[0] == EXIT, *call)

    def name(self, pid, call, arguments):
        if call is None:
            return None
        path = ""
        if call in PATHS:
            path = self.text(pid, arguments[PATHS[call]])
            path = re.sub(r"\bj-[0-9a-f]{32}\b", "JOB", "/".join(path.split("/")[-2:]))
        if call == "openat" and not arguments[2] & O_CREAT or call == "open" and not arguments[1] & O_CREAT:
            call = "read"
        return (call, path) if self.interesting(call, path) else None

    def text(self, pid, address):
        try:
            with open(f"/proc/{pid}/mem", "rb", 0) as memory:
                memory.seek(address)
                return memory.read(256).split(b"\0")[0].decode(errors="replace")
        except (OSError, OverflowError, ValueError):
            return "?"
