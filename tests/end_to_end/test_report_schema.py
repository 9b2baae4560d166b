"""Whatever is handed in, the JSON report keeps its form and lists every step of the rubric in its order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from grader.report.shown import rendered
from grader.submission.read import read_submission
from tests.command import Grade
from tests.sampling import every_time

from .submissions import EX01, EX02, EX03, EX10, EX12, REFERENCE, ROOT, Marking, edited, with_module

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

SCHEMA = json.loads((ROOT / "grader/report/report.schema.json").read_text("utf-8"))
Modules = Mapping[str, str | bytes]

HANGING = edited(EX01, ("scores = inputs @ query", "import time; time.sleep(600)"))
LATIN = REFERENCE[EX03].replace("simplified", "vereinfachte Selbst-Bewußtheit").encode("latin-1")

# What is handed in, and what becomes of the steps of one exercise in it.
HANDED_IN: dict[str, tuple[Modules, str, set[str]]] = {
    "right": (REFERENCE, EX12, {"passed"}),
    "wrong": (with_module(EX03, edited(EX03, ("dim=-1", "dim=0"))), EX03, {"passed", "failed"}),
    "wrong at the end": (
        with_module(EX03, edited(EX03, ("contexts = weights @", "contexts = 2 * weights @"))),
        EX03,
        {"passed", "partial"},
    ),
    "one module alone": ({EX03: REFERENCE[EX03]}, EX12, {"unstarted"}),
    "an empty module": (with_module(EX03, ""), EX03, {"failed"}),
    "crashing": (with_module(EX03, "import os\nos._exit(3)\n"), EX03, {"crashed"}),
    "hanging": ({EX01: HANGING}, EX01, {"timeout", "passed"}),
    "unparsable": (with_module(EX10, "def forward(self:\n"), EX10, {"error"}),
    "with a NUL byte": (with_module(EX02, REFERENCE[EX02].encode() + b"\x00"), EX02, {"error"}),
    "not UTF-8": (with_module(EX03, LATIN), EX03, {"error"}),
    "a declared encoding": (with_module(EX03, b"# coding: latin-1\n" + LATIN), EX03, {"passed"}),
    "UTF-16": (with_module(EX03, REFERENCE[EX03].encode("utf-16")), EX03, {"passed"}),
    "a byte order mark": (with_module(EX03, b"\xef\xbb\xbf" + REFERENCE[EX03].encode()), EX03, {"passed"}),
    "Windows line ends": (with_module(EX03, REFERENCE[EX03].replace("\n", "\r\n")), EX03, {"passed"}),
    "binary": (with_module(EX03, bytes(range(256)) * 40), EX03, {"error"}),
    "too long": (with_module(EX03, REFERENCE[EX03] + "#" * (1 << 20)), EX03, {"error"}),
    "nested too deeply": (with_module(EX03, "x = " + "(" * 5000 + ")" * 5000), EX03, {"error"}),
    "odd messages": (
        with_module(EX03, "raise ValueError('\\x1b[31m\\u202e\\ud800<script>::error::' + 'x' * 10**6)"),
        EX03,
        {"error"},
    ),
}


# A report of each kind of status; what else cannot be read, or is right in other bytes, is told alike.
EVERY_TIME = (
    "right",
    "wrong at the end",
    "crashing",
    "unparsable",
    "odd messages",
)


@pytest.mark.parametrize("name", every_time(EVERY_TIME, HANDED_IN))
def test_every_report_fits_the_schema_and_lists_every_step(
    name: str, folder_of: Callable[[Modules], Path], mark: Marking, plugins: Plugins, pack: Pack
) -> None:
    modules, exercise, expected = HANDED_IN[name]
    submission = read_submission(folder_of(modules), pack)

    written = plugins.reporters["json"].render(mark.submission(submission, seconds=0.5 if name == "hanging" else 10.0))

    report = json.loads(written)
    jsonschema.validate(report, SCHEMA)
    assert [step["id"] for e in report["exercises"] for step in e["steps"]] == _rubric(pack)
    steps = [step for e in report["exercises"] if e["id"] == exercise for step in e["steps"]]
    assert {step["status"] for step in steps} == expected
    assert all(step["summary"].strip() for step in steps if step["status"] != "passed")
    assert all(len(step["summary"]) < 1000 for step in steps)


def test_what_the_command_writes_fits_the_schema(grade: Grade) -> None:
    done = grade("run", "fixtures/submissions/first_attempt", "--format", "json", "--timeout", "0.5")

    jsonschema.validate(json.loads(done.stdout), SCHEMA)


def test_points_add_up(mark: Marking, plugins: Plugins, pack: Pack) -> None:
    report = json.loads(
        plugins.reporters["json"].render(mark(with_module(EX10, edited(EX10, ("diagonal=1", "diagonal=2")))))
    )

    for exercise in report["exercises"]:
        assert exercise["score"] == sum(step["score"] for step in exercise["steps"])
        assert exercise["max_score"] == sum(step["max_score"] for step in exercise["steps"])
    assert report["score"] == sum(exercise["score"] for exercise in report["exercises"])
    assert report["max_score"] == pack.points


def test_a_message_cannot_bring_controls_into_a_report(mark: Marking, plugins: Plugins) -> None:
    modules, exercise, _ = HANDED_IN["odd messages"]

    report = mark(modules, exercise)

    for reporter in plugins.reporters.values():
        written = rendered(reporter, report)
        assert not {"\x1b", "\u202e", "\ud800"} & set(written)


def _rubric(pack: Pack) -> list[str]:
    return [step.id for exercise in pack.exercises for step in exercise.steps]


def test_the_schema_itself_is_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert _objects_are_closed(SCHEMA)


def _objects_are_closed(schema: Any) -> bool:
    """Whether no object of the schema takes keys that it does not name."""
    if isinstance(schema, list):
        return all(map(_objects_are_closed, schema))
    if not isinstance(schema, dict):
        return True
    closed = schema.get("type") != "object" or schema.get("additionalProperties") is False
    return closed and all(map(_objects_are_closed, schema.values()))
