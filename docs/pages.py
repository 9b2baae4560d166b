"""Takes the pictures of the pages in batch.md: a class made up of the tests' suite, graded twice, in a real browser."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.report.html.browser import chromium, show
from tests.suite.reading import Wrong, wrong

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
# How the suite marks what is wrong: students mark nothing.
MARKS = re.compile(r"^# (?:mistakes|style|only): .*\n|  # <- [a-z-]+\s*$", re.MULTILINE)
NAMES = (
    "Ada Lindqvist", "Amara Okafor", "Ben Castellano", "Chiara Bellini", "Daniel Kowalski", "Dilnoza Yusupova",
    "Emeka Eze", "Farah Haddad", "Freja Sørensen", "Giorgos Pappas", "Hana Nováková", "Ines Duarte", "Ivan Petrov",
    "Jun Takahashi", "Kateryna Bondar", "Leila Rahimi", "Linh Nguyễn", "Luca Moretti", "Maja Kovač",
    "Mateo Fernández", "Mei Chen", "Nadia Benali", "Noah Fischer", "Oluwaseun Ade", "Priya Raman", "Rasmus Holm",
    "Sofía Ortega", "Tariq Aziz", "Theo Laurent", "Yara Nasser", "Youssef Amrani", "Zoë van Dijk",
)  # fmt: skip
SHOWN = "Mei Chen"
CHOSEN = (  # what the one that is shown did: mistakes that have a line and a picture
    "ex05_scaled_scores/divided_by_the_width.py",
    "ex08_causal_mask/hides_itself.py",
    "ex10_causal_attention/masked_fill_without_underscore.py",
    "ex12_multi_head_attention/softmax_dim_of_three_axes.py",
)
REFERENCE = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "solutions/reference").glob("ex*.py"))}
DYING = {"ex09_attention_dropout": "import os\n\nos.abort()\n", "ex11_multi_head_wrapper": "while True:\n    pass\n"}


def main() -> None:
    """Take the pictures."""
    with tempfile.TemporaryDirectory() as folder, chromium(1360, 1230) as chrome:
        out = graded(Path(folder))
        show(chrome, out / "index.html")
        chrome.save_screenshot(str(DOCS / "class.png"))
        show(chrome, out / "students" / f"{SHOWN.replace(' ', '_')}.html")
        chrome.execute_script("document.getElementById('ex10_causal_attention').closest('section').scrollIntoView()")
        chrome.execute_script("scrollBy(0, -16)")
        chrome.save_screenshot(str(DOCS / "student.png"))


def graded(folder: Path) -> Path:
    """The output of two gradings of the class; before the second some have handed in again."""
    handed_in, out = folder / "class", folder / "graded"
    draw = random.Random(4)
    for name in NAMES:
        _hand_in(handed_in / name, _work(name, draw))
    _grade(handed_in, out)
    for name in draw.sample([name for name in NAMES if name != SHOWN], 5):
        better = draw.sample(sorted(REFERENCE), 9)
        _hand_in(handed_in / name, {exercise: REFERENCE[exercise] for exercise in better})
    _grade(handed_in, out)
    return out


def _work(name: str, draw: random.Random) -> dict[str, str]:
    """What a student hands in: so much of it right, up to where the student came to."""
    skill, reached = draw.betavariate(4, 1.6), min(13, round(draw.gauss(13.5, 3)))
    catalogue: dict[str, list[Wrong]] = {}
    for each in wrong():
        catalogue.setdefault(each.exercise, []).append(each)
    chosen = {Path(path).parent.name: ROOT / "tests/suite/wrong" / path for path in CHOSEN} if name == SHOWN else {}
    work = {}
    for number, exercise in enumerate(REFERENCE):
        mistaken = draw.choice(catalogue[exercise]).path
        if exercise in chosen:
            work[exercise] = MARKS.sub("", chosen[exercise].read_text("utf-8"))
        elif name == SHOWN or (number < reached and draw.random() < skill):
            work[exercise] = REFERENCE[exercise]
        elif number < reached:
            work[exercise] = MARKS.sub("", mistaken.read_text("utf-8"))
    if name in ("Ivan Petrov", "Tariq Aziz"):
        exercise = sorted(DYING)[name == "Tariq Aziz"]
        work[exercise] = DYING[exercise]
    return work


def _hand_in(folder: Path, modules: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source, "utf-8")


def _grade(handed_in: Path, out: Path) -> None:
    grade = str(Path(sys.executable).with_name("grade"))
    options = ("--out", out, "--seed", "1", "--device", "cpu", "--timeout", "2", "--allow-unsandboxed")
    subprocess.run([grade, "batch", handed_in, *options], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
