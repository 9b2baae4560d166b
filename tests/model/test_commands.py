"""A command that a student is told to type does what it is told for, wherever their work lies."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from grader.model.commands import HERE, hint_command


def test_a_hint_for_what_lies_where_it_usually_does_needs_no_folder() -> None:
    assert hint_command("ex10.output", HERE) == "grade hint ex10.output"


@pytest.mark.parametrize("path", ["ada", "my work", "it's; here"])
def test_a_hint_for_what_lies_elsewhere_names_the_place_as_a_shell_takes_it(path: str) -> None:
    command = hint_command("ex10.output", Path(path))

    assert shlex.split(command) == ["grade", "hint", "ex10.output", "--in", path]
