"""What a format makes of a report, and what is said of a plugin's that cannot."""

from __future__ import annotations

from typing import Any

import pytest

from grader.model.errors import ExitCode, PluginFailed
from grader.model.report import Report
from grader.report.shown import rendered

from .hand_made import saying


class Dividing:
    name = "dividing"

    def render(self, report: Report) -> str:
        return str(1 / 0)


class Listing:
    name = "listing"

    def render(self, report: Report) -> Any:
        return [report.score]


def test_a_plugins_format_that_fails_is_told_with_its_place_and_is_no_bug_of_the_grader() -> None:
    with pytest.raises(
        PluginFailed, match=r"The format dividing, of a plugin, fails \(.*test_shown.py:\d+\): ZeroDivisionError: div"
    ) as failed:
        rendered(Dividing(), saying("It is off."))

    assert failed.value.exit_code is ExitCode.BROKEN_PACK
    assert "docs/plugins.md" in failed.value.remedy


def test_a_plugins_format_that_gives_no_text_is_told() -> None:
    with pytest.raises(PluginFailed, match="The format listing, of a plugin, gives a list and no text"):
        rendered(Listing(), saying("It is off."))
