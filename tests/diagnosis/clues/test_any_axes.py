"""A loop over an axis that not every case has is told, and none over one that there is always."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from grader.diagnosis.clues.any_axes import counts_on, counts_on_where_raised
from grader.model.check import Question
from grader.model.observation import Fault, Frame
from grader.model.pack import CaseTemplate, Draw
from tests.judge.hand_made import FUNCTION, exercise, function, numbers, question

SAID = "`{}` counts on an axis that `{}` may lack: it can have any number of axes"


def asked(*ranks: int) -> Question:
    """A question about a function whose cases have so many axes each."""
    one = question("output", {"x": numbers(*[2] * ranks[0])})
    names = [f"case{at}" for at in range(len(ranks))]
    cases = {
        name: CaseTemplate(name, inputs={"x": Draw("normal", (2,) * rank)})
        for name, rank in zip(names, ranks, strict=True)
    }
    of = replace(one.step, cases=tuple(names))
    return replace(one, step=of, exercise=exercise(of, cases=cases))


@pytest.mark.parametrize(
    ("lines", "code", "name"),
    [
        (("for i in range(x.shape[0]):", "    for j in range(x.shape[1]):", "        pass"), "range(x.shape[1])", "x"),
        (("for j in range(x.size(1)):", "    pass"), "range(x.size(1))", "x"),
        (("for j in range(len(x[0])):", "    pass"), "range(len(x[0]))", "x"),
        (("y = x.clone()", "for j in range(y.shape[1]):", "    pass"), "range(y.shape[1])", "y"),
        (("y = torch.zeros_like(x)", "for j in range(y.shape[1]):", "    pass"), "range(y.shape[1])", "y"),
        (("n, m = x.shape",), "n, m = x.shape", "x"),
        (("for i in range(x.shape[0]):", "    pass"), "", ""),
        (("for j in range(x.shape[-1]):", "    pass"), "", ""),
        (("n, *_ = x.shape",), "", ""),
        (("y = x.reshape(-1, 2)", "for j in range(y.shape[1]):", "    pass"), "", ""),
        (("x = x.reshape(-1, 2)", "for j in range(x.shape[1]):", "    pass"), "", ""),
    ],
)
def test_an_axis_that_need_not_be_there_is_told_where_it_is_counted_on(
    lines: tuple[str, ...], code: str, name: str
) -> None:
    tree = ast.parse(function(*lines, "return x"))

    found = counts_on(asked(1, 2), tree)

    assert found == ((SAID.format(code, name), found[1]) if code and found else None)
    assert (found is None) == (code == "")
    assert counts_on(asked(2, 2), tree) is None


def test_of_an_exception_it_is_told_in_the_line_that_raised() -> None:
    tree = ast.parse(function("for j in range(x.shape[1]):", "    pass"))
    frames = (Frame("a.py", 2, FUNCTION),)
    fault = Fault("exception", "IndexError", "tuple index out of range", frames)

    assert counts_on_where_raised(asked(1, 2), fault, tree) == SAID.format("range(x.shape[1])", "x")
    assert counts_on_where_raised(asked(1, 2), replace(fault, frames=(replace(frames[0], line=3),)), tree) == ""
    assert counts_on_where_raised(asked(1, 2), replace(fault, type="KeyError"), tree) == ""
