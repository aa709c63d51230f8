"""A container with the guard in it, and what a line of job_sequences.txt does with it."""

import io
import json
import pathlib
import re
import shlex
import struct
import tarfile
import threading
import time

import api

GUARD = pathlib.Path(__file__).resolve().parents[2] / "lib/jobs/guard.sh"
VERBS = ("launch", "follow", "kill", "input", "close-input")
LIMIT = 20
POLL = 0.02
SHELL_SAYS = ("Killed", "Terminated", "/.drydock/guard: ")
# A longer output is told by its size and its ends.
SHOWN = 200


class Exec:
    """One exec, and what it prints."""

    def __init__(self, socket, container, words, environment, is_detached):
        self.socket = socket
        status, answer = self._ask("POST", f"/containers/{container}/exec", {
            "Cmd": words, "Env": environment,
            "AttachStdout": not is_detached, "AttachStderr": not is_detached})
        self.refusal = None if status == 201 else f"{status} {answer['message'].strip()}"
        self.output = bytearray()
        self.reader = None
        if self.refusal:
            return
        self.id = answer["Id"]
        self.reader = threading.Thread(target=self._start, args=[is_detached], daemon=True)
        self.reader.start()
        if is_detached:
            self.reader.join(LIMIT)

    def _ask(self, method, target, body=None):
        status, answer = api.request(self.socket, method, target, body and json.dumps(body))
        return status, json.loads(answer)

    def _start(self, is_detached):
        connection = api.connect(self.socket)
        connection.request("POST", f"/exec/{self.id}/start", json.dumps({"Detach": is_detached}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        if answer.status >= 400:
            self.refusal = f"{answer.status} {answer.read().decode().strip()}"
        while piece := answer.read1():
            self.output += piece
        connection.close()

    def streams(self):
        """What came on standard output and on standard error."""
        found = {1: b"", 2: b""}
        at = 0
        while at + 8 <= len(self.output):
            stream, size = struct.unpack(">B3xI", self.output[at:at + 8])
            found[stream] += bytes(self.output[at + 8:at + 8 + size])
            at += 8 + size
        return found[1], found[2]

    def end(self):
        """All of it, as lines."""
        if self.reader:
            self.reader.join(LIMIT)
        if self.refusal:
            return [self.refusal]
        status, state = await_(lambda: self._ask("GET", f"/exec/{self.id}/json"),
                               lambda seen: not seen[1].get("Running"))
        if status != 200:
            return [f"{status} {state['message']}"]
        out, err = self.streams()
        # The guard's own lines, as what the shell says besides is the shell's.
        errors = [line for line in err.decode().splitlines() if not line.startswith(SHELL_SAYS)]
        return [f"exit code {state['ExitCode']}", *records(out), *errors]


class Sandbox:
    """On one engine; a line gives the same text on each."""

    def __init__(self, socket, name):
        self.socket = socket
        self.path = f"/containers/{name}"
        self.name = name
        self.running = []
        self.remove()
        body = {"Image": "bb:latest", "Cmd": ["sleep", "86400"],
                "HostConfig": {"NetworkMode": "none"}}
        self._engine("POST", f"/containers/create?name={name}", json.dumps(body))
        self._engine("POST", f"{self.path}/start")
        self.upload()

    def remove(self):
        self._engine("DELETE", f"{self.path}?force=1")

    def perform(self, line):
        """What comes of it, as text."""
        words = shlex.split(re.sub(r"<(\w+) ([\w.-]+)>", self._part_of_claim, line))
        is_background = words[0] == "&"
        words = words[is_background:]
        environment = []
        while "=" in words[0]:
            environment.append(words.pop(0))
        verb, *rest = words
        if verb in VERBS:
            words = ["sh", "/.drydock/guard", *words]
        if verb == "exec" or verb in VERBS:
            return self._exec(words[verb == "exec":], environment, is_background)
        call = {"join": self._join, "heard": self._heard, "until": self._until, "files": self._files,
                "put": self._put, "upload": self.upload, "engine": self._act}[verb]
        return normal("\n".join(call(*rest)))

    def _exec(self, words, environment, is_background):
        # As the library does it: a launch in the background is detached, all else is listened to.
        made = Exec(self.socket, self.name, words, environment, is_background and "launch" in words)
        if is_background:
            self.running.append(made)
            return "goes on"
        return normal("\n".join(made.end()))

    def _join(self):
        ended, self.running = self.running, []
        return [line for one in ended for line in one.end()]

    def _heard(self, text):
        """Until the last exec in the background has printed that."""
        wanted = text.encode()
        heard = await_(lambda: self.running[-1].streams()[0], lambda out: wanted in out)
        return [f"heard {wanted in heard}"]

    def _until(self, job, entry, size="0"):
        """Until the job has an entry of that size."""
        found = await_(lambda: self._entries(job).get(entry),
                       lambda seen: seen is not None and seen.size >= int(size))
        return [told(entry, found) if found else f"no {entry}"]

    def _files(self, job):
        found = self._entries(job)
        return [told(name or ".", found[name]) for name in sorted(found)] or ["no folder"]

    def _put(self, job, entry, text=None):
        """A link of that text, or an empty file."""
        made = tarfile.TarInfo(f".drydock/{job}/{entry}")
        if text is not None:
            made.type, made.linkname, made.mode = tarfile.SYMTYPE, text, 0o777
        return self._unpack([(folder(f".drydock/{job}", 0o755), b""), (made, b"")])

    def upload(self):
        """The guard, as the library uploads it."""
        script = tarfile.TarInfo(".drydock/guard")
        script.mode = 0o755
        return self._unpack([(folder(".drydock", 0o1777), b""), (script, GUARD.read_bytes())])

    def _act(self, verb, query=""):
        if verb == "wait":
            return [" ".join(map(str, self._engine("POST", f"{self.path}/wait")))]
        status, answer = self._engine("POST", f"{self.path}/{verb}?{query}")
        if verb == "kill":
            # It is answered before its effect.
            self._engine("POST", f"{self.path}/wait")
        return [f"{status} {answer}"]

    def _engine(self, method, target, body=None):
        status, answer = api.request(self.socket, method, target, body)
        return status, answer.decode()

    def _entries(self, job):
        """{name: entry} of the job's folder, itself under the empty name."""
        status, answer = api.request(self.socket, "GET",
                                     f"{self.path}/archive?path=/.drydock/{job}")
        if status != 200:
            return {}
        with tarfile.open(fileobj=io.BytesIO(answer)) as tree:
            return {entry.name.partition("/")[2]: entry for entry in tree}

    def _unpack(self, entries):
        output = io.BytesIO()
        with tarfile.open(fileobj=output, mode="w") as tree:
            for entry, content in entries:
                entry.size = len(content)
                tree.addfile(entry, io.BytesIO(content))
        status, answer = api.request(self.socket, "PUT", f"{self.path}/archive?path=/",
                                     output.getvalue(), "application/x-tar")
        return [f"{status} {answer.decode()}"]

    def _part_of_claim(self, found):
        """`<boot JOB>`, `<pid JOB>`, `<start JOB>`: of its last claim that is no fence."""
        part, job = found.groups()
        entries = self._entries(job)
        claims = [entries[f"claim.{n}"].linkname for n in range(1, len(entries) + 1)
                  if f"claim.{n}" in entries]
        last = [claim for claim in claims if claim != "void"][-1]
        return last.split(":")[("boot", "pid", "start").index(part)]


def normal(text):
    text = re.sub(r"\b[0-9a-f]{64}\b", "ID", text)
    return re.sub(r"can't kill pid \d+", "can't kill pid N", text)


def folder(name, mode):
    made = tarfile.TarInfo(name)
    made.type, made.mode = tarfile.DIRTYPE, mode
    return made


def told(name, entry):
    text = re.sub(r"^[0-9a-f-]{36}:\d+:\d+$", "CLAIM", entry.linkname)
    return f"{name} {entry.type.decode()} {entry.mode:o} {entry.size} {text}"


def await_(look, holds):
    """The first look that holds, or the last one."""
    limit = time.monotonic() + LIMIT
    while True:
        seen = look()
        if holds(seen) or time.monotonic() > limit:
            return seen
        time.sleep(POLL)


def records(text):
    """What a guard printed, as lines that do not depend on how its output was cut into records."""
    lines, parts = [], {}
    while text:
        line, _, text = text.partition(b"\n")
        found = re.fullmatch(rb"(out|err) (\d+) (\d+)", line)
        if not found:
            if line != b"live":
                lines.append(line.decode(errors="backslashreplace"))
            continue
        name, offset, size = found[1].decode(), int(found[2]), int(found[3])
        piece, text = text[:size], text[size:]
        if len(piece) < size:
            lines.append(f"a torn record of {name}")
        begin, so_far = parts.get(name, (offset, b""))
        if offset != begin + len(so_far):
            lines.append(f"{name} goes on at {offset}, not at {begin + len(so_far)}")
        parts[name] = begin, so_far + piece
    outputs = [f"{name} from {begin}: {shown(data)}" for name, (begin, data) in sorted(parts.items())]
    return outputs + lines


def shown(data):
    if len(data) <= SHOWN:
        return repr(data)[1:]
    return f"{len(data)} bytes, {repr(data[:20])[1:]} to {repr(data[-20:])[1:]}"
