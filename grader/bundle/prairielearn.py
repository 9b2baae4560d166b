"""PrairieLearn: a question's folder, whose `tests/` are copied into a container for each submission.

Source: https://prairielearn.readthedocs.io/en/latest/externalGrading/.
"""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path

from grader.bundle.parts import IN_A_CONTAINER, read_json, write_grading, write_own, write_setup
from grader.plugins.bundle import Course, Ground, Ran, Seen


class PrairieLearn:
    """The question, and in `image/` what its image is built from, which holds nothing of the course."""

    name = "prairielearn"
    suffix = ""
    mark = "info.json"

    def write(self, folder: Path, course: Course) -> None:
        write_grading(folder / "tests", course, IN_A_CONTAINER)
        write_own(folder / "tests", self.name, ("run.sh", "trouble.json"), course)
        write_setup(folder / "image", course)
        write_own(folder / "image", self.name, ("Dockerfile",), course)
        # PrairieLearn knows a question by this number in all courses, so no two bundles may have one.
        own = ("info.json", "question.html", "README.md")
        write_own(folder, self.name, own, course, uuid=str(uuid.uuid4()))

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        home = root / "grade"
        shutil.copytree(bundle / "tests", home / "tests")
        (home / "student").mkdir()
        return Ground(
            submission=home / "student",
            setup=("bash", str(bundle / "image/setup.sh")),
            run=(str(home / "tests/run.sh"),),
            folder=root,
            result=home / "results/results.json",
            environment={"GRADE_ROOT": str(home)},
        )

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """In percent. What is not gradable has no score and costs no attempt."""
        result = read_json(ground.result)
        if result is None or not result.get("gradable", True):
            return Seen(None, None, str((result or {}).get("message", "no result")))
        score = float(result["score"])
        if not 0 <= score <= 1:
            raise ValueError(f"a score of {score} lies outside 0 and 1")
        return Seen(round(100 * score, 2), 100.0, str(result.get("message", "")))
