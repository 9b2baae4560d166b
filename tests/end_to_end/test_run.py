"""`grade run` as a person runs it: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from grader.model.pack import SolutionSource
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from tests.command import GRADE, Grade
from tests.sampling import every_time

from .submissions import EX01, EX03, EX10, EX11, REFERENCE, ROOT, edited

ReportOf = Callable[..., dict[str, Any]]
HINT = "hint ex01.query --in {}"


def test_the_reference_gets_full_marks_and_exit_code_zero(grade: Grade) -> None:
    done = grade("run", "solutions/reference")

    assert done.returncode == 0
    assert re.search(r"score +100 / 100", done.stdout)
    assert done.stderr == ""


def test_the_stubs_get_nothing_are_all_unstarted_and_end_in_exit_code_one(grade: Grade, tmp_path: Path) -> None:
    done = grade("run", "exercises", "--format", f"json={tmp_path}/report.json")

    assert done.returncode == 1
    assert re.search(r"score +0 / 100", done.stdout)
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert {step["status"] for exercise in report["exercises"] for step in exercise["steps"]} == {"unstarted"}


def test_the_sample_submission_loses_the_steps_that_its_readme_names(grade: Grade) -> None:
    done = grade("run", "fixtures/submissions/first_attempt")

    assert done.returncode == 1
    assert re.search(r"score +59 / 100", done.stdout)
    wrong = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("    ✗", "    ◐"))]
    assert wrong == ["scaled", "attention", "copy", "law", "output", "causality", "shorter", "bias"]
    assert "dropout-unscaled" in done.stdout
    assert "ex12  Multi-head attention · not started" in done.stdout
    assert "next hint: grade hint ex05.scaled" in done.stdout


def test_grade_alone_is_grade_run_exercises(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / f"{EX01}.py").write_text(REFERENCE[EX01])

    alone, spelt_out = grade(cwd=tmp_path), grade("run", "exercises", cwd=tmp_path)

    assert alone.returncode == spelt_out.returncode == 1
    without_figures = [re.sub(r"seed \d+|[\d.]+ s$", "", done.stdout, flags=re.M) for done in (alone, spelt_out)]
    assert without_figures[0] == without_figures[1]
    assert "5 / 100" in alone.stdout


def test_options_without_a_command_are_those_of_grade_run(grade: Grade) -> None:
    done = grade("--exercise", "ex01", "--lang", "de")

    assert done.returncode == 1
    assert "nicht begonnen" in done.stdout
    assert "grade run" in grade("--exercis", "ex01").stderr
    assert "Optionen stehen hinter dem Befehl: grade list --lang" in grade("--lang", "de", "list").stderr


@pytest.mark.parametrize(
    ("word", "meant"),
    [("my work", "run 'my work'"), ("ex10", "run exercises --exercise ex10"), ("bach", "batch")],
)
def test_a_word_that_is_no_command_is_told_as_the_command_that_was_meant(
    word: str, meant: str, grade: Grade, tmp_path: Path
) -> None:
    (tmp_path / "my work").mkdir()

    assert f"No such command {word!r}. Did you mean: grade {meant}\n" in grade(word, cwd=tmp_path).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("export exercises", "Missing: '--dolos'."),
        ("diff before", "Missing: 'NEW'."),
        ("verify --mutant", "No such option --mutant. Did you mean --mutants?"),
        ("fixtures biuld", "No such command 'biuld'."),
        ("doctor x", "Got more than is expected: x"),
        ("run --exercise --lang de", "Die Option --exercise braucht einen Wert."),
        ("run --profile --allow-unsandboxed", "Option --profile requires an argument."),
    ],
)
def test_what_is_wrong_with_a_command_of_who_teaches_is_told_as_with_one_of_who_learns(
    words: str, said: str, grade: Grade
) -> None:
    done = grade(*words.split())

    told, usage = done.stderr.splitlines()
    name = words.split()[0]
    assert done.returncode == 2
    assert told.startswith(f"grade: {said}")
    assert re.match(rf"(Usage|Aufruf): grade {name} \[OPTION(S|EN)\]", usage)
    assert usage.endswith((f"; `grade {name} --help` says more.", f"; mehr sagt `grade {name} --help`."))


def test_what_click_says_of_no_command_begins_alike_and_a_group_alone_is_told_its_help(grade: Grade) -> None:
    assert re.match(r"grade: Option '?--json'? requires an argument\.\n", grade("verify", "--json").stderr)
    alone = grade("fixtures")  # on which stream, click's version decides
    assert (alone.stdout + alone.stderr).startswith("Usage: grade fixtures [OPTIONS] COMMAND")


def test_a_folder_that_holds_an_exercises_folder_is_graded_as_that(report_of: ReportOf, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "solutions/reference", tmp_path / "mine/exercises")

    assert report_of(tmp_path / "mine", "--exercise", "ex01")["score"] == 5


def test_a_seed_repeats_a_run(grade: Grade) -> None:
    some = ("--exercise", "ex05", "--exercise", "ex09")  # what draws much and what drops at random
    runs = [
        json.loads(grade("run", "fixtures/submissions/first_attempt", *some, "--seed", "41", "--format", "json").stdout)
        for _ in range(2)
    ]

    for run in runs:
        assert run.pop("seconds") > 0
    assert runs[0] == runs[1]
    assert runs[0]["environment"]["seed"] == 41


def test_without_a_seed_every_run_draws_another(report_of: ReportOf) -> None:
    seeds = {report_of(f"solutions/reference/{EX01}.py")["environment"]["seed"] for _ in range(2)}

    assert len(seeds) == 2


@pytest.mark.parametrize("name", ["EX10", f"{EX10}.py"])
def test_one_exercise_is_graded_alone_by_its_number_or_name(name: str, report_of: ReportOf) -> None:
    report = report_of("solutions/reference", "--exercise", name)

    assert [exercise["id"] for exercise in report["exercises"]] == [EX10]
    assert report["score"] == report["max_score"] == report["exercises"][0]["max_score"] == 13


def test_exercises_stand_in_the_rubrics_order_however_they_are_asked_for(report_of: ReportOf) -> None:
    report = report_of("solutions/reference", "--exercise", "ex03", "--exercise", "ex01", "--exercise", "ex03")

    assert [exercise["id"] for exercise in report["exercises"]] == [EX01, EX03]


def test_one_module_is_graded_alone_and_may_import_those_beside_it(grade: Grade) -> None:
    done = grade("run", f"solutions/reference/{EX11}.py")

    assert done.returncode == 0
    assert re.search(r"score +7 / 7", done.stdout)


def test_json_to_standard_output_is_one_object_and_nothing_else(grade: Grade) -> None:
    done = grade("run", "solutions/reference", "--exercise", "ex01", "--format", "json")

    report, end = json.JSONDecoder().raw_decode(done.stdout)
    assert report["schema"] == "attention-kit/report/v1"
    assert done.stdout[end:] == "\n"
    assert done.stderr == ""


def test_json_to_a_file_leaves_standard_output_to_people(grade: Grade, tmp_path: Path) -> None:
    file = tmp_path / "report.json"

    done = grade("run", "solutions/reference", "--exercise", "ex01", "--format", f"json={file}")

    assert done.returncode == 0
    assert "5 / 5" in done.stdout
    assert "A dot product is large where two vectors point the same way" in done.stdout, "what there is to learn"
    assert json.loads(file.read_text("utf-8"))["score"] == 5
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


def test_a_file_that_cannot_be_written_is_wrong_usage_in_one_sentence(grade: Grade, tmp_path: Path) -> None:
    done = grade(
        "run", "solutions/reference", "--exercise", "ex01", "--format", f"json={tmp_path}/no/such/folder/r.json"
    )

    assert done.returncode == 2
    assert done.stderr.startswith("grade: ")
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_where_one_format_cannot_be_written_the_others_are(grade: Grade, tmp_path: Path) -> None:
    done = grade(
        "run", "solutions/reference", "--exercise", "ex01",
        "--format", "json=/proc/r.json", "--format", f"gradescope={tmp_path}/results.json",
    )  # fmt: skip

    assert done.returncode == 2
    assert "/proc/r.json cannot be written: " in done.stderr
    assert json.loads((tmp_path / "results.json").read_text("utf-8"))["score"] == 5


def test_a_folder_in_the_reports_place_is_refused_and_nothing_is_left_behind(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "report.json").mkdir()

    done = grade("run", "solutions/reference", "--exercise", "ex01", "--format", f"json={tmp_path}/report.json")

    assert done.returncode == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--exercise", "ex1O"], "There is no exercise 'ex1O'. Did you mean ex1"),
        (["--exercise", "ex10_causal_atention"], "Did you mean ex10_causal_attention?"),
        (["--exercise", "potato"], "There are: ex01"),
        (["--exercise", "ex99"], "There is no exercise 'ex99'. There are: ex01"),
        (["--exercise", "14"], "There is no exercise '14'. There are: ex01"),
        (["--exercise", "../ex03"], "There is no exercise '../ex03'."),
        (["--format", "jsn"], "There is no format 'jsn'. Did you mean json?"),
        (["--format", "json="], "no file is named"),
        (["--format", "json", "--format", "terminal"], "Only one format can go to standard output"),
        (["--formt", "json"], "--formt"),
        (["--device", "tpu"], "tpu"),
        (["--seed", "-1"], "-1"),
        (["--seed", "abc"], "'abc' is no whole number."),
        (["--timeout", "0"], "0"),
        (["--timeout", "nan"], "'nan' is no number of seconds."),
        (["--timeout", "10s"], "'10s' is no number of seconds."),
        (["--min-score", "50%"], "'50%' is no number of percent."),
        (["two", "paths"], "paths"),
    ],
)
def test_wrong_usage_ends_in_exit_code_two_and_says_why(arguments: list[str], said: str, grade: Grade) -> None:
    done = grade("run", "solutions/reference", *arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_an_unknown_command_is_wrong_usage(grade: Grade) -> None:
    done = grade("rnu")

    assert done.returncode == 2
    assert "rnu" in done.stderr


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: folder / "nowhere",
        lambda folder: folder,
        lambda folder: _written(folder / "notes.txt", "no module"),
        lambda folder: _written(folder / "other.py", "x = 1"),
        lambda folder: _written(folder / "__init__.py", "").parent,
    ],
    ids=["missing path", "empty folder", "no Python", "another module", "a folder without exercises"],
)
def test_nothing_to_grade_ends_in_exit_code_five(make: Callable[[Path], Path], grade: Grade, tmp_path: Path) -> None:
    done = grade("run", make(tmp_path))

    assert done.returncode == 5
    assert done.stderr.startswith("grade: ")
    assert "Traceback" not in done.stderr


def test_a_folder_without_exercises_says_how_to_make_a_workspace(grade: Grade, tmp_path: Path) -> None:
    done = grade(cwd=tmp_path)

    assert done.returncode == 5
    assert "grade init" in done.stderr


@pytest.mark.parametrize("command", ["run", "watch"])
def test_who_stands_in_the_exercises_is_told_so(command: str, grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()

    done = grade(command, cwd=tmp_path / "exercises")

    assert done.returncode == 5
    assert f"`grade {command} .` grades it." in done.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["run", "exercise"], "exercises"),
        (["hint", "ex01.query", "--in", "exercise"], "exercises"),
        (["batch", "fixtures/submission", "--out", "{}"], "fixtures/submissions"),
        (["export", "fixtures/submission", "--dolos", "{}/c.zip"], "fixtures/submissions"),
    ],
)
def test_a_mistyped_path_is_told_what_lies_there(words: list[str], meant: str, grade: Grade, tmp_path: Path) -> None:
    done = grade(*(word.format(tmp_path / "out") for word in words))

    assert done.returncode == 5
    assert f". Did you mean {meant}?\n" in done.stderr


@pytest.mark.parametrize(("command", "named"), [("run", "ex05"), ("watch", "ex05_scaled_scores")])
def test_an_exercise_given_for_a_path_is_told_the_option(command: str, named: str, grade: Grade) -> None:
    done = grade(command, named)

    assert done.returncode == 5
    assert f"Did you mean `grade {command} --exercise {named}`?" in done.stderr


@pytest.mark.parametrize("words", ["run ex99", "watch ex99", "run ex99_of_mine", "ex99"])
def test_no_exercise_is_offered_that_there_is_none_of(words: str, grade: Grade) -> None:
    assert "--exercise" not in grade(*words.split()).stderr


def test_an_exercise_of_another_pack_is_offered_whatever_its_id_looks_like(grade: Grade, copied_pack: Path) -> None:
    (copied_pack / "exercises" / "warmup_1_sums.yaml").write_text("", "utf-8")

    told = grade("run", "warmup_1_sums", pack=copied_pack).stderr

    assert "Did you mean `grade run --exercise warmup_1_sums`?" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run exercises ex03", "Got more than is expected: ex03. Did you mean --exercise ex03?"),
        (
            "run exercises ex03 ex04",
            "Got more than is expected: ex03 ex04. Did you mean --exercise ex03 --exercise ex04?",
        ),
        ("watch exercises ex03", "Got more than is expected: ex03. Did you mean --exercise ex03?"),
        ("watch exercises ex03 ex04", "Got more than is expected: ex03 ex04"),
        ("run exercises ex99", "Got more than is expected: ex99"),
        ("hint ex01.query ex02", "Got more than is expected: ex02"),
    ],
)
def test_an_exercise_given_beside_a_path_is_told_the_option(words: str, said: str, grade: Grade) -> None:
    done = grade(*words.split())

    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == f"grade: {said}"


@pytest.mark.parametrize("words", ["run exercises --format json={}", "batch exercises --out {}2 --gradebook canvas={}"])
def test_a_file_that_is_a_link_in_a_circle_is_told_in_one_sentence(words: str, grade: Grade, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)

    done = grade(*words.format(loop, loop).split())

    assert done.returncode == 2
    assert done.stderr.startswith(f"grade: {loop} cannot be looked at: ")
    assert len(done.stderr.splitlines()) == 1


def test_to_compare_with_nothing_is_told_as_that(grade: Grade, tmp_path: Path) -> None:
    done = grade("diff", tmp_path / "nowhere", tmp_path)

    assert done.returncode == 2
    assert f"There is nothing at {tmp_path}/nowhere." in done.stderr


@pytest.mark.parametrize("words", ["hint", "fixtures", "fixtures build"])
def test_no_help_has_half_a_sentence_or_a_kind_of_number(words: str, grade: Grade) -> None:
    told = grade(*words.split(), "--help").stdout

    assert "..." not in told.replace("[ARGS]...", "")
    assert "INTEGER" not in told


@pytest.mark.parametrize("path", ["./ex05", "ex05/", "here/ex05"])
@pytest.mark.parametrize("command", ["run", "watch"])
def test_what_is_plainly_a_path_is_no_exercise(command: str, path: str, grade: Grade, tmp_path: Path) -> None:
    done = grade(command, path, cwd=tmp_path)

    assert done.returncode == 5
    assert "There is nothing at" in done.stderr
    assert "--exercise" not in done.stderr


def test_a_path_where_nothing_is_is_told_in_one_line(grade: Grade, tmp_path: Path) -> None:
    done = grade("run", f"{tmp_path}/no\nthing")

    assert done.returncode == 5
    assert f"There is nothing at {tmp_path}/no thing." in done.stderr


def test_a_device_that_is_required_and_absent_ends_in_exit_code_six(grade: Grade, zygote: Zygote) -> None:
    done = grade("run", "solutions/reference", "--device", "cuda")

    if zygote.hello()["cuda"]:
        assert done.returncode in (0, 1)
    else:
        assert done.returncode == 6
        assert "cuda" in done.stderr


def test_a_broken_rubric_ends_in_exit_code_three_and_names_file_line_and_column(
    grade: Grade, copied_pack: Path
) -> None:
    rubric = copied_pack / "exercises" / f"{EX03}.yaml"
    lines = rubric.read_text("utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if "points:" in line)
    lines[number] = lines[number].replace("points: 2", "points: several")
    rubric.write_text("\n".join(lines), "utf-8")

    done = grade("run", ROOT / "solutions/reference", pack=copied_pack)

    assert done.returncode == 3
    assert re.search(rf"{EX03}\.yaml:{number + 1}:\d+: ", done.stderr)
    assert "Traceback" not in done.stderr


def test_every_problem_of_every_rubric_is_told_at_once(grade: Grade, copied_pack: Path) -> None:
    for name in (EX01, EX03):
        rubric = copied_pack / "exercises" / f"{name}.yaml"
        rubric.write_text(rubric.read_text("utf-8").replace("check: output", "check: ouptut"), "utf-8")

    done = grade("list", pack=copied_pack)

    assert done.returncode == 3
    assert f"{EX01}.yaml" in done.stderr
    assert f"{EX03}.yaml" in done.stderr


def test_a_broken_fixture_ends_in_exit_code_three_before_anything_is_graded(grade: Grade, copied_pack: Path) -> None:
    fixture = copied_pack / "fixtures" / f"{EX03}.safetensors"
    content = bytearray(fixture.read_bytes())
    content[-1] ^= 1
    fixture.write_bytes(content)

    done = grade("run", ROOT / "solutions/reference", pack=copied_pack)

    assert done.returncode == 3
    assert f"{EX03}.safetensors" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("secret", ["123 456", "9" * 40, "-7"])
def test_a_secret_that_is_no_seed_is_not_told(secret: str, grade: Grade) -> None:
    done = grade("run", "exercises", "--exercise", "ex01", GRADE_SEED=secret)

    assert (done.returncode, done.stdout) == (2, "")
    assert "GRADE_SEED" in done.stderr
    assert "What it holds is no whole number of up to 39 digits." in done.stderr
    assert secret not in done.stderr


def test_an_unbroken_copy_of_the_pack_grades_as_the_pack_does(grade: Grade, copied_pack: Path) -> None:
    done = grade("run", ROOT / "solutions/reference", "--exercise", "ex03", pack=copied_pack)

    assert done.returncode == 0


@pytest.mark.long
def test_ctrl_c_ends_in_exit_code_130_and_one_word(folder_of: Callable[..., Path]) -> None:
    endless = edited(EX01, ("scores = inputs @ query", "while True: pass"))
    submission = folder_of({EX01: endless})
    leader, follower = pty.openpty()
    command = [GRADE, "run", submission, "--timeout", "90", "--device", "cpu"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=follower, stdout=follower, stderr=subprocess.PIPE, text=True)
    os.close(follower)

    _read_until(leader, b"checking")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    os.close(leader)

    assert process.returncode == 130
    assert errors.strip() == "grade: Interrupted."


def test_ctrl_c_that_a_library_takes_for_an_error_of_its_own_is_told_as_what_it_is(grade: Grade) -> None:
    def interrupted(_: object) -> None:  # as pydantic's and numpy's compiled parts do
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("numpy._core.multiarray failed to import") from None

    with mock.patch("grader.cli.list.load", interrupted):
        done = grade("list")

    assert done.returncode == 130
    assert done.stderr.strip() == "grade: Interrupted."


def test_ctrl_c_that_is_pressed_once_more_while_the_first_is_told_changes_nothing(grade: Grade) -> None:
    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    with mock.patch("grader.cli.list.load", interrupted), mock.patch("grader.cli.main.give_back_cursor", interrupted):
        done = grade("list")

    assert done.returncode == 130
    assert done.stderr.strip() == "grade: Interrupted."


def test_ctrl_c_while_the_command_is_imported_ends_it_without_a_word() -> None:
    code = """
        import signal, sys

        class Pressed:
            def find_spec(self, name, *_):
                if name == "click":
                    signal.raise_signal(signal.SIGINT)

        sys.meta_path.insert(0, Pressed())
        sys.argv = ["grade", "list"]
        from importlib.metadata import entry_points
        (grade,) = entry_points(group="console_scripts", name="grade")
        grade.load()()
    """

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_ctrl_c_while_the_process_shuts_down_ends_it_without_a_word() -> None:
    code = """
        import signal, sys, threading
        threading._register_atexit(signal.raise_signal, signal.SIGINT)
        sys.argv = ["grade", "list"]
        from grader.cli.main import main
        main()
    """

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.parametrize("closed", every_time(["1>&-"], ["1>&-", "2>&-", "2>/dev/full"]))
def test_who_closes_a_stream_is_graded_all_the_same(closed: str, tmp_path: Path) -> None:
    words = f"run solutions/reference --exercise ex01 --min-score 50 --format json={tmp_path}/r.json"

    done = subprocess.run(
        f"{GRADE} {words} {closed}", shell=True, cwd=ROOT, capture_output=True, text=True, timeout=120
    )

    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["score"] == 5


@pytest.mark.parametrize("words", every_time(["list"], ["list", "init {}/new", "completion bash", HINT]))
def test_where_nothing_more_can_be_printed_is_said_and_is_no_bug_of_ours(words: str, tmp_path: Path) -> None:
    command = f"{GRADE} {words.format(tmp_path)}"

    full = subprocess.run(f"{command} >/dev/full", shell=True, cwd=ROOT, capture_output=True, text=True)
    shutil.rmtree(tmp_path / "new", ignore_errors=True)
    seen_enough = subprocess.run(
        ["bash", "-c", f"{command} | :; exit ${{PIPESTATUS[0]}}"], cwd=ROOT, capture_output=True, text=True
    )

    said = "Standard output cannot be written: No space left on device."
    assert (full.returncode, full.stderr.splitlines()[0]) == (2, f"grade: {said}")
    assert (seen_enough.returncode, seen_enough.stderr) == (0, "")


@pytest.mark.long
def test_what_is_for_a_program_has_the_bytes_of_a_file_whatever_the_terminal_can_show() -> None:
    words = ["run", "fixtures/submissions/first_attempt", "--exercise", "ex10", "--lang", "de", "--format", "junit"]
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}

    done = subprocess.run([GRADE, *words], cwd=ROOT, env=latin, capture_output=True, timeout=120)

    assert "ü" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["run", "x" * 300], 2, "cannot be looked at: File name too long."),
        (["show", "x" * 300], 2, "cannot be looked at: File name too long."),
        (["watch", "x" * 300], 2, "cannot be looked at: File name too long."),
        (["diff", "x" * 300, "."], 2, "cannot be looked at: File name too long."),
        (["run", ""], 2, "An argument is empty"),
        (
            ["run", "solutions/reference/ex01_dot_product_scores.py", "--exercise", "ex02"],
            2,
            "is one exercise's module",
        ),
        (["run", "solutions/reference", "--profile", "nowhere/x"], 2, "there is no folder nowhere"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_in_one_sentence(
    words: list[str], code: int, said: str, grade: Grade
) -> None:
    done = grade(*words)

    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_report_of_before_does_not_outlast_a_grading_that_fails(grade: Grade, tmp_path: Path) -> None:
    _written(tmp_path / "report.json", '{"score": 100}')

    done = grade("run", tmp_path / "nothing", "--format", f"json={tmp_path}/report.json")

    assert done.returncode == 5
    assert not (tmp_path / "report.json").exists()


def test_a_pack_without_its_reference_is_broken_and_no_failure_of_whoever_handed_in(
    grade: Grade, tmp_path: Path
) -> None:
    source = SolutionSource("attention", "reference", "reference", tmp_path / "nowhere")
    with mock.patch.object(Plugins, "reference", return_value=source):
        done = grade("run", "solutions/reference", "--exercise", "ex01", "--format", f"gradescope={tmp_path}/r.json")

    assert done.returncode == 3
    assert "The pack's reference solution is not where it is to lie." in done.stderr
    assert "score" not in json.loads((tmp_path / "r.json").read_text("utf-8"))


def test_a_reader_who_has_seen_enough_is_no_bug() -> None:
    process = subprocess.Popen([GRADE, "list"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.close()

    _, errors = process.communicate(timeout=60)

    assert "Traceback" not in errors


def _written(file: Path, text: str) -> Path:
    file.write_text(text, "utf-8")
    return file


def _read_until(descriptor: int, wanted: bytes) -> None:
    seen = b""
    while wanted not in seen:
        ready, _, _ = select.select([descriptor], [], [], 60)
        assert ready, seen
        seen += os.read(descriptor, 4096)


@pytest.mark.long
def test_what_was_written_and_whether_the_share_is_reached_is_said_beside_the_output(
    grade: Grade, tmp_path: Path
) -> None:
    file = tmp_path / "report.json"

    stubs = grade("run", "exercises", "--exercise", "ex01", "--min-score", "60", "--format", f"json={file}")
    right = grade("run", "solutions/reference", "--exercise", "ex01", "--min-score", "60", "--format", "json")

    assert f"json is written to {file}." in stubs.stderr
    assert "--min-score 60 is not reached: 0 percent" in stubs.stderr
    assert "--min-score 60 is reached: 100 percent" in right.stderr
    assert json.loads(right.stdout)["score"] == 5


def test_a_device_that_is_not_here_is_told_of_only_where_it_was_asked_for(report_of: ReportOf) -> None:
    unasked = report_of("solutions/reference", "--exercise", "ex01")
    asked = report_of("solutions/reference", "--exercise", "ex01", "--device", "all")

    absent = {"cpu", "cuda"} - set(asked["environment"]["devices"])
    assert [note for note in asked["notes"] if "on this machine" in note] == [
        f"no {device} on this machine; the rest counts for everything" for device in absent
    ]
    assert not [note for note in unasked["notes"] if "on this machine" in note]
