"""Replays the recordings against live engines: do they still say what an engine does?"""

import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

from engine import BOUND

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "data/wire/docker"
# A registry would have to be there for 26, a hand on the host for 27.
LEFT_OUT = ("26_", "27_")
DIFFERENCE = re.compile(r"^DIFF \S+ (.*)\n  want (.*)\n  got  (.*)$", re.MULTILINE)


def topics():
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    return [name for name in names if not name.startswith(LEFT_OUT)]


def accepted():
    """topic: {step: reason} of steps that may differ."""
    return json.loads((pathlib.Path(__file__).parent / "accepted_differences.json").read_text())


def differences(engine, topic):
    """step: text of those that differ in one replay on an emptied engine."""
    roots = f"data={engine.folder}/data,exec={engine.folder}/exec"
    done = subprocess.run(
        [*BOUND, sys.executable, FOLDER / "replay.py", "--clean", engine.socket,
         FOLDER / f"{topic}.json"],
        env=dict(os.environ, WIRE_ROOTS=roots), capture_output=True, text=True)
    found = {step: f"  recorded {want}\n  live     {got}"
             for step, want, got in DIFFERENCE.findall(done.stdout)}
    if bool(found) != (done.returncode != 0):
        raise RuntimeError(f"replay.py failed on {topic}: {done.stdout}{done.stderr}")
    return found


def judge(engine, topic, allowed):
    """(number of unaccepted differences, text to print) of one topic."""
    start = time.monotonic()
    left = {step: text for step, text in differences(engine, topic).items() if step not in allowed}
    note = ""
    if left:
        # Recordings meet a live engine in real time, and some steps only just agree on a busy
        # machine; what differs twice is a difference.
        again = differences(engine, topic)
        note = ", replayed twice"
        left = {step: text for step, text in again.items() if step in left}
    lines = [f"recordings/{topic}: {len(left)} differ{note} ({time.monotonic() - start:.0f} s)"]
    lines += [f" {step}\n{text}" for step, text in left.items()]
    return len(left), "\n".join(lines)


def replay_all(engines):
    """(passed, failed) in topics, shared out among the engines."""
    allowed = accepted()
    waiting = queue.SimpleQueue()
    for topic in topics():
        waiting.put(topic)
    results = {}

    def work(engine):
        while True:
            try:
                topic = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                results[topic] = judge(engine, topic, allowed.get(topic, {}))
            except Exception as error:
                results[topic] = 1, f"recordings/{topic}: {error}"

    workers = [threading.Thread(target=work, args=[engine], daemon=True) for engine in engines]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for topic in sorted(results):
        print(results[topic][1], flush=True)
    failed = sum(count > 0 for count, _ in results.values())
    return len(results) - failed, failed
