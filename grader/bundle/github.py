"""GitHub: a template repository with a student's copy and a workflow that grades each push.

Nothing in it may hold a solution: whoever can read a student's repository can read all of it.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import yaml

from grader.bundle.parts import EVERY_LAYER, write_grading, write_own, write_setup
from grader.handout.contents import note_pages
from grader.handout.contents import write as write_workspace
from grader.plugins.bundle import Course, Ground, Ran, Seen

WORKFLOW = ".github/workflows/grade.yml"
GRADER = ".github/grader"
# What students read first; a workspace's own speaks of another way to get one.
PAGES = ("README.md", "GETTING_STARTED.md")
TOTAL = re.compile(r"^## .*: ([0-9.]+) of ([0-9.]+) points$", re.MULTILINE)
# What a step of a workflow is run with, https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
# A step finds in its environment what an earlier one has written here.
WITH_ENVIRONMENT = """while IFS= read -r line; do export "${line?}"; done < "$GITHUB_ENV"\n"""


class GitHub:
    """The repository; the workflow's own steps are what a check runs, without those that need GitHub or root."""

    name = "github"
    suffix = ""
    mark = WORKFLOW
    readme = ".github/INSTRUCTORS.md"

    def write(self, folder: Path, course: Course) -> None:
        write_workspace(course.pack, folder, () if course.is_whole else course.exercises)
        write_grading(folder / GRADER, course, EVERY_LAYER, with_solutions=False)
        write_setup(folder / GRADER, course)
        write_own(folder, self.name, (WORKFLOW, self.readme, *PAGES), course)
        note_pages(folder, PAGES)

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        checkout = root / "work/repository"
        shutil.copytree(bundle, checkout)
        steps = _steps(checkout / WORKFLOW)
        (root / "environment").touch()
        (root / "setup").write_text(steps["setup"], "utf-8")
        (root / "grade").write_text(WITH_ENVIRONMENT + steps["grade"], "utf-8")
        return Ground(
            submission=checkout / "exercises",
            setup=(*SHELL, str(root / "setup")),
            run=(*SHELL, str(root / "grade")),
            folder=checkout,
            result=root / "summary.md",
            environment={
                "CI": "true",
                "GITHUB_ACTIONS": "true",
                "GITHUB_ENV": str(root / "environment"),
                "GITHUB_STEP_SUMMARY": str(root / "summary.md"),
                "GITHUB_WORKSPACE": str(checkout),
                "RUNNER_TEMP": str(root),
            },
        )

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """By the job's summary; a step that fails has no grade to show."""
        if ran.code != 0:
            return Seen(None, None, "a red cross")
        found = TOTAL.search(ground.result.read_text("utf-8") if ground.result.exists() else "")
        if found is None:
            raise ValueError("the summary has no points")
        return Seen(float(found[1]), float(found[2]))


def _steps(workflow: Path) -> dict[str, str]:
    """The scripts of the workflow's steps, by their ids."""
    document = yaml.load(workflow.read_text("utf-8"), yaml.CSafeLoader)
    return {step["id"]: step["run"] for step in document["jobs"]["grade"]["steps"] if "id" in step}
