"""Replays the recordings against engines, live ones and the served one: do they answer so?"""

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
TRIES = 3
DIFFERENCE = re.compile(r"^DIFF \S+ (.*)\n  want (.*)\n  got  (.*)$", re.MULTILINE)


def topics():
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    return [name for name in names if not name.startswith(LEFT_OUT)]


def accepted():
    """topic: {step: reason} of steps that may differ on a live engine."""
    return json.loads((pathlib.Path(__file__).parent / "accepted_differences.json").read_text())["recordings"]


def modelled():
    """topic: {step: reason} of steps that the model does not answer yet, for all its topics."""
    return json.loads((FOLDER.parents[2] / "sim/docker_recordings.json").read_text())


def step_count(topic):
    return len(json.loads((FOLDER / f"{topic}.json").read_text())["steps"])


def differences(engine, topic):
    """step: text of those that differ in one replay on an emptied engine."""
    done = subprocess.run(
        [*BOUND, sys.executable, FOLDER / "replay.py", "--clean", engine.socket,
         FOLDER / f"{topic}.json"],
        env=dict(os.environ, WIRE_ROOTS=engine.roots), capture_output=True, text=True)
    found = {step: f"  recorded {want}\n  answered {got}"
             for step, want, got in DIFFERENCE.findall(done.stdout)}
    if bool(found) != (done.returncode != 0):
        raise RuntimeError(f"replay.py failed on {topic}: {done.stdout}{done.stderr}")
    return found


def judge(engine, topic, allowed):
    """(number of unaccepted differences, text to print) of one topic."""
    start = time.monotonic()
    # Recordings meet a live engine in real time, and some steps only just agree on a busy machine:
    # what differs each time is a difference.
    replays, left = 0, None
    while replays < TRIES and (left or left is None):
        found = differences(engine, topic)
        left = {step: text for step, text in found.items()
                if step not in allowed and (left is None or step in left)}
        replays += 1
    note = f", replayed {replays} times" if replays > 1 else ""
    lines = [f"recordings/{topic}: {len(left)} differ{note} ({time.monotonic() - start:.0f} s)"]
    lines += [f" {step}\n{text}" for step, text in left.items()]
    return len(left), "\n".join(lines)


def judge_model(served, topic, listed):
    """The same for the model: what is on its list must differ, or it has to go from there."""
    found = differences(served, topic)
    wrong = [f" {step}\n{text}" for step, text in found.items() if step not in listed]
    wrong += [f" {step} is equal: take it off the list" for step in listed if step not in found]
    steps = step_count(topic)
    lines = [f"served/{topic}: {steps - len(found)} of {steps} steps equal", *wrong]
    return len(wrong), "\n".join(lines)


def replay_live(engines):
    allowed = accepted()
    return replay_all(engines, {topic: allowed.get(topic, {}) for topic in topics()}, judge)


def replay_served(models):
    return replay_all(models, modelled(), judge_model)


def replay_all(engines, chosen, judged):
    """(passed, failed) in topics, shared out among the engines; `chosen` has the steps of each that
    may differ."""
    waiting = queue.SimpleQueue()
    for topic in sorted(chosen):
        waiting.put(topic)
    results = {}

    def work(engine):
        while True:
            try:
                topic = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                results[topic] = judged(engine, topic, chosen[topic])
            except Exception as error:
                results[topic] = 1, f"{topic}: {error}"

    workers = [threading.Thread(target=work, args=[engine], daemon=True) for engine in engines]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for topic in sorted(results):
        print(results[topic][1], flush=True)
    failed = sum(count > 0 for count, _ in results.values())
    return len(results) - failed, failed
