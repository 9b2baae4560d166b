"""Stored reports come back as they were; whatever is none is a sentence that says where."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.model.errors import UsageError
from grader.model.report import Picture, Report, Shares, Stage
from grader.report.json import SCHEMA_FILE, Json, as_json
from grader.report.read import MAX_BYTES, read_own, read_report, report_from
from grader.report.schema import problems

from .hand_made import MIXED, REPORT, saying

SCHEMA = json.loads(SCHEMA_FILE.read_text("utf-8"))
STAGED = replace(
    REPORT,
    exercises=(replace(MIXED, steps=(replace(MIXED.steps[0], stage=Stage("scores", "", "ex10_mask.py", 3)),)),),
)


DRAWN = replace(
    REPORT,
    exercises=(
        replace(
            MIXED,
            steps=(
                replace(
                    MIXED.steps[1],
                    picture=Picture(
                        "lesson",
                        "masked",
                        ("[0]", "[1]"),
                        (((0.5, -math.inf),), ((1.0, 2.0),)),
                        (((math.nan, math.inf),), ((1.0, 2.0),)),
                        0,
                        1,
                        right=(1,),
                    ),
                    shares=Shares(
                        "lesson", ("scores", "scaled"), (((math.nan, 1.0),), ((0.5, 0.5),)), own=((1.0, 0.0),)
                    ),
                ),
            ),
        ),
    ),
)


@pytest.mark.parametrize("report", [REPORT, STAGED, saying("Ünïcode → “text”")], ids=["all", "staged", "unicode"])
def test_a_report_is_read_back_as_the_same_bytes(report: Report, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(Json().render(report), "utf-8")

    read = read_report(file)

    assert Json().render(read) == file.read_text("utf-8")
    assert replace(read, sources=report.sources) == report


def test_our_own_bytes_are_read_like_any_and_changed_ones_are_held_to_the_schema(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(Json().render(REPORT), "utf-8")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()

    assert read_own(file, digest) == read_report(file)

    file.write_text(Json().render(REPORT).replace('"passed"', '"forged"'), "utf-8")
    with pytest.raises(UsageError, match="'forged'"):
        read_own(file, digest)


def test_our_own_report_is_read_back_however_much_a_student_made_it_say(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    text = Json().render(replace(REPORT, notes=("x" * MAX_BYTES,)))
    file.write_text(text, "utf-8")

    assert read_own(file, hashlib.sha256(text.encode()).hexdigest()).score == REPORT.score
    with pytest.raises(UsageError, match="is no report"):
        read_report(file)


def test_a_picture_is_read_back_with_what_json_has_no_number_for(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(Json().render(DRAWN), "utf-8")

    read = read_report(file)

    jsonschema.validate(json.loads(file.read_text("utf-8")), SCHEMA)
    assert Json().render(read) == file.read_text("utf-8")
    picture = read.exercises[0].steps[0].picture
    assert picture is not None
    assert (picture.expected[0], picture.got[0][0][1]) == (((0.5, -math.inf),), math.inf)
    assert (picture.right, picture.first) == ((1,), 0)
    assert math.isnan(picture.got[0][0][0])
    shares = read.exercises[0].steps[0].shares
    assert shares is not None
    assert (shares.case, shares.names, shares.matrices[1]) == ("lesson", ("scores", "scaled"), ((0.5, 0.5),))
    assert shares.own == ((1.0, 0.0),)


def test_truth_values_are_read_back_as_such(tmp_path: Path) -> None:
    file, picture = (
        tmp_path / "report.json",
        Picture("six", "result", ("",), (((False, True),),), (((True, True),),), 0, 0),
    )
    steps = (replace(MIXED.steps[1], picture=picture),)
    file.write_text(Json().render(replace(REPORT, exercises=(replace(MIXED, steps=steps),))), "utf-8")

    read = read_report(file).exercises[0].steps[0].picture

    jsonschema.validate(json.loads(file.read_text("utf-8")), SCHEMA)
    assert read is not None
    assert repr(read) == repr(picture)


def broken(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(as_json(REPORT)))
    change(value)
    return value


def step(value: dict[str, Any]) -> Any:
    return value["exercises"][2]["steps"][1]


BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another schema": (lambda v: v.update(schema="v0"), "report.schema is 'v0', not 'attention-kit/report/v1'"),
    "a part missing": (lambda v: v.pop("pack"), "report has no 'pack'"),
    "a part too many": (lambda v: v.update(extra=1), "report has 'extra', which no report has"),
    "no number": (lambda v: v.update(seconds="1"), "report.seconds is no number"),
    "truth for a number": (lambda v: step(v).update(line=True), "report.exercises[2].steps[1].line is no integer"),
    "less than nothing": (lambda v: step(v).update(score=-1), "steps[1].score is -1, less than 0"),
    "no status": (lambda v: step(v).update(status="fine"), "steps[1].status is 'fine', not one of passed"),
    "no hash": (lambda v: v["pack"].update(sha256="no"), "report.pack.sha256 is 'no', which is not of its form"),
    "no steps": (lambda v: v["exercises"][0].update(steps=[]), "report.exercises[0].steps is empty"),
    "no stage": (lambda v: step(v).update(stage=3), "steps[1].stage is no object or null"),
    "no picture": (lambda v: step(v).update(picture={"case": "a"}), "steps[1].picture has no 'name'"),
    "no number in a picture": (
        lambda v: step(v).update(picture=as_json(DRAWN)["exercises"][0]["steps"][0]["picture"] | {"got": [[["1"]]]}),
        "steps[1].picture.got[0][0][0] is '1', which is not of its form",
    ),
    "no name": (lambda v: v["submission"].update(id=""), "report.submission.id is '', which is not of its form"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_the_schema_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    change, said = BROKEN[name]
    value = broken(change)
    (tmp_path / "report.json").write_text(json.dumps(value), "utf-8")

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, SCHEMA)
    with pytest.raises(UsageError) as told:
        read_report(tmp_path / "report.json")

    assert said in str(told.value)


BEYOND = {
    "endless": (lambda v: step(v).update(score=1e999), "steps[1].score is inf, beyond all that is computed with"),
    "a number beyond all": (lambda v: v.update(seconds=10**400), "report.seconds is 10000000000000000000, beyond all"),
    "a number below all": (lambda v: step(v).update(line=-(10**400)), "steps[1].line is -1000000000000000000, beyond"),
    "a number beyond all in a picture": (
        lambda v: step(v).update(picture={**as_json(DRAWN)["exercises"][0]["steps"][0]["picture"], "row": 10**400}),
        "steps[1].picture.row is 10000000000000000000, beyond all",
    ),
}


@pytest.mark.parametrize("name", BEYOND)
def test_a_number_that_nothing_can_be_computed_with_is_told_with_its_place(name: str) -> None:
    change, said = BEYOND[name]

    with pytest.raises(UsageError) as told:
        report_from(broken(change), "report.json")

    assert said in str(told.value)


@pytest.mark.parametrize("kind", ["pipe", "link", "link to what never ends", "folder", "sparse"])
def test_what_lies_in_place_of_our_own_report_is_a_sentence_and_never_waited_for(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "sparse":
        with file.open("wb") as opened:
            opened.truncate(1 << 40)  # a terabyte of nothing
    else:
        other = tmp_path / "other.json"
        other.write_text(Json().render(REPORT), "utf-8")
        file.symlink_to(other if kind == "link" else "/dev/zero")

    with pytest.raises(UsageError, match=f"{file} cannot be read: Invalid argument"):
        read_own(file, "0" * 64)


def drawn(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(as_json(DRAWN)))
    change(value["exercises"][0]["steps"][0])
    return value


UNFIT: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a name too few": (lambda s: s["shares"]["names"].pop(), "shares.names is of length 1, not 2"),
    "a name too many": (lambda s: s["shares"]["names"].append("x"), "shares.names is of length 3, not 2"),
    "another shape of one's own": (lambda s: s["shares"].update(own=[[1.0]]), "shares has matrices of unlike shapes"),
    "unlike rows": (lambda s: s["shares"]["matrices"][0].append([1.0]), "shares has matrices of unlike shapes"),
    "nothing for a slice": (lambda s: s["picture"]["got"].pop(), "picture.got is of length 1, not 2"),
    "another shape": (lambda s: s["picture"]["got"][1][0].pop(), "picture has matrices of unlike shapes"),
    "no such slice": (lambda s: s["picture"].update(right=[2]), "picture.right is [2], of 2 slices"),
    "nothing wrong": (lambda s: s["picture"].update(right=[0, 1]), "picture.right is [0, 1], of 2 slices"),
    "no such row": (lambda s: s["picture"].update(row=1), "picture has no cell 1, 1"),
    "no such column": (lambda s: s["picture"].update(column=2), "picture has no cell 0, 2"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_cannot_be_drawn_is_told_with_its_place(name: str) -> None:
    change, said = UNFIT[name]
    value = drawn(change)

    jsonschema.validate(value, SCHEMA)  # which has no words for it
    with pytest.raises(UsageError) as told:
        report_from(value, "stored.json")

    assert f"stored.json is no report: report.exercises[0].steps[0].{said}" in str(told.value)


def test_a_report_has_no_problems() -> None:
    assert [*problems(as_json(REPORT))] == []


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"score": NaN}', "\ud800"])
def test_what_is_no_json_is_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(text.encode("utf-8", "surrogatepass"))

    with pytest.raises(UsageError, match="is no report: it is no JSON"):
        read_report(tmp_path / "report.json")


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_report(tmp_path / "nothing.json")


def test_a_device_that_never_ends_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="/dev/zero is no report: it is far too long"):
        read_report(Path("/dev/zero"))


def test_the_schema_uses_no_word_that_is_not_held_to() -> None:
    known = {
        "$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "required", "properties",
        "additionalProperties", "items", "minItems", "minLength", "minimum", "pattern",
    }  # fmt: skip

    def words(schema: dict[str, Any]) -> set[str]:
        below = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
        below += [schema["items"]] if "items" in schema else []
        return {*schema}.union(*map(words, below))

    assert words(SCHEMA) <= known
