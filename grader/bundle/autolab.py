"""Autolab: `autograde.tar` and `autograde-Makefile`; the last line that `make` prints is the scores.

Source: https://docs.autolabproject.com/lab/.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
from pathlib import Path

from grader.bundle.parts import IN_A_CONTAINER, write_grading, write_own, write_setup
from grader.bundle.templates import rights
from grader.model.text import points
from grader.plugins.bundle import Course, Ground, Ran, Seen

GRADING = "grading"


class Autolab:
    """Both files, and in `image/` what the image that Tango grades in is built from."""

    name = "autolab"
    suffix = ""
    mark = "autograde-Makefile"

    def write(self, folder: Path, course: Course) -> None:
        with tempfile.TemporaryDirectory() as own:
            grading = Path(own) / GRADING
            write_grading(grading, course, IN_A_CONTAINER)
            write_own(grading, self.name, ("run.sh",), course)
            with tarfile.open(folder / "autograde.tar", "w") as packed:
                packed.add(grading, GRADING, filter=_nobodys)
        write_setup(folder / "image", course)
        write_own(folder / "image", self.name, ("Dockerfile",), course)
        rows = [f"   | {exercise.short} | {points(exercise.points)} |" for exercise in course.exercises]
        table = "\n".join(["   | problem | points |", "   |---|---:|", *rows])
        write_own(folder, self.name, (self.mark, "README.md"), course, problems=table)

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        home = root / "autograde"
        home.mkdir()
        shutil.copyfile(bundle / self.mark, home / "Makefile")
        shutil.copyfile(bundle / "autograde.tar", home / "autograde.tar")
        return Ground(
            submission=home,
            setup=("bash", str(bundle / "image/setup.sh")),
            run=("make",),
            folder=home,
            result=home / "none",
            archive="handin.zip",
        )

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """The sum of all problems; Autolab knows their maximum itself."""
        *_, last = ran.output.splitlines() or [""]
        try:
            result = json.loads(last)
        except ValueError:
            result = None
        if not isinstance(result, dict) or "scores" not in result:
            return Seen(None, None, "the last line is no JSON with scores")
        return Seen(sum(map(float, result["scores"].values())), None, f"{len(result['scores'])} problems")


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without who packed it, and when, and so that everybody may read it."""
    member.mode = rights(member.mode)
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member
