"""Namespaces of processes and mounts for one case: whatever a wrong guard kills is then its own,
nobody else comes and goes there, and what the case leaves behind ends with it."""

import ctypes
import os
import pathlib
import signal

NEW_MOUNTS, NEW_USER, NEW_PIDS = 0x20000, 0x10000000, 0x20000000
RECURSIVE_AND_PRIVATE = 0x4000 | 0x40000
DEATH_SIGNAL = 1

libc = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def unshare():
    user, group = os.geteuid(), os.getegid()
    check(libc.unshare(NEW_PIDS | NEW_MOUNTS | (NEW_USER if user else 0)))
    if user:
        # Who may not mount, may as root of a namespace of users.
        pathlib.Path("/proc/self/setgroups").write_text("deny")
        pathlib.Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        pathlib.Path("/proc/self/gid_map").write_text(f"0 {group} 1")


def mount_proc():
    check(libc.mount(None, b"/", None, RECURSIVE_AND_PRIVATE, None))
    check(libc.mount(b"proc", b"/proc", b"proc", 0, None))


def exit_as(child):
    """Ends as the child does, and reaps whatever else ends before."""
    while True:
        pid, status = os.wait()
        if pid == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xff)


def end_with_parent():
    libc.prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def enter():
    """Returns as a child of the PID 1 of new namespaces. To be called in a process that is forked
    for that: it ends as this child does."""
    end_with_parent()
    unshare()
    init = os.fork()
    if init:
        exit_as(init)
    end_with_parent()
    mount_proc()
    child = os.fork()
    if child:
        exit_as(child)


def refused():
    """Why no namespaces can be made here, or None."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            enter()
        except OSError as error:
            os.write(writing, error.strerror.encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as reason:
        return reason.read().decode() or (os.waitpid(child, 0) and None)
