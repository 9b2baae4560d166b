"""Each bundle, run by its own scripts where its platform puts it: the platform reads a true grade, or none.

One submission has a right exercise, one that tries to read the solutions, and one that hangs, so that each bundle
grades once. The environment is the one that tests run in; `setup.sh` itself is run by `test_check.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.bundle.check import UNSET
from grader.plugins.bundle import Ground, Platform, Ran, Seen
from grader.plugins.registry import Plugins
from tests.sampling import every_time

from ..end_to_end.submissions import EX01, EX02, EX03, REFERENCE, ROOT
from .conftest import TARGETS

# What runs is the bundle's own copy of the grader, in a folder that is gone afterwards.
pytestmark = pytest.mark.no_cover
EACH = pytest.mark.parametrize("name", TARGETS)
# An upload, a checkout with the course's own repository beside it, and one without.
SOME = ("gradescope",)
# ex01 is right, so 5 of 18 points; the others give none.
GAINED, ALL = 5, 18
# Whatever a submission finds of the solutions, it makes its own.
THIEF = """
import os, sys
for folder in {folders!r}:
    for where, _, names in os.walk(folder):
        if "ex02_softmax_weights.py" in names and "reference" in where:
            exec(open(os.path.join(where, "ex02_softmax_weights.py")).read())
try:
    exec(open({reference!r}).read())
except OSError:
    pass
"""
HANGING = "import time\ntime.sleep(600)\n"
# What a student might leave in the folder that a grader is started in.
SHADOWS = ("grader/__init__.py", "pip/__init__.py", "json.py", "pathlib.py", "ensurepip.py", "sitecustomize.py")
# A grader that has written all points wherever it was asked to, and is killed before it ends.
KILLED = """#!{python}
import os, signal, sys
for option, place in zip(sys.argv, sys.argv[1:]):
    if option == "--format":
        name, _, file = place.partition("=")
        file = file or (os.environ["GITHUB_STEP_SUMMARY"] if name == "github" else "/dev/stdout")
        with open(file, "a" if name == "github" else "w") as result:
            result.write({result!r})
