#!/usr/bin/env python3
"""Compares kernel_bench with the yardstick's floor, both run in turn on this machine.

    bench/compare.py --floor build/release/bench/floor --bench build/release/bench/kernel_bench \\
        --max-w1 3.5 --max-w2 10 --max-w3 3 --max-rss-kib 10

With --lifecycle also lifecycle_bench, run by run. Prints medians, the median of the per-round ratios, and exits 1 if a bar is missed or if the two
programs disagree about the work that they did.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys

SAME = ("events", "calls", "ok", "leaked", "virt_ms", "sim_ms", "check")


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, arguments, clock):
    before = cpu_seconds()
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    result = json.loads(done.stdout)
    result["seconds"] = result["wall_s"] if clock == "wall" else cpu_seconds() - before
    return result


def compare(options, arguments):
    """Runs both programs `rounds` times in turn; returns (floor seconds, our seconds, ratios, KiB)."""
    floor_times, bench_times, ratios, memory = [], [], [], []
    for index in range(options.rounds):
        programs = [options.floor, options.bench]
        if index % 2:
            programs.reverse()
        results = {program: run(program, arguments, options.clock) for program in programs}
        floor, bench = results[options.floor], results[options.bench]
        for field in SAME:
            if floor.get(field) != bench.get(field):
                sys.exit(f"{' '.join(arguments)}: {field} is {bench.get(field)}, "
                         f"the floor's is {floor.get(field)}")
        floor_times.append(floor["seconds"])
        bench_times.append(bench["seconds"])
        ratios.append(bench["seconds"] / floor["seconds"])
        memory.append(bench["rss_kb"])
    return (statistics.median(floor_times), statistics.median(bench_times),
            statistics.median(ratios), max(memory))


def lifecycle_holds(options):
    """The whole life of a lease, per run, against a run of the floor's w2."""
    floor_times, our_times, ratios = [], [], []
    for _ in range(options.rounds):
        floor = run(options.floor, ["w2", str(options.worlds)], options.clock)
        ours = run(options.lifecycle, [str(options.lifecycles)], options.clock)
        floor_times.append(floor["seconds"] / options.worlds)
        our_times.append(ours["seconds"] / options.lifecycles)
        ratios.append(our_times[-1] / floor_times[-1])
    ratio = statistics.median(ratios)
    holds = ratio <= options.max_lifecycle
    print(f"lifecycle      floor {statistics.median(floor_times) * 1e6:8.2f} us  ours "
          f"{statistics.median(our_times) * 1e6:8.2f} us  ratio {ratio:5.1f} "
          f"(bar {options.max_lifecycle:g}) {'ok' if holds else 'MISSED'}", flush=True)
    return holds


def job_holds(options):
    """The same life with a job of 4 KiB output, against the life without one."""
    ratios = []
    for _ in range(options.rounds):
        plain = run(options.lifecycle, [str(options.lifecycles)], options.clock)
        with_job = run(options.lifecycle, [str(options.lifecycles), "20", "job"], options.clock)
        ratios.append(with_job["seconds"] / plain["seconds"])
    ratio = statistics.median(ratios)
    holds = ratio <= options.max_job
    print(f"lifecycle with a job   ratio to the one without {ratio:5.2f} (bar {options.max_job:g}) "
          f"{'ok' if holds else 'MISSED'}", flush=True)
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--floor", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--lifecycle", help="lifecycle_bench, to be compared with w2 run by run")
    parser.add_argument("--lifecycles", type=int, default=20_000, help="its runs")
    parser.add_argument("--max-lifecycle", type=float, default=150.0)
    parser.add_argument("--max-job", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                        help="cpu: user and system time of the whole program, for a busy machine")
    parser.add_argument("--worlds", type=int, default=200_000, help="K of w2")
    parser.add_argument("--clients", type=int, default=100_000, help="C of w3")
    parser.add_argument("--max-w1", type=float, default=3.5)
    parser.add_argument("--max-w2", type=float, default=10.0)
    parser.add_argument("--max-w3", type=float, default=3.0)
    parser.add_argument("--max-rss-kib", type=float, default=10.0, help="per client of w3")
    options = parser.parse_args()

    works = (
        (["w1", "1000", "200"], options.max_w1),
        (["w2", str(options.worlds)], options.max_w2),
        (["w3", str(options.clients)], options.max_w3),
    )
    missed = False
    for arguments, bar in works:
        floor, bench, ratio, memory = compare(options, arguments)
        verdict = "ok" if ratio <= bar else "MISSED"
        line = (f"{' '.join(arguments):14} floor {floor * 1e3:8.1f} ms  ours {bench * 1e3:8.1f} ms  "
                f"ratio {ratio:5.2f} (bar {bar:g}) {verdict}")
        missed |= ratio > bar
        if arguments[0] == "w3":
            per_client = memory / options.clients
            small = per_client <= options.max_rss_kib
            line += (f"  rss {per_client:.2f} KiB per client (bar {options.max_rss_kib:g}) "
                     f"{'ok' if small else 'MISSED'}")
            missed |= not small
        print(line, flush=True)
    if options.lifecycle:
        missed |= not lifecycle_holds(options)
        missed |= not job_holds(options)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
