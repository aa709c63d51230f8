"""Live Docker Engines for tests, each in namespaces of its own below a scratch folder."""

import contextlib
import io
import os
import pathlib
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time

import api

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {"docker.io": "dockerd", "busybox-static": "busybox"}
NO_SERVICES = pathlib.Path("/usr/sbin/policy-rc.d")
START_LIMIT = 60
# Before a command: it never outlives us, not even if we are killed.
BOUND = ("setpriv", "--pdeathsig", "KILL")


class Unavailable(Exception):
    """No engine can run here; the text says why, in one line."""


def install():
    """Installs what an engine needs and is not there, and starts no service."""
    missing = [package for package, program in PACKAGES.items() if not shutil.which(program)]
    if not missing:
        return
    if not shutil.which("apt-get"):
        raise Unavailable(f"{' and '.join(missing)} not installed, and this is not Debian")
    print("installing", *missing, flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    with no_services():
        for command in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
            done = subprocess.run(["apt-get", "-o", "DPkg::Lock::Timeout=300", *command],
                                  env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True)
            if done.returncode != 0:
                raise Unavailable(f"cannot install {' '.join(missing)}: {last_line(done.stderr)}")


@contextlib.contextmanager
def no_services():
    """Packages ask policy-rc.d before they start a service; 101 forbids it."""
    if NO_SERVICES.exists():
        policy = subprocess.run([NO_SERVICES, "docker", "start"], capture_output=True)
        if policy.returncode != 101:
            raise Unavailable(f"{NO_SERVICES} would let the package start the system's engine")
        yield
        return
    NO_SERVICES.write_text("#!/bin/sh\nexit 101\n")
    NO_SERVICES.chmod(0o755)
    try:
        yield
    finally:
        NO_SERVICES.unlink()


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it says nothing"


class Engine:
    """A running engine that knows the image bb:latest and nothing else."""

    def __init__(self, scratch):
        if os.geteuid() != 0:
            raise Unavailable("an engine needs root")
        scratch.mkdir(parents=True, exist_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="engine-", dir=scratch))
        self.cgroups = "drydock-" + self.folder.name
        self.process = None
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    @property
    def socket(self):
        return str(self.folder / "sock")

    @property
    def roots(self):
        """Its folders, as replay.py takes them."""
        return f"data={self.folder}/data,exec={self.folder}/exec"

    def stop(self):
        """Nothing of it is left: no process, mount, control group or folder."""
        if self.process:
            # With the namespaces' first process the kernel kills all others, and only then does
            # unshare get to know of its end.
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
            with contextlib.suppress(ProcessLookupError, FileNotFoundError):
                for child in children.read_text().split() or [self.process.pid]:
                    os.kill(int(child), signal.SIGKILL)
            while not self._ended():
                # A paused container's processes, frozen by control groups of version 1, do not die.
                self._in_cgroups("thaw_cgroups")
            self._in_cgroups("remove_cgroups")
        shutil.rmtree(self.folder)

    def _ended(self):
        try:
            self.process.wait(0.2)
            return True
        except subprocess.TimeoutExpired:
            return False

    def _in_cgroups(self, function):
        subprocess.run(["unshare", "--mount", "sh", "-c", f'. "$1"; mount_cgroups; {function} "$2"',
                        "sh", HERE / "cgroups.sh", self.cgroups])

    def _start(self):
        command = [*BOUND, "unshare", "--mount", "--pid", "--net", "--ipc", "--uts",
                   "--fork", "--mount-proc", "--kill-child",
                   "sh", HERE / "namespace.sh", self.folder, self.cgroups]
        log = self.folder / "log"
        with log.open("w") as output:
            # A session of its own, so that Ctrl-C reaches us alone and we stop it in order.
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=output, start_new_session=True)
        deadline = time.monotonic() + START_LIMIT
        while not self._answers():
            if self.process.poll() is not None:
                raise Unavailable(f"dockerd ended: {last_line(log.read_text())}")
            if time.monotonic() > deadline:
                raise Unavailable(f"dockerd does not answer after {START_LIMIT} s")
            time.sleep(0.1)
        self._import_image()

    def _answers(self):
        try:
            return api.request(self.socket, "GET", "/_ping")[0] == 200
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    def _import_image(self):
        status, answer = api.request(
            self.socket, "POST", "/images/create?fromSrc=-&repo=bb&tag=latest", busybox_tree(),
            "application/x-tar")
        if status != 200 or b'"error"' in answer:
            raise Unavailable(f"the image cannot be imported: {last_line(answer.decode())}")


def busybox_tree():
    """The recordings' image as a tar: busybox, a link for each applet, users, some folders."""
    busybox = shutil.which("busybox")
    applets = subprocess.run([busybox, "--list"], capture_output=True, text=True, check=True)
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as tree:
        def add(name, mode, content=None, **fields):
            entry = tarfile.TarInfo(name)
            entry.mode = mode
            for field, value in fields.items():
                setattr(entry, field, value)
            if content is not None:
                entry.size = len(content)
            tree.addfile(entry, io.BytesIO(content) if content is not None else None)

        for name in ("bin", "etc", "root", "proc", "sys", "dev", "work"):
            add(name, 0o755, type=tarfile.DIRTYPE)
        add("tmp", 0o1777, type=tarfile.DIRTYPE)
        add("bin/busybox", 0o755, pathlib.Path(busybox).read_bytes())
        for applet in applets.stdout.split():
            if applet != "busybox":
                add(f"bin/{applet}", 0o777, type=tarfile.SYMTYPE, linkname="busybox")
        add("etc/passwd", 0o644, b"root:x:0:0:root:/root:/bin/sh\n"
                                 b"nobody:x:65534:65534:nobody:/:/bin/false\n")
        add("etc/group", 0o644, b"root:x:0:\nnobody:x:65534:\n")
    return output.getvalue()
