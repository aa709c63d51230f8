"""Runs a slow check over many source files, as many at once as there are cores.

A file that passed is not checked again until it, a header of ours that it sees, its compile command
or the check itself changes.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re

import source

BUILD = source.ROOT / "build/release"
FOLDER = BUILD / "lint"


def compile_commands():
    """{path: command} of the files in the layers, without precompiled headers.

    The tools gain nothing from those, and without them a missing include is an error.
    """
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if any(path.is_relative_to(source.ROOT / layer) for layer in source.LAYERS):
            entry["command"] = re.sub(r"-Winvalid-pch .*?\.hxx(?= -)", "", entry["command"])
            commands[path] = entry
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "compile_commands.json").write_text(json.dumps(list(commands.values())))
    return {path: entry["command"] for path, entry in sorted(commands.items())}


def check(name, files, function, inputs):
    """Exit code of function(path) -> complaint or "", over files; inputs are the check's own files."""
    done = FOLDER / name
    done.mkdir(parents=True, exist_ok=True)

    def one(path, command):
        digest = hashlib.sha256(command.encode())
        for part in source.closure(path) + inputs:
            digest.update(part.read_bytes())
        stamp = done / digest.hexdigest()
        if stamp.exists():
            return ""
        complaint = function(path)
        if not complaint:
            stamp.touch()
        return complaint

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(one, files.keys(), files.values()) if text]
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0
