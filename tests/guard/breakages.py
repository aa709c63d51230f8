"""Proof that the proof can fail: each patch in breakages/ takes one rule out of the guard, and the
cases named here must find it."""

import pathlib
import subprocess
import tempfile

import kills
import pauses
import verbs
from sandbox import Skip

FOLDER = pathlib.Path(__file__).parent / "breakages"

# Patch: [(module, part of the label)]; one failure is enough.
FOUND_BY = {
    "forced_link": [(kills, "launch null: shell before")],
    "begun_before_death": [(pauses, "launch while the claimer begins and dies")],
    "alive_by_number": [(verbs, "claim_of_a_number_used_again")],
    "kill_without_fence": [(pauses, "launch while a kill comes")],
    "number_of_the_shell": [(verbs, "claimer_leads_its_session")],
    "exit_code_in_place": [(verbs, "full_disk"), (kills, "launch null: shell before exit_group")],
    "begun_ignored": [(kills, "launch null: shell before clone")],
    "kill_without_start_time": [(verbs, "kill_spares_a_number_used_again")],
    "zombie_lives": [(verbs, "name_like_a_state")],
    "first_parenthesis": [(verbs, "name_like_a_state")],
    "unknown_without_a_look": [(pauses, "follow while the claimer dies before its job")],
    "successor_not_seen": [(pauses, "follow while a dead claimer's successor begins")],
    "zombie_is_no_news": [(pauses, "follow while a lost job forks and ends")],
    "pattern_for_the_files": [(pauses, "follow while a lost job forks, ends and is reaped")],
    "name_of_one_line": [(verbs, "daemon_with_a_name_of_two_lines")],
    "stdin_before_begun": [(verbs, "stdin_is_not_given_to_a_claimer_that_never_begins")],
    "signal_at_the_end": [(verbs, "signal_while_the_exit_code_is_recorded")],
}


def failures(finders, tools, guard):
    for module, part in finders:
        for _, function, arguments, label in module.cases(tools, guard):
            if part not in label:
                continue
            try:
                function(*arguments)
            except Skip:
                pass
            except Exception as error:  # a broken guard may break its test in any way
                yield f"{label}: {error}"


def find(name, tools, guard):
    with tempfile.TemporaryDirectory(prefix="guard-broken-") as where:
        broken = pathlib.Path(where) / "guard.sh"
        subprocess.run(["patch", "--silent", "--output", str(broken), str(guard), str(FOLDER / f"{name}.patch")],
                       check=True, capture_output=True)
        assert next(failures(FOUND_BY[name], tools, broken), None), f"{name} was not found"


def cases(tools, guard):
    assert set(FOUND_BY) == {path.stem for path in FOLDER.glob("*.patch")}
    shell, folder = next(iter(tools.items()))
    for name in FOUND_BY:
        yield "breakages", find, (name, {shell: folder}, guard), name
