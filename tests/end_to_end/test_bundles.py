"""`grade bundle` as a command: what it says, and that its own check takes what it makes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.handout.contents import SIGNS
from grader.model.errors import GraderError
from tests.command import Grade


@pytest.mark.long
@pytest.mark.lasting
@pytest.mark.no_cover
def test_a_bundle_is_made_and_proved_by_two_commands(grade: Grade, tmp_path: Path) -> None:
    bundle = tmp_path / "auto grader.zip"

    made = grade("bundle", "gradescope", bundle, "--exercise", "ex01")
    checked = grade("bundle", "check", bundle)

    assert made.returncode == 0, made.stderr
    assert f"grade bundle check '{bundle}'" in made.stdout
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.splitlines() == [
        f"  ✓ set-up   gradescope: setup.sh: {sys.prefix} is ready",
        "  ✓ right    5 of 5",
        "  ✓ wrong    2 of 5",
        "  ✓ stubs    0 of 5",
        "  ✓ hanging  0 of 5",
        "  ✓ trouble  no grade, as it must be: the autograder failed to execute correctly",
    ]


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.parametrize("target", ["classroom50", "prairielearn", "autolab", "docker"])  # docs/platforms.md: GitHub
def test_every_bundle_passes_its_own_check(target: str, grade: Grade, tmp_path: Path) -> None:
    made = grade("bundle", target, tmp_path / target, "--exercise", "ex01")
    checked = grade("bundle", "check", tmp_path / target)

    assert (made.returncode, checked.returncode) == (0, 0), made.stderr + checked.stdout + checked.stderr
    trials = [line.split()[:2] for line in checked.stdout.splitlines()]
    assert trials == [["✓", each] for each in ("set-up", "right", "wrong", "stubs", "hanging", "trouble")]


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.timeout(600)  # a download of 200 MB
def test_a_bundle_sets_up_an_environment_of_its_own_and_grades_in_it(grade: Grade, tmp_path: Path) -> None:
    bundle = tmp_path / "autograder.zip"
    grade("bundle", "gradescope", bundle, "--exercise", "ex01")

    checked = grade("bundle", "check", bundle, "--fresh", TORCH_INDEX="")  # pip's own, as for us

    assert checked.returncode == 0, checked.stdout + checked.stderr
    setup, right, *_ = checked.stdout.splitlines()
    assert sys.prefix not in setup
    assert right == "  ✓ right    5 of 5"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["gradescop", "x.zip"], 2, "There is no bundle 'gradescop'. Did you mean gradescope?"),
        (["gradescope", "x.tar"], 2, "takes a file that ends in .zip"),
        (["docker", "x", "--exercise", "ex77"], 2, "There is no exercise 'ex77'"),
        (["docker", "x", "--image", 'me"; rm'], 2, "give a name that `docker pull` takes"),
        (["check", "nowhere"], 2, "There is nothing at nowhere; `grade bundle` makes one."),
        (["check", "notes.txt"], 2, "notes.txt cannot be opened as a bundle"),
        (["github", "workspace"], 2, "workspace is there already and not empty; name a new folder."),
    ],
)
def test_a_slip_is_told_in_a_sentence(
    arguments: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("no bundle")
    for sign in SIGNS:
        (tmp_path / "workspace" / sign).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "workspace" / sign).touch()
    monkeypatch.chdir(tmp_path)

    done = CliRunner().invoke(cli, ["bundle", *arguments])

    assert isinstance(done.exception, GraderError)
    assert (done.exception.exit_code, said in str(done.exception)) == (code, True)
    assert "--update" not in str(done.exception)
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "workspace"}


@pytest.mark.parametrize("target", ["gradescope", "github", "classroom50", "prairielearn", "autolab", "docker"])
def test_the_help_of_every_target_has_an_example(target: str) -> None:
    done = CliRunner().invoke(cli, ["bundle", target, "--help"])

    assert done.exit_code == 0
    assert f"Example: grade bundle {target} " in done.output
