"""What a bundle holds: all that it needs, nothing that its readers may not see, and what its platform's tools take."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from grader.bundle.kit import course
from grader.bundle.packages import needed
from grader.bundle.write import write_bundle
from grader.model.errors import UsageError
from grader.model.pack import Pack
from grader.pack.load import load_pack
from grader.plugins.bundle import Course
from grader.plugins.registry import Plugins

from ..end_to_end.submissions import ROOT
from ..handout.leaking import leaked
from .conftest import TARGETS

PROGRAMS = Path(sys.executable).parent
# A page, as a browser or a printer takes it.
PAGE_LINES, PAGE_WIDTH = 60, 140
SHELL = (b"#!/usr/bin/env bash", b"# How this bundle grades")


@pytest.mark.parametrize("name", ["github", "classroom50"])
def test_what_students_can_fetch_holds_no_solution(name: str, bundles: dict[str, Path]) -> None:
    files = [path for path in bundles[name].rglob("*") if path.is_file()]

    assert not [path for path in files if "solutions" in path.relative_to(bundles[name]).parts]
    assert leaked(bundles[name]) == {}


@pytest.mark.parametrize(
    ("name", "required"),
    [
        ("gradescope", "--allow-without bubblewrap"),
        ("docker", "--allow-without bubblewrap"),
        ("github", "--require-sandbox"),
        ("classroom50", "--require-sandbox"),
    ],
)
def test_every_bundle_requires_all_of_the_sandbox_that_its_platform_can_have(
    name: str, required: str, bundles: dict[str, Path]
) -> None:
    (settings,) = (path for path in _own(bundles[name]) if path.name == "settings.sh")

    assert f"\nSANDBOX=({required})\n" in settings.read_text("utf-8")


@pytest.mark.parametrize("name", ["prairielearn", "autolab"])
def test_an_image_holds_nothing_of_the_course(name: str, bundles: dict[str, Path]) -> None:
    files = {path.name for path in (bundles[name] / "image").rglob("*")}

    assert files == {"Dockerfile", "setup.sh", "requirements.txt", "constraints.txt"}


@pytest.mark.parametrize("name", TARGETS)
def test_a_readme_is_at_most_a_page(name: str, bundles: dict[str, Path]) -> None:
    readme = bundles[name] / (".github/INSTRUCTORS.md" if name == "github" else "README.md")
    lines = readme.read_text("utf-8").splitlines()

    assert len(lines) <= PAGE_LINES
    assert max(map(len, lines)) <= PAGE_WIDTH
    assert "@{" not in readme.read_text("utf-8")


def test_shell_scripts_pass_shellcheck(bundles: dict[str, Path]) -> None:
    scripts = [path for folder in bundles.values() for path in _own(folder) if path.read_bytes().startswith(SHELL)]

    done = _checked("shellcheck", *scripts)

    assert len(scripts) >= 10
    assert done.returncode == 0, done.stdout


def test_dockerfiles_pass_hadolint(bundles: dict[str, Path]) -> None:
    files = [path for folder in bundles.values() for path in _own(folder) if path.name == "Dockerfile"]

    done = _checked("hadolint", *files)

    assert len(files) == 3
    assert done.returncode == 0, done.stdout


def test_workflows_pass_actionlint(bundles: dict[str, Path]) -> None:
    own = ".github/workflows"

    done = _checked("actionlint", bundles["github"] / own / "grade.yml", ROOT / own / "test.yml")

    assert done.returncode == 0, done.stdout


def test_the_workflow_may_only_read_and_leaves_no_token_behind(bundles: dict[str, Path]) -> None:
    workflow = yaml.safe_load((bundles["github"] / ".github/workflows/grade.yml").read_text("utf-8"))
    steps = workflow["jobs"]["grade"]["steps"]

    assert workflow["permissions"] == {"contents": "read"}
    checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert [step["with"]["persist-credentials"] for step in checkouts] == [False, False]
    # What GitHub fills in stands in no script, so that no name of a branch or a student can become a command.
    assert not [step for step in steps if "${{" in step.get("run", "")]
    assert all(re.fullmatch(r"[\w./-]+@v\d+", step["uses"]) for step in steps if "uses" in step)


def test_prairielearn_is_told_all_that_its_schema_asks_for(bundles: dict[str, Path]) -> None:
    info = json.loads((bundles["prairielearn"] / "info.json").read_text("utf-8"))

    assert {"uuid", "title", "topic", "type"} <= set(info)
    assert info["gradingMethod"] == "External"
    assert info["externalGradingOptions"]["timeout"] <= 600
    html = (bundles["prairielearn"] / "question.html").read_text("utf-8")
    assert 'optional-file-names="ex01_dot_product_scores.py, ex02_softmax_weights.py, ex03_context_vectors.py"' in html


def test_autolabs_readme_names_its_problems_with_their_points(bundles: dict[str, Path]) -> None:
    text = (bundles["autolab"] / "README.md").read_text("utf-8")

    listed = re.findall(r"^ +\| (ex\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert listed == [("ex01", "5"), ("ex02", "8"), ("ex03", "5")]


def test_a_zip_has_its_scripts_at_the_root_and_may_run_them(
    plugins: Plugins, first_three: Course, tmp_path: Path
) -> None:
    out, again = tmp_path / "one.zip", tmp_path / "two.zip"
    write_bundle(plugins.bundles["gradescope"], first_three, out)
    write_bundle(plugins.bundles["gradescope"], first_three, again)

    rights = {member.filename: member.external_attr >> 16 & 0o777 for member in zipfile.ZipFile(out).infolist()}
    assert rights["run_autograder"] == rights["setup.sh"] == rights["grade_submission"] == 0o755
    assert "kit/solutions/reference/ex01_dot_product_scores.py" in rights
    assert not [name for name in rights if "__pycache__" in name or name.startswith("kit/fixtures/submissions")]
    assert out.read_bytes() == again.read_bytes()


def test_who_grades_in_a_container_may_read_a_bundle_whatever_its_makers_umask(
    plugins: Plugins, bundles: dict[str, Path], first_three: Course, tmp_path: Path
) -> None:
    before = os.umask(0o077)
    try:
        for name in ("docker", "autolab"):
            write_bundle(plugins.bundles[name], first_three, tmp_path / name)
    finally:
        os.umask(before)

    docker, autolab = tmp_path / "docker", tmp_path / "autolab"
    assert docker.stat().st_mode & 0o777 == 0o700, "the solutions are nobody else's on this machine"
    rights = {path.relative_to(docker).as_posix(): path.stat().st_mode & 0o777 for path in docker.rglob("*")}
    assert {*rights.values()} == {0o755, 0o644}
    assert (rights["kit/solutions"], rights["grade_submission"], rights["settings.sh"]) == (0o755, 0o755, 0o644)
    assert (autolab / "autograde.tar").read_bytes() == (bundles["autolab"] / "autograde.tar").read_bytes()


def test_every_package_that_is_needed_is_pinned() -> None:
    pinned = (ROOT / "grader/workspace/constraints.txt").read_text("utf-8").lower()

    assert {"torch", "numpy", "click", "pluggy"} <= set(needed())
    assert [name for name in needed() if not re.search(rf"^{name.replace('_', '-')}==", pinned, re.MULTILINE)] == []


@pytest.mark.parametrize(
    ("target", "name", "said"),
    [
        ("gradescope", "bundle", "takes a file that ends in .zip"),
        ("docker", "full", "not empty"),
        ("gradescope", "nowhere/bundle.zip", "there is no folder"),
    ],
)
def test_a_place_that_does_not_fit_is_refused_and_left_as_it_was(
    target: str, name: str, said: str, plugins: Plugins, first_three: Course, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes.txt").write_text("mine")

    with pytest.raises(UsageError, match=said):
        write_bundle(plugins.bundles[target], first_three, tmp_path / name)

    assert sorted(path.name for path in tmp_path.rglob("*")) == ["full", "notes.txt"]


def test_a_copy_without_solutions_makes_no_bundle(pack: Pack) -> None:
    plugins = Plugins()
    plugins.manager.unregister(name="solutions")

    with pytest.raises(UsageError, match="This copy has no solutions"):
        course(plugins, pack, [], seconds=1, sandbox=None, image="")


PLUGINS = {
    "grader_checks": "def grader_checks(): return []",
    "grader_solutions": "def grader_solutions(pack): return []",
    "grader_step_graded": "def grader_step_graded(step): pass",
    "grader_reporters": "def grader_reporters(): return []",
}


@pytest.mark.parametrize(("hook", "is_missed"), [(hook, hook != "grader_reporters") for hook in PLUGINS])
def test_a_plugin_of_others_that_a_bundle_would_leave_out_is_named(
    hook: str, is_missed: bool, pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "loud_checks-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: loud-checks\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[attention_kit]\nloud = loud_{hook}\n")
    source = f"from grader.plugins import hookimpl\n@hookimpl\n{PLUGINS[hook]}\n"
    (tmp_path / f"loud_{hook}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    plugins = Plugins()

    if is_missed:
        with pytest.raises(UsageError, match=rf"^loud-checks brings a plugin \({hook}\) .* Make the bundle where "):
            course(plugins, pack, [], seconds=1, sandbox=None, image="")
    else:
        assert course(plugins, pack, [], seconds=1, sandbox=None, image="").is_whole


def _checked(program: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAMS / program), *map(str, files)]
    # actionlint asks shellcheck, if it finds it.
    environment = {"PATH": f"{PROGRAMS}:/usr/bin:/bin"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _own(bundle: Path) -> list[Path]:
    """The files that a bundle was given beside the kit, and a student's copy of it."""
    paths = [path for path in sorted(bundle.rglob("*")) if path.is_file()]
    return [path for path in paths if not {"kit", "templates"} & set(path.relative_to(bundle).parts)]


