"""`grade batch` as an instructor runs it: in a class of every kind, killed and continued."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.runner.batch.lock import locked
from grader.submission.intake import LAYOUTS
from tests.command import GRADE, Grade
from tests.once import once

from ..runner.processes.looking import has_ended, watched
from .hearing import Hearing
from .submissions import EX01, EX02, REFERENCE, ROOT, edited
from .test_nothing_left_behind import wait_until_busy

SCHEMA = json.loads((ROOT / "grader/report/report.schema.json").read_text("utf-8"))
SECONDS = 60.0
TOOK = re.compile(rb'"seconds": [\d.e-]+|\b[\d.]+ s(?=$|</p>)', re.MULTILINE)
OPTIONS = (
    "--exercise", "ex01", "--exercise", "ex02", "--device", "cpu", "--timeout", "1.5", "--jobs", "2", "--seed", "5",
    "--allow-unsandboxed",
)  # fmt: skip

RIGHT = {EX01: REFERENCE[EX01], EX02: REFERENCE[EX02]}
HALF = {EX01: REFERENCE[EX01]}
WRONG = {EX01: REFERENCE[EX01], EX02: edited(EX02, ("dim=-1", "dim=0"))}
HANGING = {EX01: edited(EX01, ("scores = inputs @ query", "while True: pass"))}
CRASHING = {EX01: REFERENCE[EX01], EX02: "import os\nos._exit(3)\n"}
CLASS: Mapping[str, Mapping[str, str]] = {
    **{f"right-{n}": RIGHT for n in range(4)},
    "half-1": HALF,
    "half-2": HALF,
    "wrong": WRONG,
    "hanging": HANGING,
    "crashing": CRASHING,
    "=cmd()": {EX01: "raise ValueError('=1+1')\n"},
    "empty": {},
}
OUTCOMES = {
    **{f"right-{n}": "full" for n in range(4)},
    "half-1": "partial",
    "half-2": "partial",
    "wrong": "partial",
    "hanging": "crashed",
    "crashing": "crashed",
    "cmd": "failed",
    "empty": "refused",
    "picture": "refused",
}


@pytest.fixture(scope="session")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a class of twelve handed in. Not to be changed."""

    def make(folder: Path) -> Path:
        for name, modules in CLASS.items():
            (folder / "handed_in" / name).mkdir(parents=True)
            for module, source in modules.items():
                (folder / "handed_in" / name / f"{module}.py").write_text(source, "utf-8")
        (folder / "handed_in" / "picture").mkdir()
        (folder / "handed_in" / "picture" / "picture.png").write_bytes(b"\x89PNG")
        return folder / "handed_in"

    handed_in: Path = once(tmp_path_factory, "class", make)
    return handed_in


