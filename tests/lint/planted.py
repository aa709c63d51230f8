#!/usr/bin/env python3
"""Proves that a lint finds what is planted for it below tests/lint/planted, and nothing else.

usage: planted.py LINT    a line that LINT must find carries the comment `LINT: rule`
"""

import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).with_name("planted")
LINT = sys.argv[1]

planted = set()
for path in FOLDER.rglob("*.[ch]pp"):
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if match := re.search(rf"// {LINT}: (\w+)", line):
            planted.add((path.relative_to(FOLDER).as_posix(), number, match[1]))

arguments = ["coroutines.cpp"] if LINT == "coroutines" else ["."]
result = subprocess.run([FOLDER.parents[2] / "tools/lint" / LINT, *arguments], cwd=FOLDER,
                        capture_output=True, text=True)
found = {(pathlib.Path(path).name if LINT == "coroutines" else path, int(line), rule)
         for path, line, rule in re.findall(r"^(.+?):(\d+): \[(\w+)\]", result.stdout, re.MULTILINE)}

for what, difference in (("missed", planted - found), ("false alarm", found - planted)):
    for path, line, rule in sorted(difference):
        print(f"{what}: {path}:{line}: {rule}")
print(f"{LINT}: {len(planted)} planted, {len(found)} found, exit code {result.returncode}", result.stderr)
sys.exit(0 if planted and planted == found and result.returncode == 1 else 1)
