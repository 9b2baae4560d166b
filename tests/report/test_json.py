"""The JSON report is what its schema says, and nothing else is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.model.pack import Visibility
from grader.model.report import Cause, ExerciseResult, Shares, Status, Verdict
from grader.report.json import SCHEMA_FILE, Json, as_json

from .hand_made import PASSED, REPORT, saying, verdict

SCHEMA = json.loads(SCHEMA_FILE.read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def written() -> dict[str, Any]:
    report: dict[str, Any] = json.loads(Json().render(REPORT))
    return report


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_accepts_what_is_written() -> None:
    VALIDATOR.validate(written())


def test_the_text_is_one_object_and_a_newline() -> None:
    text = Json().render(REPORT)

    assert text == json.dumps(as_json(REPORT), indent=2, ensure_ascii=False) + "\n"


@given(st.text(), st.lists(st.tuples(st.text(), st.sampled_from([Status.PASSED, Status.FAILED])), max_size=3))
@example("\u2028\x85\x0b\n", [("\u2028\x85\x0b\n", Status.PASSED)])
def test_it_is_laid_out_as_if_written_at_once_whatever_it_says(note: str, steps: list[tuple[str, Status]]) -> None:
    told = tuple(verdict(f"ex01.{number}", status, 1, 2, title=title) for number, (title, status) in enumerate(steps))
    report = replace(REPORT, notes=(note,), exercises=(ExerciseResult("ex01", note, told),) if told else ())

    assert Json().render(report) == json.dumps(as_json(report), indent=2, ensure_ascii=False) + "\n"


def test_the_keys_of_the_contract_are_there() -> None:
    report = written()

    assert report["schema"] == "attention-kit/report/v1"
    assert report["submission"] == {"id": "ada", "path": "/tmp/ada", "sha256": "0" * 64}
    assert (report["score"], report["max_score"], report["seconds"]) == (7, 24, 1.94)
    output = report["exercises"][2]["steps"][1]
    assert output["id"] == "ex10.output"
    assert output["status"] == "failed"
    assert output["targets"] == [{"device": "cpu", "dtype": "float32", "status": "failed"}]
    assert output["diagnosis"] == [
        {
            "id": "mask-discarded",
            "message": "masked_fill returns a new tensor; yours is dropped.",
            "file": "ex10_mask.py",
            "near": False,
            "line": 5,
        }
    ]
    assert output["hints"] == ["Which tokens may token 0 look at?"]


def test_whole_points_are_whole_numbers() -> None:
    thirds = ExerciseResult("ex01_a", "A", (verdict("ex01.all", Status.PARTIAL, 1 / 3, 2.0),))

    report = as_json(replace(REPORT, exercises=(thirds,)))

    assert (repr(report["score"]), repr(report["max_score"])) == ("0.3333", "2")


@pytest.mark.parametrize("status", list(Status))
def test_every_status_is_written_as_its_word(status: Status) -> None:
    one = ExerciseResult("ex01_a", "A", (verdict("ex01.all", status, 0, 1),))

    report = json.loads(Json().render(replace(REPORT, exercises=(one,))))

    VALIDATOR.validate(report)
    assert report["exercises"][0]["steps"][0]["status"] == status.value


def test_every_part_of_a_verdict_is_written() -> None:
    shares = Shares("lesson", ("scores",), (((1.0,),),), own=((1.0,),))
    cause = Cause("ex01.query", "Begin there.")
    full = replace(PASSED.steps[0], visibility=Visibility.HIDDEN, cause=cause, shares=shares, remark="a note")
    hidden = replace(PASSED, steps=(full,))

    (step,) = as_json(replace(REPORT, exercises=(hidden,)))["exercises"][0]["steps"]

    assert set(step) == {field.name for field in fields(Verdict)}
    assert set(step["shares"]) == {field.name for field in fields(Shares)}
    VALIDATOR.validate(as_json(replace(REPORT, exercises=(hidden,))))


def test_nothing_is_said_of_the_visibility_of_what_everybody_sees() -> None:
    steps = [step for exercise in as_json(REPORT)["exercises"] for step in exercise["steps"]]

    assert not any("visibility" in step for step in steps)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "attention-kit/report/v2"),
        (("score",), "7"),
        (("score",), -1),
        (("seconds",), None),
        (("submission", "sha256"), "0" * 63),
        (("submission", "id"), ""),
        (("environment", "devices"), []),
        (("environment", "devices"), ["tpu"]),
        (("environment", "seed"), 1.5),
        (("environment", "isolation"), "none"),
        (("exercises", 0, "steps"), []),
        (("exercises", 0, "steps", 0, "status"), "skipped"),
        (("exercises", 0, "steps", 0, "id"), "output"),
        (("exercises", 0, "steps", 0, "line"), -1),
        (("exercises", 0, "steps", 0, "targets", 0, "device"), "meta"),
        (("exercises", 2, "steps", 1, "diagnosis", 0, "id"), "Mask Discarded"),
        (("exercises", 2, "steps", 1, "hints"), ["a", 3]),
    ],
)
def test_the_schema_refuses_another_value(path: tuple[Any, ...], value: Any) -> None:
    report = written()
    part: Any = report
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value

    assert not VALIDATOR.is_valid(report)


PARTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "report": lambda report: report,
    "submission": lambda report: report["submission"],
    "pack": lambda report: report["pack"],
    "environment": lambda report: report["environment"],
    "exercise": lambda report: report["exercises"][0],
    "step": lambda report: report["exercises"][2]["steps"][1],
    "target": lambda report: report["exercises"][2]["steps"][1]["targets"][0],
    "diagnosis": lambda report: report["exercises"][2]["steps"][1]["diagnosis"][0],
    "picture": lambda report: report["exercises"][2]["steps"][1]["picture"],
}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_the_schema_refuses_a_key_too_many_and_a_key_too_few(part: str) -> None:
    more, whole = written(), written()
    PARTS[part](more)["surprise"] = 1

    assert not VALIDATOR.is_valid(more)
    for key in PARTS[part](whole):
        less = copy.deepcopy(whole)
        del PARTS[part](less)[key]
        assert not VALIDATOR.is_valid(less), key


@pytest.mark.parametrize("text", ["\x1b[31m", "\u202e", "\x00", '"}]}', "</script>", "\ud800", "::error::x"])
def test_whatever_a_student_writes_the_text_stays_one_valid_object(text: str) -> None:
    rendered = Json().render(saying(text))

    encoded = rendered.encode("utf-8", "replace")

    VALIDATOR.validate(json.loads(encoded))
    assert not any(c < " " and c != "\n" for c in rendered)
