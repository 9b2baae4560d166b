"""Classroom 50: the folder of one assignment's autograder, which its runner fetches and starts in a student's checkout.

Source: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding. The folder is published, so it holds no
solutions.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from grader.bundle.parts import EVERY_LAYER, read_json, write_grading, write_own, write_setup
from grader.plugins.bundle import Course, Ground, Ran, Seen


class Classroom50:
    """`autograder.py` and what it needs beside it."""

    name = "classroom50"
    suffix = ""
    mark = "autograder.py"

    def write(self, folder: Path, course: Course) -> None:
        write_grading(folder, course, EVERY_LAYER, with_solutions=False)
        write_setup(folder, course)
        write_own(folder, self.name, (self.mark, "README.md"), course)

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        home, checkout = root / "bundle", root / "checkout"
        shutil.copytree(bundle, home)
        (checkout / "exercises").mkdir(parents=True)
        return Ground(
            submission=checkout / "exercises",
            setup=("bash", str(home / "setup.sh")),
            run=(sys.executable, str(home / self.mark)),
            folder=checkout,
            result=checkout / "result.json",
            environment={"RUNNER_TEMP": str(root), "CLASSROOM": "class", "ASSIGNMENT": "attention", "CI": "true"},
        )

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """Every exit code but 0 is an infrastructure error."""
        result = read_json(ground.result)
        if ran.code != 0 or result is None:
            return Seen(None, None, f"status=error, exit code {ran.code}")
        score, of = result["score"], result["max-score"]
        if not isinstance(score, int) or not isinstance(of, int):
            raise ValueError("points are no whole numbers")
        return Seen(score, of)
