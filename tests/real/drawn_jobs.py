"""Drawn sequences about jobs. After each line both sides are at rest, and in the one state that they
can be in."""

import random
import shlex

JOBS_IN_A_SEQUENCE = 3
INPUT = "more"


def drawn_sequences(seed, count):
    """{name: lines}"""
    choice = random.Random(seed)
    return {f"drawn {number} of seed {seed}":
            [line for job in range(JOBS_IN_A_SEQUENCE) for line in job_lines(choice, f"j{job}")]
            for number in range(count)}


def job_lines(choice, name):
    kind = choice.choice(("ends", "reads", "lasts"))
    sizes = {"out": choice.choice((0, 1, 5000, 70000)), "err": choice.choice((0, 3))}
    has_stdin = kind == "reads" or choice.random() < 0.3
    launch = launch_line(choice, name, kind, sizes, has_stdin)
    lines = [f"& {launch}", f"until {name} begun", *until(name, sizes)]
    follow = f"follow {name} {choice.choice((0, sizes['out'], '-'))} {choice.choice((0, '-'))}"
    if kind == "ends":
        lines.append(f"until {name} exit")
    else:
        is_followed = choice.random() < 0.5
        lines += [f"& {follow}"] * is_followed
        lines += lines_while_it_runs(choice, name, kind, sizes, launch)
        lines += choice.choice(ends_of(name, kind, is_followed))
    afterwards = (launch, follow, f"kill {name}", f"input {name} late", f"close-input {name}",
                  "engine restart t=0")
    return [*lines, "join", *choice.sample(afterwards, 3), f"follow {name} 0 0", f"files {name}"]


def launch_line(choice, name, kind, sizes, has_stdin):
    code = choice.randrange(256)
    prints = f"head -c {sizes['out']} /dev/zero | tr '\\0' o; printf '{'e' * sizes['err']}' >&2"
    then = {"ends": f"exit {code}", "reads": f"cat; exit {code}", "lasts": "sleep 300"}[kind]
    words = ["launch", name, "stdin" if has_stdin else "null", choice.choice(("-", "/tmp")), "--"]
    return shlex.join([*words, "sh", "-c", f"{prints}; {then}"])


def until(name, sizes):
    return [f"until {name} {output} {size}" for output, size in sizes.items()]


def lines_while_it_runs(choice, name, kind, sizes, launch):
    lines = []
    for _ in range(choice.randrange(3)):
        line = choice.choice((launch, f"input {name} {INPUT}", f"files {name}", "upload"))
        lines.append(line)
        if kind == "reads" and line.startswith("input"):
            sizes["out"] += len(INPUT)
            lines += until(name, sizes)
    return lines


def ends_of(name, kind, is_followed):
    """Ways to bring it to its end."""
    ends = [[f"kill {name}"]]
    if kind == "reads":
        ends.append([f"close-input {name}", f"until {name} exit"])
    if not is_followed:
        # How much is still heard before the end of all is up to chance.
        ends += [["engine kill", "engine start"], ["engine restart t=0"]]
    return ends
