"""A module's name that can only mean one exercise is known to, and one that might be anything is not."""

from __future__ import annotations

import pytest

from grader.model.pack import Pack
from grader.submission import names

EX10 = "ex10_causal_attention"


@pytest.mark.parametrize(
    "name",
    [
        f"{EX10} (1).py", f"{EX10}(12).py", f"{EX10}-1.py", f"{EX10}-1-1.py", f"Copy of {EX10}.py", f"{EX10} - Copy.py",
        f"{EX10} copy.py", f"{EX10}_final.py", f"{EX10}_v2.py", f"{EX10}.PY", f"{EX10}.py.txt",
        "Ex10_Causal_Attention.py", "ex10-causal-attention.py", "ex10 causal attention.py", "ex10.py", "EX10 (2).py",
        f"Kopie von {EX10}.py", f"{EX10} (copy).py", f"{EX10} 2.py", f"{EX10} copy 2.py", f"{EX10} - Copie.py",
        f"{EX10}.py.py",
    ],
)  # fmt: skip
def test_what_can_only_be_an_exercise_is_meant_to_be_it(name: str, pack: Pack) -> None:
    assert names.meant(name, pack.exercises) == EX10


@pytest.mark.parametrize("added", ["", " (1)", "-1", "_v2", " copy"])
def test_an_exercise_whose_own_name_ends_like_something_added_is_known(added: str, pack: Pack) -> None:
    for exercise in pack.exercises:
        assert names.meant(f"{exercise.id}{added}.py", pack.exercises) == exercise.id


@pytest.mark.parametrize(
    "name",
    [
        "utils.py", "ex10_helpers.py", f"{EX10}_old.py", f"test_{EX10}.py", f"ada_{EX10}.py", f"{EX10}.ipynb",
        f"{EX10}.pdf", "ex1.py", "ex100.py", "todo.txt", f"{EX10}.txt", "ex10.txt", "", "(1).py",
        f"{EX10}{'x' * 300}.py",
    ],
)  # fmt: skip
def test_what_may_be_anything_is_not(name: str, pack: Pack) -> None:
    assert names.meant(name, pack.exercises) == ""


@pytest.mark.parametrize(
    ("name", "exercise"),
    [
        (f"{EX10}.txt", EX10),
        ("ex10.txt", EX10),
        (f"ada_{EX10}.py", EX10),
        (f"{EX10}_old.py", EX10),
        (f"test_{EX10}.py", ""),
        ("ex10_notes.py", ""),
        ("a.py", ""),
    ],
)
def test_what_has_an_exercises_name_in_it_speaks_of_it(name: str, exercise: str, pack: Pack) -> None:
    assert names.like(name, pack.exercises) == exercise


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("x (2).py", 2),
        ("x(2).py", 2),
        ("x-3.py", 3),
        ("x (2).py.txt", 2),
        ("x.py", 0),
        ("ex10.py", 0),
        ("ex10-2.py", 2),
    ],
)
def test_the_number_is_the_one_that_was_added(name: str, number: int) -> None:
    assert names.number(name) == number
