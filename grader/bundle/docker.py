"""A container image of one's own, for every platform that runs one."""

from __future__ import annotations

import shutil
from pathlib import Path

from grader.bundle import templates
from grader.bundle.parts import IN_A_CONTAINER, read_json, write_grading, write_own, write_setup
from grader.model.errors import ExitCode
from grader.plugins.bundle import Course, Ground, Ran, Seen


class Docker:
    """The folder that an image is built from. Without docker its scripts do the same on any Linux."""

    name = "docker"
    suffix = ""
    mark = "Dockerfile"

    def write(self, folder: Path, course: Course) -> None:
        write_grading(folder, course, IN_A_CONTAINER)
        write_setup(folder, course)
        write_own(folder, self.name, ("Dockerfile", "README.md"), course)
        templates.write(folder, {".dockerignore": "docker/dockerignore"}, course)

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        home = root / "opt/course"
        shutil.copytree(bundle, home)
        submission, result = root / "submission", root / "report.json"
        submission.mkdir()
        return Ground(
            submission=submission,
            setup=("bash", str(home / "setup.sh")),
            run=("bash", str(home / "grade_submission"), str(submission), "--format", f"json={result}"),
            folder=root,
            result=result,
        )

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """By the exit code first: whatever is neither full marks nor less is no grade."""
        result = read_json(ground.result)
        if ran.code not in (ExitCode.FULL_MARKS, ExitCode.LESS_THAN_FULL) or result is None:
            return Seen(None, None, f"exit code {ran.code}")
        return Seen(result["score"], result["max_score"])
