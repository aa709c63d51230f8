#!/usr/bin/env python3
"""Holds the model of Docker against a live engine: ./drydock test --real [STAGE...]

stages: recordings     replay of the recorded answers against live engines
        differential   call sequences against a live engine and `drydock serve`
        control        the same against two live engines: the bed itself finds no difference
        planted        the same with one answer falsified: the bed finds it
All but control when none is given. The last line is `N passed, N failed[, N skipped]`.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import engine
import recordings

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = ("recordings", "differential", "control", "planted")
ENGINES = 2
START_LIMIT = 30


class Bed:
    """What the stages share: the build's folder, the engines, the counts."""

    def __init__(self, build):
        self.build = build
        self.scratch = build / "real"
        self.engines = []
        self.passed = self.failed = self.skipped = 0

    def skip(self, name, reason):
        print(f"SKIPPED real/{name}: {reason}", flush=True)
        self.skipped += 1

    def count(self, passed, failed):
        self.passed += passed
        self.failed += failed

    def compare(self, model, *arguments, quiet=False):
        """(passed, failed) of the differential between the first engine and a socket."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            report = pathlib.Path(folder) / "report.json"
            environment = dict(os.environ, DRYDOCK_REAL_SOCKET=self.engines[0].socket,
                               DRYDOCK_MODEL_SOCKET=model, GTEST_OUTPUT=f"json:{report}")
            program = self.build / "tests/real/real_tests"
            done = subprocess.run([program, "--gtest_brief=1", *arguments], cwd=ROOT,
                                  env=environment, text=True,
                                  stdout=subprocess.PIPE if quiet else None)
            if not report.exists():
                return 0, 1
            suites = json.loads(report.read_text())["testsuites"]
        tests = [test for suite in suites for test in suite["testsuite"]
                 if test["result"] == "COMPLETED"]
        failed = sum("failures" in test for test in tests)
        return len(tests) - failed, max(failed, int(done.returncode != 0))


@contextlib.contextmanager
def served(command, socket):
    """Runs a server that prints a line when it listens, and ends on SIGTERM."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        line = process.stdout.readline().strip()
        if line != f"listening on unix:{socket}":
            raise RuntimeError(f"{command[0]} does not listen; it says: {line}")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(START_LIMIT)


def run_recordings(bed):
    bed.count(*recordings.replay_all(bed.engines))


def run_differential(bed):
    program = bed.build / "drydock"
    usage = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    if not any(line.split()[:1] == ["serve"] for line in usage.splitlines()):
        bed.skip("differential", "drydock has no serve")
        return
    socket = str(bed.scratch / "model.sock")
    command = [program, "serve", "--docker", f"unix:{socket}", "--image", "bb:latest"]
    with served(command, socket):
        bed.count(*bed.compare(socket))


def run_control(bed):
    bed.count(*bed.compare(bed.engines[1].socket))


def run_planted(bed):
    """Each falsified answer must fail the tests, with nothing else changed."""
    for plant in ("status", "message", "state"):
        socket = str(bed.scratch / f"{plant}.sock")
        program = pathlib.Path(__file__).parent / "falsify.py"
        with served([sys.executable, program, socket, bed.engines[1].socket, plant], socket):
            _, failed = bed.compare(socket, "--gtest_filter=RealDocker.Planted", quiet=True)
        print(f"planted/{plant}: {'found' if failed else 'NOT FOUND'}", flush=True)
        bed.count(int(failed > 0), int(failed == 0))


def run(bed, stages):
    try:
        engine.install()
        for _ in range(ENGINES):
            bed.engines.append(engine.Engine(bed.scratch))
    except engine.Unavailable as reason:
        for stage in stages:
            bed.skip(stage, reason)
        return
    for stage in stages:
        start = time.monotonic()
        globals()[f"run_{stage}"](bed)
        print(f"{stage}: {time.monotonic() - start:.0f} s", flush=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    stages = sys.argv[2:] or [stage for stage in STAGES if stage != "control"]
    if unknown := [stage for stage in stages if stage not in STAGES]:
        print(f"drydock: test --real: unknown stage {unknown[0]}", file=sys.stderr)
        return 2
    # Like Ctrl-C, so that the engines are stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    bed = Bed(build)
    try:
        run(bed, stages)
    finally:
        for running in bed.engines:
            running.stop()
        with contextlib.suppress(OSError):
            bed.scratch.rmdir()
    skipped = f", {bed.skipped} skipped" if bed.skipped else ""
    print(f"{bed.passed} passed, {bed.failed} failed{skipped}")
    return 1 if bed.failed else 0


sys.exit(main())
