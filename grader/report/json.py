"""The format `json`: the report as one object, described by `report.schema.json` beside this file."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from grader.model.pack import Visibility
from grader.model.report import SCHEMA, ExerciseResult, Matrix, Picture, Report, Shares, Status, Verdict

INDENT = " " * 4
SCHEMA_FILE = Path(__file__).with_name("report.schema.json")


class Json:
    """One JSON object and nothing else. Whole points are whole numbers."""

    name = "json"
    shows_all = True

    def render(self, report: Report) -> str:
        """As `json.dumps` writes `as_json` with an indent; what most of a class have alike is written once."""
        each = ",\n".join(map(_exercise_text, report.exercises))
        exercises = f"[\n{each}\n  ]" if each else "[]"
        facts = _text(_facts(report)).removesuffix("\n}")
        return f'{facts},\n  "exercises": {exercises}\n}}\n'


def as_json(report: Report) -> dict[str, Any]:
    """The report as JSON values."""
    return {**_facts(report), "exercises": [_exercise(exercise) for exercise in report.exercises]}


def document(value: Any, indent: int | None = 2) -> str:
    """Values as a file of JSON, in which every character stands for itself."""
    return json.dumps(value, indent=indent, ensure_ascii=False) + "\n"


def _facts(report: Report) -> dict[str, Any]:
    """All but the exercises, which stand last."""
    return {
        "schema": SCHEMA,
        "submission": dict(report.submission),
        "pack": dict(report.pack),
        "environment": dict(report.environment),
        "score": number(report.score),
        "max_score": number(report.max_score),
        "seconds": report.seconds,
        "notes": list(report.notes),
    }


def _exercise_text(exercise: ExerciseResult) -> str:
    """An exercise as it stands in the list of them."""
    is_right = all(step.status is Status.PASSED for step in exercise.steps)
    return _of_right(exercise) if is_right else _indented(exercise)


@lru_cache(maxsize=256)
def _of_right(exercise: ExerciseResult) -> str:
    return _indented(exercise)


def _indented(exercise: ExerciseResult) -> str:
    text = _text(_exercise(exercise))  # in which no string has a line feed
    return INDENT + text.replace("\n", "\n" + INDENT)


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _exercise(exercise: ExerciseResult) -> dict[str, Any]:
    return {
        "id": exercise.id,
        "title": exercise.title,
        "score": number(exercise.score),
        "max_score": number(exercise.max_score),
        "steps": [_step(step) for step in exercise.steps],
    }


def _step(step: Verdict) -> dict[str, Any]:
    values = {name: _plain(getattr(step, name)) for name in _names(Verdict)}
    values |= {"score": number(step.score), "max_score": number(step.max_score)}
    if step.visibility is Visibility.VISIBLE:  # said of the others alone, as in reports from before there were any
        del values["visibility"]
    if step.cause is None:  # said where there is one, for the same reason
        del values["cause"]
    if step.shares is None:
        del values["shares"]
    return values


def _plain(value: Any) -> Any:
    """A value as JSON has it; most fields of a step hold a text, a number or nothing."""
    if isinstance(value, str | float | int | None):
        return value
    if isinstance(value, Picture):
        return _picture(value)
    if isinstance(value, Shares):
        return _shares(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return {name: _plain(getattr(value, name)) for name in _names(value.__class__)} or value


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    """The names of a dataclass's fields; none of any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def _picture(picture: Picture) -> dict[str, Any]:
    values = {
        "case": picture.case,
        "name": picture.name,
        "slices": list(picture.slices),
        "expected": [*map(_matrix, picture.expected)],
        "got": [*map(_matrix, picture.got)],
        "row": picture.row,
        "column": picture.column,
    }
    return values | ({"right": list(picture.right)} if picture.right else {})


def _shares(shares: Shares) -> dict[str, Any]:
    values = {"case": shares.case, "names": list(shares.names), "matrices": [*map(_matrix, shares.matrices)]}
    return values | ({"own": _matrix(shares.own)} if shares.own is not None else {})


def _matrix(matrix: Matrix) -> list[list[float | str]]:
    """JSON has no word for a number that is not finite: here it is "inf", "-inf" or "nan"."""
    return [[value if math.isfinite(value) else str(value) for value in row] for row in matrix]


def number(value: float) -> float | int:
    """Points in JSON: whole ones without a point."""
    return int(value) if value == int(value) else round(value, 4)
