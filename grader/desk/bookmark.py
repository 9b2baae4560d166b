"""Where the student is in the pack: the current exercise, what was passed, and the file that remembers both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from grader.model.errors import NotWritten
from grader.model.pack import Exercise, Pack
from grader.model.report import ExerciseResult
from grader.model.write import write_whole
from grader.submission.files import FOLDER, MODULE
from grader.submission.progress import Progress, progress_file, progress_text, read_progress
from grader.words import say


def note_results(path: Path, pack: Pack, results: Iterable[ExerciseResult]) -> None:
    """Remember what is passed now in a student's own folder. Raises NotWritten. Where they are, stays."""
    there = read_progress(path, pack)
    known = _after(there, results)
    if there.is_kept and known != there:
        write_whole(progress_file(path), progress_text(known, pack))


def _after(progress: Progress, results: Iterable[ExerciseResult]) -> Progress:
    graded = [*results]
    failed = progress.with_failed(result.id for result in graded if not result.is_full)
    begun = failed.with_begun((each.id for each in graded if each.is_begun), (each.id for each in graded))
    return begun.with_passed(result.id for result in graded if result.is_full)


class Bookmark:
    """Each change is written at once. complaint: a sentence on the file, "" where there is nothing to say."""

    def __init__(self, path: Path, pack: Pack, start: Exercise | None = None) -> None:
        self.path, self.pack = path, pack
        self.progress = read_progress(path, pack)
        self.complaint = self.progress.complaint
        self.current = start or self.progress.current(pack)

    @property
    def is_passed(self) -> bool:
        """Whether the current exercise was ever passed."""
        return self.current.id in self.progress.passed

    @property
    def following(self) -> Exercise | None:
        """The next exercise that was not passed; None where all others were."""
        return self.progress.following(self.pack, self.current)

    @property
    def file(self) -> Path:
        """Where the current exercise is written: its module, or what was given where that is one file."""
        name = f"{self.current.id}{MODULE}"
        if not self.path.is_dir():
            is_of_one = self.path.name in {exercise.file for exercise in self.pack.exercises}
            return self.path.with_name(name) if is_of_one else self.path
        inner = self.path / FOLDER / name
        return inner if not (self.path / name).exists() and inner.exists() else self.path / name

    def go(self, exercise: Exercise) -> None:
        self.current = exercise
        self.note([])

    def note(self, results: Iterable[ExerciseResult]) -> None:
        """Remember what was graded. What another process, or the student, wrote there meanwhile is kept."""
        there = read_progress(self.path, self.pack)
        last = there if there.is_kept else self.progress
        passed = there.passed | self.progress.passed
        known = replace(there, passed=passed, worse=last.worse, begun=last.begun - passed)
        self.progress = _after(known, results).at(self.current)
        self.complaint = there.complaint
        text = progress_text(self.progress, self.pack)
        if not there.is_kept or self.progress == there:
            return
        try:
            write_whole(progress_file(self.path), text)
        except NotWritten as error:
            self.complaint = say("desk.progress-until-quit", why=error)
