"""Runs a slow check over compiled files, as many at once as there are cores.

What passed is not checked again until one of its files, a header of ours that they see, the compile
flags or the check itself changes.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex

import source

BUILD = source.ROOT / "build/release"


def flags_of_files():
    """{path: compile flags} of the layers' files, in order, without precompiled headers.

    The tools gain nothing from those, and without them a missing include is an error.
    """
    flags = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if any(path.is_relative_to(source.ROOT / layer) for layer in source.LAYERS):
            command = entry["command"].split(" -o ")[0]
            flags[path] = shlex.split(re.sub(r"-Winvalid-pch .*\.hxx\b", "", command))[1:]
    return dict(sorted(flags.items()))


def check(name, units, function, inputs):
    """Exit code of function(paths, flags) -> complaint or "", over units of (paths, flags).

    inputs are the check's own files.
    """
    passed = BUILD / "lint" / name
    passed.mkdir(parents=True, exist_ok=True)

    def one(unit):
        paths, flags = unit
        digest = hashlib.sha256(repr(flags).encode())
        for part in sorted({part for path in paths for part in source.closure(path)}) + inputs:
            digest.update(part.read_bytes())
        stamp = passed / digest.hexdigest()
        complaint = "" if stamp.exists() else function(paths, flags)
        if not complaint:
            stamp.touch()
        return complaint

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(one, units) if text]
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0
