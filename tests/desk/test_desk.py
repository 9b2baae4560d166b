"""The desk says what it knows of what was graded, and never shows one version's verdict beside another's lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from grader.desk import desk as module
from grader.desk.bookmark import Bookmark, note_results
from grader.desk.desk import Desk
from grader.desk.events import Graded, Saved, Typed
from grader.desk.screen import Screen
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import ExerciseResult, Status
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.submission import hints
from tests.report.hand_made import REPORT, verdict

OLD, NEW = "def attention_scores(inputs):  # as it was\n", "def attention_scores(inputs):  # as it is\n"


class Requests:
    """Takes what is to be done, and does nothing."""

    def __init__(self, *_: Any) -> None:
        self.asked: list[tuple[str, ...] | str] = []
        self.submission: Submission | None = None

    def grade(self, submission: Submission, exercises: tuple[str, ...]) -> int:
        self.submission = submission
        self.asked.append(exercises)
        return len(self.asked)

    def ask(self, _: Any) -> int:
        self.asked.append("drawing")
        return len(self.asked)

    def close(self) -> None: ...


class Visited:
    """A desk at the first exercise, whose verdicts are made by hand."""

    def __init__(self, folder: Path, plugins: Plugins, pack: Pack) -> None:
        self.pack, self.first, self.stream = pack, pack.exercises[0], StringIO()
        self.file = folder / f"{self.first.id}.py"
        self.file.write_text(OLD, "utf-8")
        self.desk = Desk(plugins, Bookmark(folder, pack), Order(), None, Screen(self.stream))  # type: ignore[arg-type]
        self.requests: Requests = self.desk._gradings  # type: ignore[assignment]
        self.save()

    def save(self, source: str = OLD) -> None:
        self.file.write_text(source, "utf-8")
        self.desk._handle(Saved())

    def graded(self, status: Status = Status.FAILED, *, of_all: bool = False) -> None:
        """What was asked for last is done."""
        assert self.requests.submission is not None
        score = 1 if status is Status.PASSED else 0
        parts: dict[str, Any] = {} if score else {"summary": "It is off.", "file": self.file.name, "line": 1}
        results = [
            ExerciseResult(e.id, e.title, tuple(verdict(s.id, status, score, 1, **parts) for s in e.steps))
            for e in (self.pack.exercises if of_all else self.pack.exercises[:1])
        ]
        report = replace(REPORT, exercises=tuple(results), sources=self.requests.submission.sources)
        self.desk._handle(Graded(len(self.requests.asked), report))

    def types(self, *typed: str) -> str:
        """What is printed once this was typed."""
        before = len(self.stream.getvalue())
        for each in typed:
            self.desk._handle(Typed(each))
        return self.stream.getvalue()[before:]


@pytest.fixture
def visited(tmp_path: Path, plugins: Plugins, pack: Pack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visited]:
    monkeypatch.setattr(module, "Gradings", Requests)
    monkeypatch.setattr(module.Prompt, "is_there", True)
    desk = Visited(tmp_path, plugins, pack)
    yield desk
    desk.desk._keys.close()


def test_no_verdict_is_shown_beside_what_was_saved_after_it(visited: Visited) -> None:
    visited.graded()
    assert "as it was" in visited.types("l", "")

    visited.save(NEW)
    meanwhile = visited.types("l", "")

    assert "It is off." not in meanwhile
    assert "checking ex01" in meanwhile
    visited.graded()
    assert "as it is" in visited.types("l", "")


def test_the_list_shows_what_a_run_elsewhere_found_worse(visited: Visited) -> None:
    visited.graded(Status.PASSED)
    score = f" {len(visited.first.steps)} / {len(visited.first.steps)}\n"
    passed = visited.types("l")
    visited.types("")
    assert f"> + ex01  {visited.first.title} " in passed
    worse = [ExerciseResult(visited.first.id, "", (verdict("ex01.query", Status.FAILED, 0, 1),))]

    note_results(visited.file.parent, visited.pack, worse)
    listed = visited.types("l")

    assert f"> x ex01  {visited.first.title} . passed before" in listed
    assert score in passed and score not in listed, "those points are not had any more"


def test_the_list_tells_what_was_graded_and_is_not_passed_from_what_is_not_begun(visited: Visited) -> None:
    first, second = visited.pack.exercises[:2]
    failed = [ExerciseResult(second.id, "", (verdict("ex02.softmax", Status.FAILED, 0, 1),))]
    visited.graded(Status.UNSTARTED)

    note_results(visited.file.parent, visited.pack, failed)  # in another session
    listed = visited.types("l")

    assert f"> . ex01  {first.title} " in listed
    assert f"  x ex02  {second.title} " in listed
    note_results(
        visited.file.parent, visited.pack, [replace(failed[0], steps=(verdict("ex02.a", Status.UNSTARTED, 0, 1),))]
    )
    assert f"  . ex02  {second.title} " in visited.types("", "l")


def test_no_hint_is_taken_while_it_is_not_known_what_for(visited: Visited) -> None:
    assert "It is still being checked" in visited.types("h")
    visited.graded()
    visited.save(NEW)
    assert "It is still being checked" in visited.types("h")
    assert hints.seen(visited.file) == {}

    visited.graded()

    assert f"hint: {visited.first.steps[0].hints[0][:20]}" in visited.types("h")


def test_a_hint_on_what_is_not_begun_is_shown(visited: Visited) -> None:
    visited.graded(Status.UNSTARTED)

    assert f"hint: {visited.first.steps[0].hints[0][:20]}" in visited.types("h")


def test_who_waits_long_is_told_once_that_what_does_not_end_is_stopped(visited: Visited) -> None:
    visited.save(NEW)
    before = len(visited.stream.getvalue())
    visited.desk._patient_until = 1e-9  # long ago

    visited.desk._handle(visited.desk._next_event())

    assert f"A step that runs for {Order().seconds:g} s is stopped" in visited.stream.getvalue()[before:]
    assert not visited.desk._patient_until


def test_nothing_more_is_said_of_waiting_once_the_verdict_is_there(visited: Visited) -> None:
    visited.save(NEW)
    visited.graded()

    assert not visited.desk._patient_until


def test_n_while_it_is_checked_says_so(visited: Visited) -> None:
    visited.graded()
    visited.save(NEW)

    assert "still being checked" in visited.types("n")


def test_a_hint_is_shown_though_it_cannot_be_noted(visited: Visited) -> None:
    visited.file.with_name(hints.FILE).mkdir()
    visited.graded()

    shown = visited.types("h")
    again = visited.types("h")

    assert f"hint: {visited.first.steps[0].hints[0][:20]}" in shown
    assert "cannot be written" in " ".join(shown.split())  # a line may end within it, after a long path
    assert f"hint: {visited.first.steps[0].hints[1][:20]}" in again


def test_a_sentence_is_drawn_by_the_class_that_was_graded(visited: Visited) -> None:
    visited.types("a")
    visited.graded(Status.PASSED, of_all=True)

    said = visited.types("the cat")

    assert visited.requests.asked[-1] == "drawing"
    assert "drawing your attention" in said


def test_what_was_saved_while_a_sentence_was_typed_is_graded_first(visited: Visited) -> None:
    visited.types("a")
    visited.graded(Status.PASSED, of_all=True)
    visited.save(NEW)
    before = len(visited.requests.asked)

    visited.types("the cat")

    assert visited.requests.asked[before:] == [()], "everything, and nothing is drawn"
    assert visited.requests.submission is not None
    assert visited.requests.submission.modules[visited.first.id].decode() == NEW


def test_a_file_that_is_empty_is_not_believed_before_it_has_settled(visited: Visited) -> None:
    visited.graded()
    before = len(visited.requests.asked)

    visited.save("")
    assert len(visited.requests.asked) == before
    visited.save(NEW)
    assert len(visited.requests.asked) == before + 1

    visited.save("")
    visited.desk._settle_by = 1e-9  # long ago
    visited.save("")
    assert len(visited.requests.asked) == before + 2


@pytest.mark.parametrize("status", [Status.FAILED, Status.PASSED])
def test_where_no_key_can_be_pressed_commands_lead_on(
    status: Status, visited: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.Prompt, "is_there", False)
    before = len(visited.stream.getvalue())

    visited.graded(status)

    last = visited.stream.getvalue()[before:].splitlines()[-1]
    folder, (first, second, *_) = visited.file.parent, visited.pack.exercises
    hint = f"grade hint {first.steps[0].id} --in {folder} or "
    following = f"grade run {folder} --exercise "
    offered = hint + following + first.short if status is Status.FAILED else following + second.short
    assert last == f"  type: {offered}"
