#!/usr/bin/env python3
"""The proof of lib/jobs/guard.sh; see README.md. The last line is `N passed, N failed, N skipped`."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import breakages
import kills
import pauses
import sandbox
import stress
import tracer
import verbs
import workers

STAGES = {"verbs": verbs, "kills": kills, "pauses": pauses, "stress": stress, "breakages": breakages}
TRACED = ("kills", "pauses", "breakages")
QUIET = ("breakages",)
WORKERS = 2 * (os.cpu_count() or 1)
SHOWN = 5


def isolate():
    """Runs all of this in a PID namespace of its own, if it may: whatever a wrong guard kills is
    then its own. Returns in there, or where that is refused."""
    if os.environ.get("GUARD_ISOLATED"):
        return
    unshare = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if os.geteuid() != 0:
        unshare += ["--user", "--map-current-user"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode == 0:
        os.environ["GUARD_ISOLATED"] = "yes"
        os.execvp("unshare", [*unshare, sys.executable, *sys.argv])


def reap_as_init():
    """PID 1 only reaps; the tests run in its child."""
    if os.getpid() != 1:
        return
    child = os.fork()
    if child == 0:
        return
    while True:
        pid, status = os.wait()
        if pid == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xff)


class Results:
    def __init__(self):
        self.counts = collections.Counter()
        self.failures = collections.defaultdict(list)
        self.states = collections.defaultdict(set)
        self.skipped = []

    def add(self, test, label, failure, found, skipped):
        if skipped:
            self.skipped.append((test, skipped))
            return
        self.counts[test] += 1
        self.states[test].update(found or [])
        if failure:
            self.failures[test].append(f"{label}: {failure}")

    def print(self):
        for test, count in self.counts.items():
            print(f"{'FAILED' if self.failures[test] else 'passed'}  {test}: {count} cases, "
                  f"{len(self.states[test])} states reached")
            for failure in self.failures[test][:SHOWN]:
                print("    " + failure.replace("\n", "\n        "))
            if len(self.failures[test]) > SHOWN:
                print(f"    and {len(self.failures[test]) - SHOWN} more")
        for test, reason in self.skipped:
            print(f"skipped {test}: {reason}")

    def print_states(self):
        for shell, states in sorted(self.by_shell().items()):
            print(f"\n{shell}: {len(states)} states (claims; begun, exit code, job's processes)")
            for claims, *facts in sorted(states):
                print(f"    {' '.join(claims) or '-':<24}" + "".join(f"{'yes' if f else 'no':>5}" for f in facts))

    def by_shell(self):
        found = collections.defaultdict(set)
        for test, states in self.states.items():
            if test.startswith("kill_points"):
                found[test.partition(".")[2]] |= states
        return found

    def write_states(self, path):
        names = ("claims", "begun", "exit", "processes")
        document = {"schema": "drydock.guard_states/1", "shells": {
            shell: [dict(zip(names, state)) for state in sorted(states)]
            for shell, states in sorted(self.by_shell().items())}}
        pathlib.Path(path).write_text(json.dumps(document, indent=1) + "\n")

    def write_report(self):
        """In the form of GoogleTest's, from which ./drydock test counts."""
        target = os.environ.get("GTEST_OUTPUT", "")
        if not target.startswith("json:"):
            return
        tests = [{"name": test, "status": "RUN", "result": "COMPLETED",
                  **({"failures": [{"failure": text} for text in self.failures[test]]}
                     if self.failures[test] else {})} for test in self.counts]
        tests += [{"name": test, "status": "NOTRUN", "result": "SKIPPED"} for test, _ in self.skipped]
        report = {"testsuites": [{"name": "guard", "testsuite": tests}]}
        pathlib.Path(target[len("json:"):], "guard_tests.json").write_text(json.dumps(report))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guard", type=pathlib.Path, default=sandbox.GUARD, help="another script than the project's")
    parser.add_argument("--stage", action="append", choices=STAGES, help="only this one; may be repeated")
    parser.add_argument("--shell", action="append", choices=("dash", "busybox"), help="only this one")
    parser.add_argument("--only", default="", help="only cases whose label contains this")
    parser.add_argument("--states", metavar="FILE", help="write the states that were reached, as JSON")
    return parser.parse_args()


def cpu_seconds():
    return sum(os.times()[:4])


def main():
    options = arguments()
    isolate()
    reap_as_init()
    results = Results()
    shells, missing = sandbox.shells()
    results.skipped += [(shell, "not installed") for shell in missing]
    no_trace = tracer.refused()
    with tempfile.TemporaryDirectory(prefix="guard-tools-") as where:
        tools = {shell: sandbox.tool_folder(shell, where) for shell in options.shell or shells}
        for stage in options.stage or STAGES:
            if no_trace and stage in TRACED:
                results.skipped.append((stage, no_trace))
                continue
            begun, used = time.monotonic(), cpu_seconds()
            cases = [case for case in STAGES[stage].cases(tools, options.guard) if options.only in case[3]]
            for result in workers.run(cases, 1 if stage in QUIET else WORKERS):
                results.add(*result)
            print(f"{stage}: {time.monotonic() - begun:.1f} s, {cpu_seconds() - used:.1f} s of processors")
    results.print()
    results.print_states()
    if options.states:
        results.write_states(options.states)
    results.write_report()
    failed = sum(map(bool, results.failures.values()))
    print(f"\n{len(results.counts) - failed} passed, {failed} failed, {len(results.skipped)} skipped")
    return 1 if failed or not results.counts else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
