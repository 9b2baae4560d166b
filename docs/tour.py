"""Takes a student's whole course and writes `docs/student-tour.md`: from nothing to 100, wrong once in every exercise.

It works in a folder that `grade init` made, in a real terminal with `grade watch`, and shows what it saw there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docs.drawn import svg_of_screen
from tests.end_to_end.terminal import Terminal

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "student-tour.md"
SCREEN = ROOT / "docs" / "tour.svg"
WEB_PAGE = ROOT / "docs" / "tour-page.png"
GRADE = Path(sys.executable).with_name("grade")
REFERENCE = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "solutions" / "reference").glob("ex*.py"))}
# How the suite marks what is wrong: students mark nothing.
MARKS = re.compile(r"^# (?:mistakes|style|only): .*\n|  # <- [a-z-]+\s*$", re.MULTILINE)
PICTURED = "ex10_causal_attention"
COLUMNS, LINES = 80, 70
SENTENCE = "every token looks only at what came before it"

INTRODUCTION = """\
# A student's course

Somebody takes all thirteen exercises, is wrong once in each in a way that many are, and reads what `grade watch` says.
Written by `make tour`, which works in a real terminal, in a folder fresh from `grade init`; so does a test.

![What grade watch shows: a mistake by its name, its line, and the weights expected beside those that came](tour.svg)

`o` opens the page of what was graded, with the pictures in full:

![The same on a page](tour-page.png)
"""


@dataclass(frozen=True)
class Lesson:
    """An exercise and how it goes wrong at first. wrong: a file of the tests' suite. named: what is then said."""

    exercise: str
    wrong: str
    named: str
    did: str


