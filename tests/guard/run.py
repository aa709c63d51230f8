#!/usr/bin/env python3
"""The proof of lib/jobs/guard.sh; see README.md. The last line is `N passed, N failed, N skipped`."""

import argparse
import collections
import json
import os
import pathlib
import sys
import tempfile
import time

import breakages
import kills
import namespaces
import pauses
import sandbox
import states
import stress
import tracer
import verbs
import workers

# The longest cases first, so that no worker is left with one at the end.
STAGES = {"pauses": pauses, "breakages": breakages, "verbs": verbs, "kills": kills, "stress": stress}
TRACED = ("pauses", "breakages", "kills")
# Most cases wait most of their time.
WORKERS = 3 * (os.cpu_count() or 1)
SHOWN = 5


class Report:
    def __init__(self):
        self.counts = collections.Counter()
        self.failures = collections.defaultdict(list)
        self.skipped = []

    def add(self, result):
        if result.skipped:
            self.skip(result.test, result.skipped)
            return
        self.counts[result.test] += 1
        if result.failure:
            self.failures[result.test].append(f"{result.label}: {result.failure}")

    def skip(self, test, reason):
        self.skipped.append((test, reason))

    def print(self):
        for test, count in self.counts.items():
            failures = self.failures[test]
            print(f"{'FAILED' if failures else 'passed'}  {test}: {count} cases")
            for failure in failures[:SHOWN]:
                print("    " + failure.replace("\n", "\n        "))
            if len(failures) > SHOWN:
                print(f"    and {len(failures) - SHOWN} more")
        for test, reason in self.skipped:
            print(f"skipped {test}: {reason}")

    def write(self):
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
    parser.add_argument("--model", type=pathlib.Path, default=states.MODELLED, help="other states than the model's")
    parser.add_argument("--stage", action="append", choices=STAGES, help="only this one; may be repeated")
    parser.add_argument("--shell", action="append", choices=("dash", "busybox"), help="only this one")
    parser.add_argument("--only", default="", help="only cases whose label contains this")
    parser.add_argument("--states", type=pathlib.Path, metavar="FILE",
                        help="write the states that were reached, as JSON")
    return parser.parse_args()


def refusals():
    """Why a stage cannot be run here, for those that cannot."""
    no_namespaces = namespaces.refused()
    if no_namespaces:
        return dict.fromkeys(STAGES, f"no namespaces of its own: {no_namespaces}")
    no_trace = tracer.refused()
    return dict.fromkeys(TRACED, no_trace) if no_trace else {}


def decide_stages(options, report):
    stages = [stage for stage in STAGES if stage in (options.stage or STAGES)]
    refused = refusals()
    for stage in stages:
        if stage in refused:
            report.skip(stage, refused[stage])
    return [stage for stage in stages if stage not in refused]


def list_cases(stage, tools, options):
    return [case for case in STAGES[stage].cases(tools, options.guard) if options.only in case[3]]


def all_cases(stages, tools, options, report):
    """Those of all stages: to list them, the guard is run, too."""
    lists = {}
    tasks = [("cases", list_cases, (stage, tools, options), stage) for stage in stages]
    for result in workers.run(tasks, WORKERS):
        lists[result.label] = result.returned or []
        if result.failure:
            report.add(result)
    return [case for stage in stages for case in lists[stage]]


def compare_states(observed, options, report):
    for shell, found in sorted(observed.items()):
        report.add(workers.perform(("states_of_the_model", states.compare, (shell, found, options.model), shell)))


def main():
    options = arguments()
    report = Report()
    stages = decide_stages(options, report)
    shells, missing = sandbox.shells()
    for shell in missing:
        report.skip(shell, "not installed")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="guard-tools-") as where:
        tools = {shell: sandbox.tool_folder(shell, where) for shell in options.shell or shells}
        cases = all_cases(stages, tools, options, report)
        results = list(workers.run(cases, WORKERS))
    for result in results:
        report.add(result)
    observed = states.by_shell(results)
    kills.show_points(cases)
    states.show(observed)
    if "kills" in stages and not options.only:
        compare_states(observed, options, report)
    print()
    report.print()
    if options.states:
        states.write(observed, options.states)
    report.write()
    used = sum(os.times()[:4])
    failed = sum(map(bool, report.failures.values()))
    print(f"\n{time.monotonic() - begun:.0f} s, {used:.0f} s of processors")
    print(f"{len(report.counts) - failed} passed, {failed} failed, {len(report.skipped)} skipped")
    return 1 if failed or not (report.counts or report.skipped) else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
