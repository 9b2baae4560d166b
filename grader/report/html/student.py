"""The format `html`: the page of a student, step by step, with the lines that are meant and what came out, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from grader.model.report import ERRORS, Diagnosis, ExerciseResult, Picture, Report, Status, Verdict
from grader.model.text import as_sentence, clean, short
from grader.report.excerpt import Excerpt, excerpt
from grader.report.following import is_wrong
from grader.report.html import heatmap
from grader.report.lines import how_far, is_followed, sandbox
from grader.report.notes import is_of_machine, sentence_of
from grader.report.said import Said
from grader.words import language, say, speaking

if TYPE_CHECKING:
    from markupsafe import Markup

# A reader in a browser has more room than one at a terminal.
BEFORE, AFTER = 2, 1


class Html:
    """One page that needs nothing else."""

    name = "html"

    def render(self, report: Report) -> str:
        return student_page(report)


def student_page(report: Report, *, name: str = "", back: str = "", late: bool = False) -> str:
    """The page of one report. name: the student's, beside the id. back: where a link to the whole class leads.

    late: whether it was handed in late, as the platform says.
    """
    from grader.report.html.pages import page

    identifier = clean(report.submission["id"], 80)
    called = clean(name, 80) or identifier
    return "".join(
        page(
            "student.html.j2",
            language=language(),
            report=report,
            # The page of the class says once what is so for everybody.
            notes=[sentence_of(note) for note in report.notes if not (back and is_of_machine(note))],
            sections=_sections(report),
            called=called,
            identifier=identifier if identifier != called else "",
            passed=sum(step.status is Status.PASSED for step in report.steps),
            steps=len(report.steps),
            sandbox=sandbox(report.environment),
            back=back,
            late=late,
        )
    )


def cell_report(report: Report, *, cell: str, following: str) -> str:
    """The same as a part of a notebook's page, below a cell. cell: tells its anchors from those of other cells.

    following: the command for the next hint, "" for none.
    """
    from grader.report.html.pages import fragment

    notes = [sentence_of(note) for note in report.notes]
    sections = _sections(report, f"{cell}-")
    return fragment("cell.html.j2", report=report, notes=notes, sections=sections, following=following)


@dataclass(frozen=True, slots=True)
class Named:
    """A known mistake. message: "" where it has been told of before. excerpt: where it is, if that is to be shown."""

    id: str
    message: str
    excerpt: Excerpt | None
    near: bool


@dataclass(frozen=True, slots=True)
class StepShown:
    """A step as it is shown. at: where the summary or the stage points.

    raised: the mistake in the line that raised, below which the summary stands; None for below all.

    remark, summary, cause, stage: sentences, "" for none. notes: of a step that is wrong, those that no earlier has.
    """

    verdict: Verdict
    is_told: bool
    summary: str = ""
    mistakes: tuple[Named, ...] = ()
    raised: Named | None = None
    remark: str = ""
    cause: str = ""
    stage: str = ""
    at: Excerpt | None = None
    picture: Picture | None = None
    pairs: tuple[heatmap.Pair, ...] = ()
    softmaxes: tuple[heatmap.Pair, ...] = ()
    notes: tuple[str, ...] = ()


def _sections(report: Report, prefix: str = "") -> Iterator[Markup]:
    """What there is to say of each exercise. prefix: of the anchors."""
    for result in report.exercises:
        is_right = all(step.status is Status.PASSED and not step.file for step in result.steps)
        yield _of_right(result, prefix, language()) if is_right else _section(result, report.sources, prefix)


@lru_cache(maxsize=256)
def _of_right(result: ExerciseResult, prefix: str, code: str) -> Markup:
    """The section of an exercise that is right, which is the same for most of a class: no line of code is in it.

    code: of the language."""
    with speaking(code):
        return _section(result, {}, prefix)


def _section(result: ExerciseResult, sources: Mapping[str, bytes], prefix: str) -> Markup:
    from grader.report.html.pages import part

    said = Said()
    steps = tuple(_steps(result, sources, said))
    notes = [as_sentence(note) for note in said.new_notes(result.steps)]  # of those that are not wrong, each once
    return part("exercise.html.j2", exercise=result, steps=steps, notes=notes, prefix=prefix)


def _steps(result: ExerciseResult, sources: Mapping[str, bytes], said: Said) -> Iterator[StepShown]:
    """The steps of an exercise. said: nothing yet; all that is told of them is added to it."""
    for step in result.steps:
        if not is_wrong(step):
            is_told = step.status is Status.BLOCKED or step.shares is not None
            yield StepShown(step, is_told=is_told, summary=step.summary, softmaxes=_softmaxes(step))
            continue
        yield _told(step, sources, said)
        said.add(step)


def _told(step: Verdict, sources: Mapping[str, bytes], said: Said) -> StepShown:
    mistakes = tuple(_named(found, sources, said) for found in step.diagnosis)
    own = zip(mistakes, step.diagnosis, strict=True)
    raised = next(
        (one for one, found in own if one.excerpt and (found.file, found.line) == (step.file, step.line)), None
    )
    stage, at, remark = "", None, said.remark(step)
    if remark:
        said.note(remark)
    if step.stage is not None and is_followed(step) and not said.stage(step.stage):
        stage = how_far(step.stage)
        at = excerpt(sources, step.stage.file, step.stage.line, before=BEFORE, after=AFTER)
    elif (
        not any(found.excerpt for found in mistakes)
        and (step.cause is None or step.diagnosis)
        and not (said.at(step) or (said.above(step) and said.line(step.file, step.line)))
    ):
        at = excerpt(sources, step.file, step.line, before=BEFORE, after=AFTER)
    above = said.above(step)
    is_said = above == say("report.as-above") or said.comes_of_above(step)
    return StepShown(
        step,
        is_told=True,
        summary=above or short(step.summary),
        mistakes=tuple(dict.fromkeys(mistakes)),
        raised=raised if step.status in ERRORS else None,
        remark=as_sentence(remark),
        cause=step.cause.message if step.cause is not None and not is_said else "",
        stage=stage,
        at=at,
        picture=step.picture,
        pairs=tuple(heatmap.pairs(step.picture)) if step.picture else (),
        softmaxes=_softmaxes(step),
        notes=tuple(as_sentence(note) for note in said.new_notes([step])),
    )


def _softmaxes(step: Verdict) -> tuple[heatmap.Pair, ...]:
    return tuple(heatmap.softmaxes(step.shares)) if step.shares else ()


def _named(found: Diagnosis, sources: Mapping[str, bytes], said: Said) -> Named:
    is_new = not said.line(found.file, found.line)
    where = excerpt(sources, found.file, found.line, before=BEFORE, after=AFTER) if is_new else None
    return Named(found.id, "" if said.mistake(found.id) else short(found.message), where, found.near)
