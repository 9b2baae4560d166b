"""The desk: waits for saves and keys, has the current exercise graded, and shows what came of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from operator import itemgetter
from queue import Empty, SimpleQueue

from grader.desk import pages
from grader.desk.attention import attention, tokens_of
from grader.desk.bookmark import Bookmark
from grader.desk.events import Drawn, Event, Graded, Lasting, Polling, Resized, Saved, Typed, Unanswered
from grader.desk.gradings import Gradings
from grader.desk.keys import Keys
from grader.desk.page import Page
from grader.desk.prompt import Prompt
from grader.desk.reset import reset
from grader.desk.saves import Saves, relevant
from grader.desk.screen import Drawing, Screen
from grader.desk.verdict import verdict
from grader.model.commands import exercise_called
from grader.model.errors import GraderError
from grader.model.order import Order
from grader.model.report import ExerciseResult, Report, Verdict
from grader.model.submission import Submission
from grader.model.text import clean
from grader.pack.fixtures import Fixtures
from grader.plugins.registry import Plugins
from grader.report.lines import BAD, DIM, PLAIN, Line
from grader.runner.processes.spawner import Spawner
from grader.submission import hints
from grader.submission.files import MODULE
from grader.submission.read import read_submission
from grader.words import say

# An editor that empties a file before it writes it, or puts another in its place, is done within this time.
SETTLE_SECONDS = 0.25
# Who has waited so long wonders whether anything is being done.
PATIENCE_SECONDS = 3.0


class Desk:
    """Deals with events in turn, on one thread. `run` returns when the student is done. polls: why to poll, or ""."""

    def __init__(
        self, plugins: Plugins, bookmark: Bookmark, order: Order, worker: Spawner, screen: Screen, polls: str = ""
    ) -> None:
        self._plugins, self._bookmark, self._pack, self._screen = plugins, bookmark, bookmark.pack, screen
        self._why_to_poll, self._step_seconds = polls, order.seconds
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._gradings = Gradings(plugins, self._pack, order, worker, self._events.put)
        self._page = Page()
        self._keys = Keys(self._events.put)
        self._prompt = Prompt(screen, self._keys, {
            "n": self._next, "h": self._hint, "l": self._list, "r": self._grade, "a": self._grade_all,
            "o": self._open, "x": self._reset, "q": self._quit,
        })  # fmt: skip
        self._is_over = False
        self._polls = ""  # why, where saves are looked for
        self._remark = ""  # to be said once, below the next page
        self._settle_by = 0.0  # until then a file that is empty or gone is not believed; 0 where none is
        self._awaited = 0  # the number of the request whose answer is waited for; 0 where nothing is
        self._waiting: Drawing = list  # what is shown meanwhile
        self._patient_until = 0.0  # when it is said that it may take longer; 0 where it was, or nothing is awaited
        self._wants_all = False
        self._seen: Mapping[str, bytes] = {}  # every module as it was last read
        self._rests_on: Mapping[str, bytes] = {}  # what the verdict rests on that is shown or awaited
        self._submission: Submission | None = None
        self._report: Report | None = None
        self._results: dict[str, ExerciseResult] = {}
        self._reports: dict[str, Report] = {}  # those that the results are from, with the sources that were graded

    def run(self) -> None:
        """Work until `q`. Raises GraderError for what no save can mend, and KeyboardInterrupt."""
        saves = None
        try:
            read_submission(self._bookmark.path, self._pack)  # where nothing is, that is said before anything else
            saves = Saves(self._bookmark.path, self._why_to_poll, self._events.put)
            self._grade()
            while not self._is_over:
                self._handle(self._next_event())
        finally:
            for each in (self._keys, saves, self._gradings, self._page):
                if each is not None:
                    each.close()

    def _next_event(self) -> Event:
        due = [(at, event) for at, event in ((self._settle_by, Saved()), (self._patient_until, Lasting())) if at]
        if not due:
            return self._events.get()
        at, event = min(due, key=itemgetter(0))
        try:
            return self._events.get(timeout=max(0.0, at - time.monotonic()))
        except Empty:
            return event

    def _handle(self, event: Event) -> None:
        match event:
            case Typed(text):
                try:
                    self._prompt.typed(text)
                except GraderError as error:
                    self._say(str(error), error.remedy)
            case Saved() if not self._prompt.is_line:  # else it is seen once the line is typed
                self._saved()
            case Graded() | Drawn() | Unanswered() if event.number == self._awaited:
                self._done(event)
            case Resized():
                self._screen.resized()
            case Lasting():
                self._patient_until = 0.0
                self._say(say("desk.takes-long", seconds=f"{self._step_seconds:g}"))
            case Polling(why):
                self._polls = why
                self._say(say("desk.polling", why=why))

    def _saved(self) -> None:
        """Grade what has changed; look again a little later where it seems to be half saved."""
        submission = self._read()
        if submission is None:
            return
        now = relevant(self._pack, self._bookmark.current, submission)
        if now == self._rests_on:
            self._settle_by = 0.0
            self._saved_elsewhere(submission)
            return
        is_half = any(text.strip() and not now.get(name, b"").strip() for name, text in self._rests_on.items())
        if is_half and not self._settle_by:
            self._settle_by = time.monotonic() + SETTLE_SECONDS
        elif not is_half or time.monotonic() >= self._settle_by:
            self._grade(submission)

    def _saved_elsewhere(self, submission: Submission) -> None:
        """Say that another exercise was saved, rather than leave this one for it."""
        before, self._seen = self._seen, submission.modules
        others = [e for e in self._pack.exercises if self._seen.get(e.id) != before.get(e.id)]
        if others:
            said = say("desk.saved-elsewhere", saved=others[0].id, current=self._bookmark.current.short)
            self._screen.add(lambda: pages.sentences([said], DIM), of="saves")

    def _grade(self, submission: Submission | None = None) -> None:
        """Have the current exercise graded as it is now."""
        current = self._bookmark.current
        what = f"{current.short} {current.title}"
        self._have_graded((current.id,), submission or self._read(), lambda: [*self._head(), pages.checking(what)])

    def _grade_all(self) -> None:
        self._have_graded((), self._read(), lambda: [pages.checking(say("desk.every-exercise"))])

    def _have_graded(self, exercises: tuple[str, ...], submission: Submission | None, page: Drawing) -> None:
        self._prompt.drop()
        if submission is None:
            return
        self._submission, self._seen = submission, submission.modules
        self._rests_on = relevant(self._pack, self._bookmark.current, submission)
        self._settle_by = 0.0
        self._wants_all = not exercises
        self._await(self._gradings.grade(submission, exercises), page)

    def _await(self, number: int, page: Drawing) -> None:
        self._awaited, self._waiting = number, page
        self._patient_until = time.monotonic() + PATIENCE_SECONDS
        self._screen.page(self._waiting)

    def _read(self) -> Submission | None:
        """What is there now; None, and a sentence the first time, where nothing is."""
        try:
            return read_submission(self._bookmark.path, self._pack)
        except GraderError as error:
            if self._seen:
                self._seen, self._rests_on = {}, {}
                self._awaited, self._settle_by, self._patient_until = 0, 0.0, 0.0
                self._prompt.drop()
                told = [str(error), say("desk.looked-for")]
                self._screen.page(lambda: pages.sentences(told, BAD))
            return None

    def _done(self, event: Graded | Drawn | Unanswered) -> None:
        self._awaited, self._patient_until = 0, 0.0
        match event:
            case Graded(_, report):
                self._report = report
                self._results |= {result.id: result for result in report.exercises}
                self._reports |= {result.id: report for result in report.exercises}
                self._bookmark.note(report.exercises)
                if self._prompt.is_asking:  # what was asked stays to be read; the answer leads back here
                    return
                if not self._wants_all:
                    self._show()
                elif report.is_full:
                    self._screen.page(lambda: pages.congratulation(report))
                    self._ask_for_a_sentence()
                else:
                    self._screen.page(lambda: [*pages.all_page(report), [], *self._offered()])
            case Drawn():
                written = next(s.of for e in self._pack.exercises for s in e.steps if s.id == self._pack.ending)
                self._screen.page(lambda: pages.drawn(event, written, coloured=self._screen.coloured))
                self._ask_for_a_sentence()
            case Unanswered(_, error):
                if not isinstance(error, GraderError) or error.is_fatal:
                    raise error
                self._prompt.drop()
                told = [str(error), error.remedy]
                self._screen.page(lambda: self._framed(pages.sentences(told, BAD)))

    def _show(self) -> None:
        """The current exercise as it was graded last, or that it is being graded."""
        report, seen = self._reports.get(self._bookmark.current.id), hints.seen(self._bookmark.path)
        if self._awaited or report is None:
            self._screen.page(self._waiting if self._awaited else lambda: [*self._head(), *self._offered()])
            return
        drawings = verdict(self._bookmark, report, seen, self._remark, coloured=self._screen.coloured)
        self._remark = ""
        framed = [lambda version=version: self._framed(version()) for version in drawings.versions]
        self._screen.page(*framed, core=drawings.core, foot=lambda: [*drawings.foot(), *self._offered()])

    def _framed(self, lines: Iterable[Line]) -> Iterable[Line]:
        """What is said of the current exercise, with what stands around it."""
        return [*self._head(), *lines, [], *self._offered()]

    def _head(self) -> Iterable[Line]:
        return pages.head(self._bookmark.current, self._pack, self._bookmark.progress, self._bookmark.file, self._polls)

    def _offered(self) -> Iterable[Line]:
        """The keys that lead on from here; what to type in another terminal where none can be pressed."""
        if self._prompt.is_there:
            return pages.keys(may_go_on=self._bookmark.is_passed)
        mistake = self._first_mistake()
        following = self._bookmark.following if mistake is None else self._bookmark.current
        return [pages.commands(mistake, following or self._bookmark.current, self._bookmark.path)]

    def _first_mistake(self) -> Verdict | None:
        result = self._results.get(self._bookmark.current.id)
        return pages.first_mistake(result) if result is not None else None

    def _next(self) -> None:
        """Go on, after a pass only."""
        if not self._bookmark.is_passed:
            self._say(say("desk.next-still-checked" if self._awaited else "desk.not-passed-yet"))
        elif self._bookmark.following is None:
            self._grade_all()
        else:
            self._bookmark.go(self._bookmark.following)
            self._grade()

    def _hint(self) -> None:
        mistake = self._first_mistake()
        if self._awaited or mistake is None:
            is_graded = self._bookmark.current.id in self._results
            without = say("desk.nothing-to-hint-at" if is_graded else "desk.not-graded")
            self._say(say("desk.still-checked") if self._awaited else without)
            return
        step = next(step for step in self._bookmark.current.steps if step.id == mistake.id)
        was_last = hints.seen(self._bookmark.path).get(step.id, 0) >= len(step.hints)
        try:
            hints.remember(self._bookmark.path, step, hints.following(self._bookmark.path, step))
        finally:
            self._show()
        if was_last:
            self._say(say("desk.last-hint"))

    def _list(self) -> None:
        self._bookmark.note([])  # and see what was graded elsewhere meanwhile
        self._screen.page(
            lambda: pages.list_page(self._pack, self._bookmark.progress, self._bookmark.current, self._results)
        )
        self._prompt.ask_number(say("desk.which-number"), self._go)

    def _go(self, number: str) -> None:
        if found := exercise_called(number, self._pack.handed_out):
            self._bookmark.go(found)
            self._grade()
            return
        self._show()
        if number:
            self._say(say("desk.no-such-number", number=clean(number, 20)))

    def _open(self) -> None:
        if self._report is not None:
            self._say(self._page.open(self._report, self._plugins.reporters["html"]))

    def _reset(self) -> None:
        name = self._bookmark.file.name
        if name != f"{self._bookmark.current.id}{MODULE}":
            self._say(say("desk.no-stub-of", file=name))
            return
        self._screen.add(lambda: [[]])
        self._prompt.ask_consent(say("desk.put-back", file=name, yes=say("desk.yes")), self._put_back)

    def _put_back(self, consent: str) -> None:
        if not consent:
            self._show()
            return
        try:
            kept = reset(self._bookmark.file, Fixtures(self._pack).stub(self._bookmark.current))
        except GraderError:
            self._show()
            raise
        self._remark = say("desk.is-back-and-kept", kept=kept.name) if kept else say("desk.is-back")
        self._grade()

    def _ask_for_a_sentence(self) -> None:
        given = {step.id for exercise in self._pack.handed_out for step in exercise.steps}
        if self._pack.ending in given and self._prompt.is_there:
            self._prompt.ask_line(say("desk.which-sentence"), self._draw)

    def _draw(self, sentence: str) -> None:
        """Draw the attention of the class that was graded; where anything was saved meanwhile, grade all again."""
        tokens, now, graded = tokens_of(sentence), self._read(), self._submission
        if now is None or graded is None:
            return
        if not tokens:
            self._grade(now)
        elif (now.modules, now.unreadable) != (graded.modules, graded.unreadable):
            self._grade_all()
        else:
            number = self._gradings.ask(lambda session, number: attention(session, graded, tokens, number))
            self._await(number, lambda: [pages.drawing()])

    def _quit(self) -> None:
        self._is_over = True

    def _say(self, *sentences: str) -> None:
        said = [*filter(None, sentences)]
        self._screen.add(lambda: pages.sentences(said, PLAIN))
