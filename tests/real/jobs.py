"""Jobs under the guard on a live engine, which runs the script itself, and on the served one, which
runs the model of it: both must come to the same."""

import concurrent.futures
import difflib
import http.client
import os
import pathlib
import tarfile

import commands
import drawn_jobs
import sandbox

SEQUENCES = pathlib.Path(__file__).parent / "job_sequences.txt"
WORKERS = 4
DRAWN = 8
TRIES = 3


def sequences():
    """{name: lines}, or those of one's own file."""
    if path := os.environ.get("DRYDOCK_REAL_JOBS"):
        return commands.read_sequences(pathlib.Path(path))
    seed = int(os.environ.get("DRYDOCK_REAL_SEED", "768"))
    return commands.read_sequences(SEQUENCES) | drawn_jobs.drawn_sequences(seed, DRAWN)


def job_count(chosen):
    """How many jobs are launched; a second launch of one does not count."""
    return sum(len({line.partition("launch ")[2].split()[0] for line in lines if "launch " in line})
               for lines in chosen.values())


def differences(live, served, chosen):
    """{name: text} of the sequences that differ."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as workers:
        texts = workers.map(lambda item: difference((live, served), *item), chosen.items())
    return {name: text for name, text in zip(chosen, texts) if text}


def difference(sockets, name, lines):
    """What differs each time it is run, or nothing: what depends on how busy the machine is does
    not stay."""
    text = None
    for _ in range(TRIES):
        try:
            text = run(sockets, name, lines)
        except (OSError, ValueError, http.client.HTTPException, tarfile.TarError) as error:
            text = f"cannot be run: {error!r}"
        if not text:
            break
    return text


def run(sockets, name, lines):
    """The first line that differs, told, or nothing."""
    container = "job-" + "".join(c if c.isalnum() else "-" for c in name)
    with concurrent.futures.ThreadPoolExecutor(len(sockets)) as both:
        boxes = list(both.map(lambda socket: sandbox.Sandbox(socket, container), sockets))
        try:
            for number, line in enumerate(lines, 1):
                wanted, got = both.map(lambda box: box.perform(line).splitlines(), boxes)
                if wanted != got:
                    shown = difflib.unified_diff(wanted, got, "live", "served", lineterm="", n=1)
                    return "\n".join([f"in line {number}, `{line}`", *shown])
        finally:
            list(both.map(lambda box: box.remove(), boxes))
    return None
