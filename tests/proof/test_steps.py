"""`steps.yaml` is read with the place of everything that is wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import RubricError
from grader.model.pack import Pack
from grader.pack.mistakes import Edit
from grader.proof.steps import Failing, read_steps

EDITS = [
    Edit("scale-missing", ((0, 1, ""),)),
    Edit("scale-missing", ((1, 2, ""),)),
    Edit("mask-missing", ((2, 3, ""),)),
]


def read(text: str, folder: Path, pack: Pack) -> Failing:
    """What is read of a text, for an exercise 10 with three edits."""
    (folder / "steps.yaml").write_text(text, "utf-8")
    return read_steps(folder, [(pack.exercise("ex10_causal_attention"), EDITS)])


def test_one_list_is_for_every_way_and_several_are_for_one_each(tmp_path: Path, pack: Pack) -> None:
    found = read("ex10:\n  scale-missing: [output, bias]\n  mask-missing: [[]]\n", tmp_path, pack)
    each = read("ex10:\n  scale-missing: [[output], [bias]]\n", tmp_path, pack)

    assert found == {
        ("ex10_causal_attention", "scale-missing"): (("output", "bias"), ("output", "bias")),
        ("ex10_causal_attention", "mask-missing"): ((),),
    }
    assert each == {("ex10_causal_attention", "scale-missing"): (("output",), ("bias",))}


def test_without_the_file_nothing_is_said(tmp_path: Path, pack: Pack) -> None:
    assert read_steps(tmp_path, [(pack.exercise("ex10_causal_attention"), EDITS)]) == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- ex10\n", "steps.yaml:1:1: an exercise, such as ex10, has the ids of its mistakes below it"),
        ("ex99:\n  scale-missing: []\n", "steps.yaml:1:1: there is no exercise 'ex99'"),
        ("ex10: [output]\n", "steps.yaml:1:7: each id has a list of steps, or one such list for each way"),
        ("ex10:\n  scale-gone: []\n", "steps.yaml:2:3: ex10 has no edit 'scale-gone'"),
        ("ex10:\n  mask-missing: output\n", "steps.yaml:2:17: a list of steps is due, or one such list for each way"),
        ("ex10:\n  mask-missing: [outpt]\n", "steps.yaml:2:18: ex10 has no step 'outpt'"),
        ("ex10:\n  scale-missing: [[output]]\n", "steps.yaml:2:18: 1 list for 2 ways"),
        ("ex10:\n  scale-missing: [[output], bias]\n", "steps.yaml:2:29: a list of steps is due"),
        ("ex10:\n  mask-missing: []\n  mask-missing: []\n", "steps.yaml:3:3: 'mask-missing' stands here twice"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, problem: str, tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(RubricError) as raised:
        read(text, tmp_path, pack)

    assert problem in str(raised.value)
