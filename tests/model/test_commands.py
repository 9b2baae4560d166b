"""A command that a student is told to type does what it is told for, wherever their work lies."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from grader.model.commands import HERE, exercise_called, hint_command, hint_command_here, python_here
from grader.model.pack import Pack
from grader.words import speaking


def test_a_hint_for_what_lies_where_it_usually_does_needs_no_folder() -> None:
    assert hint_command("ex10.output", HERE) == "grade hint ex10.output"


@pytest.mark.parametrize("path", ["ada", "my work", "it's; here"])
def test_a_hint_for_what_lies_elsewhere_names_the_place_as_a_shell_takes_it(path: str) -> None:
    command = hint_command("ex10.output", Path(path))

    assert shlex.split(command) == ["grade", "hint", "ex10.output", "--in", path]


def test_a_hint_is_in_the_language_that_is_spoken_where_the_machine_is_set_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with speaking("de"):
        assert hint_command("ex10.output", HERE) == "grade hint ex10.output --lang de"

        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        assert hint_command("ex10.output", HERE) == "grade hint ex10.output"


@pytest.mark.parametrize(
    ("called", "is_found", "told"),
    [
        (".venv/bin/grade", False, ".venv/bin/grade"),
        ("my venv/bin/grade", False, "'my venv/bin/grade'"),
        (".venv/bin/grade", True, "grade"),
        ("grade", False, "grade"),
        ("/opt/elsewhere/grade", False, "grade"),
        (".venv/bin/pytest", False, "grade"),
    ],
)
def test_a_command_begins_as_a_shell_finds_it_that_was_told_of_no_environment(
    called: str, is_found: bool, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / called) if "/" in called else called])
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/grade" if is_found else None)

    assert hint_command_here("ex10.output", HERE) == f"{told} hint ex10.output"


def test_a_command_in_what_is_kept_is_the_same_however_this_program_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / ".venv" / "bin" / "grade")])
    monkeypatch.setattr("shutil.which", lambda _: None)

    assert hint_command("ex10.output", HERE) == "grade hint ex10.output"


@pytest.mark.parametrize("name", ["ex02_softmax_weights", "ex02_softmax_weights.py", "EX02", "ex2", "2", "02"])
def test_an_exercise_is_found_by_its_id_or_its_number(name: str, pack: Pack) -> None:
    assert exercise_called(name, pack.exercises) == pack.exercises[1]


@pytest.mark.parametrize("name", ["", "0", "ex", "99", "softmax", "ex02.all"])
def test_no_exercise_is_found_by_what_calls_none(name: str, pack: Pack) -> None:
    assert exercise_called(name, pack.exercises) is None


@pytest.mark.parametrize(
    ("own", "told"), [(".venv/bin/python", ".venv/bin/python"), ("/opt/a b/python", "'/opt/a b/python'")]
)
def test_the_python_that_runs_is_told_as_it_can_be_called_from_here(
    own: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.executable", str(tmp_path / own))

    assert python_here() == told
