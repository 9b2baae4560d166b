"""Gradescope: a zip with `setup.sh`, which is run once, and `run_autograder`, which is run for each submission.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from grader.bundle.parts import IN_A_CONTAINER, read_json, write_grading, write_own, write_setup
from grader.plugins.bundle import Course, Ground, Ran, Seen


class Gradescope:
    """Everything in `/autograder/source`; the submission and the result have folders beside it."""

    name = "gradescope"
    suffix = ".zip"
    mark = "run_autograder"

    def write(self, folder: Path, course: Course) -> None:
        write_grading(folder, course, IN_A_CONTAINER)
        write_setup(folder, course)
        write_own(folder, self.name, ("run_autograder", "README.md"), course)

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        home = root / "autograder"
        shutil.copytree(bundle, home / "source")
        shutil.copy2(bundle / self.mark, home / self.mark)
        (home / "submission").mkdir()
        return Ground(
            submission=home / "submission",
            setup=("bash", str(home / "source/setup.sh")),
            run=(str(home / self.mark),),
            folder=home,
            result=home / "results/results.json",
            environment={"GRADE_ROOT": str(home)},
        )

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """A result without a score is none: Gradescope says that the autograder failed."""
        result = read_json(ground.result)
        if result is None or "score" not in result:
            return Seen(None, None, "the autograder failed to execute correctly")
        of = sum(float(test["max_score"]) for test in result.get("tests", []))
        return Seen(float(result["score"]), of, str(result.get("output", "")))
