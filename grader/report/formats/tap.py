"""The format `tap`: the Test Anything Protocol, version 14, a test for each step.

Source: https://testanything.org/tap-version-14-specification.html.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from grader.model.errors import ExitCode
from grader.model.report import FINE, Report, Status, Verdict
from grader.model.text import points
from grader.report.formats.told import explanation, title
from grader.report.lines import word_of


class Tap:
    """A plan and a line for each step, with what there is to say of it below."""

    name = "tap"

    def render(self, report: Report) -> str:
        lines = ["TAP version 14", f"1..{len(report.steps)}"]
        for number, step in enumerate(report.steps, 1):
            lines += _lines(number, step, report)
        return "\n".join(lines) + "\n"

    def failed(self, why: str, code: ExitCode) -> str:
        """The protocol's own word for a harness that cannot go on."""
        return f"TAP version 14\nBail out! {_escaped(why)}\n"


def _lines(number: int, step: Verdict, report: Report) -> Iterator[str]:
    is_fine = step.status in FINE
    skip = f" # SKIP {word_of(step.status)}" if step.status is Status.UNAVAILABLE else ""
    yield f"{'ok' if is_fine else 'not ok'} {number} - {_escaped(title(step))}{skip}"
    if is_fine:
        return
    yield "  ---"
    yield f"  status: {step.status.value}"
    yield f"  points: {points(step.score)}"
    yield f"  max_points: {points(step.max_score)}"
    said = list(explanation(step, report.sources))
    if said:
        yield "  said:"
        # A string of JSON is one of YAML, and no line of it can end the block. But YAML knows no escape in two halves,
        # which is what JSON makes of an emoji.
        yield from (f"    - {json.dumps(line, ensure_ascii=False)}" for line in said)
    yield "  ..."


def _escaped(text: str) -> str:
    """A description in which nothing is a directive: most parsers know no escapes, so the sign is a wide one."""
    return text.replace("#", "＃").replace("\\", "/")