def test_a_students_copy_on_github_is_of_the_chosen_exercises_alone(
    bundles: dict[str, Path], first_three: Course, plugins: Plugins
) -> None:
    copy = bundles["github"]
    chosen = [exercise.id for exercise in first_three.exercises]
    source = replace(first_three.pack.source, exercises=copy / "exercises", fixtures=copy / "fixtures")

    theirs = load_pack(source, plugins.checks)

    assert sorted(path.stem for path in (copy / "exercises").glob("ex*.py")) == chosen
    assert [exercise.id for exercise in theirs.handed_out] == chosen
    assert theirs.sha256 == first_three.pack.sha256
    page = (copy / "GETTING_STARTED.md").read_text("utf-8")
    assert f"exercises/{chosen[0]}.py" in page
    assert "GitHub" in page


def test_work_in_the_instructors_clone_goes_into_no_bundle(
    first_three: Course, plugins: Plugins, tmp_path: Path
) -> None:
    exercises = tmp_path / "exercises"
    shutil.copytree(first_three.pack.source.exercises, exercises)
    for exercise in first_three.pack.exercises:
        (exercises / f"{exercise.id}.py").write_text("a_solution = 1\n")
    pack = replace(first_three.pack, source=replace(first_three.pack.source, exercises=exercises))

    write_bundle(plugins.bundles["github"], replace(first_three, pack=pack), tmp_path / "out")

    modules = list((tmp_path / "out").rglob("ex01*.py"))
    assert len(modules) >= 2
    assert not [path for path in (tmp_path / "out").rglob("*.py") if "a_solution" in path.read_text("utf-8")]
