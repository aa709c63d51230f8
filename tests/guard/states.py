"""The states that kills left, held against those that the model of the guard reaches: both ways."""

import collections
import json
import pathlib

from sandbox import ROOT

MODELLED = ROOT / "tests" / "data" / "guard_states.json"
NAMES = ("claims", "begun", "exit", "processes")


def describe(state):
    claims, *facts = state
    return f"{' '.join(claims) or '-':<24}" + "".join(f"{'yes' if fact else 'no':>5}" for fact in facts)


def modelled(path):
    """Those after one kill: tests/sim/guard_states_test.cpp keeps the file true."""
    states = json.loads(path.read_text())["shells"]["model"]
    return {(tuple(state["claims"]), *(state[name] for name in NAMES[1:])) for state in states}


def differences(observed, model):
    yield from (f"unreached by the guard: {describe(state)}" for state in sorted(model - observed))
    yield from (f"not in the model:       {describe(state)}" for state in sorted(observed - model))


def compare(shell, observed, path):
    found = list(differences(observed, modelled(path)))
    assert not found, f"{shell} and {path.name} differ (claims; begun, exit code, job's processes)\n" + "\n".join(found)


def by_shell(results):
    found = collections.defaultdict(set)
    for result in results:
        if result.test.startswith("kill_points") and result.returned:
            found[result.test.partition(".")[2]].update(result.returned)
    return found


def show(observed):
    for shell, states in sorted(observed.items()):
        print(f"\n{shell}: {len(states)} states (claims; begun, exit code, job's processes)")
        for state in sorted(states):
            print("    " + describe(state))


def write(observed, path):
    document = {"schema": "drydock.guard_states/1", "shells": {
        shell: [dict(zip(NAMES, state)) for state in sorted(states)]
        for shell, states in sorted(observed.items())}}
    path.write_text(json.dumps(document, indent=1) + "\n")
