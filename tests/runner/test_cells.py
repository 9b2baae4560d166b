"""What is said of a notebook is said by cell and line, wherever the judge found it in the modules made of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.report import Diagnosis, Stage, Status, Verdict
from grader.model.submission import Cells, Submission
from grader.runner.cells import located

MADE = Submission(
    "ada", Path("lab.ipynb"), "",
    cells={"ex10_mask": Cells("lab.ipynb", ((0, 0), (4, 7), (4, 8))), "ex11_heads": Cells("lab.ipynb")},
)  # fmt: skip
PLAIN = Submission("ada", Path("ada"), "")


def verdict(**parts: object) -> Verdict:
    return Verdict("ex10.output", "Output", Status.FAILED, 0, 4, **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "line", "there"),
    [
        ("ex10_mask.py", 2, ("lab.ipynb cell 4", 7)),
        ("ex10_mask.py", 3, ("lab.ipynb cell 4", 8)),
        ("ex10_mask.py", 1, ("lab.ipynb", 0)),
        ("ex10_mask.py", 0, ("lab.ipynb", 0)),
        ("ex10_mask.py", 99, ("lab.ipynb", 0)),
        ("ex11_heads.py", 1, ("lab.ipynb", 0)),
        ("helper.py", 3, ("helper.py", 3)),
        ("", 0, ("", 0)),
    ],
)
def test_every_place_is_a_cell_and_a_line_of_it(file: str, line: int, there: tuple[str, int]) -> None:
    found = located(
        verdict(file=file, line=line, column=5, diagnosis=(Diagnosis("mask-missing", "", file, line),),
                stage=Stage("scores", "masked", file, line)),
        MADE,
    )  # fmt: skip

    assert (found.file, found.line) == there
    assert (found.diagnosis[0].file, found.diagnosis[0].line) == there
    assert found.stage is not None
    assert (found.stage.file, found.stage.line) == there
    assert found.column == (5 if there[1] else 0)


def test_a_sentence_names_the_notebook_and_not_the_module_made_of_it() -> None:
    said = located(verdict(summary="There is no `f` in ex10_mask.py (it has `g`)."), MADE).summary
    assert said == "There is no `f` in lab.ipynb (it has `g`)."

    at_fault = verdict(
        summary="On cpu: Python cannot read line 3: 'return' outside function.", file="ex10_mask.py", line=3
    )
    assert located(at_fault, MADE).summary == (
        "On cpu: Python cannot read lab.ipynb cell 4, line 8: 'return' outside function."
    )


def test_a_submission_of_modules_is_told_as_it_was() -> None:
    told = verdict(summary="There is no `f` in ex10_mask.py.", file="ex10_mask.py", line=3)

    assert located(told, PLAIN) is told
    assert located(replace(told, summary=""), PLAIN).line == 3
