"""`grade watch` in a real terminal: saves, keys, and everything that editors and students do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.order import STEP_SECONDS
from grader.submission.progress import FILE
from tests.command import GRADE

from .submissions import REFERENCE, ROOT
from .terminal import Terminal

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None and not os.environ.get("REQUIRE_TMUX"), reason="there is no tmux here"
)
SCORES = "ex01_dot_product_scores.py"
SOFTMAX = "ex02_softmax_weights.py"
SIDEWAYS = """import torch

def attention_scores_for_query(query, inputs):
    return inputs @ query

def attention_scores(inputs):
    return inputs @ inputs.T + torch.eye(len(inputs))
"""
RIGHT = SIDEWAYS.replace(" + torch.eye(len(inputs))", "")
ENDLESS = SIDEWAYS.replace("    return inputs @ query", "    while True:\n        pass")


def stub_of(name: str) -> str:
    return (ROOT / "fixtures" / "stubs" / name).read_text("utf-8")


class Desk:
    """A student's folder, with `grade watch` in a terminal."""

    def __init__(self, terminal: Terminal, folder: Path) -> None:
        self.terminal, self.folder = terminal, folder

    def save(self, source: str, name: str = SCORES) -> None:
        (self.folder / name).write_text(source, "utf-8")

    def fails(self) -> str:
        """Save a mistake, and see it."""
        return self.terminal.shows(self.mistake(), "h hint")

    def mistake(self) -> str:
        """Save a mistake and wait for it. Returns what stands in its line, and on no page but this one's."""
        tag = os.urandom(4).hex()  # or the page before would do
        self.save(SIDEWAYS.replace("eye(len(inputs))", f"eye(len(inputs))  # {tag}"))
        self.terminal.shows(tag, "h hint")
        return tag

    def go(self, number: str) -> None:
        self.terminal.type("l")
        self.terminal.shows("Go to number")
        self.terminal.type(*number, "Enter")
        self.terminal.shows(f"ex{number.zfill(2)}  ", "h hint", without="Go to number")


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    unwanted = ("CI", "TMUX", "NO_COLOR", "DISPLAY", "BROWSER")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    # Nobody is to believe LINES, which a shell may have exported when its window was another.
    return kept | {"LINES": "24", "LANG": "C.UTF-8", "PATH": f"{GRADE.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Iterator[Desk]:
    """One desk for all of these tests, because each imports torch."""
    folder = tmp_path_factory.mktemp("student")
    shutil.copytree(ROOT / "fixtures" / "stubs", folder / "exercises")
    with Terminal(tmp_path_factory.mktemp("tmux"), folder, environment) as terminal:
        terminal.write("grade watch")
        terminal.shows("not started", "h hint")
        yield Desk(terminal, folder / "exercises")
        terminal.type("q")
        terminal.until(lambda screen: "bash-" in "".join(screen.splitlines()[-1:]))


@pytest.fixture
def desk(running: Desk) -> Desk:
    """The desk at the first exercise, which is wrong, and of which no hint was shown."""
    (running.folder / ".grade-hints").unlink(missing_ok=True)
    screen = running.terminal.screen
    if "ex01  " not in screen.partition("\n")[0] or "h hint" not in screen:
        running.terminal.type("Enter")
        running.go("1")
    running.fails()
    return running


def test_a_save_shows_the_first_mistake_with_its_line_and_its_picture(desk: Desk) -> None:
    screen = desk.fails()

    assert "✓ query" in screen
    assert "✗ all" in screen
    assert "› 7      return inputs @ inputs.T + torch.eye(len(inputs))" in screen
    assert "expected" in screen
    assert "The first wrong cell is row 0, column 0" in screen


def test_a_pass_is_explained_and_n_goes_on(desk: Desk) -> None:
    desk.save(RIGHT)
    screen = desk.terminal.shows("passed: Attention scores", "n next")
    assert "A dot product is large where two vectors point the same way" in screen
    assert "next: ex02" in screen

    desk.terminal.type("n")

    desk.terminal.shows("ex02  Softmax", "not started", "h hint")
    assert set((desk.folder / FILE).read_text("utf-8").split()) >= {"ex01_dot_product_scores", "ex02_softmax_weights"}


def test_nothing_goes_on_before_a_pass(desk: Desk) -> None:
    # Passed earlier in this session counts as a pass, so this is asked of an exercise that never was.
    desk.go("3")

    desk.terminal.type("n")

    desk.terminal.shows("`n` goes on once this exercise is passed", "ex03  ")


def test_a_hint_is_one_more_rung_and_grade_hint_remembers_it(desk: Desk) -> None:
    desk.terminal.type("h")
    screen = desk.terminal.shows("hint: If each token takes its turn")
    assert "All dot products between the rows" not in screen
    desk.terminal.type("h")
    desk.terminal.shows("hint: All dot products between the rows")

    assert "ex01.all 2" in (desk.folder / ".grade-hints").read_text("utf-8")


def test_reset_asks_first_and_keeps_what_was_written(desk: Desk) -> None:
    written = (desk.folder / SCORES).read_text("utf-8")
    desk.terminal.type("x")
    desk.terminal.shows("Put the stub of")
    desk.terminal.type("u")
    desk.terminal.shows("› 7 ", "h hint", without="Put the stub")
    assert (desk.folder / SCORES).read_text("utf-8") == written

    desk.terminal.type("x")
    desk.terminal.shows("Put the stub of")
    desk.terminal.type("y")

    desk.terminal.shows("The stub is back. What you had is", "not started")
    assert (desk.folder / SCORES).read_text("utf-8") == stub_of(SCORES)
    assert written in [kept.read_text("utf-8") for kept in desk.folder.glob(f"{SCORES}.*")]


def test_the_page_is_written_where_no_browser_can_be_opened(desk: Desk) -> None:
    desk.terminal.type("o")

    screen = desk.terminal.shows("The page is", "open it in a browser")
    page = Path("".join(screen[screen.index("The page is") :].split()[3:]).partition(";")[0])
    assert "The first wrong cell is framed" in page.read_text("utf-8")


def test_an_editor_that_writes_beside_and_renames_is_seen(desk: Desk) -> None:
    beside = desk.folder / f".{SCORES}.swp"
    beside.write_text(RIGHT, "utf-8")

    beside.replace(desk.folder / SCORES)

    desk.terminal.shows("passed: Attention scores")


def test_a_file_that_is_empty_for_a_moment_is_no_mistake(desk: Desk) -> None:
    before, seen = desk.mistake(), list[str]()

    with (desk.folder / SCORES).open("w", encoding="utf-8") as written:
        os.fsync(written.fileno())
        time.sleep(0.05)  # well below what an empty file is given
        written.write(RIGHT)

    desk.terminal.until(lambda screen: seen.append(screen) or "passed: Attention scores" in screen)
    assert [screen for screen in seen if "✗" in screen and before not in screen] == []


def test_half_a_file_and_then_the_whole_ends_with_the_whole(desk: Desk) -> None:
    with (desk.folder / SCORES).open("w", encoding="utf-8") as written:
        written.write(RIGHT[:60])
        written.flush()
        desk.terminal.shows("Python cannot read line 3")
        written.write(RIGHT[60:])

    desk.terminal.shows("passed: Attention scores")


def test_a_typing_error_is_shown_at_its_column(desk: Desk) -> None:
    desk.save(SIDEWAYS.replace("inputs.T +", "inputs.T +)"))

    desk.terminal.shows("Python cannot read line 7", "^")


def test_an_endless_loop_ends_as_soon_as_a_better_version_is_saved(desk: Desk) -> None:
    started = time.monotonic()
    desk.save(ENDLESS)
    desk.terminal.shows("checking ex01")

    desk.save(RIGHT)

    desk.terminal.shows("passed: Attention scores")
    assert time.monotonic() - started < STEP_SECONDS, "the loop was waited for"


def test_another_exercise_that_is_saved_changes_nothing_here(desk: Desk) -> None:
    desk.save(REFERENCE["ex02_softmax_weights"], SOFTMAX)

    desk.terminal.shows("ex02_softmax_weights was saved; this is ex01", "› 7 ")
    desk.save(stub_of(SOFTMAX), SOFTMAX)


def test_a_smaller_window_is_drawn_anew_with_what_there_is_room_for(desk: Desk) -> None:
    assert "The first wrong cell" in desk.terminal.screen
    try:
        desk.terminal.resize(100, 20)
        screen = desk.terminal.shows("ex01  Attention scores", "› 7 ", "needs a taller window", "h hint")
        assert screen.count("ex01  Attention scores") == 1
        assert max(map(len, screen.splitlines())) <= 80
    finally:
        desk.terminal.resize(80, 50)
    desk.terminal.shows("The first wrong cell", "✓ query")


def test_a_question_outlives_another_size_of_the_window(desk: Desk) -> None:
    desk.terminal.type("l")
    desk.terminal.shows("Go to number")
    desk.terminal.type("1", "2")
    desk.terminal.shows("goes back): 12")
    desk.terminal.blank()  # what is seen from here on is drawn anew
    assert "goes back" not in desk.terminal.screen
    try:
        desk.terminal.resize(90, 40)
        desk.terminal.shows("ex13  ", "goes back): 12")
    finally:
        desk.terminal.resize(80, 50)
    desk.terminal.type("BSpace", "BSpace", "Enter")
    desk.terminal.shows("› 7 ", "h hint")


def test_control_z_gives_the_terminal_back_and_fg_takes_it_again(desk: Desk) -> None:
    desk.terminal.type("C-z")
    desk.terminal.shows("Stopped")
    desk.terminal.write("echo as $((6 * 7)) ever")
    desk.terminal.shows("as 42 ever")  # what is typed is seen again

    desk.terminal.write("fg")

    desk.terminal.shows("ex01  Attention scores", "h hint", without="as 42 ever")
    desk.terminal.type("l")
    desk.terminal.shows("Go to number")
    desk.terminal.type("Enter")
    desk.terminal.shows("› 7 ")


def test_a_folder_that_is_gone_is_waited_for(desk: Desk) -> None:
    away = desk.folder.with_name("away")
    desk.folder.rename(away)
    desk.terminal.shows("There is nothing at exercises")

    away.rename(desk.folder)

    desk.terminal.shows("› 7 ", "h hint")


@pytest.mark.long
def test_full_marks_end_with_ones_own_attention_and_a_later_fall_is_listed(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    folder = tmp_path / "exercises"
    folder.mkdir()
    for name, source in REFERENCE.items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    (folder / FILE).write_text("ex13 here\n", "utf-8")
    with Terminal(tmp_path, tmp_path, environment) as terminal:
        terminal.write("grade watch")
        terminal.shows("ex13  ", "passed: Wrapper and split compared", "n next")

        terminal.type("a")
        terminal.shows("All of it is right.", "100 / 100", "A sentence")
        terminal.write("the cat sees the \033[31mdog")
        screen = terminal.shows("head 1: the word before", "your MultiHeadAttention's")
        terminal.type("Enter")
        terminal.shows("passed: Wrapper and split compared", without="A sentence")
        (folder / "ex13_wrapper_vs_split.py").write_text("def copy_heads(wrapper, split): ...\n", "utf-8")
        terminal.shows("It was passed before, and that stays")
        terminal.type("l")
        listed = terminal.shows("Go to number")

    (before,) = [line for line in screen[screen.index("head 1") :].splitlines() if line.strip().startswith("cat")]
    assert float(before.split()[1]) > 0.9, "`cat` looks at `the`, before it"
    assert "✗ ex13  Wrapper and split compared · passed before" in listed
    assert "✓ ex12" in listed


def test_an_end_from_outside_gives_the_terminal_back(tmp_path: Path, environment: dict[str, str]) -> None:
    shutil.copytree(ROOT / "fixtures" / "stubs", tmp_path / "exercises")
    with Terminal(tmp_path, tmp_path, environment) as terminal:
        terminal.write("stty -g > before; grade watch & echo $! > id; fg; echo ended with $?; stty -g > after")
        terminal.shows("checking ex01")

        os.kill(int((tmp_path / "id").read_text("ascii")), signal.SIGTERM)

        terminal.shows("grade: Interrupted.", "ended with 130")
        terminal.until(lambda _: (tmp_path / "after").exists() and (tmp_path / "after").stat().st_size > 0)
    assert (tmp_path / "after").read_text("ascii") == (tmp_path / "before").read_text("ascii")


def test_without_a_terminal_lines_are_plain_and_read_as_keys(tmp_path: Path, environment: dict[str, str]) -> None:
    shutil.copytree(ROOT / "fixtures" / "stubs", tmp_path / "exercises")
    (tmp_path / "exercises" / SCORES).write_text(RIGHT, "utf-8")
    (tmp_path / "exercises" / FILE).write_text("ex04 passed\n<<<<<<< mine\n", "utf-8")

    with subprocess.Popen(
        [sys.executable, str(GRADE), "watch", "--poll"],
        cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if "q quit" in line:
                process.stdin.write("n\nq\n" if "n next" in line else "q\n")
                process.stdin.flush()

    text = "".join(said)
    assert process.returncode == 0
    assert "\x1b" not in text
    assert "polling: --poll" in text
    assert "'<<<<<<< mine' says nothing; a line is like `ex01_dot_product_scores passed`. It is kept." in " ".join(
        text.split()
    )
    assert "checking ex02" in text
    assert max(map(len, text.splitlines())) <= 80
    kept = (tmp_path / "exercises" / FILE).read_text("utf-8").splitlines()
    assert kept == [
        "ex01_dot_product_scores passed", "ex04_qkv_projections passed", "ex02_softmax_weights here", "<<<<<<< mine",
    ]  # fmt: skip


@pytest.mark.long
def test_the_desk_speaks_the_language_that_is_asked_for(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]
) -> None:
    shutil.copytree(ROOT / "fixtures" / "stubs", tmp_path / "exercises")
    with Terminal(tmp_path_factory.mktemp("german"), tmp_path, environment) as terminal:
        terminal.write("grade watch --lang de")
        terminal.shows("nicht begonnen", "h Hinweis")
        (tmp_path / "exercises" / SCORES).write_text(SIDEWAYS, "utf-8")
        terminal.shows("Die erste falsche Zelle ist Zeile 0, Spalte 0", "h Hinweis")

        terminal.type("x")
        terminal.shows("Vorlage von", "eine andere Taste:")
        terminal.type("j")
        terminal.shows("Die Vorlage ist wieder da.", "h Hinweis")

        assert (tmp_path / "exercises" / SCORES).read_text("utf-8") == stub_of(SCORES)
        terminal.type("q")
        terminal.until(lambda screen: "bash-" in "".join(screen.splitlines()[-1:]))