@pytest.fixture(scope="session")
def undisturbed(grade: Grade, handed_in: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a batch that nothing happened to. Not to be changed."""

    def make(folder: Path) -> Path:
        out = folder / "out"
        books = [f"--gradebook={platform}={folder / platform}.csv" for platform in ("canvas", "moodle")]
        done = grade("batch", handed_in, "--out", out, *OPTIONS, "--format", "terminal", *books)
        assert done.returncode == 0, done.stderr
        (folder / "said").write_text(done.stdout, "utf-8")
        (folder / "progress").write_text(done.stderr, "utf-8")
        return out

    out: Path = once(tmp_path_factory, "undisturbed", make)
    return out


def results(out: Path) -> dict[str, dict[str, Any]]:
    """Every stored report by its id, without its time."""
    reports = [json.loads(file.read_text("utf-8")) for file in sorted((out / "results").glob("*.json"))]
    return {report["submission"]["id"]: {**report, "seconds": 0, "submission": None} for report in reports}


def table(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def stamps(out: Path) -> dict[str, int]:
    """When each result was written."""
    return {file.stem: file.stat().st_mtime_ns for file in (out / "results").glob("[!.]*.json")}


def contents(out: Path) -> dict[str, bytes]:
    """Every file that a batch has written but its database, byte for byte but for how long things took."""
    files = (file for file in out.rglob("*") if file.is_file() and not file.name.startswith("results.sqlite"))
    return {str(file.relative_to(out)): TOOK.sub(b"", file.read_bytes()) for file in sorted(files)}


def begin(
    handed_in: Path, out: Path, *options: str, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """A batch that goes on by itself."""
    return subprocess.Popen(
        [GRADE, "batch", handed_in, "--out", out, *OPTIONS, *options],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=environment,
    )  # fmt: skip


def wait_for(what: Callable[[], bool]) -> None:
    pause, deadline = threading.Event(), time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline, "it never came"
        pause.wait(0.005)


def stored(out: Path) -> set[str]:
    """Whose results a batch has stored so far, as its database says to somebody else."""
    try:
        with sqlite3.connect(f"file:{out}/results.sqlite?mode=ro", uri=True) as database:
            found = {str(row[0]) for row in database.execute("SELECT id FROM results")}
    except sqlite3.Error:
        return set()
    finally:
        if "database" in locals():
            database.close()
    return found


def test_every_submission_is_a_result_whatever_it_does(undisturbed: Path) -> None:
    rows = {row["id"]: row for row in table(undisturbed / "summary.csv")}

    assert {name: row["outcome"] for name, row in rows.items()} == OUTCOMES
    assert [rows[name]["score"] for name in ("right-0", "half-1", "empty", "picture")] == ["13", "5", "0", "0"]
    for file in (undisturbed / "results").iterdir():
        jsonschema.validate(json.loads(file.read_text("utf-8")), SCHEMA)
    reports = results(undisturbed)
    assert set(reports) == set(OUTCOMES)
    assert {step["status"] for step in reports["picture"]["exercises"][0]["steps"]} == {"error"}
    assert "picture.png" in reports["picture"]["notes"][0]
    assert {report["environment"]["seed"] for report in reports.values()} == {5}


def test_the_summary_names_mistakes_and_holds_no_formula(undisturbed: Path) -> None:
    rows = table(undisturbed / "summary.csv")

    (wrong,) = (row for row in rows if row["id"] == "wrong")
    assert wrong["mistakes"] == "softmax-wrong-axis"
    assert wrong["ex01.query"] == "2"
    assert (rows[0]["id"], rows[0]["name"]) == ("cmd", "'=cmd()")
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


def test_a_batch_says_how_far_it_is_and_what_came_of_it(undisturbed: Path) -> None:
    said = (undisturbed.parent / "said").read_text("utf-8")
    progress = (undisturbed.parent / "progress").read_text("utf-8")

    assert "12 submissions in " in said
    assert "4 full · 3 partial · 1 failed · 2 crashed · 2 refused" in said
    assert f"to read, in a browser: {undisturbed / 'index.html'}" in said
    assert progress.splitlines()[-3] == "12 of 12: 4 full · 3 partial · 1 failed · 2 crashed · 2 refused"


def test_further_formats_and_gradebooks_are_written(undisturbed: Path) -> None:
    canvas = (undisturbed.parent / "canvas.csv").read_text("utf-8").splitlines()
    moodle = (undisturbed.parent / "moodle.csv").read_text("utf-8").splitlines()

    assert canvas[:2] == ["Student,ID,SIS Login ID,Section,attention", "    Points Possible,,,,13"]
    # plain folders name no one whom Moodle knows
    assert moodle == ["Identifier,Full name,Grade,Last modified (grade),Feedback comments"]
    shown = (undisturbed / "terminal" / "wrong.txt").read_text("utf-8")
    assert "softmax-wrong-axis" in shown
    assert "ex02_softmax_weights.py:" in shown


def test_the_page_of_the_class_leads_to_a_page_of_each_student(undisturbed: Path) -> None:
    page = (undisturbed / "index.html").read_text("utf-8")

    leads = set(re.findall(r'href="(students/[^"#]+)"', page))
    assert leads == {f"students/{name}.html" for name in OUTCOMES}
    assert {file.name for file in (undisturbed / "students").iterdir()} == {f"{name}.html" for name in OUTCOMES}
    assert "=cmd()" in page
    assert "<mark>" in (undisturbed / "students" / "wrong.html").read_text("utf-8")


def test_a_gradebook_may_lie_in_a_folder_that_is_made_for_the_results(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)

    done = grade(
        "batch", tmp_path / "class", "--out", tmp_path / "new" / "out", *OPTIONS,
        "--gradebook", f"canvas={tmp_path}/new/canvas.csv", "--gradebook", f"moodle={tmp_path}/new/out/moodle.csv",
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "new" / "canvas.csv").is_file()
    assert (tmp_path / "new" / "out" / "moodle.csv").is_file()
    assert f"  canvas is written to {tmp_path}/new/canvas.csv.\n" in done.stdout
    assert f"  moodle is written to {tmp_path}/new/out/moodle.csv.\n" in done.stdout


@dataclass(frozen=True)
class Moment:
    """When a batch is killed: seconds after it has done something once more."""

    of: str
    seconds: float
    jobs: str


def moments(seed: int, count: int) -> list[Moment]:
    """Moments of a batch's life: while it starts, while submissions run, just when a result is stored."""
    drawn = random.Random(seed)
    of = ["opened", "begun", "stored", *drawn.choices(["opened", "begun", "stored"], [3, 1, 1], k=max(0, count - 3))]
    drawn.shuffle(of)
    longest = {"opened": 0.8, "begun": 0.1, "stored": 0.02}
    return [Moment(each, drawn.uniform(0, longest[each]), drawn.choice("12")) for each in of[:count]]


@pytest.mark.lasting
@pytest.mark.no_cover
@pytest.mark.parametrize(("times", "seed"), [(2, 23), pytest.param(10, 6, marks=pytest.mark.long)])
def test_a_batch_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(
    times: int, seed: int, handed_in: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out, hearing = tmp_path / "out", Hearing(tmp_path / "plugin")
    done: set[str] = set()
    kept = 0
    waiting = moments(seed, times)
    while waiting:
        moment, environment = waiting[0], hearing.next()
        batch = begin(handed_in, out, "--jobs", moment.jobs, "--format", "terminal", environment=environment)
        happened: dict[str, Callable[[], bool]] = {
            "opened": (out / "results.sqlite").exists,
            "begun": lambda: bool(hearing.begun()),
            "stored": lambda: bool(stored(out) - done),  # noqa: B023 - it is asked in this round alone
        }
        wait_for(lambda: happened[moment.of]() or batch.poll() is not None)  # noqa: B023
        threading.Event().wait(moment.seconds)
        handles = watched(batch.pid)
        batch.kill()
        batch.communicate()
        assert all(has_ended(handle) for handle in handles)
        if batch.returncode == 0:  # on a fast machine there may be nothing left to be killed at: from the beginning
            assert contents(out) == contents(undisturbed)
            shutil.rmtree(out)
            done = set()
            continue
        assert batch.returncode == -signal.SIGKILL
        waiting.pop(0)
        begun, before, done = hearing.begun(), done, stored(out)
        assert not before & {*begun}, "what was stored is graded again"
        assert len({*begun}) == len(begun)
        assert len({*begun} - done) <= int(moment.jobs), "more is lost than what was running"
        kept += len(before)

    last = begin(handed_in, out, "--format", "terminal", environment=hearing.next())
    said, errors = last.communicate(timeout=SECONDS)

    assert last.returncode == 0, errors
    assert not done or f"{len(done)} kept as they were" in said
    assert kept > 0
    assert {*hearing.begun()} == OUTCOMES.keys() - done - {"empty", "picture"}
    assert contents(out) == contents(undisturbed)
    assert rows_of(out) == rows_of(undisturbed)


def test_ctrl_c_finishes_what_runs_and_says_how_to_go_on(handed_in: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch = begin(handed_in, out)
    wait_for(lambda: bool(stored(out)))

    os.killpg(batch.pid, signal.SIGINT)  # a terminal sends it to everybody
    _, errors = batch.communicate(timeout=SECONDS)

    count = len(stored(out))
    assert batch.returncode == 130
    assert f"Interrupted after {count} of 12. Run the same command again to go on" in errors
    assert 1 < count < 12
    assert len(stamps(out)) == count
    assert not {row["outcome"] for row in rows_of(out)} & {"ungraded"}


@pytest.mark.long
def test_a_second_ctrl_c_ends_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "class" / "hanging").mkdir(parents=True)
    (tmp_path / "class" / "hanging" / f"{EX01}.py").write_text(HANGING[EX01], "utf-8")
    batch = begin(tmp_path / "class", tmp_path / "out", "--timeout", "90")
    wait_until_busy(batch.pid)
    handles = watched(batch.pid)

    os.killpg(batch.pid, signal.SIGINT)
    assert batch.stderr is not None
    while "finishing what runs" not in batch.stderr.readline():
        assert batch.poll() is None
    os.killpg(batch.pid, signal.SIGINT)
    _, errors = batch.communicate(timeout=SECONDS)

    assert batch.returncode == 130
    assert "Run the same command again to go on" in errors
    assert all(has_ended(handle) for handle in handles)
    assert not stored(tmp_path / "out")


def test_a_second_batch_on_the_same_folder_refuses(grade: Grade, handed_in: Path, tmp_path: Path) -> None:
    with locked(tmp_path / "out"):
        done = grade("batch", handed_in, "--out", tmp_path / "out", *OPTIONS)

    assert done.returncode == 2
    assert "Another `grade batch` is at work on" in done.stderr
    assert not (tmp_path / "out" / "results").exists()


@pytest.mark.parametrize("address", ["foo", "tls://", "ftp://here:1", "tcp://10.0.0.7:8786"])
def test_an_address_that_nothing_grades_at_is_refused_before_anything_is_read_or_made(
    address: str, grade: Grade, tmp_path: Path
) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)

    done = grade("batch", tmp_path / "class", "--out", tmp_path / "out", "--cluster", address)

    assert (done.returncode, done.stdout) == (2, "")
    assert address in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_gpu_that_is_not_there_is_refused_before_anything_is_made(grade: Grade, small: Path) -> None:
    out = small.parent / "results"

    done = grade("batch", small, "--out", out, "--device", "cuda", "--allow-unsandboxed")

    if done.returncode != 6:
        pytest.skip("this machine has a GPU")
    assert "--device cuda: there is none on this machine." in done.stderr
    assert not out.exists()


def test_where_no_folder_can_be_made_it_is_said_to_name_another_place(grade: Grade, small: Path) -> None:
    done = grade("batch", small, "--out", "/proc/nowhere", *OPTIONS)

    assert done.returncode == 2
    assert done.stderr == (
        "grade: No folder can be made at /proc/nowhere: No such file or directory. Name another place with --out.\n"
    )


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """Two submissions that may be changed."""
    folder = tmp_path / "small"
    for name, source in (
        ("ada", REFERENCE[EX01]),
        ("bob", REFERENCE[EX01].replace("inputs @ query", "inputs @ -query")),
    ):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{EX01}.py").write_text(source, "utf-8")
    yield folder


def test_only_what_has_changed_is_graded_again_unless_all_is_to_be_and_a_diff_says_what_came_of_it(
    grade: Grade, small: Path, tmp_path: Path
) -> None:
    out, old = tmp_path / "out", tmp_path / "old"
    options = ("--out", out, "--exercise", "ex01", "--device", "cpu", "--jobs", "1", "--allow-unsandboxed")
    assert grade("batch", small, *options).returncode == 0
    shutil.copytree(out, old)
    first = stamps(out)
    (small / "bob" / f"{EX01}.py").write_text(REFERENCE[EX01], "utf-8")

    again = grade("batch", small, *options)

    assert "1 kept as they were" in again.stdout
    assert {name for name, stamp in stamps(out).items() if stamp != first[name]} == {"bob"}
    assert results(out)["bob"]["environment"]["seed"] == results(old)["bob"]["environment"]["seed"]
    compared = grade("diff", old, out)
    assert compared.returncode == 0
    lines = compared.stdout.splitlines()
    assert lines[0] == "bob  3 → 5 / 5 (other code)"
    assert lines[1].startswith("    ex01.query          failed → passed, 0 → 2; was: ")
    assert lines[-1] == "1 of 2 submissions changed"
    page = (out / "index.html").read_text("utf-8")
    assert "ex01.query failed → passed" in page
    assert "Since the grading before" not in (old / "index.html").read_text("utf-8")
    regraded = grade("batch", small, *options, "--regrade")
    assert "kept" not in regraded.stdout
    assert stamps(out)["ada"] != first["ada"]


def test_a_diff_names_who_was_handed_in_to_one_grading_alone(grade: Grade, small: Path, tmp_path: Path) -> None:
    out, old = tmp_path / "out", tmp_path / "old"
    options = ("--out", out, "--exercise", "ex01", "--device", "cpu", "--jobs", "1", "--allow-unsandboxed")
    grade("batch", small, *options)
    shutil.copytree(out, old)
    shutil.rmtree(small / "bob")
    grade("batch", small, *options)

    told = grade("diff", old, out).stdout
    files = {file.name for file in out.iterdir()}

    assert told.splitlines() == [f"only in {old}: bob", "0 of 1 submission changed"]
    assert {"results.sqlite-shm", "results.sqlite-wal"}.isdisjoint(files)


def test_a_diff_of_two_students_names_both_and_of_two_classes_says_that_nobody_is_in_both(
    grade: Grade, small: Path, tmp_path: Path
) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    options = ("--exercise", "ex01", "--device", "cpu", "--jobs", "1", "--allow-unsandboxed")
    grade("batch", small, "--out", out, *options)
    for name in ("ada", "bob"):
        (small / name).rename(small / f"{name}-too")
    grade("batch", small, "--out", other, *options)

    students = grade("diff", out / "results" / "bob.json", out / "results" / "ada.json").stdout
    classes = grade("diff", out, other)

    assert students.startswith("bob → ada  3 → 5 / 5 (other code)\n")
    assert classes.returncode == 0
    assert classes.stdout.splitlines() == [
        f"only in {out}: ada, bob",
        f"only in {other}: ada-too, bob-too",
        "nobody is in both: submissions are told by the names of their reports",
    ]


def test_results_of_other_options_are_said_to_be_replaced_before_they_are(
    grade: Grade, small: Path, tmp_path: Path
) -> None:
    options = ("--out", tmp_path / "out", "--device", "cpu", "--jobs", "1", "--allow-unsandboxed")
    first = grade("batch", small, *options, "--exercise", "ex01")
    same = grade("batch", small, *options, "--exercise", "ex01")

    otherwise = grade("batch", small, *options, "--exercise", "ex02")

    said = (
        f"grade: 2 results in {tmp_path / 'out'} are of other options, another pack or another grader; "
        "those handed in again are graded anew."
    )
    assert "graded anew" not in first.stderr + same.stderr
    assert said in otherwise.stderr.splitlines()


def test_a_stored_report_is_shown_as_the_terminal_showed_it_but_for_what_its_student_does_next(
    grade: Grade, undisturbed: Path
) -> None:
    shown = grade("show", undisturbed / "results" / "wrong.json")

    assert shown.returncode == 0
    told = (undisturbed / "terminal" / "wrong.txt").read_text("utf-8").splitlines(keepends=True)
    assert shown.stdout == "".join(line for line in told if not line.startswith("  next hint: "))


@pytest.mark.long
def test_a_batch_refuses_to_grade_without_the_sandbox_unless_it_is_allowed(
    grade: Grade, small: Path, tmp_path: Path
) -> None:
    done = grade("batch", small, "--out", tmp_path / "out", "--exercise", "ex01", "--without-layer", "seccomp")

    assert done.returncode == 6
    assert "The sandbox lacks " in done.stderr
    assert not stored(tmp_path / "out")


@pytest.mark.skipif(not Path("/usr/bin/bwrap").exists(), reason="needs bubblewrap to make a small disk")
@pytest.mark.parametrize(
    ("size", "is_begun"), [(130 << 10, True), pytest.param(16 << 10, False, marks=pytest.mark.long)]
)
def test_a_full_disk_ends_in_a_sentence_and_loses_nothing(
    size: int, is_begun: bool, handed_in: Path, tmp_path: Path
) -> None:
    # A disk of the size of the database and a few reports, or not even that; what is on it is copied away before it
    # vanishes.
    command = [
        "bwrap", "--dev-bind", "/", "/", "--size", str(size), "--tmpfs", "/mnt", "sh", "-c",
        '"$@"; code=$?; cp -r /mnt/out "$0"; exit $code', str(tmp_path), GRADE, "batch", handed_in, "--out", "/mnt/out",
        *OPTIONS, "--without-layer", "bubblewrap",
    ]  # fmt: skip

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)

    assert done.returncode == 1, done.stderr
    assert "cannot be written: " in done.stderr
    assert "What is graded so far is stored." in done.stderr
    assert "Traceback" not in done.stderr
    count = len(stored(tmp_path / "out")) if is_begun else 0
    assert is_begun == (0 < count < 12)
    assert count <= len(results(tmp_path / "out")) <= count + 2


