"""The page is the student's own, and no browser takes a terminal over."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path

import pytest

from grader.desk import page
from grader.report.html.student import Html
from tests.report.hand_made import REPORT


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(page.sys, "platform", "linux")


@pytest.mark.parametrize("browser", ["", "lynx", "/usr/bin/w3m"])
def test_where_there_is_no_display_the_page_is_written_and_named(
    no_display: None, browser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", browser)
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("a browser was started"))
    opened = page.Page()

    said = opened.open(REPORT, Html())

    file = Path(re.fullmatch(r"The page is (.+); open it in a browser\.", said)[1])  # type: ignore[index]
    assert "12 of 24 values are off" in file.read_text("utf-8")
    assert file.parent.stat().st_mode & 0o077 == 0
    opened.close()
    assert not file.parent.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISPLAY", ":0"),
        ("WAYLAND_DISPLAY", "wayland-0"),
        ("BROWSER", "/vscode/bin/linux-x64/f00/bin/helpers/browser.sh"),
    ],
)
def test_a_browser_is_opened_where_there_is_a_window_for_it(
    no_display: None, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda page: not asked.append(page))
    opened = page.Page()

    said = opened.open(REPORT, Html())

    assert [f"The page is open: {each.removeprefix('file://')}" for each in asked] == [said]
    opened.close()
