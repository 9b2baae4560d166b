"""The superposed source gives, switch by switch, what a copy with the same edits made gives."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import torch

from grader.pack.mistakes import Edit, applied, combinations
from grader.pack.superpose import CHOOSE, SWEEP, UNCHANGED, superpose

SOURCE = textwrap.dedent('''
    """A reference."""

    import torch
    from torch import nn


    def scaled(x, width):
        """(T,) -> (T,)"""
        shifted = x + 1
        result = (
            shifted / width
        )
        return result


    class Layer(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.factor = 2.0
            self.width = width

        def forward(self, x):
            doubled, kept = x * self.factor, x
            return scaled(doubled, self.width) + kept
''').lstrip()


def edit(name: str, *places: tuple[str, str]) -> Edit:
    """An edit of the source above, each of whose places stands there once."""
    assert all(SOURCE.count(old) == 1 for old, _ in places)
    return Edit(name, tuple(sorted((SOURCE.index(old), SOURCE.index(old) + len(old), new) for old, new in places)))


EDITS = (
    edit("plus-two", ("x + 1", "x + 2")),
    edit("minus", ("x + 1", "x - 1")),
    edit("not-divided", ("shifted / width", "shifted")),
    edit("tripled", ("2.0", "3.0")),
    edit("halved-and-lost", ("x * self.factor", "x / 2"), (" + kept", "")),
    edit("none", ("return result", "pass")),
    edit("lost", ("return result", "return reslt")),
)


def results(source: str, chosen: tuple[Edit, ...]) -> torch.Tensor | None:
    """What a copy with edits made gives; None where it fails."""
    names: dict[str, Any] = {}
    exec(compile(applied(source, chosen), "copy", "exec"), names)
    try:
        return names["Layer"](4.0)(torch.tensor([1.0, 2.0]))
    except (NameError, TypeError):
        return None


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_every_set_of_edits_gives_what_its_copy_gives(size: int) -> None:
    superposed = superpose(SOURCE, EDITS, "Layer", is_class=True, most=3)
    names: dict[str, Any] = {}
    exec(compile(superposed.source, "superposed", "exec"), names)
    assert superposed.edits == EDITS

    for chosen in combinations(EDITS, size):
        row = torch.tensor(superposed.row([EDITS.index(edit) for edit in chosen]))
        names[CHOOSE](row)
        values, shapes, crashes = names[SWEEP](row[None], names["Layer"](4.0), torch.tensor([1.0, 2.0]))
        assert crashes.tolist() == [-1]
        expected = results(SOURCE, chosen)
        if expected is None:
            assert (values.tolist(), shapes.tolist()) == ([], [0])
        else:
            assert (values.tolist(), shapes.tolist()) == (expected.tolist(), [1, 1, 2])


def test_many_rows_are_swept_in_one_call_and_no_input_is_changed() -> None:
    in_place = (edit("in-place", ("x + 1", "x.add_(1)")), EDITS[2])
    superposed = superpose(SOURCE, in_place, "scaled", is_class=False, most=2)
    names: dict[str, Any] = {}
    exec(compile(superposed.source, "superposed", "exec"), names)
    x = torch.tensor([1.0, 2.0])

    values, shapes, _ = names[SWEEP](torch.tensor([superposed.row(each) for each in ([], [0], [1], [0, 1])]), x, 2.0)

    assert values.tolist() == [1.0, 1.5, 1.0, 1.5, 2.0, 3.0, 2.0, 3.0]
    assert shapes.tolist() == [1, 1, 2] * 4
    assert x.tolist() == [1.0, 2.0]


def test_what_counts_when_an_object_is_made_is_known() -> None:
    superposed = superpose(SOURCE, EDITS, "Layer", is_class=True, most=1)

    made = {EDITS[n].id for switch in superposed.switches if switch.in_constructor for n in switch.touching}
    assert made == {"tripled"}


def test_an_edit_of_what_cannot_be_switched_is_left_out() -> None:
    renamed = edit("misspelt", ("def forward", "def froward"))
    as_parent = edit("no-module", ("class Layer(nn.Module)", "class Layer"))

    superposed = superpose(SOURCE, (renamed, EDITS[0], as_parent), "Layer", is_class=True, most=3)

    assert superposed.edits == (EDITS[0],)


def test_what_an_edit_leaves_as_it_was_is_told_of_each_stage() -> None:
    edits = (EDITS[0], EDITS[2], EDITS[5])
    stages = ("shifted", "result")
    superposed = superpose(SOURCE, edits, "scaled", is_class=False, most=1, stages=stages)
    names: dict[str, Any] = {}
    exec(compile(superposed.source, "superposed", "exec"), names)
    rows = [superposed.row(each) for each in ([], [0], [1], [2])]

    kept = names[UNCHANGED](torch.tensor(rows), torch.tensor([1.0, 2.0]), 2.0)

    assert kept.tolist() == [[True, True], [False, False], [True, False], [True, True]]
    # Later rows are compared with the very first one of all.
    assert names[UNCHANGED](torch.tensor(rows[1:2]), torch.tensor([1.0, 2.0]), 2.0).tolist() == [[False, False]]


def test_a_statement_may_vanish() -> None:
    gone = edit("gone", ("        self.factor = 2.0\n", ""))

    superposed = superpose(SOURCE, (gone,), "Layer", is_class=True, most=1)

    compile(superposed.source, "superposed", "exec")
    assert superposed.edits == (gone,)
