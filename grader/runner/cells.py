"""Tells of a notebook's modules by cell and line: nobody has ever seen the modules themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.model.pack import Exercise
from grader.model.report import Diagnosis, Stage, Verdict
from grader.model.submission import Cells, Submission
from grader.report.excerpt import cell
from grader.words import heard, say

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
    origins = {origin.file: origin for origin in submission.cells.values()}
    if not origins:
        return say("submission.not-there", file=exercise.file)
    either = say("join.or")
    names = either.join(f"`{name}`" for name in exercise.definitions)
    are_scripts = all(origin.is_script for origin in origins.values())
    books = either.join(sorted(origins))
    return say(
        "submission.no-script-defines" if are_scripts else "submission.no-cell-defines", books=books, names=names
    )


def _place(cells: Mapping[str, Cells], file: str, line: int) -> tuple[str, int]:
    """A file and a line as a report has them: of a notebook, its cell and the line there."""
    origin = cells.get(file.removesuffix(MODULE)) if file.endswith(MODULE) else None
    if origin is None:
        return file, line
    cell, there = origin.lines[line - 1] if 0 < line <= len(origin.lines) else (0, 0)
    return (origin.name(cell), there) if cell else (origin.file, 0)


def _summary(cells: Mapping[str, Cells], verdict: Verdict) -> str:
    """The sentence without the names of modules, and of lines in them, where Python could not read one."""
    device = heard("judge.on-device", verdict.summary)
    if device is not None:
        there = _summary(cells, replace(verdict, summary=device["said"]))
        return say("judge.on-device", device=device["device"], said=there)
    said = _where_python_stopped(cells, verdict)
    for module, origin in cells.items():
        said = said.replace(f"{module}{MODULE}", origin.file)
    return said


def _where_python_stopped(cells: Mapping[str, Cells], verdict: Verdict) -> str:
    """The sentence that Python cannot read a line, with the cell and its line; any other as it is."""
    for key in ("judge.cannot-read-imported", "judge.cannot-read"):
        found = heard(key, verdict.summary)
        line = heard("judge.line", found["place"]) if found is not None else None
        if found is not None and line is not None and line["line"].isdigit():
            file, there = _place(cells, verdict.file, int(line["line"]))
            place = say("report.cell-line", cell=cell(file), line=there) if there else cell(file)
            return say(key, **{**found, "place": place})
    return verdict.summary


def _diagnosis(cells: Mapping[str, Cells], found: Diagnosis) -> Diagnosis:
    file, line = _place(cells, found.file, found.line)
    return replace(found, file=file, line=line)


def _stage(cells: Mapping[str, Cells], stage: Stage | None) -> Stage | None:
    if stage is None:
        return None
    file, line = _place(cells, stage.file, stage.line)
    return replace(stage, file=file, line=line)
