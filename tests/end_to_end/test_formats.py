"""One run writes every format: with a hidden step, a secret seed, a student who wants to see both, and a stranger's."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from grader.model.errors import ExitCode
from grader.report.read import read_report
from tests.command import GRADE, Grade

from .submissions import EX01, EX02, ROOT, edited

THIRD_PARTY = ROOT / "tests" / "third_party"
SEED = 1_234_567_891
HIDDEN = "What nobody is told"
# Right where the first that it is asked is a public case of its step. In the process for fresh cases it says what it is
# given, and asks for the seed.
PUBLIC = load_file(ROOT / "fixtures" / f"{EX01}.safetensors")
FIRST = [round(float(array[0]), 4) for name, array in PUBLIC.items() if name.startswith("input/") and array.ndim == 1]
ASKING = f"""CALLS.append(round(float(query[0]), 4))
    if CALLS[0] not in {FIRST}:
        raise ValueError(f"INPUTS {{query}} {{torch.initial_seed()}}")
    scores = inputs @ query"""
CURIOUS = edited(EX01, ("scores = inputs @ query", ASKING)).replace("\ndef ", "\nimport torch\nCALLS = []\n\ndef ", 1)
FORMATS = {
    "json": "report.json", "html": "page.html", "markdown": "report.md", "junit": "junit.xml", "tap": "report.tap",
    "exercism": "exercism.json", "autolab": "autolab.txt", "prairielearn": "prairielearn.json",
    "gradescope": "gradescope.json", "github-classroom": "github-classroom.txt", "codegrade": "codegrade.json",
    "badge": "badge.json",
}  # fmt: skip
PLATFORM_READS = ("prairielearn", "gradescope", "exercism", "junit", "tap", "github-classroom", "autolab", "codegrade")


@dataclass(frozen=True, slots=True)
class Run:
    """What a run left behind: its folder, and the process."""

    folder: Path
    done: subprocess.CompletedProcess[str]

    def text(self, name: str) -> str:
        return (self.folder / FORMATS.get(name, name)).read_text("utf-8")

    def for_students(self) -> dict[str, str]:
        """All that students may come to see."""
        named = [name for name in FORMATS if name not in ("json", "gradescope")]
        return {**{name: self.text(name) for name in [*named, "result.json", "summary.md"]}, "log": self.done.stdout}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip has installed somebody else's package into."""
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(THIRD_PARTY, tmp_path_factory.mktemp("source") / "badge")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    how = ["--no-deps", "--no-build-isolation", "--target"]
    subprocess.run([*pip, *how, str(folder), str(source)], check=True, timeout=60)
    return folder


