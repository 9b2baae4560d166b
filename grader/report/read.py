"""Reads a stored JSON report back: what comes out is written as the very same bytes again."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from grader.model.errors import UsageError
from grader.model.pack import Visibility
from grader.model.report import (
    Cause,
    Diagnosis,
    ExerciseResult,
    Matrix,
    Picture,
    Report,
    Shares,
    Stage,
    Status,
    Target,
    Verdict,
)
from grader.report.schema import problems
from grader.words import say

# Far more than any report has: sixty steps with a few sentences each.
MAX_BYTES = 32 << 20
# Of our own, which must not keep a class from its grades, whatever a student has made it say.
MAX_OWN = 512 << 20


def read_report(file: Path) -> Report:
    """The report in a file. Raises UsageError, with what is wrong, for a file that is none."""
    try:
        with file.open("rb") as opened:
            text = opened.read(MAX_BYTES + 1)  # a pipe or a device says nothing of how much there is
    except OSError as error:
        raise UsageError(say("show.not-readable", file=file, why=error.strerror)) from None
    return report_from(parsed(text, str(file)), str(file))


def read_own(file: Path, digest: str) -> Report:
    """The report in a file that is ours, if its bytes have this sha256; else as any other. Raises UsageError.

    To hold a report to its schema takes longer than all else that is done to read it.
    """
    try:
        text = own_bytes(file)
    except OSError as error:
        raise UsageError(say("show.not-readable", file=file, why=error.strerror)) from None
    with contextlib.suppress(KeyError, TypeError, ValueError):  # of an earlier version, perhaps
        if hashlib.sha256(text).hexdigest() == digest:
            return _report(json.loads(text))
    return report_from(parsed(text, str(file)), str(file))


def own_bytes(file: Path) -> bytes:
    """What lies where a report of ours was written. Raises OSError, also where that is no file, such as a pipe that one
    would wait for, or far too large."""
    facts = file.lstat()
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > MAX_OWN:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return file.read_bytes()


def parsed(text: bytes, name: str) -> Any:
    """The value that a text is as JSON. name: what to call it. Raises UsageError for none, or one far too long."""
    if len(text) > MAX_BYTES:
        raise UsageError(say("show.no-report", file=name, why=say("show.too-long")))
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise UsageError(say("show.no-report", file=name, why=say("show.no-json"))) from None


def report_from(value: Any, name: str) -> Report:
    """The report that a JSON value is. name: what to call it. Raises UsageError, with what is wrong, for none."""
    wrong = next(chain(problems(value), _misfits(value)), None)
    if wrong is not None:
        raise UsageError(say("show.no-report", file=name, why=wrong))
    return _report(value)


def _misfits(report: Mapping[str, Any]) -> Iterator[str]:
    """What no schema can say: parts of what is drawn that do not fit each other, each with its place."""
    for number, exercise in enumerate(report["exercises"]):
        for position, step in enumerate(exercise["steps"]):
            at = f"report.exercises[{number}].steps[{position}]"
            if step["picture"] is not None:
                yield from _misfits_of_picture(step["picture"], f"{at}.picture")
            if "shares" in step:
                yield from _misfits_of_shares(step["shares"], f"{at}.shares")


def _misfits_of_picture(picture: Mapping[str, Any], at: str) -> Iterator[str]:
    count, right = len(picture["slices"]), picture.get("right", [])
    for side in ("expected", "got"):
        yield from _other_length(picture[side], count, f"{at}.{side}")
    yield from _unlike_shapes((*picture["expected"], *picture["got"]), at)
    if not (picture["row"] < len(picture["got"][0]) and picture["column"] < len(picture["got"][0][0])):
        yield f"{at} has no cell {picture['row']}, {picture['column']}"
    if not {*right} < {*range(count)}:  # one at least is wrong
        yield f"{at}.right is {right!s:.40}, of {count} slices"


def _misfits_of_shares(shares: Mapping[str, Any], at: str) -> Iterator[str]:
    yield from _other_length(shares["names"], len(shares["matrices"]), f"{at}.names")
    yield from _unlike_shapes((*shares["matrices"], shares.get("own", shares["matrices"][0])), at)


def _other_length(value: Sequence[Any], length: int, at: str) -> Iterator[str]:
    if len(value) != length:
        yield f"{at} is of length {len(value)}, not {length}"


def _unlike_shapes(matrices: Iterable[Sequence[Sequence[Any]]], at: str) -> Iterator[str]:
    if len({(len(matrix), len(row)) for matrix in matrices for row in matrix}) > 1:
        yield f"{at} has matrices of unlike shapes"


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)  # NaN and infinity are no JSON, whatever Python's reader thinks


def _report(value: Mapping[str, Any]) -> Report:
    return Report(
        submission=value["submission"],
        pack=value["pack"],
        environment=value["environment"],
        exercises=tuple(
            ExerciseResult(exercise["id"], exercise["title"], tuple(map(_verdict, exercise["steps"])))
            for exercise in value["exercises"]
        ),
        seconds=value["seconds"],
        notes=tuple(value["notes"]),
    )


def _verdict(step: Mapping[str, Any]) -> Verdict:
    read = {
        "status": Status(step["status"]),
        "visibility": Visibility(step.get("visibility", Visibility.VISIBLE)),
        "targets": tuple(Target(t["device"], t["dtype"], Status(t["status"])) for t in step["targets"]),
        "diagnosis": tuple(Diagnosis(**found) for found in step["diagnosis"]),
        "stage": Stage(**step["stage"]) if step["stage"] is not None else None,
        "cause": Cause(**step["cause"]) if "cause" in step else None,
        "picture": _picture(step["picture"]) if step["picture"] is not None else None,
        "shares": _shares(step["shares"]) if "shares" in step else None,
    }
    lists = {name: tuple(step[name]) for name in ("hints", "notes")}
    return Verdict(**{**step, **read, **lists})


def _picture(picture: Mapping[str, Any]) -> Picture:
    drawn = {side: tuple(map(_matrix, picture[side])) for side in ("expected", "got")}
    lists = {"slices": tuple(picture["slices"]), "right": tuple(picture.get("right", ()))}
    return Picture(**{**picture, **lists, **drawn})


def _shares(shares: Mapping[str, Any]) -> Shares:
    own = _matrix(shares["own"]) if "own" in shares else None
    return Shares(shares["case"], tuple(shares["names"]), tuple(map(_matrix, shares["matrices"])), own)


def _matrix(matrix: Iterable[Iterable[float | str]]) -> Matrix:
    return tuple(tuple(value if isinstance(value, bool) else float(value) for value in row) for row in matrix)
