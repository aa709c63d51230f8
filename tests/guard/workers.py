"""Cases in processes of their own without threads: what traces must be able to fork safely."""

import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass

import namespaces
import sandbox

CASE_LIMIT = 900


@dataclass
class Result:
    test: str
    label: str
    failure: str | None = None
    returned: object = None
    skipped: str | None = None
    seconds: float = 0


def too_long(*_):
    raise AssertionError(f"did not end in {CASE_LIMIT} s:\n" + "".join(traceback.format_stack()[-6:]))


def perform(case):
    test, function, arguments, label = case
    result = Result(test, label)
    begun = time.monotonic()
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(CASE_LIMIT)
    try:
        result.returned = function(*arguments)
    except sandbox.Skip as reason:
        result.skipped = str(reason)
    except AssertionError as error:
        result.failure = str(error) or traceback.format_exc()
    except Exception:
        result.failure = traceback.format_exc()
    signal.alarm(0)
    result.seconds = time.monotonic() - begun
    return result


def work(case, file):
    try:
        namespaces.enter()
        if os.environ.get("GUARD_VERBOSE"):
            print(f"{time.monotonic():.2f} {case[0]} {case[3]}", file=sys.stderr, flush=True)
        pickle.dump(perform(case), file)
        file.flush()
        os._exit(0)
    finally:
        traceback.print_exc()
        os._exit(1)


def start(case):
    file = tempfile.TemporaryFile()
    child = os.fork()
    if child == 0:
        work(case, file)
    return child, file


def run(cases, count):
    """Yields the result of each, as they end."""
    cases, running = iter(cases), {}
    while True:
        while len(running) < count and (case := next(cases, None)):
            child, file = start(case)
            running[child] = case, file
        if not running:
            return
        child, status = os.wait()
        (test, _, _, label), file = running.pop(child)
        with file:
            file.seek(0)
            yield Result(test, label, f"its process died of status {status}") if status else pickle.load(file)
