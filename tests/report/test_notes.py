"""Notes on a whole report are told as sentences, whatever shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.reporter import Reporter
from grader.report.formats.autolab import Autolab
from grader.report.formats.github import GitHub, Summary
from grader.report.formats.gradescope import Gradescope
from grader.report.formats.markdown import Markdown
from grader.report.formats.prairielearn import PrairieLearn
from grader.report.html.student import Html, cell_report
from grader.report.notes import sentence_of
from grader.report.terminal import Terminal

from .hand_made import REPORT

NOTE = "my work.py is in cp1252, which Python does not read"
NOTED = replace(REPORT, notes=("graded on the public cases alone", NOTE))


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("graded on the public cases alone: no reference", "Graded on the public cases alone: no reference."),
        ("The archive cannot be read.", "The archive cannot be read."),
        ("ex01_a.py was not graded", "ex01_a.py was not graded."),
        ("my work.py was not graded", "my work.py was not graded."),  # whose name has no capital
        (
            "there are 9 archives; only 5 are looked at, and not a.zip",
            "There are 9 archives; only 5 are looked at, and not a.zip.",
        ),
        ("graded without helpers.py", "Graded without helpers.py."),
        ("graded without helpers.py: there is none", "Graded without helpers.py: there is none."),
        ("helpers.py", "helpers.py."),
        ("", ""),
    ],
)
def test_a_note_is_a_sentence_and_a_file_keeps_its_name(note: str, told: str) -> None:
    assert sentence_of(note) == told


@pytest.mark.parametrize(
    "reporter", [Terminal(), Markdown(), Html(), Gradescope(), PrairieLearn(), Autolab(), GitHub(), Summary()],
    ids=lambda reporter: reporter.name,
)  # fmt: skip
def test_every_format_tells_notes_as_sentences(reporter: Reporter) -> None:
    text = reporter.render(NOTED)

    assert "Graded on the public cases alone." in text
    assert "my work.py is in cp1252, which Python does not read." in " ".join(text.split())


def test_so_does_what_stands_below_a_cell() -> None:
    text = cell_report(NOTED, cell="grade-1", following="")

    assert "Graded on the public cases alone." in text
