"""How long the page of a class takes to open in a real Chromium, from disk, beside the page of one student.

What counts is what the browser itself tells of the whole way, from asking for the file to the end of its last script.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome

from benchmarks.scale import Scale
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from tests.report.html.browser import chromium, show
from tests.report.html.made import write

STUDENTS = 300
DURATION = "document.body.getBoundingClientRect(); return performance.getEntriesByType('navigation')[0].duration / 1000"


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians of seconds, after one opening that warms the browser. Raises LookupError where there is no browser."""
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    pages = {}
    for students in (1, STUDENTS):
        folder = there / str(students)
        folder.mkdir()
        pages[students] = write(pack, students, folder)
    with chromium() as chrome:
        seconds = {students: _median(chrome, page, scale.rounds) for students, page in pages.items()}
    return {
        "students": STUDENTS, "seconds": seconds[STUDENTS], "of_one_seconds": seconds[1],
        "megabytes": pages[STUDENTS].stat().st_size / 1e6, "rounds": scale.rounds,
    }  # fmt: skip


def _median(chrome: Chrome, page: Path, rounds: int) -> float:
    taken = []
    for _ in range(rounds + 1):
        show(chrome, page)
        taken.append(float(chrome.execute_script(DURATION)))
    return statistics.median(taken[1:])