LESSONS = (
    Lesson("ex01_dot_product_scores", "query_of_the_notebook", "global-variable", "reads a variable of the notebook's"),
    Lesson("ex02_softmax_weights", "down_the_columns", "softmax-wrong-axis", "normalises the columns, not the rows"),
    Lesson("ex03_context_vectors", "scores_as_weights", "softmax-missing", "blends with the raw scores"),
    Lesson("ex04_qkv_projections", "query_matrix_for_keys", "projection-reused", "copies a line and forgets a part"),
    Lesson("ex05_scaled_scores", "divided_by_the_width", "scale-no-sqrt", "divides by d_k and not by its square root"),
    Lesson("ex06_self_attention_v1", "roles_exchanged", "query-key-swapped", "exchanges queries and keys"),
    Lesson("ex07_self_attention_v2", "copy_without_turning", "weights-transposed", "copies the layers as they lie"),
    Lesson("ex08_causal_mask", "hides_itself", "mask-diagonal", "hides each token from itself too"),
    Lesson("ex09_attention_dropout", "survivors_as_they_were", "dropout-unscaled", "does not scale what is left"),
    Lesson("ex10_causal_attention", "masked_fill_without_underscore", "mask-discarded", "masks, and drops the result"),
    Lesson("ex11_multi_head_wrapper", "plain_list", "heads-unregistered", "keeps the heads in a plain list"),
    Lesson("ex12_multi_head_attention", "four_axes_at_once", "heads-not-transposed", "cuts the heads out by a view"),
    Lesson("ex13_wrapper_vs_split", "joined_by_reshape", "merge-not-transposed", "joins heads by a reshape alone"),
)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What the screen showed of a lesson: of the mistake, and once it was mended."""

    lesson: Lesson
    mistaken: str
    passed: str


def main() -> None:
    """Take the course, and write and draw what was seen."""
    from tests.report.html.browser import chromium, show

    with tempfile.TemporaryDirectory() as folder, chromium(1100, 900) as chrome:
        course = Course(Path(folder))
        PAGE.write_text(page(*course.taken()), "utf-8")
        screen, opened = course.pictured()
        SCREEN.write_text(svg_of_screen(screen, "grade watch: a mistake of the tenth exercise"), "utf-8")
        show(chrome, opened)
        chrome.save_screenshot(str(WEB_PAGE))


class Course:
    """One student's course, in a folder of their own below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._desk = folder / "my-attention"
        kept = {name: value for name, value in os.environ.items() if name not in ("CI", "TMUX", "NO_COLOR", "DISPLAY")}
        path = f"{GRADE.parent}{os.pathsep}{os.environ['PATH']}"
        self._environment = kept | {"LANG": "C.UTF-8", "PATH": path, "COLORTERM": "truecolor"}

    def taken(self) -> tuple[list[Seen], str]:
        """What was seen of each lesson, without colours, and the very end. Fails where what is due is never shown."""
        subprocess.run([GRADE, "init", self._desk], env=self._environment, check=True, stdout=subprocess.DEVNULL)
        seen = []
        with self._terminal("taken", NO_COLOR="1") as terminal:
            terminal.write("grade watch")
            for lesson in LESSONS:
                terminal.shows(f"{lesson.exercise[:4]}  ", "not started", "h hint")
                seen.append(self._taken(lesson, terminal))
                terminal.type("n")
            end = terminal.shows("100 / 100", "A sentence")
            terminal.write(SENTENCE)
            drawn = terminal.shows("head 0", "A sentence")
            terminal.type("Escape", "q")
        return seen, f"{_before_the_question(end)}\n\n{_before_the_question(drawn)}"

    def pictured(self) -> tuple[str, Path]:
        """What one mistake looks like: the screen with its colours, and the page. After the course was taken."""
        lesson = next(each for each in LESSONS if each.exercise == PICTURED)
        opened = self._folder / "page.html"
        self._save_mistake(lesson)
        with self._terminal("pictured") as terminal:
            terminal.write(f"grade watch --exercise {lesson.exercise}")
            terminal.shows(f"{lesson.named}:", "h hint")
            screen = terminal.tmux("capture-pane", "-e", "-p")
            terminal.type("q")
        run = [GRADE, "run", "exercises", "--exercise", lesson.exercise, "--format", f"html={opened}"]
        subprocess.run(run, cwd=self._desk, env=self._environment, check=False, stdout=subprocess.DEVNULL)
        return screen, opened

    def _terminal(self, name: str, **environment: str) -> Terminal:
        (self._folder / name).mkdir()
        return Terminal(self._folder / name, self._desk, self._environment | environment, COLUMNS, LINES)

    def _taken(self, lesson: Lesson, terminal: Terminal) -> Seen:
        self._save_mistake(lesson)
        mistaken = terminal.shows(f"{lesson.named}:", "h hint")
        self._save(lesson, REFERENCE[lesson.exercise])
        return Seen(lesson, mistaken, terminal.shows("passed: ", "n next"))

    def _save_mistake(self, lesson: Lesson) -> None:
        path = ROOT / "tests" / "suite" / "wrong" / lesson.exercise / f"{lesson.wrong}.py"
        self._save(lesson, MARKS.sub("", path.read_text("utf-8")))

    def _save(self, lesson: Lesson, source: str) -> None:
        (self._desk / "exercises" / f"{lesson.exercise}.py").write_text(source, "utf-8")


def page(seen: list[Seen], end: str) -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *(_section(each) for each in seen), _ending(end)])


def _section(seen: Seen) -> str:
    title = seen.mistaken.splitlines()[0].split("  ")[1].strip()
    after = "\n".join(_after_the_pass(seen.passed))
    return (
        f"## {seen.lesson.exercise[:4]} {title}\n\nThe student {seen.lesson.did}.\n\n"
        f"```text\n{_without_keys(seen.mistaken)}\n```\n\nMended:\n\n```text\n{after}\n```\n"
    )


def _ending(end: str) -> str:
    return (
        f"## The end\n\n`n` grades everything once more, and there is something to play with:\n\n```text\n{end}\n```\n"
    )


def _before_the_question(screen: str) -> str:
    return _without_keys(screen).rpartition("\n  A sentence")[0].rstrip()


def _after_the_pass(screen: str) -> Iterator[str]:
    lines = _without_keys(screen).splitlines()
    yield from lines[next(number for number, line in enumerate(lines) if "passed: " in line) :]


def _without_keys(screen: str) -> str:
    """A screen without the keys below it, which are the same everywhere."""
    lines = [line.rstrip() for line in screen.splitlines()]
    return "\n".join(line for line in lines if "h hint" not in line and "q quit" not in line).rstrip()


if __name__ == "__main__":
    main()
