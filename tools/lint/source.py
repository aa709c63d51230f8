"""What the lints know about the tree: its layers, its files and how to read them."""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A folder may include its own files and those of folders with a smaller number.
LAYERS = {"lib": 0, "faults": 1, "sim": 2, "scenarios": 3, "reports": 4,
          "conform": 5, "serve": 5, "cli": 6}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
IGNORED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)


def files(root, folders=LAYERS):
    """C++ files of the folders, as paths relative to root, in order."""
    found = [path.relative_to(root) for folder in folders for path in (root / folder).rglob("*")
             if path.suffix in (".cpp", ".hpp")]
    return sorted(found)


def code_lines(text):
    """The lines of a file with comments, strings and characters blanked."""
    return IGNORED.sub(lambda match: "\n" * match[0].count("\n"), text).split("\n")


def includes(text):
    """(line number, is quoted, path) of every include."""
    for number, line in enumerate(text.split("\n"), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


@functools.cache
def closure(path):
    """The project's files that a file sees: itself and what it includes, over any number of steps."""
    layer = path.relative_to(ROOT).parts[0]
    seen = {path}
    todo = [path]
    folders = [ROOT / layer] + [ROOT / name / "include" for name in LAYERS]
    while todo:
        for _, _, name in includes(todo.pop().read_text()):
            for folder in folders:
                candidate = folder / name
                if candidate.is_file() and candidate not in seen:
                    seen.add(candidate)
                    todo.append(candidate)
    return sorted(seen)


def report(findings):
    """Prints (path, line, rule, text) in order and returns the exit code."""
    for path, line, rule, text in sorted(set(findings)):
        print(f"{path}:{line}: [{rule}] {text}")
    return 1 if findings else 0
