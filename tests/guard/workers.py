"""Cases on several processes without threads: what traces must be able to fork safely."""

import os
import pickle
import signal
import sys
import tempfile
import time
import traceback

from sandbox import Skip

CASE_LIMIT = 500


def too_long(*_):
    raise AssertionError(f"did not end in {CASE_LIMIT} s:\n" + "".join(traceback.format_stack()[-6:]))


def perform(case):
    """(test, label, failure or None, what it returned, why it was skipped)"""
    test, function, arguments, label = case
    failure = found = skipped = None
    signal.alarm(CASE_LIMIT)
    try:
        found = function(*arguments)
    except Skip as reason:
        skipped = str(reason)
    except AssertionError as error:
        failure = str(error) or traceback.format_exc()
    except Exception:
        failure = traceback.format_exc()
    signal.alarm(0)
    return test, label, failure, found, skipped


def run(cases, count):
    """Yields what perform says of each."""
    files = {}
    for worker in range(count):
        file = tempfile.TemporaryFile()
        child = os.fork()
        if child == 0:
            work(cases[worker::count], file)
        files[child] = file, cases[worker::count]
    for child, (file, share) in files.items():
        status = os.waitpid(child, 0)[1]
        file.seek(0)
        done = 0
        try:
            while True:
                yield pickle.load(file)
                done += 1
        except EOFError:
            pass
        if done < len(share):
            test, _, _, label = share[done]
            yield test, label, f"its process died of status {status}", None, None


def work(cases, file):
    signal.signal(signal.SIGALRM, too_long)
    try:
        for case in cases:
            if os.environ.get("GUARD_VERBOSE"):
                print(f"{time.monotonic():.2f} {os.getpid()} {case[0]} {case[3]}", file=sys.stderr, flush=True)
            pickle.dump(perform(case), file)
            file.flush()
        os._exit(0)
    finally:
        os._exit(1)
