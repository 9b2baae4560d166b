"""What each format makes of the awkward report, without what is another thing in each run.

`python -m tests.report.formats.golden` writes the files anew: look at what has changed in them.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from pathlib import Path

from grader.model.reporter import Reporter, beside
from grader.report.plugin import grader_reporters
from grader.report.shown import rendered

from ..awkward import AWKWARD, MEGABYTE

FOLDER = Path(__file__).with_name("golden")
ENDINGS = {"json": ".json", "html": ".html", "markdown": ".md", "github-summary": ".md", "junit": ".xml"}


def reporters() -> Iterator[Reporter]:
    for reporter in grader_reporters():
        yield reporter
        yield from beside(reporter)


def golden(reporter: Reporter) -> str:
    """The text that the golden file of a format is to hold."""
    text = rendered(reporter, AWKWARD).encode("utf-8", "replace").decode().replace(MEGABYTE, "(a megabyte)")
    text = re.sub(r"\b[0-9a-f]{32}\b", "TOKEN", text)
    text = re.sub(r'"datetime": "[^"]*"', '"datetime": "NOW"', text)
    text = re.sub(r"<style>.*?</style>|<meta http-equiv[^>]*>", "", text, flags=re.DOTALL)  # the page's own
    if found := re.fullmatch(r"result=(\S+)\n", text):
        text = base64.b64decode(found[1]).decode().replace("}, {", "},\n{") + "\n"
    return text


def file_of(reporter: Reporter) -> Path:
    return FOLDER / f"{reporter.name}{ENDINGS.get(reporter.name, '.txt')}"


if __name__ == "__main__":
    os.environ.pop("GITHUB_WORKSPACE", None)
    FOLDER.mkdir(exist_ok=True)
    for each in reporters():
        file_of(each).write_text(golden(each), "utf-8")
