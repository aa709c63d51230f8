"""The docker command against a live engine and the served one: both must print the same."""

import concurrent.futures
import contextlib
import difflib
import os
import pathlib
import queue
import re
import shlex
import shutil
import stat
import subprocess
import tempfile
import time

from engine import BOUND

SEQUENCES = pathlib.Path(__file__).parent / "docker_commands.txt"
COMMAND_LIMIT = 60
AGREE_LIMIT = 5
READING = ("ps", "inspect")

# What differs from engine to engine and from run to run, in this order.
PATTERNS = [(re.compile(pattern), text) for pattern, text in (
    (r"sha256:[0-9a-f]{64}", "IMAGE"),
    (r"(/[\w.-]+)+/(containers|netns|vfs)/", "ROOT/"),
    (r"\b[0-9a-f]{64}\b", "ID"),
    (r"\b[0-9a-f]{12}\b", "ID12"),
    (r"\b20\d\d-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r'"Pid": [1-9]\d*', '"Pid": N'),
    (r"\b172\.17\.\d+\.\d+\b(?<!\.0\.1)", "ADDRESS"),
    (r"\b02:42:ac:11(:[0-9a-f]{2}){2}\b", "HARDWARE"),
    (r"(Less than a|About an?|\d+) (second|minute)s?", "TIME"),
    (r"^\d+ +(?=\S)", "N  "),  # a row of top
    # The columns are as wide as the times in them.
    (r" {2,}", "  "),
    (r" +$", ""),
)]


def client():
    """The version of the command, or None where there is none."""
    if not shutil.which("docker"):
        return None
    done = subprocess.run(["docker", "--version"], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def read_sequences(path):
    """{name: lines}"""
    sequences = {}
    for line in path.read_text().splitlines():
        if line.startswith("== "):
            lines = sequences.setdefault(line[3:], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return sequences


def docker(socket, *arguments, folder=None, given=""):
    # No configuration of the user's: an empty home.
    environment = {"PATH": os.environ["PATH"], "DOCKER_HOST": f"unix://{socket}"}
    return subprocess.run([*BOUND, "docker", *arguments], env=environment, capture_output=True,
                          text=True, input=given, cwd=folder, timeout=COMMAND_LIMIT)


class Side:
    """An engine, and the folder that the command is run in."""

    def __init__(self, socket, folder):
        self.socket = socket
        self.folder = pathlib.Path(folder)
        (self.folder / "file").write_text("content\n")
        (self.folder / "tree/sub").mkdir(parents=True)
        (self.folder / "tree/sub/file").write_text("below\n")
        (self.folder / "tree/script").write_text("#!/bin/sh\n")
        (self.folder / "tree/script").chmod(0o755)
        (self.folder / "tree/link").symlink_to("sub/file")


def empty(socket):
    made = docker(socket, "ps", "-aq").stdout.split()
    if made:
        docker(socket, "rm", "-f", *made)


def normal(text, side):
    lines = []
    for line in text.replace(str(side.folder), "FOLDER").splitlines():
        indent = len(line) - len(line.lstrip())
        for pattern, replacement in PATTERNS:
            line = pattern.sub(replacement, line)
        lines.append(" " * indent + line.lstrip())
    return lines


def seen(side, line):
    """All that the command shows, line by line."""
    if line.startswith("files "):
        return files(side.folder / line.removeprefix("files "))
    line, _, given = line.partition(" <<< ")
    done = docker(side.socket, *shlex.split(line), folder=side.folder, given=given and given + "\n")
    return [f"exit code {done.returncode}", "stdout:", *normal(done.stdout, side),
            "stderr:", *normal(done.stderr, side)]


def files(top):
    """What lies there: kind and mode, name, and content."""
    found = []
    for path in sorted([top, *top.rglob("*")]) if os.path.lexists(top) else []:
        content = ""
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = path.read_text()
        found.append(f"{stat.filemode(path.lstat().st_mode)} {path.relative_to(top)} {content!r}")
    return found


def difference(both, sides, line):
    """What differs in what the command shows on the two, or nothing."""
    # Engines go on after an answer, each at its own pace: what only reads may be asked again.
    limit = time.monotonic() + (AGREE_LIMIT if line.split()[0] in READING else 0)
    while True:
        wanted, got = both.map(lambda side: seen(side, line), sides)
        if wanted == got:
            return None
        if time.monotonic() > limit:
            shown = difflib.unified_diff(wanted, got, "live", "served", lineterm="", n=1)
            return "\n".join([line, *shown])


def differences(live, served, lines):
    """The differences of a sequence, as text; it goes on after one."""
    sockets = live, served
    with contextlib.ExitStack() as stack:
        both = stack.enter_context(concurrent.futures.ThreadPoolExecutor(len(sockets)))
        folders = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in sockets]
        sides = [Side(socket, folder) for socket, folder in zip(sockets, folders)]
        list(both.map(empty, sockets))
        found = [difference(both, sides, line) for line in lines]
        list(both.map(empty, sockets))
    return [text for text in found if text]


def all_differences(pairs, sequences):
    """{name: differences}, the sequences shared out among pairs of a live and a served engine."""
    free = queue.SimpleQueue()
    for pair in pairs:
        free.put(pair)

    def work(lines):
        pair = free.get()
        try:
            return differences(*pair, lines)
        finally:
            free.put(pair)

    with concurrent.futures.ThreadPoolExecutor(len(pairs)) as workers:
        return dict(zip(sequences, workers.map(work, sequences.values())))