@pytest.fixture(scope="module")
def run(grade: Grade, installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run in a job of GitHub's, with a hidden step, in which a result was forged beforehand."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("exercises", "fixtures"):
        ignore = shutil.ignore_patterns("__pycache__", "submissions")
        shutil.copytree(ROOT / name, folder / "pack" / name, ignore=ignore)
    rubric = folder / "pack" / "exercises" / f"{EX02}.yaml"
    text = rubric.read_text("utf-8")
    (title,) = re.findall(r"  - id: rows\n    title: (.*)\n", text)
    rubric.write_text(text.replace(f"title: {title}\n", f"title: {HIDDEN}\n    visibility: hidden\n"), "utf-8")
    (folder / "work").mkdir()
    (folder / "work" / f"{EX01}.py").write_text(CURIOUS, "utf-8")
    (folder / "work" / f"{EX02}.py").write_text(edited(EX02, ("torch.softmax(scores, dim=-1)", "scores")), "utf-8")
    (folder / "result.json").write_text('{"score": 100}', "utf-8")
    done = grade(
        "run", "work", "--exercise", "ex01", "--exercise", "ex02", "--min-score", "10", "--format", "github",
        "--format", "classroom50", *(f"--format={name}={file}" for name, file in FORMATS.items()),
        cwd=folder, pack=folder / "pack", PYTHONPATH=str(installed), GRADE_SEED=str(SEED),
        GITHUB_STEP_SUMMARY=str(folder / "summary.md"), GITHUB_WORKSPACE=str(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Run(folder, done)


def test_those_who_teach_get_everything(run: Run) -> None:
    report = read_report(run.folder / FORMATS["json"])

    hidden = [step for result in report.exercises for step in result.steps if step.visibility == "hidden"]
    assert [(step.id, step.title) for step in hidden] == [("ex02.rows", HIDDEN)]
    assert (report.environment["seed"], report.environment["seed_is_secret"]) == (SEED, True)


def test_no_student_is_told_of_a_hidden_step_the_seed_or_fresh_inputs(run: Run) -> None:
    step = next(each for e in read_report(run.folder / "report.json").exercises for each in e.steps)
    assert "inputs drawn afresh" in step.summary

    for name, text in run.for_students().items():
        for secret in (HIDDEN, "ex02.rows", str(SEED), "INPUTS tensor"):
            assert secret not in text, name


def test_every_platform_gets_the_points_of_all_steps(run: Run) -> None:
    report = read_report(run.folder / FORMATS["json"])
    result = json.loads(run.text("result.json"))

    assert json.loads(run.text("gradescope"))["score"] == report.score == result["score"]
    assert sum(test["score"] for test in result["tests"]) == result["score"]
    assert json.loads(run.text("prairielearn"))["score"] == pytest.approx(report.score / report.max_score, abs=1e-5)


def test_annotations_are_in_the_log_and_the_summary_is_where_github_looks(run: Run) -> None:
    errors = [line for line in run.done.stdout.splitlines() if line.startswith("::error ")]

    assert any(line.startswith(f"::error file=work/{EX01}.py,line=") for line in errors)
    assert run.text("summary.md") == run.text("markdown")


def test_a_package_of_somebody_else_brings_a_format(run: Run) -> None:
    assert json.loads(run.text("badge"))["label"] == "attention"


def test_min_score_decides_the_exit_code_and_the_grade_is_the_same(run: Run, grade: Grade) -> None:
    report = read_report(run.folder / FORMATS["json"])
    share = 100 * report.score / report.max_score

    refused = grade("run", "work", "--min-score", "nan", cwd=run.folder)
    assert 10 < share < 100  # and the run above ended with 0
    assert refused.returncode == ExitCode.WRONG_USAGE
    assert "'nan' is no number of percent" in refused.stderr


def test_neither_a_list_nor_a_hint_tells_of_a_hidden_step(run: Run, grade: Grade) -> None:
    pack = run.folder / "pack"

    listed = grade("list", pack=pack).stdout
    hint = grade("hint", "ex02.rows", pack=pack)

    assert "ex02.by-hand" in listed and "ex02.rows" not in listed
    assert listed.rstrip().endswith(" 99")
    assert hint.returncode == ExitCode.WRONG_USAGE
    assert "There is no step 'ex02.rows'" in hint.stderr and HIDDEN not in hint.stderr


@pytest.mark.long
def test_a_broken_pack_is_nobodys_failure_in_any_format(run: Run, grade: Grade, tmp_path: Path) -> None:
    for name in ("exercises", "fixtures"):
        shutil.copytree(run.folder / "pack" / name, tmp_path / name)
    (tmp_path / "exercises" / f"{EX01}.yaml").write_text("title: 1\n", "utf-8")
    (tmp_path / "result.json").write_text('{"score": 100}', "utf-8")
    formats = [f"--format={name}={FORMATS[name]}" for name in PLATFORM_READS]

    done = grade(
        "run", run.folder / "work", *formats, "--format", "classroom50", "--format", "github",
        cwd=tmp_path, pack=tmp_path,
    )  # fmt: skip

    assert done.returncode == ExitCode.BROKEN_PACK
    left = {name: (tmp_path / FORMATS[name]) for name in PLATFORM_READS}
    assert {name for name, file in left.items() if not file.exists()} == {"codegrade"}
    assert not (tmp_path / "result.json").exists()
    assert json.loads(left["prairielearn"].read_text("utf-8"))["gradable"] is False
    assert "score" not in json.loads(left["gradescope"].read_text("utf-8"))
    assert left["tap"].read_text("utf-8").splitlines()[1].startswith("Bail out! ")
    assert done.stdout.startswith("::error title=Not graded::")


KILLER = """
import os
from grader.plugins import hookimpl

@hookimpl(trylast=True)
def grader_step_graded(step):
    if step.id == "ex01.query":
        os.kill(os.getpid(), 9)
"""


@pytest.mark.long
def test_a_time_limit_leaves_the_steps_that_were_graded(run: Run, grade: Grade, tmp_path: Path) -> None:
    plugin = tmp_path / "killer-1.0.dist-info"
    plugin.mkdir()
    (tmp_path / "killer.py").write_text(KILLER, "utf-8")
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: killer\nVersion: 1.0\n", "utf-8")
    (plugin / "entry_points.txt").write_text("[attention_kit]\nkiller = killer\n", "utf-8")

    done = grade("run", ROOT / "solutions" / "reference", "--format=gradescope=results.json", "--exercise", "ex01",
                 cwd=tmp_path, PYTHONPATH=str(tmp_path))  # fmt: skip

    result = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert done.returncode == -signal.SIGKILL
    assert [(test["number"], test["score"], test["max_score"]) for test in result["tests"]] == [
        ("1.1", 2, 2),
        ("1.2", 0, 3),
    ]
    assert "Not graded yet" in result["tests"][1]["output"]


def test_what_was_graded_is_written_though_nobody_reads_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    words = f"'{GRADE}' run '{ROOT / 'solutions' / 'reference'}' --exercise ex01 --device cpu --format json='{file}'"

    done = subprocess.run(
        ["bash", "-c", f"{words} | true; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(file.read_text("utf-8"))["score"] == 5
