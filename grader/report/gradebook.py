"""Points in the form that a platform's gradebook imports. Students it could not tell apart are left out, and counted.

Canvas: https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-import-grades-in-the-Gradebook/ta-p/807
Moodle: https://docs.moodle.org/en/Grade_import and, by participants' numbers, an assignment's worksheet, as
mod/assign/feedback/offline/importgradeslib.php reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from grader.model.handed import Identity
from grader.model.report import Report, Status
from grader.model.text import clean
from grader.report.cells import Cell, Plain, rows
from grader.report.following import said_at_once
from grader.report.notes import sentence_of
from grader.report.shown import for_student
from grader.report.summary import Entry
from grader.words import say

NO_GRADE = Plain("-")  # Moodle's word for it in a grade import, where an empty cell is an error
NEVER = Plain("-")  # When a grade was changed in Moodle, which nobody knows here: what is there already is not replaced
POINTS_POSSIBLE = Plain("    Points Possible")  # Canvas knows the row by these four spaces

# A gradebook has room for a few words; the report says all of it.
MOST_REASONS, LONGEST_REASON = 3, 160


@dataclass(frozen=True, slots=True)
class Grade:
    """A student's points. score: none where the grader failed. told: a sentence for the student."""

    identity: Identity
    score: float | None
    max_score: float
    told: str = ""


def grade_of(one: Entry) -> Grade:
    """A student's points, told with how many steps are right, which known mistakes are in the others, and what keeps
    whole exercises from being graded."""
    shown = for_student(one.report)
    if not one.outcome.is_graded:
        told = sentence_of(next(iter(one.report.notes), ""))
    else:
        passed = sum(step.status is Status.PASSED for step in shown.steps)
        said = say("report.steps-passed", passed=passed, count=len(shown.steps))
        told = "; ".join(filter(None, (said, ", ".join(shown.mistakes), *islice(_reasons(shown), MOST_REASONS))))
    return Grade(one.identity, one.score, one.report.max_score, told)


def _reasons(report: Report) -> Iterator[str]:
    """What every step of an exercise fails by, such as a module that cannot be read, with the exercises."""
    found: dict[str, list[str]] = {}
    for result in report.exercises:
        telling = said_at_once(result)
        if telling is not None and not telling.diagnosis:
            found.setdefault(telling.summary, []).append(result.short)
    for summary, exercises in found.items():
        why = clean(summary, LONGEST_REASON).removesuffix(".")
        if why:
            yield why if len(exercises) == len(report.exercises) else f"{', '.join(exercises)}: {why}"


def canvas(title: str, grades: Sequence[Grade]) -> Iterator[list[Cell]]:
    """Canvas rejects another order of columns, and takes an unknown title for a new assignment."""
    yield ["Student", "ID", "SIS Login ID", "Section", title]
    yield [POINTS_POSSIBLE, "", "", "", max((grade.max_score for grade in grades), default=0)]
    for grade in grades:
        if grade.identity.user_id:
            yield [grade.identity.name, grade.identity.user_id, grade.identity.email, "", grade.score]


def moodle(title: str, grades: Sequence[Grade]) -> Iterator[list[Cell]]:
    """By e-mail address or, where a download names none, by the number that Moodle gave the participant."""
    if any(grade.identity.email for grade in grades):
        yield ["Email address", title, "Feedback"]
        for grade in grades:
            if grade.identity.email:
                yield [grade.identity.email, NO_GRADE if grade.score is None else grade.score, grade.told]
    else:
        yield from _worksheet(grades)


def _worksheet(grades: Sequence[Grade]) -> Iterator[list[Cell]]:
    """The only import of Moodle's that knows participants' numbers. It refuses a file without any of these headings but
    the second, passes over an empty grade, and takes a dash for 0."""
    yield ["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]
    for grade in grades:
        if number := grade.identity.user_id:
            yield [f"Participant {number}", grade.identity.name, grade.score, NEVER, grade.told]


PLATFORMS: Mapping[str, Callable[[str, Sequence[Grade]], Iterator[list[Cell]]]] = {"canvas": canvas, "moodle": moodle}


def gradebook(platform: str, title: str, grades: Sequence[Grade], layout: str) -> tuple[str, int]:
    """The file's text, and how many students are missing in it because nothing says who they are there.

    layout: whose download it was. A number is somebody else's on any other platform; an e-mail address is one's own.
    Of two who claim one number or one address, none has it.
    """
    numbers = Counter(grade.identity.user_id for grade in grades)
    addresses = Counter(address for grade in grades for address in {*map(str.casefold, grade.identity.emails)})
    each = [
        one
        for grade in grades
        for one in _people(grade, addresses, is_own=layout == platform and numbers[grade.identity.user_id] == 1)
    ]
    table = list(PLATFORMS[platform](title, each))
    headings = 2 if platform == "canvas" else 1
    return "".join(rows(table)), len(each) - (len(table) - headings)


def _people(grade: Grade, addresses: Mapping[str, int], *, is_own: bool) -> list[Grade]:
    """The grade of each who handed in together, and who they are as far as a platform can know."""
    identity = replace(grade.identity, user_id=grade.identity.user_id if is_own else "")
    emails = [email if addresses[email.casefold()] == 1 else "" for email in identity.emails]
    return [replace(grade, identity=replace(identity, email=email)) for email in emails]
