"""A plugin of a third party, installed in a folder of its own, that writes down which submissions are begun."""

from __future__ import annotations

import os
from pathlib import Path

SOURCE = """
import os
from grader.plugins import hookimpl

@hookimpl
def grader_submission_started(submission):
    file = os.open(os.environ["HEARD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{submission.id}\\n".encode())
    os.close(file)
"""


class Hearing:
    """What was begun by each of several processes. environment: what they need to be heard."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._run = folder, 0
        installed = folder / "hearing-1.0.dist-info"
        installed.mkdir(parents=True)
        (folder / "hearing.py").write_text(SOURCE, "utf-8")
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: hearing\nVersion: 1.0\n", "utf-8")
        (installed / "entry_points.txt").write_text("[attention_kit]\nhearing = hearing\n", "utf-8")

    def next(self) -> dict[str, str]:
        """The environment of the next process; from now on it is that one that is heard."""
        self._run += 1
        return {**os.environ, "PYTHONPATH": str(self._folder), "HEARD": str(self._file)}

    def begun(self) -> list[str]:
        """The ids of submissions that were begun, in order."""
        return self._file.read_text("utf-8").splitlines() if self._file.exists() else []

    @property
    def _file(self) -> Path:
        return self._folder / f"heard-{self._run}"
