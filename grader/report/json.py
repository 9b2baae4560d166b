"""The format `json`: the report as one object, described by `report.schema.json` beside this file."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from grader.model.pack import Visibility
from grader.model.report import SCHEMA, ExerciseResult, Report, Status, Verdict

INDENT = " " * 4
# Fields that are written only where they say something, as reports from before there were any have none.
LATER = ("visibility", "cause", "shares", "remark", "right", "own", "more")
LEFT_OUT = (None, (), 0, Visibility.VISIBLE)
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


def _indented(exercise: ExerciseResult) -> str:
    text = _text(_exercise(exercise))  # in which no string has a line feed
    return INDENT + text.replace("\n", "\n" + INDENT)


_of_right = lru_cache(maxsize=256)(_indented)


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
    values: dict[str, Any] = _plain(step)
    return values | {"score": number(step.score), "max_score": number(step.max_score)}


def _plain(value: Any) -> Any:
    """A value as JSON has it; most fields of a step hold a text, a number or nothing."""
    if isinstance(value, str | float | int | None):
        return value
    if not isinstance(value, tuple):
        parts = ((name, getattr(value, name)) for name in _names(value.__class__))
        return {name: _plain(part) for name, part in parts if name not in LATER or part not in LEFT_OUT}
    if value and isinstance(value[0], float):  # a row: a number that is not finite, which JSON lacks, is its name there
        return [each if math.isfinite(each) else str(each) for each in value]
    return [_plain(each) for each in value]


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]


def number(value: float) -> float | int:
    """Points in JSON: whole ones without a point."""
    return int(value) if value == int(value) else round(value, 4)
