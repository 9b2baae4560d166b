"""How far a student has come: a small text file in their folder, to be read, moved and merged by hand.

A line for each exercise that was ever passed, `ex01_dot_product_scores passed`, a second one for what has become worse
since, `ex01_dot_product_scores worse`, one for what was graded and never passed, `ex03_context_vectors begun`, and one
for where they are, `ex02_softmax_weights here`. Whatever else stands there is theirs, and stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.model.pack import Exercise, Pack
from grader.model.text import clean
from grader.submission.files import Unreadable, beside, read_regular
from grader.words import say

FILE = ".grade-progress"
MAX_BYTES = 64 * 1024
PASSED, WORSE, BEGUN, HERE = "passed", "worse", "begun", "here"


@dataclass(frozen=True, slots=True)
class Progress:
    """What the file says.

    passed: exercises that were passed once, whatever has become of them. here: the exercise where the student is, ""
    where nothing says so. others: lines that are kept as they are. complaint: a sentence on what could not be
    understood, "" where all could. is_kept: whether it can be written at all; not where the file cannot be read.
    worse: those of the passed ones that were not passed when they were graded last. begun: those that were never passed
    and had something to grade.
    """

    passed: frozenset[str] = frozenset()
    here: str = ""
    others: tuple[str, ...] = ()
    complaint: str = ""
    is_kept: bool = True
    worse: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()

    def current(self, pack: Pack) -> Exercise:
        """Where to go on: where the student was, else the first exercise that was not passed, else the last."""
        open_ones = [exercise for exercise in pack.handed_out if exercise.id not in self.passed]
        there = [exercise for exercise in pack.exercises if exercise.id == self.here]
        return next(iter([*there, *open_ones]), pack.handed_out[-1])

    def following(self, pack: Pack, exercise: Exercise) -> Exercise | None:
        """The next exercise that was not passed, from the first again after the last; None where all were."""
        at = pack.exercises.index(exercise)
        order = [*pack.exercises[at + 1 :], *pack.exercises[:at]]
        return next((each for each in order if each in pack.handed_out and each.id not in self.passed), None)

    def with_passed(self, ids: Iterable[str]) -> Progress:
        now = frozenset(ids)
        return replace(self, passed=self.passed | now, worse=self.worse - now, begun=self.begun - now)

    def with_failed(self, ids: Iterable[str]) -> Progress:
        """With exercises that are not passed now, of which those that were are worse."""
        return replace(self, worse=self.worse | (self.passed & frozenset(ids)))

    def with_begun(self, ids: Iterable[str], graded: Iterable[str]) -> Progress:
        """With those of the graded exercises in which there was something to grade."""
        return replace(self, begun=(self.begun - frozenset(graded) | frozenset(ids)) - self.passed)

    def at(self, exercise: Exercise) -> Progress:
        return replace(self, here=exercise.id)


def read_progress(path: Path, pack: Pack) -> Progress:
    """The progress in the folder of what is graded. path: that folder, or a file in it."""
    file = progress_file(path)
    if not file.is_symlink() and not file.exists():
        return Progress()
    try:
        text = read_regular(file, MAX_BYTES).decode("utf-8")
    except Unreadable as why:
        return Progress(complaint=say("desk.progress-unreadable", file=file, why=why), is_kept=False)
    except UnicodeDecodeError:
        return Progress(complaint=say("desk.progress-no-text", file=file), is_kept=False)
    known = {name: exercise.id for exercise in pack.exercises for name in (exercise.id, exercise.short)}
    passed, worse, begun, here, others = set[str](), set[str](), set[str](), "", []
    strange: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case [name, "passed"] if name in known:
                passed.add(known[name])
            case [name, "worse"] if name in known:
                worse.add(known[name])
            case [name, "begun"] if name in known:
                begun.add(known[name])
            case [name, "here"] if name in known:
                here = known[name]
            case [word, *_] if not word.startswith("#"):
                strange.append((number, line))
                others.append(line)
            case [_, *_]:
                others.append(line)
    complaint = _complaint(file, strange, pack)
    known_worse, only_begun = frozenset(worse & passed), frozenset(begun - passed)
    return Progress(frozenset(passed), here, tuple(others), complaint, worse=known_worse, begun=only_begun)


def progress_text(progress: Progress, pack: Pack) -> str:
    """What the file is to hold: exercises in the pack's order, then the place, then what else stood there."""
    said = ((PASSED, progress.passed), (WORSE, progress.worse), (BEGUN, progress.begun))
    lines = [f"{exercise.id} {word}" for exercise in pack.exercises for word, those in said if exercise.id in those]
    lines += [f"{progress.here} {HERE}"] if progress.here else []
    return "".join(f"{line}\n" for line in (*lines, *progress.others))


def progress_file(path: Path) -> Path:
    """Where the progress of what is graded lies. path: the student's folder, or a file in it."""
    return beside(path, FILE)


def _complaint(file: Path, strange: list[tuple[int, str]], pack: Pack) -> str:
    if not strange:
        return ""
    number, line = strange[0]
    found = {"file": file, "line": number, "text": repr(clean(line, 60)), "form": f"{pack.exercises[0].id} {PASSED}"}
    if len(strange) > 1:
        return say("desk.odd-lines", **found, count=len(strange) - 1)
    return say("desk.odd-line", **found)
