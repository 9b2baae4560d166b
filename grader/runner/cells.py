"""Tells of a notebook's modules by cell and line: nobody has ever seen the modules themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from grader.model.pack import Exercise
from grader.model.report import Diagnosis, Stage, Verdict
from grader.model.submission import Cells, Submission

MODULE = ".py"


def located(verdict: Verdict, submission: Submission) -> Verdict:
    """The verdict with each place in a module that was made of a notebook as a place in one of its cells."""
    cells = submission.cells
    if not cells:
        return verdict
    file, line = _place(cells, verdict.file, verdict.line)
    return replace(
        verdict,
        file=file,
        line=line,
        column=verdict.column if line else 0,
        summary=_summary(cells, verdict),
        diagnosis=tuple(_diagnosis(cells, found) for found in verdict.diagnosis),
        stage=_stage(cells, verdict.stage),
    )


def said_of_missing(exercise: Exercise, submission: Submission) -> str:
    """What to say of an exercise that a submission does not have."""
    books = sorted({origin.file for origin in submission.cells.values()})
    if not books:
        return f"{exercise.id}.py is not in this submission."
    return f"No cell of {' or '.join(books)} defines {' or '.join(f'`{name}`' for name in exercise.definitions)}."


def _place(cells: Mapping[str, Cells], file: str, line: int) -> tuple[str, int]:
    """A file and a line as a report has them: of a notebook, its cell and the line there."""
    origin = cells.get(file.removesuffix(MODULE)) if file.endswith(MODULE) else None
    if origin is None:
        return file, line
    cell, there = origin.lines[line - 1] if 0 < line <= len(origin.lines) else (0, 0)
    return (origin.name(cell), there) if cell else (origin.file, 0)


def _summary(cells: Mapping[str, Cells], verdict: Verdict) -> str:
    """The sentence without the names of modules, and of lines in them, where Python could not read one."""

    def there(found: re.Match[str]) -> str:
        file, line = _place(cells, verdict.file, int(found[2]))
        return f"{found[1]}{file}, line {line}" if line else f"{found[1]}{file}"

    said = re.sub(r"(Python cannot read )line (\d{1,9})", there, verdict.summary)
    for module, origin in cells.items():
        said = said.replace(f"{module}{MODULE}", origin.file)
    return said


def _diagnosis(cells: Mapping[str, Cells], found: Diagnosis) -> Diagnosis:
    file, line = _place(cells, found.file, found.line)
    return replace(found, file=file, line=line)


def _stage(cells: Mapping[str, Cells], stage: Stage | None) -> Stage | None:
    if stage is None:
        return None
    file, line = _place(cells, stage.file, stage.line)
    return replace(stage, file=file, line=line)
