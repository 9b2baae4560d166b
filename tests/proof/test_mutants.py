"""Every small change of a module is made once, at its place; what earns full marks all the same is shown."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.proof.mutants import Mutant, mutants
from tests.command import Grade
from tests.sampling import one_in

from ..submission.packing import SOURCE

SMALL = '''"""A module."""
import torch

def f(x: int = 1, *, p: float) -> int:
    """What it does."""
    mask = torch.triu(x, diagonal=1)
    if p == 0.5:
        return not mask
    return mask.T @ x[0]
'''


def changes(source: str = SMALL) -> set[str]:
    return {str(mutant) for mutant in mutants(source)}


@pytest.mark.parametrize(
    "change",
    [
        "line 6: torch.triu → torch.tril",
        "line 6: 1 → 2",
        "line 6: torch.triu(x, diagonal=1) → torch.triu(x)",
        "line 6: x → p",
        "line 6: mask = torch.triu(x, diagonal=1) → pass",
        "line 6: mask = torch.triu(x, diagonal=1) → torch.triu(x, diagonal=1)",
        "line 6: torch.triu(x, diagonal=1) → (…).detach()",
        "line 7: p == 0.5 → p != 0.5",
        "line 7: 0.5 → 1.0",
        "line 8: not mask → mask",
        "line 9: mask.T → mask",
        "line 9: mask.T @ x[0] → (mask.T) * (x[0])",
        "line 9: mask.T @ x[0] → (x[0])",
        "line 9: x[0] → x",
        "line 9: return mask.T @ x[0] → mask.T @ x[0]",
    ],
)
def test_a_change_of_each_kind_is_made(change: str) -> None:
    assert change in changes()


def test_what_is_left_of_a_piece_that_was_cut_is_shown_whole() -> None:
    assert "line 2: x[None, :] → x" in changes("def f(x):\n    return x[None, :]\n")


def test_what_only_describes_a_function_is_left_as_it_is() -> None:
    assert min(mutant.line for mutant in mutants(SMALL)) == 6


@pytest.mark.parametrize("name", one_in(8, (pytest.param(name, id=name) for name in sorted(SOURCE))))
def test_each_change_is_python_another_one_and_leaves_the_other_lines_where_they_are(name: str) -> None:
    source = SOURCE[name]
    every = list(mutants(source))

    assert len({mutant.source for mutant in every} | {source}) == len(every) + 1
    for mutant in every:
        ast.parse(mutant.source)
        assert _same_around(mutant, source)


def _same_around(mutant: Mutant, source: str) -> bool:
    """Whether a source is what it was above the change and below it."""
    was, now = source.splitlines(), mutant.source.splitlines()
    behind = mutant.line + mutant.was.count("\n")
    return len(was) == len(now) and was[: mutant.line - 1] + was[behind:] == now[: mutant.line - 1] + now[behind:]


@pytest.mark.long
def test_of_exercise_9_only_what_is_the_same_earns_full_marks(grade: Grade, tmp_path: Path) -> None:
    """Where and how exactly numbers are drawn, whether one may be p, and gradients, which nobody asks for there."""
    done = grade("verify", "--mutants", "--exercise", "ex09", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    first, *rest = done.stdout.splitlines()
    assert (
        first == f"ex09: {len(rest)} of {len(list(mutants(SOURCE['ex09_attention_dropout'])))} changes earn full marks:"
    )
    assert {line.strip() for line in rest} == {
        "line 9: p → generator",
        "line 9: p → training",
        "line 9: 0 → -1",
        "line 12: … >= p → … > p",
        "line 12: … generator=generator, device=weights.device) → … generator=generator)",
        *(
            f"line 12: torch.rand(weights.shape, generator=generator, device=weights.device) → {more}"
            for more in ("(…).detach()", "(…).flip(-1)")
        ),
        "line 13: weights * keep → (weights * keep).detach()",
        "line 16: survivors / (1 - p) → (survivors / (1 - p)).detach()",
    }
