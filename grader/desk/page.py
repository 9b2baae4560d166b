"""Opens the page of a report in the student's browser, from a file that only they can read."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from grader.model.report import Report
from grader.model.reporter import Reporter
from grader.model.write import write_whole
from grader.words import say

# BROWSER may name one that runs in the terminal and takes the keys that are meant for the desk.
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
# Through this a terminal of VS Code opens pages where the student sits, also from another machine.
HELPER = "helpers/browser.sh"


class Page:
    """One file, written anew each time, and gone with the desk."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def open(self, report: Report, reporter: Reporter) -> str:
        """Show a report. Returns a sentence on where it is. Raises NotWritten."""
        self._folder = self._folder or Path(tempfile.mkdtemp(prefix="grade-page-"))
        file = self._folder / "page.html"
        write_whole(file, reporter.render(report))
        if not _has_display():  # a browser in the terminal would take this one
            return say("desk.page-to-open", file=file)
        import webbrowser

        opened = webbrowser.open(file.as_uri())
        return say("desk.page-opened" if opened else "desk.page-without-browser", file=file)

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _has_display() -> bool:
    if sys.platform != "linux" or any(os.environ.get(name) for name in DISPLAYS):
        return True
    return os.environ.get("BROWSER", "").endswith(HELPER)
