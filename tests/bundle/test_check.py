"""A check tells a bundle that grades from one that does not; `end_to_end/test_bundles.py` has one that does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.bundle.check import Tried, check_bundle, find_platform
from grader.cli.options import find_exercise
from grader.cli.pack import load
from grader.model.errors import BundleError, UsageError
from grader.plugins.registry import Plugins

from ..end_to_end.submissions import EX01, EX02, REFERENCE, ROOT

RIGHT = {f"{EX01}.py": REFERENCE[EX01].encode()}
BOTH = {f"{module}.py": REFERENCE[module].encode() for module in (EX01, EX02)}


def tried(plugins: Plugins, bundle: Path, scratch: Path, right: dict[str, bytes]) -> list[Tried]:
    scratch.mkdir()
    targets = plugins.bundles.values()
    wrong = {name: source.replace(b"return", b"return 2 *") for name, source in right.items()}
    stubs = {name: (ROOT / "exercises" / name).read_bytes() for name in right}

    def find(name: str) -> str:
        return find_exercise(load(plugins), name).id

    return list(check_bundle(bundle, scratch, targets, right, wrong, stubs, find=find, is_fresh=False))


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "exercises", "timeout", "trouble"),
    [
        ("docker", EX02, "30", "no grade, as it must be: exit code 3"),
        ("autolab", '"2"  # the second', "20", "no grade, as it must be: the last line is no JSON with scores"),
    ],
)
def test_a_bundle_whose_settings_are_edited_as_they_invite_to_is_still_right(
    target: str,
    exercises: str,
    timeout: str,
    trouble: str,
    plugins: Plugins,
    bundles: dict[str, Path],
    tmp_path: Path,
) -> None:
    edited = tmp_path / "edited"
    shutil.copytree(bundles[target], edited)
    if target == "autolab":
        shutil.unpack_archive(edited / "autograde.tar", tmp_path / "tar", filter="tar")
    settings = next((tmp_path / "tar/grading" if target == "autolab" else edited).glob("settings.sh"))
    text = re.sub(r"^EXERCISES=.*$", f"EXERCISES=(\n{exercises}\n)", settings.read_text(), flags=re.MULTILINE)
    settings.write_text(re.sub(r"^TIMEOUT=.*$", f"TIMEOUT={timeout}", text, flags=re.MULTILINE))
    if target == "autolab":
        shutil.make_archive(str(edited / "autograde"), "tar", tmp_path / "tar")

    outcomes = tried(plugins, edited, tmp_path / "scratch", BOTH)

    assert [(each.trial, each.said) for each in outcomes if not each.is_right] == []
    assert (outcomes[-1].trial, outcomes[-1].said) == ("trouble", trouble)


def test_a_setting_that_names_no_exercise_is_told_in_a_sentence(
    plugins: Plugins, bundles: dict[str, Path], tmp_path: Path
) -> None:
    edited = tmp_path / "edited"
    shutil.copytree(bundles["docker"], edited)
    (edited / "setup.sh").write_text("echo ready\n")

    for number, (written, said) in enumerate([("ex77", "There is no exercise 'ex77'"), ("'ex01", "cannot be read")]):
        (edited / "settings.sh").write_text(f"EXERCISES=({written})\n")
        with pytest.raises(UsageError, match=said):
            tried(plugins, edited, tmp_path / f"scratch{number}", RIGHT)


@pytest.mark.long
def test_a_bundle_whose_grading_is_broken_is_told_with_what_was_printed(
    plugins: Plugins, bundles: dict[str, Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(bundles["docker"], broken)
    (broken / "setup.sh").write_text("echo ready\n")
    (broken / "grade_submission").write_text("#!/bin/sh\necho 'there is a typo here'; exit 1\n")

    outcomes = tried(plugins, broken, tmp_path / "scratch", RIGHT)

    right = next(each for each in outcomes if each.trial == "right")
    assert not right.is_right
    assert right.said == "no grade: exit code 1; expected all points"
    assert right.output == "there is a typo here"


def test_a_set_up_that_fails_is_told_with_what_was_printed(
    plugins: Plugins, bundles: dict[str, Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(bundles["docker"], broken)
    (broken / "setup.sh").write_text("echo 'no room on disk'; exit 28\n")

    with pytest.raises(BundleError, match=r"ended with 28.\nno room on disk"):
        tried(plugins, broken, tmp_path / "scratch", RIGHT)


@pytest.mark.parametrize("name", ["gradescope", "github", "classroom50", "prairielearn", "autolab", "docker"])
def test_a_bundle_is_told_from_every_other(name: str, plugins: Plugins, bundles: dict[str, Path]) -> None:
    assert find_platform(bundles[name], plugins.bundles.values()).name == name


def test_what_is_no_bundle_is_said_to_be_none(plugins: Plugins, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="This is no bundle: there is none of run_autograder"):
        find_platform(tmp_path, plugins.bundles.values())


def test_a_machine_without_python_is_told_so_by_set_up(bundles: dict[str, Path], tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("dirname", "id"):
        (tools / tool).symlink_to(str(shutil.which(tool)))

    done = subprocess.run(
        [str(shutil.which("bash")), bundles["docker"] / "setup.sh"],
        env={"PATH": str(tools), "GRADE_VENV": str(tmp_path / "venv"), "GRADE_SYSTEM_PACKAGES": "no"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == "setup.sh: Python 3.11 or newer with venv is needed, and there is none here.\n"


def test_set_up_imports_nothing_from_where_it_is_called(bundles: dict[str, Path], tmp_path: Path) -> None:
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    python.chmod(0o755)

    subprocess.run(
        ["bash", bundles["docker"] / "setup.sh"],
        env={**os.environ, "GRADE_VENV": str(tmp_path / "venv"), "GRADE_SYSTEM_PACKAGES": "no"},
        check=True, capture_output=True,
    )  # fmt: skip

    asked = (tmp_path / "asked").read_text().splitlines()
    assert len(asked) >= 2
    assert [line for line in asked if not line.startswith("-I -m ")] == []


def test_torch_comes_from_the_index_of_cpu_builds_unless_another_is_named(
    bundles: dict[str, Path], tmp_path: Path
) -> None:
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    python.chmod(0o755)
    setup = ["bash", str(bundles["docker"] / "setup.sh")]
    own = {**os.environ, "GRADE_VENV": str(tmp_path / "venv"), "GRADE_SYSTEM_PACKAGES": "no"}

    for index in ({}, {"TORCH_INDEX": ""}, {"TORCH_INDEX": "https://example.org/simple"}):
        subprocess.run(setup, env=own | index, check=True, capture_output=True)

    torch = [line for line in (tmp_path / "asked").read_text().splitlines() if line.endswith(" torch")]
    named = [re.findall(r"--index-url (\S+)", line) for line in torch]
    assert named == [["https://download.pytorch.org/whl/cpu"], [], ["https://example.org/simple"]]
    assert all("/constraints.txt" in line for line in torch)  # where its version stands, for each Python
