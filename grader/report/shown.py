"""What a student may see of a report: no hidden step, no points of one, no secret seed."""

from __future__ import annotations

from dataclasses import replace

from grader.model.errors import GraderError, PluginFailed
from grader.model.pack import Visibility
from grader.model.report import Report, Verdict
from grader.model.reporter import Reporter, shows_all
from grader.model.text import clean
from grader.words import say


def is_shown(step: Verdict) -> bool:
    """Whether students see a step wherever nothing knows of a due date."""
    return step.visibility is Visibility.VISIBLE


def for_student(report: Report) -> Report:
    """The report as if there were nothing but what students may see; a note says that there is more."""
    results = [replace(result, steps=tuple(filter(is_shown, result.steps))) for result in report.exercises]
    hides = not all(map(is_shown, report.steps))
    environment = dict(report.environment)
    if environment.pop("seed_is_secret", False):
        environment.pop("seed", None)
    return replace(
        report,
        environment=environment,
        exercises=tuple(result for result in results if result.steps),
        notes=(*report.notes, say("note.not-shown")) if hides else report.notes,
    )


def rendered(reporter: Reporter, report: Report) -> str:
    """A report in a format. Whoever does not ask for all of it gets what students may see.

    Raises PluginFailed where a third party's format fails.
    """
    shown = report if shows_all(reporter) else for_student(report)
    if type(reporter).__module__.startswith("grader."):
        return reporter.render(shown)
    try:
        text: object = reporter.render(shown)
    except GraderError:
        raise  # whose sentence is its own
    except Exception as error:
        raise PluginFailed.of(f"The format {clean(reporter.name, 80)}, of a plugin, fails", error) from error
    if not isinstance(text, str):
        what = type(text).__name__
        raise PluginFailed(f"The format {clean(reporter.name, 80)}, of a plugin, gives a {what} and no text.")
    return text
