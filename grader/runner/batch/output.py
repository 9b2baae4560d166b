"""The output folder of a batch: one report a submission, each written whole, and the store of what they rest on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from grader.model.errors import ExitCode, UsageError
from grader.model.handed import Handed
from grader.model.report import Report
from grader.model.reporter import Reporter, TellsOfFailure
from grader.model.write import remove, remove_halves, write_whole
from grader.report.changes import Previous, statuses
from grader.report.html.student import student_page
from grader.report.outcome import Outcome
from grader.report.read import own_bytes, read_own
from grader.report.shown import for_student, rendered
from grader.report.summary import Entry
from grader.runner.batch.store import NAME, Basis, Result, Store

RESULTS = "results"
STUDENTS = "students"
BACK = "../index.html"
# Most file systems take 255 bytes; an ending follows, and names are passed on to systems that take less.
LONGEST = 120
SUFFIXES = {
    "json": ".json", "html": ".html", "markdown": ".md", "junit": ".xml", "tap": ".tap", "gradescope": ".json",
    "classroom50": ".json", "prairielearn": ".json", "exercism": ".json", "codegrade": ".json",
}  # fmt: skip


class OutputFolder:
    """Where a batch writes. formats: more formats than JSON, each with the folder that it goes to."""

    def __init__(self, folder: Path, json: Reporter, formats: Mapping[Path, Reporter]) -> None:
        self.folder, self._json = folder, json
        self._formats = formats
        self.results = folder / RESULTS
        for each in (self.results, folder / STUDENTS, folder / NAME):
            if each.is_symlink():  # what we write would take the place of something else
                raise UsageError(f"{each} is a link, which leads out of that folder; name another folder with --out.")
        for each in (self.results, folder / STUDENTS, *formats):
            try:
                each.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"{each} cannot be written: {error.strerror}; name another folder.") from None
            remove_halves(each)
        self.store = Store(folder)

    def keep(self, handed: Handed, report: Report, outcome: Outcome, basis: Basis) -> None:
        """Write a report in every format and its page, then the row that says they are there. Raises NotWritten."""
        previous = self._previous(handed.id)
        who = handed.identity
        shown = student_page(for_student(report), name=who.name, back=BACK, late=who.late)
        write_whole(self.folder / page(handed.id), shown)
        for folder, reporter in self._formats.items():
            self._write(folder / file_name(handed.id, reporter), reporter, report, outcome)
        name = file_name(handed.id, self._json)
        text = self._json.render(report)
        write_whole(self.results / name, text)
        digest = _digest(text.encode("utf-8", "replace"))
        self.store.put(
            Result(
                handed.id, handed.identity, handed.earlier, basis, name, digest, outcome, report.score,
                report.max_score, previous=previous,
            )
        )  # fmt: skip

    def _write(self, file: Path, reporter: Reporter, report: Report, outcome: Outcome) -> None:
        """Write a format. What a platform takes for a grade says none where the grader failed. Raises NotWritten."""
        if outcome is not Outcome.UNGRADED or not isinstance(reporter, TellsOfFailure):
            write_whole(file, rendered(reporter, report))
        elif text := reporter.failed(next(iter(report.notes), ""), ExitCode.INTERNAL):
            write_whole(file, text)
        else:
            remove(file)

    def unchanged(self, handed: Handed, basis: Basis) -> Result | None:
        """The result that rests on the very same, where it is there whole; noted as handed in this time."""
        found = self.store.find(handed.id)
        if found is None or found.basis != basis or found.outcome == Outcome.UNGRADED or not self._is_whole(found):
            return None
        self.store.put(replace(found, identity=handed.identity, earlier=handed.earlier))
        return found

    def graded(self) -> Iterator[Entry]:
        """What was handed in this time, read back one after the other."""
        compared_with = self.store.compared_with()
        for result in self.store.results():
            yield Entry(
                result.identity,
                read_own(self._file(result.id), result.report),
                Outcome(result.outcome),
                result.earlier,
                result.previous,
                is_news=0 < compared_with < result.graded,
            )

    def _previous(self, identifier: str) -> Previous | None:
        """What a submission was in the last grading that came to its end, before its result is replaced."""
        found = self.store.find(identifier)
        if found is None or not self.store.is_closed(found):
            return found.previous if found else None
        try:
            were = statuses(read_own(self._file(identifier), found.report))
        except UsageError:  # somebody has changed or removed it
            were = {}
        return Previous(found.outcome, found.score, found.max_score, were)

    def _file(self, identifier: str) -> Path:
        """Where the report of a submission is, whatever a row says that somebody else may have written."""
        return self.results / file_name(identifier, self._json)

    def _is_whole(self, result: Result) -> bool:
        """Whether every file of a result is there, and the report is the one that was written."""
        try:
            is_own = _digest(own_bytes(self._file(result.id))) == result.report
        except OSError:
            return False
        others = [folder / file_name(result.id, reporter) for folder, reporter in self._formats.items()]
        return is_own and all(file.is_file() for file in (self.folder / page(result.id), *others))


def file_stem(identifier: str) -> str:
    """An id as the name of a file anywhere: other characters as percent and hex, and what is too long cut short."""
    safe = re.sub(r"[^\w +@,=~.-]|^\.|[. ]$", lambda found: _escaped(found[0]), identifier)
    if len(safe.encode()) <= LONGEST:
        return safe
    head = safe.encode()[:LONGEST].decode("utf-8", "ignore")
    return f"{head}~{_digest(identifier.encode('utf-8', 'replace'))[:8]}"


def _escaped(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "replace"))


def page(identifier: str) -> str:
    """A student's page, as the page of the class links to it."""
    return f"{STUDENTS}/{file_stem(identifier)}.html"


def file_name(identifier: str, reporter: Reporter) -> str:
    """What a report in a format is called."""
    return f"{file_stem(identifier)}{SUFFIXES.get(reporter.name, '.txt')}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