os.kill(os.getpid(), signal.SIGKILL)
"""
SUMMARY = "## Attention: 18 of 18 points"
ALL_POINTS = '{"score": 100, "max-score": 100, "scores": {"ex01": 100}, "gradable": true, "tests": []}'


@dataclass
class Run:
    """A bundle on its ground, and what its own script did there."""

    platform: Platform
    ground: Ground
    ran: Ran

    @property
    def seen(self) -> Seen:
        return self.platform.read(self.ground, self.ran)


LayOut = Callable[[str], tuple[Platform, Ground]]


@pytest.fixture(scope="module")
def lay_out(plugins: Plugins, bundles: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> LayOut:
    def laid_out(name: str) -> tuple[Platform, Ground]:
        root = tmp_path_factory.mktemp(name) / "root"
        root.mkdir()
        platform = plugins.bundles[name]
        ground = platform.lay_out(bundles[name], root)
        for script in root.rglob("*"):  # an upload may lose the right to run all but what the platform itself runs
            if script.is_file() and str(script) != ground.run[0]:
                script.chmod(0o644)
        if "GITHUB_ENV" in ground.environment:  # as the step before leaves it
            lines = f"GRADER=.github/grader\nGRADE_VENV={sys.prefix}\n"
            Path(ground.environment["GITHUB_ENV"]).write_text(lines)
        return platform, ground

    return laid_out


def grade(platform: Platform, ground: Ground) -> Run:
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    environment |= {"GRADE_VENV": sys.prefix, "GRADE_SYSTEM_PACKAGES": "no", **ground.environment}
    done = subprocess.run(
        ground.run, cwd=ground.folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return Run(platform, ground, Ran(done.returncode, done.stdout))


def hand_in(ground: Ground, files: dict[str, str]) -> None:
    folder = ground.submission
    if ground.archive:
        folder = ground.folder.parent / "handin"
        folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    if ground.archive:
        shutil.make_archive(str(ground.submission / ground.archive.removesuffix(".zip")), "zip", folder)


def mixed(name: str, lay_out: LayOut, bundles: dict[str, Path]) -> Run:
    """The run of a bundle with the submission of three kinds."""
    platform, ground = lay_out(name)
    reference = ROOT / "solutions/reference" / f"{EX02}.py"
    thief = THIEF.format(folders=[str(ground.folder.parent), "/opt"], reference=str(reference))
    hand_in(ground, {f"{EX01}.py": REFERENCE[EX01], f"{EX02}.py": thief, f"{EX03}.py": HANGING})
    if ground.submission.name == "exercises":  # a checkout, which the script is started in
        for shadow in SHADOWS:
            (ground.folder / shadow).parent.mkdir(exist_ok=True)
            (ground.folder / shadow).write_text("raise SystemExit('a student was here')\n")
    if name == "github":  # whose fresh cases come from a private repository
        shutil.copytree(bundles["docker"], ground.folder / ".course")
        Path(ground.environment["GITHUB_ENV"]).write_text(f"GRADER=.course\nGRADE_VENV={sys.prefix}\n")
    else:
        ground.result.parent.mkdir(parents=True, exist_ok=True)
        ground.result.write_text(ALL_POINTS)  # and a result that they wrote themselves
    if name == "gradescope":  # a zip of a folder, packed by macOS
        folder = ground.submission / "my work"
        folder.mkdir()
        (ground.submission / "__MACOSX").mkdir()
        for module in ground.submission.glob("*.py"):
            module.rename(folder / module.name)
    if name == "docker":  # as in a container that has no namespaces
        ground = replace(ground, run=(*ground.run, "--without-layer", "bubblewrap"))
    return grade(platform, ground)


@pytest.mark.parametrize("name", every_time(SOME, TARGETS))
def test_right_counts_and_neither_stolen_nor_hanging_work_does_and_its_student_reads_so(
    name: str, lay_out: LayOut, bundles: dict[str, Path]
) -> None:
    run = mixed(name, lay_out, bundles)

    share = name == "prairielearn"
    assert run.seen.score == pytest.approx(100 * GAINED / ALL if share else GAINED, abs=0.01), run.ran.output
    assert run.seen.of in (None, 100 if share else ALL)
    assert "a student was here" not in run.ran.output
    assert "still running after 2 s" in _told(run)
    has_solutions = "public cases alone" not in _told(run)  # which fresh cases need
    assert has_solutions == (name != "classroom50")


@pytest.mark.long
def test_without_a_sandbox_the_same_thief_has_all_points(lay_out: LayOut) -> None:
    platform, ground = lay_out("docker")
    settings = next(ground.folder.rglob("course/settings.sh"))
    settings.write_text(settings.read_text().replace("--allow-without bubblewrap", "--allow-unsandboxed"))
    hand_in(ground, {f"{EX02}.py": THIEF.format(folders=[str(ground.folder)], reference="")})
    without = [word for layer in ("bubblewrap", "landlock") for word in ("--without-layer", layer)]

    run = grade(platform, replace(ground, run=(*ground.run, *without)))

    assert run.seen.score == ALL - 10, run.ran.output


@pytest.mark.parametrize("name", every_time(["gradescope"], [name for name in TARGETS if name != "docker"]))
def test_a_broken_pack_is_nobodys_failure(name: str, lay_out: LayOut, bundles: dict[str, Path]) -> None:
    platform, ground = lay_out(name)
    hand_in(ground, {f"{EX01}.py": REFERENCE[EX01]})
    if name == "autolab":  # its kit is unpacked by make
        _break_the_tar(ground.folder / "autograde.tar")
    for manifest in ground.folder.parent.rglob("kit/fixtures/manifest.json"):
        manifest.write_text("{")

    run = grade(platform, ground)

    assert run.seen.score is None, run.ran.output
    assert "ended with 3" in run.ran.output or run.ran.code == 3


def _break_the_tar(archive: Path) -> None:
    opened = archive.parent.parent / "opened"
    shutil.unpack_archive(archive, opened, filter="tar")
    (opened / "grading/kit/fixtures/manifest.json").write_text("{")
    shutil.make_archive(str(archive.with_suffix("")), "tar", opened)


@EACH
def test_a_run_that_is_killed_leaves_no_grade(name: str, lay_out: LayOut) -> None:
    platform, ground = lay_out(name)
    hand_in(ground, {f"{EX01}.py": REFERENCE[EX01]})
    ground.result.parent.mkdir(parents=True, exist_ok=True)
    ground.result.write_text(ALL_POINTS)
    killed = ground.folder.parent / "killed/bin"
    killed.mkdir(parents=True)
    written = (SUMMARY if name == "github" else ALL_POINTS.replace("100", "99")) + "\n"
    (killed / "python").write_text(KILLED.format(python=sys.executable, result=written))
    (killed / "python").chmod(0o755)
    if "GITHUB_ENV" in ground.environment:
        lines = f"GRADER=.github/grader\nGRADE_VENV={killed.parent}\n"
        Path(ground.environment["GITHUB_ENV"]).write_text(lines)
    own = {**ground.environment, "GRADE_VENV": str(killed.parent)}

    run = grade(platform, replace(ground, environment=own))

    assert run.seen.score is None, run.ran.output
    if name == "docker":  # whose result is the caller's, with an exit code that says what it is worth
        assert written.strip() in _told(run)
    else:
        assert written.strip() not in _told(run)
    assert not [page for page in ground.folder.parent.rglob("report.html") if page.parent.name != "templates"]


@pytest.mark.parametrize(
    ("name", "score"), [("gradescope", 0), pytest.param("prairielearn", None, marks=pytest.mark.long)]
)
def test_nothing_handed_in_is_said_to_be_that(name: str, score: int | None, lay_out: LayOut) -> None:
    platform, ground = lay_out(name)
    for stub in ground.submission.glob("*.py"):
        stub.unlink()

    run = grade(platform, ground)

    assert run.seen.score == score
    assert "holds no exercise" in _told(run)


@pytest.mark.long
def test_a_link_to_the_solutions_is_nothing_handed_in(lay_out: LayOut) -> None:
    platform, ground = lay_out("gradescope")
    (ground.submission / "mine").symlink_to(ground.folder / "source/kit/solutions/reference")

    run = grade(platform, ground)

    assert run.seen.score == 0
    assert "holds no exercise" in _told(run)


@pytest.mark.long
def test_nothing_handed_in_is_a_zero_in_each_of_autolabs_problems(lay_out: LayOut) -> None:
    platform, ground = lay_out("autolab")

    run = grade(platform, ground)

    assert run.seen.score == 0, run.ran.output
    assert json.loads(run.ran.output.splitlines()[-1]) == {"scores": {"ex01": 0, "ex02": 0, "ex03": 0}}


def _told(run: Run) -> str:
    """All that was printed, and the result."""
    result = run.ground.result
    text = run.ran.output + (result.read_text("utf-8") if result.exists() else "")
    return " ".join(text.split())
