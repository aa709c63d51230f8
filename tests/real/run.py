#!/usr/bin/env python3
"""Holds the model of Docker against a live engine: ./drydock test --real [STAGE...]

stages: recordings     replay of the recorded answers against live engines
        differential   call sequences against a live engine and `drydock serve`
        control        the same against two live engines: the bed itself finds no difference
        planted        the same, and jobs, with one answer falsified, a live one's or the served
                       one's: the bed finds it
        served         replay of the recorded answers against `drydock serve`; needs no engine
        command        the docker command against a live engine and `drydock serve`
        jobs           jobs under the guard on a live engine and on `drydock serve`
All but control when none is given. The last line is `N passed, N failed[, N skipped]`.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import commands
import engine
import falsify
import jobs
import recordings

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = ("recordings", "differential", "control", "planted", "served", "command", "jobs")
WITHOUT_ENGINE = ("served",)
ENGINES = 2
SERVED = 4  # models at once; replaying is mostly waiting
STOP_LIMIT = 30


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

    def compare(self, model, sequences=None):
        """The differential between the first engine and a socket; its report, test by test."""
        environment = dict(os.environ, DRYDOCK_REAL_SOCKET=self.engines[0].socket,
                           DRYDOCK_MODEL_SOCKET=model)
        arguments = ["--gtest_brief=1"]
        if sequences:
            environment["DRYDOCK_REAL_SEQUENCES"] = str(sequences)
        if "DRYDOCK_REAL_SEQUENCES" in environment:
            arguments.append("--gtest_filter=RealDocker.GivenSequences")
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            report = pathlib.Path(folder) / "report.json"
            done = subprocess.run(
                [*engine.BOUND, self.build / "tests/real/real_tests", f"--gtest_output=json:{report}", *arguments],
                cwd=ROOT, env=environment, capture_output=True, text=True)
            if not report.exists():
                raise RuntimeError(f"real_tests ended with {done.returncode}: {done.stderr}")
            suites = json.loads(report.read_text())["testsuites"]
        return [test for suite in suites for test in suite["testsuite"]
                if test["result"] == "COMPLETED"]

    def count_comparison(self, model):
        for test in self.compare(model):
            failures = [failure["failure"] for failure in test.get("failures", [])]
            print(f"{test['name']}: {len(failures)} differ ({test['time']})",
                  *(failure.split("\n", 1)[1] for failure in failures), sep="\n", flush=True)
            self.count(int(not failures), int(bool(failures)))

    def differing(self, model, sequences):
        """The names of the given sequences that differ."""
        tests = self.compare(model, sequences)
        return [name for test in tests for failure in test.get("failures", [])
                for name in re.findall(r"^== (.*)$", failure["failure"], re.MULTILINE)]


@contextlib.contextmanager
def served(command, socket):
    """Runs a server that prints a line when it listens, and ends on SIGTERM."""
    process = subprocess.Popen([*engine.BOUND, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        line = process.stdout.readline().strip()
        if line != f"listening on unix:{socket}":
            raise RuntimeError(f"{command[0]} {command[1]} does not listen; it says: {line}")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_LIMIT)
        pathlib.Path(socket).unlink(missing_ok=True)


def run_recordings(bed):
    bed.count(*recordings.replay_live(bed.engines))


class Model:
    """The simulated engine behind a socket, as long as the `with` lasts."""

    # The folders that it says it has.
    roots = "data=/var/lib/docker,exec=/var/run/docker"

    def __init__(self, bed, number=0):
        self.socket = str(bed.scratch / f"model{number}.sock")
        self._server = served([bed.build / "drydock", "serve", "--quiet", "--docker",
                               f"unix:{self.socket}", "--image", "bb:latest"], self.socket)

    def __enter__(self):
        self._server.__enter__()
        return self

    def __exit__(self, *failure):
        return self._server.__exit__(*failure)


def run_differential(bed):
    with Model(bed) as model:
        bed.count_comparison(model.socket)


def run_served(bed):
    bed.scratch.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        models = [stack.enter_context(Model(bed, number)) for number in range(SERVED)]
        bed.count(*recordings.replay_served(models))


def run_command(bed):
    version = commands.client()
    if not version:
        bed.skip("command", "there is no docker command")
        return
    print(f"command: {version}, the same for both", flush=True)
    sequences = commands.read_sequences(commands.SEQUENCES)
    with contextlib.ExitStack() as stack:
        pairs = [(live.socket, stack.enter_context(Model(bed, number)).socket)
                 for number, live in enumerate(bed.engines)]
        results = commands.all_differences(pairs, sequences)
    for name, found in results.items():
        print(f"command/{name}: {len(sequences[name])} commands, {len(found)} differ", *found,
              sep="\n", flush=True)
        bed.count(int(not found), int(bool(found)))


def run_jobs(bed):
    with Model(bed) as model:
        chosen = jobs.sequences()
        found = jobs.differences(bed.engines[0].socket, model.socket, chosen)
    count = jobs.job_count(chosen)
    print(f"jobs: {count} in {len(chosen)} sequences, {len(found)} sequences differ", flush=True)
    for name, text in found.items():
        print(f"== {name}", *chosen[name], text, sep="\n", flush=True)
    bed.count(len(chosen) - len(found), len(found))


def run_control(bed):
    bed.count_comparison(bed.engines[1].socket)


def run_planted(bed):
    """Each falsified answer must fail its own sequence, and no other."""
    plant_in(bed, "live", bed.engines[1].socket)
    with Model(bed) as model:
        plant_in(bed, "served", model.socket)


def plant_in(bed, side, upstream):
    here = pathlib.Path(__file__).parent
    for plant in falsify.PLANTS:
        with falsified(bed, upstream, [plant]) as socket:
            count_plants(bed, side, [plant], bed.differing(socket, here / "planted_sequences.txt"))
    about_jobs = commands.read_sequences(here / "planted_jobs.txt")
    with falsified(bed, upstream, falsify.JOB_PLANTS) as socket:
        differing = jobs.differences(bed.engines[0].socket, socket, about_jobs)
        count_plants(bed, side, list(falsify.JOB_PLANTS), list(differing))


@contextlib.contextmanager
def falsified(bed, upstream, plants):
    socket = str(bed.scratch / "falsified.sock")
    program = pathlib.Path(__file__).parent / "falsify.py"
    command = [sys.executable, program, socket, upstream, *plants]
    with served(command, socket):
        yield socket


def count_plants(bed, side, plants, differing):
    found = differing == plants
    outcome = "found" if found else f"NOT FOUND, but {differing}"
    print(f"planted/{side}/{', '.join(plants)}: {outcome}", flush=True)
    bed.count(int(found), int(not found))


def start_engines(bed, stages):
    """The stages that can run."""
    if all(stage in WITHOUT_ENGINE for stage in stages):
        return stages
    try:
        engine.install()
        for _ in range(ENGINES):
            bed.engines.append(engine.Engine(bed.scratch))
        return stages
    except engine.Unavailable as reason:
        for stage in stages:
            if stage not in WITHOUT_ENGINE:
                bed.skip(stage, reason)
        return [stage for stage in stages if stage in WITHOUT_ENGINE]


def run(bed, stages):
    stages = start_engines(bed, stages)
    for stage in stages:
        start = time.monotonic()
        try:
            globals()[f"run_{stage}"](bed)
        except (RuntimeError, OSError) as error:
            print(f"{stage}: {error}", flush=True)
            bed.count(0, 1)
        print(f"{stage}: {(time.monotonic() - start) / 60:.1f} min", flush=True)


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
    except KeyboardInterrupt:
        return 130
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for running in bed.engines:
            running.stop()
        with contextlib.suppress(OSError):
            bed.scratch.rmdir()
    skipped = f", {bed.skipped} skipped" if bed.skipped else ""
    print(f"{bed.passed} passed, {bed.failed} failed{skipped}")
    return 1 if bed.failed else 0


sys.exit(main())
