"""What a student has: a workspace without solutions that grades by itself, hints rung by rung, a list, a doctor."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.bundle.kit import course, write_kit
from grader.cli.doctor import COMPILER
from grader.cli.main import COMMANDS
from grader.handout.contents import LIST, contents
from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from tests.command import GRADE, Grade

from .submissions import EX01, EX10, NOT_SOURCE, REFERENCE, ROOT


@pytest.fixture
def workspace(grade: Grade, tmp_path: Path) -> Path:
    folder = tmp_path / "my-attention"
    done = grade("init", folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_workspace_holds_stubs_fixtures_and_grader_and_no_solution(workspace: Path) -> None:
    names = {path.relative_to(workspace).as_posix() for path in workspace.rglob("*")}

    assert {"exercises", "fixtures", "grader", "Makefile", "README.md", "pyproject.toml", ".gitignore"} <= names
    assert {f"exercises/{name}.py" for name in REFERENCE} <= names
    assert not [name for name in names if "solution" in name or "submission" in name.split("/")[0]]
    assert "fixtures/submissions" not in names
    assert not [name for name in names if "__pycache__" in name]


def test_a_workspace_is_what_tests_of_its_contents_look_at(workspace: Path, pack: Pack) -> None:
    names = {path.relative_to(workspace).as_posix() for path in workspace.rglob("*") if path.is_file()}

    assert {name for name in names if not name.startswith(".git/")} == {*contents(pack), LIST}


def test_a_workspace_in_a_workspace_is_refused(workspace: Path, grade: Grade) -> None:
    done = grade("init", workspace / "again")

    assert done.returncode == 2
    assert f"would lie in {workspace}, which is a workspace or a clone" in done.stderr
    assert not (workspace / "again").exists()


def test_an_update_keeps_what_was_written_and_says_so(workspace: Path, grade: Grade) -> None:
    (workspace / "exercises" / f"{EX01}.py").write_text("mine\n")

    done = grade("init", workspace, "--update")

    assert done.returncode == 0, done.stderr
    assert f"kept as you have them: {EX01}.py" in done.stdout
    assert (workspace / "exercises" / f"{EX01}.py").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("place", "said"),
    [("", "is a clone of the kit"), ("nowhere", "There is nothing at"), ("docs", "is no workspace")],
)
def test_what_cannot_be_updated_is_told_why(place: str, said: str, grade: Grade) -> None:
    done = grade("init", ROOT / place, "--update")

    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.long
def test_a_workspace_grades_its_stubs(workspace: Path, grade: Grade) -> None:
    done = grade(cwd=workspace)

    assert done.returncode == 1
    assert "0 / 100" in done.stdout


def test_a_workspace_grades_by_itself_from_its_own_copy(workspace: Path) -> None:
    (workspace / "exercises" / f"{EX01}.py").write_text(REFERENCE[EX01])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    done = subprocess.run(
        [sys.executable, "-m", "grader", "run", "exercises", "--exercise", "ex01"],
        cwd=workspace, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 / 5" in done.stdout


@pytest.mark.parametrize("holds", ["a file", "a hidden file", "a file in its place"])
def test_a_folder_that_is_in_use_is_refused_and_left_as_it_was(holds: str, grade: Grade, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    if holds == "a file in its place":
        folder.write_text("mine")
    else:
        folder.mkdir()
        (folder / (".git" if holds == "a hidden file" else "notes.txt")).write_text("mine")
    before = sorted(path.name for path in tmp_path.rglob("*"))

    done = grade("init", folder)

    assert done.returncode == 2
    said = "is a file; name a new folder." if holds == "a file in its place" else "not empty"
    assert said in done.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


@pytest.mark.long
def test_an_empty_folder_and_one_that_is_not_there_are_both_taken(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    assert grade("init", tmp_path / "empty").returncode == 0
    assert grade("init", tmp_path / "deep/inside").returncode == 0


@pytest.mark.skipif(not Path("/usr/bin/bwrap").exists(), reason="needs bubblewrap to make a small disk")
@pytest.mark.parametrize("is_there", [True, pytest.param(False, marks=pytest.mark.long)])
def test_of_a_workspace_that_finds_no_room_nothing_is_left(is_there: bool, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    begin = "mkdir new && " if is_there else ""
    command = f"{begin}{shlex.quote(str(GRADE))} init new; code=$?; ls -AR . >../left; exit $code"

    done = subprocess.run(
        ["bwrap", "--dev-bind", "/", "/", "--size", "200000", "--tmpfs", small, "--chdir", small, "sh", "-c", command],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert done.stderr.endswith(
        " cannot be written: No space left on device.\n"
        "Name another place, or see that there is room and that you may write there.\n"
    )
    assert (tmp_path / "left").read_text() == (".:\nnew\n\n./new:\n" if is_there else ".:\n")


@pytest.mark.long
@pytest.mark.lasting
def test_a_wheel_has_no_solutions_grades_where_it_is_installed_and_is_what_bundles_bring(
    plugins: Plugins, pack: Pack, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
    _python("-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", source, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert f"exercises/{EX10}.py" in names
    assert f"fixtures/{EX10}.safetensors" in names
    assert {"grader/report/report.schema.json", "grader/bundle/templates/common/setup.sh"} <= set(names)
    assert not [name for name in names if name.startswith(("solutions", "tests", "fixtures/submissions"))]

    target = tmp_path / "site"
    _python("-m", "pip", "install", "--quiet", "--no-deps", "--target", target, wheel, cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    # The checkout is importable by the virtual environment's own path file; the wheel must come first.
    _python("-m", "grader", "init", "mine", cwd=empty, PYTHONPATH=target)
    done = _python(
        "-m", "grader", "run", empty / "mine/exercises", "--exercise", "ex01", cwd=empty, code=1, PYTHONPATH=target
    )

    assert "0 / 5" in done.stdout
    assert (empty / "mine/grader/cli/main.py").read_bytes() == (target / "grader/cli/main.py").read_bytes()

    # A bundle's kit is the wheel, unpacked; it is not installed, because student code can read site-packages.
    kit = tmp_path / "kit"
    write_kit(kit, course(plugins, pack, (), seconds=1.0, sandbox=None, image=""), with_solutions=False)
    brought = {path.relative_to(kit).as_posix(): path.read_bytes() for path in kit.rglob("*") if path.is_file()}
    with zipfile.ZipFile(wheel) as held:
        own = {name: held.read(name) for name in names if ".dist-info/" not in name}
    assert {name: content for name, content in brought.items() if ".dist-info/" not in name} == own


def _python(
    *arguments: str | Path, cwd: Path, code: int = 0, **environment: str | Path
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    own = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    done = subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_hints_come_one_rung_at_a_time_and_are_remembered(grade: Grade, pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / f"{EX01}.py").write_text((ROOT / "exercises" / f"{EX01}.py").read_text())
    hints = next(step for step in pack.exercises[0].steps if step.id == "ex01.query").hints

    shown = [grade("hint", "ex01.query", cwd=tmp_path).stdout for _ in range(len(hints) + 1)]

    for number, text in enumerate(shown, 1):
        seen = min(number, len(hints))
        assert max(map(len, text.splitlines())) <= 80
        text = " ".join(text.split())
        assert [hint in text for hint in hints] == [i < seen for i in range(len(hints))]
    assert "(2 more" in shown[0]
    assert "(that was the last hint)" in shown[-1]


def test_the_next_hint_is_asked_for_where_this_one_was(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "my work").mkdir()

    shown = grade("hint", "ex01.query", "--in", "my work", cwd=tmp_path).stdout

    assert "(2 more: grade hint ex01.query --in 'my work')" in shown


def test_a_hint_for_work_that_is_not_there_says_so(grade: Grade, tmp_path: Path) -> None:
    done = grade("hint", "ex01.query", "--in", tmp_path / "nowhere")

    assert done.returncode == 5
    assert f"There is nothing at {tmp_path / 'nowhere'}." in done.stderr


def test_hints_that_were_shown_stand_in_the_report(grade: Grade, pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / f"{EX01}.py").write_text("def attention_scores(x): return x\n")
    first = pack.exercises[0].steps[0].hints[0]

    grade("hint", "ex01.query", cwd=tmp_path)

    assert first.split(",")[0] in " ".join(grade("run", "--exercise", "ex01", cwd=tmp_path).stdout.split())


def test_a_level_shows_that_many_hints_and_never_fewer_afterwards(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()

    both = grade("hint", "ex10.output", "--level", "2", cwd=tmp_path).stdout
    one = grade("hint", "ex10.output", "--level", "1", cwd=tmp_path).stdout
    following = grade("hint", "ex10.output", cwd=tmp_path).stdout

    assert ("  1. " in both, "  2. " in both, "  3. " in both) == (True, True, False)
    assert "  2. " not in one
    assert "  3. " in following


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ex10.outptu"], "Did you mean ex10.output?"),
        (["ex10"], "Which step of ex10? ex10.parameters, ex10.output"),
        ([], "Which step? Such as: grade hint ex01.query"),
        (["--lang", "de"], "Welcher Schritt? Zum Beispiel: grade hint ex01.query --lang de"),
        (["a", "b", "--lang", "de"], "Aufruf: grade hint [OPTIONEN] SCHRITT; mehr sagt"),
        (["a", "b", "--lang", "es"], "grade hint [OPCIONES] PASO"),
        (["ex77.output"], "There is no exercise 'ex77'"),
        (["context"], "There is no step 'context'. Did you mean ex03.context or ex04.context?"),
        (["causality"], "There is no step 'causality'. Did you mean ex10.causality"),
        ([".output"], "There is no exercise '.output'"),
        (["ex10.output", "--level", "0"], "0"),
    ],
)
def test_an_unknown_step_is_wrong_usage_and_says_which_there_are(
    arguments: list[str], said: str, grade: Grade, tmp_path: Path
) -> None:
    done = grade("hint", *arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert said in done.stderr


def test_a_report_in_a_pipe_names_the_command_as_it_works_there(
    grade: Grade, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / f"{EX01}.py").write_text("x = 1\n")
    monkeypatch.setattr("grader.model.commands.program", lambda: ".venv/bin/grade")

    done = grade("run", tmp_path, "--exercise", "ex01")

    assert "next hint: .venv/bin/grade hint ex01." in done.stdout


def test_a_hint_outside_a_workspace_is_given_and_leaves_nothing_behind(grade: Grade, tmp_path: Path) -> None:
    done = grade("hint", "ex01.query", cwd=tmp_path)

    assert done.returncode == 0
    assert "  1. " in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_memory_of_hints_that_makes_no_sense_is_passed_over(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises/.grade-hints").write_bytes(
        b"ex01.query 99\nex01.query -3\n\xff\xfe nonsense\nex01.query two\n"
    )

    done = grade("hint", "ex01.query", cwd=tmp_path)

    assert done.returncode == 0
    assert "(that was the last hint)" in done.stdout


def test_a_hint_that_cannot_be_noted_is_shown_and_said(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "exercises/.grade-hints").mkdir(parents=True)

    done = grade("hint", "ex01.query", cwd=tmp_path)

    assert done.returncode == 0
    assert "  1. " in done.stdout
    assert "cannot be written: Is a directory." in done.stderr
    assert "`grade hint ex01.query --level 2` shows the next" in " ".join(done.stderr.split())


def test_the_list_names_every_step_and_comes_to_a_hundred(grade: Grade, pack: Pack) -> None:
    done = grade("list")

    assert done.returncode == 0
    assert re.search(r"^total +100$", done.stdout, re.M)
    for exercise in pack.exercises:
        assert exercise.id in done.stdout
        for step in exercise.steps:
            assert re.search(rf"{re.escape(step.id)} .* {step.points}$", done.stdout, re.M)


def test_the_doctor_finds_this_machine_able_to_grade(grade: Grade) -> None:
    done = grade("doctor")

    assert done.returncode == 0
    for word in ("python", "plugins", "pack", "torch", "cuda", "sandbox"):
        assert re.search(rf"✓ {word}", done.stdout)
    assert "13 exercises, 100 points" in done.stdout
    assert "compileall" not in done.stdout


def test_the_doctor_says_how_to_compile_what_every_sandboxed_worker_would_compile_again(
    grade: Grade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / COMPILER).mkdir()
    (tmp_path / COMPILER / "config.py").write_text("")
    unpacked = ModuleSpec("torch", None, is_package=True)
    unpacked.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr("grader.cli.doctor.find_spec", lambda name: unpacked)

    before = grade("doctor")
    (advice,) = re.findall(r"– compiled .*`(.+ -m compileall -q .+)`", before.stdout)
    subprocess.run(shlex.split(advice), check=True)
    after = grade("doctor")

    assert before.returncode == after.returncode == 0
    assert "compileall" not in after.stdout


@pytest.mark.long
def test_what_the_doctor_looks_at_is_not_compiled_by_importing_torch() -> None:
    (folder,) = find_spec("torch").submodule_search_locations  # type: ignore[union-attr, misc]
    command = [sys.executable, "-c", f"import sys, torch; sys.exit('torch.{COMPILER}' in sys.modules)"]

    assert list(Path(folder, COMPILER).glob("*.py"))
    assert subprocess.run(command, check=False).returncode == 0


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS), ("fixtures", "build"), ("fixtures", "check")])
def test_the_help_of_every_command_has_an_example(command: tuple[str, ...], grade: Grade) -> None:
    done = grade(*command, "--help")

    assert done.returncode == 0
    assert re.search(rf"Example: grade\b.*{' '.join(command)}", done.stdout)


def test_a_missing_home_is_no_reason_to_fail(grade: Grade, tmp_path: Path) -> None:
    assert grade("list", HOME=str(tmp_path / "nowhere")).returncode == 0


@pytest.mark.long
def test_a_terminal_without_unicode_is_written_to_all_the_same(grade: Grade) -> None:
    done = grade("run", "exercises", "--exercise", "ex01", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")

    assert done.returncode == 1
    assert done.stdout.isascii()
