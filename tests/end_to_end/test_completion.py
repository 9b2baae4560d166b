"""A real shell completes commands, and the ids of exercises and steps."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from grader.model.pack import Pack
from tests.command import GRADE, Grade

ASK = """
source <(grade completion bash)
COMP_WORDS=({words}) COMP_CWORD={last} COMPREPLY=()
_grade_completion grade
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def offered(line: str) -> list[str]:
    """What bash offers where the cursor stands behind the last word, "" for a new one."""
    words = line.split(" ")
    script = ASK.format(words=" ".join(f"'{word}'" for word in words), last=len(words) - 1)
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": f"{GRADE.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_ids_of_exercises_and_of_steps(pack: Pack) -> None:
    steps = [step.id for exercise in pack.exercises for step in exercise.steps]

    assert offered("grade run --exercise ") == [exercise.short for exercise in pack.exercises]
    assert offered("grade hint ex10.") == [step for step in steps if step.startswith("ex10.")]


def test_bash_completes_commands_and_options() -> None:
    assert offered("grade ver") == ["verify"]
    assert offered("grade completion ") == ["bash", "zsh", "fish"]
    assert "--exercise" in offered("grade run --e")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_each_shell_is_given_is_in_its_own_words(shell: str, grade: Grade) -> None:
    done = grade("completion", shell)

    assert done.returncode == 0
    assert f"_GRADE_COMPLETE={shell}_complete" in done.stdout
    if shutil.which(shell):
        parsed = subprocess.run([shell, "-n"], input=done.stdout, capture_output=True, text=True, check=False)
        assert parsed.returncode == 0, parsed.stderr


def test_another_shell_is_wrong_usage_and_says_which_there_are(grade: Grade) -> None:
    done = grade("completion", "tcsh")

    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