@pytest.mark.parametrize("command", ["batch", "export"])
def test_help_names_every_layout(command: str, grade: Grade) -> None:
    told = " ".join(grade(command, "--help").stdout.split())

    assert sorted(re.findall(r"\w+", told.partition("is laid out: ")[2].partition(" finds out")[0])) == sorted(
        [*LAYOUTS, "or"]
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere", "--out", "out"], "There is nothing at nowhere."),
        (["solutions", "--out", "solutions/out"], "lies in solutions"),
        (["solutions", "--out", "out", "--gradebook", "excel=x.csv"], "canvas=FILE or moodle=FILE"),
        (["solutions", "--out", "out", "--gradebook", "canvas=tests"], "tests is a folder; name a file in it."),
        (["solutions", "--out", "out", "--gradebook", "canvas=out/summary.csv"], "summary.csv would be written twice"),
        (["solutions", "--out", "out", "--gradebook", "canvas=out/results.sqlite"], "sqlite would be written twice"),
        (["solutions", "--out", "out", "--format", "html=out/students"], "Two formats would go to out/students"),
        (["solutions", "--out", "out", "--format", "tap=x", "--format", "junit=x"], "Two formats would go to x"),
        (["solutions", "--out", "out", "--format", "tap=out/results"], "Two formats would go to out/results"),
        (["solutions", "--out", "out", "--format", "tap=solutions/x"], "solutions/x lies in solutions"),
        (["solutions", "--out", "out", "--gradebook", "canvas=/proc/x"], "/proc/x cannot be written: "),
        (["solutions", "--out", "out", "--gradebook", "canvas=no/x.csv"], "there is no folder no"),
        (["solutions", "--out", "out", "--assignment", "Lab 3"], "and no --gradebook is given."),
        (["solutions", "--out", "README.md"], "README.md is a file; name a folder with --out."),
        (["solutions", "--out", "out", "--format", "xml"], "There is no format 'xml'"),
        (["solutions", "--out", "out", "--layout", "heap"], "There is no layout 'heap'"),
    ],
)
def test_wrong_usage_is_a_sentence_and_makes_nothing(words: list[str], said: str, grade: Grade) -> None:
    done = grade("batch", *words)

    assert done.returncode in (2, 5)
    assert said in done.stderr
    assert not (ROOT / "out").exists()


def rows_of(out: Path) -> list[dict[str, Any]]:
    """What the database says of every result, but for the runs that it is of and the digest of its file."""
    database = sqlite3.connect(out / "results.sqlite")
    database.row_factory = sqlite3.Row
    try:
        rows = [dict(row) for row in database.execute("SELECT * FROM results ORDER BY id")]
        return [{name: value for name, value in row.items() if name not in ("run", "graded", "report")} for row in rows]
    finally:
        database.close()
