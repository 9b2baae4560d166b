"""The built-in reporters, brought by the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from grader.model.reporter import Reporter
from grader.plugins import hookimpl
from grader.report.formats.autolab import Autolab
from grader.report.formats.classroom50 import Classroom50
from grader.report.formats.codegrade import CodeGrade
from grader.report.formats.exercism import Exercism
from grader.report.formats.github import GitHub
from grader.report.formats.github_classroom import GitHubClassroom
from grader.report.formats.gradescope import Gradescope
from grader.report.formats.junit import JUnit
from grader.report.formats.markdown import Markdown
from grader.report.formats.prairielearn import PrairieLearn
from grader.report.formats.tap import Tap
from grader.report.html.student import Html
from grader.report.json import Json
from grader.report.terminal import Terminal


@hookimpl
def grader_reporters() -> Iterable[Reporter]:
    return [
        Terminal(),
        Json(),
        Html(),
        Markdown(),
        Gradescope(),
        Classroom50(),
        GitHub(),
        PrairieLearn(),
        Autolab(),
        JUnit(),
        Exercism(),
        GitHubClassroom(),
        CodeGrade(),
        Tap(),
    ]
