"""The format `github`: annotations at the student's lines, and a job summary.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands. A runner obeys what stands
in the log, so all that a student had a say in stands where it obeys nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.model.errors import ExitCode
from grader.model.report import Report, Status, Verdict
from grader.model.reporter import Place
from grader.model.text import clean, printable, printable_line
from grader.report.excerpt import cell
from grader.report.following import is_wrong
from grader.report.formats import markdown
from grader.report.formats.told import fitting, own_place, place, sentences, title, total
from grader.report.terminal import Terminal
from grader.words import say

# GitHub shows so many annotations of a kind for a step of a job, and drops the others without a word.
MOST = 10
# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
MOST_BYTES = 1 << 20
SUMMARY, WORKSPACE = "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"


class Summary:
    """The summary of a job, added to what is there."""

    name = "github-summary"

    def place(self, environment: Mapping[str, str]) -> Place | None:
        file = environment.get(SUMMARY)
        return Place(Path(file), is_shared=True) if file else None

    def render(self, report: Report) -> str:
        return fitting(partial(markdown.render, report), MOST_BYTES)

    def failed(self, why: str, code: ExitCode) -> str:
        return markdown.failed(why)


@dataclass(frozen=True, slots=True)
class Annotation:
    """A sentence at a line. kind: error, warning or notice. file: "" for none. weight: how many points are lost.

    is_consequence: of another one, which is told first.
    """

    kind: str
    title: str
    message: str
    file: str = ""
    line: int = 0
    weight: float = 0.0
    is_consequence: bool = False

    def __str__(self) -> str:
        at = f"file={_property(self.file)}," if self.file else ""
        at += f"line={self.line}," if self.file and self.line else ""
        return f"::{self.kind} {at}title={_property(self.title)}::{_message(self.message)}"


class GitHub:
    """What the terminal shows, with commands stopped, then the annotations; the summary beside it."""

    name = "github"
    beside = (Summary(),)

    def render(self, report: Report) -> str:
        import secrets  # slower to import than most of the grader

        token = secrets.token_hex(16)
        annotations = list(_annotations(report))
        shown = [each for kind in ("error", "warning") for each in _foremost(annotations, kind)]
        left = len(annotations) - len(shown)
        said = say("report.more-in-summary", total=total(report), count=left) if left else total(report)
        notice = Annotation("notice", say("report.graded"), said)
        commands = "".join(f"{each}\n" for each in (*shown, notice))
        return f"::stop-commands::{token}\n{Terminal().render(report)}::{token}::\n{commands}"

    def failed(self, why: str, code: ExitCode) -> str:
        return f"{Annotation('error', say('report.not-graded'), why)}\n"


def _foremost(annotations: list[Annotation], kind: str) -> list[Annotation]:
    """Causes before what comes of them, then those that most points hang on; of equals, the rubric's first."""
    own = [each for each in annotations if each.kind == kind]
    return sorted(own, key=lambda each: (each.is_consequence, -each.weight))[:MOST]


def _annotations(report: Report) -> Iterator[Annotation]:
    """One for each thing that is wrong: what keeps several steps from being right is told once, for all of them."""
    found: dict[tuple[str, int, str], list[Verdict]] = {}
    steps_by_id = {step.id: step for step in report.steps}
    for step in filter(is_wrong, report.steps):
        file, line = _place(step, steps_by_id) or (step.file, 0)
        found.setdefault((file, line, "\n".join(sentences(step))), []).append(step)
    for (file, line, said), steps in found.items():
        kind = "warning" if all(step.status is Status.PARTIAL for step in steps) else "error"
        titled = title(steps[0])
        if len(steps) > 1:
            titled = say("report.and-further-steps", title=titled, count=len(steps) - 1)
        path, is_module = _path(report.submission["path"], file)
        # A cell of a notebook is no line of its file.
        if line and not is_module:
            said = f"{say('report.cell-line', cell=printable_line(clean(cell(file), 80)), line=line)}: {said}"
        lost = sum(step.max_score - step.score for step in steps)
        follows = all(step.cause is not None for step in steps)
        yield Annotation(kind, titled, said, path, line if is_module else 0, lost, follows)


def _place(step: Verdict, steps: Mapping[str, Verdict]) -> tuple[str, int] | None:
    """Where a step fails: where it has no line of its own, its cause's."""
    cause = steps.get(step.cause.step) if step.cause is not None else None
    return own_place(step) or (own_place(cause) if cause is not None else None) or place(step)


def _path(submission: str, file: str) -> tuple[str, bool]:
    """A file as the repository has it, "" where it has none of a safe name, and whether it is the very module.

    Paths in a report are as they were given; what lies in an archive or a notebook is annotated at that.
    """
    given = Path(submission)
    modules = [given / file, given / "exercises" / file] if given.is_dir() and file else []
    modules += [given] if given.name == file else []
    module = next((path for path in modules if path.is_file()), None)
    home = Path(os.environ.get(WORKSPACE) or ".").resolve()
    path = (module or given).resolve()
    if not path.is_relative_to(home) or not path.is_file():
        return "", module is not None
    # A job may have checked the repository out into a folder of its workspace, beside the grader's.
    within = [folder for folder in path.parents if folder.is_relative_to(home)]
    repository = next((folder for folder in within if (folder / ".git").exists()), home)
    named = path.relative_to(repository).as_posix()
    return named if printable(named) == named else "", module is not None


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
