"""An exercise's source and the files that it imports from are read as one, and every line is told where it stands."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.source.joined import Joined, joined
from grader.model.observation import Fault, Frame
from grader.model.report import Diagnosis, Stage, Status, Verdict
from grader.model.syntax import parse_if_python

OWN = "ex05_scaled_scores.py"
HELPERS = '''"""Small things."""
from __future__ import annotations

import torch


def rows(scores):
    return scores.softmax(0)
'''
STABLE = "from .shift import shifted\n\n\ndef softmax(scores):\n    return shifted(scores).exp()\n"
SHIFT = "def shifted(scores):\n    return scores - 1\n"


def whole(source: str, **helpers: str) -> Joined:
    return joined(source, {name.replace("__", "/"): text.encode() for name, text in helpers.items()})


@pytest.mark.parametrize(
    ("brought", "call"),
    [
        ("from helpers import rows", "rows("),
        ("from exercises.helpers import rows", "rows("),
        ("from .helpers import rows", "rows("),
        ("import helpers", "helpers.rows("),
        ("import exercises.helpers as h", "h.rows("),
        ("from exercises import helpers as h", "h.rows("),
    ],
)
def test_what_a_file_imports_stands_below_it_under_its_bare_name(brought: str, call: str) -> None:
    found = whole(f"{brought}\n\n\ndef attend(scores):\n    return {call}scores)\n", helpers=HELPERS)

    lines = found.text.split("\n")
    assert lines[4] == "    return rows(scores)"
    assert found.place(lines.index("    return scores.softmax(0)") + 1) == ("helpers.py", 8)
    assert found.place(5) == ("", 5)
    compile(found.text, OWN, "exec")
    assert {node.name for node in ast.parse(found.text).body if isinstance(node, ast.FunctionDef)} == {"attend", "rows"}


def test_what_these_import_comes_along_from_folders_too() -> None:
    found = whole("from tools.stable import softmax\n", tools__stable=STABLE, tools__shift=SHIFT, other="x = 1\n")

    assert [file for file, _ in found.parts] == ["tools/stable.py", "tools/shift.py"]
    assert found.place(len(found.text.split("\n")) - 1) == ("tools/shift.py", 2)


@pytest.mark.parametrize(
    "source",
    [
        "from helpers import rows\n\n\ndef rows(scores):\n    return scores\n",
        "import helpers\n\n\ndef attend(rows):\n    return helpers.rows(rows)\n",
        "from helpers import rows as normalised\n\nrows = 3\n",
        "import torch\n",
        "def (",
    ],
)
def test_what_would_mean_something_else_there_is_left_out(source: str) -> None:
    assert whole(source, helpers=HELPERS) == Joined(source, source)


def test_files_that_import_each_other_are_joined_once() -> None:
    found = whole("from a import one\n", a="from b import two\none = 1\n", b="from a import one\ntwo = 2\n")

    assert [file for file, _ in found.parts] == ["a.py", "b.py"]


def test_an_exception_in_another_file_is_seen_as_one_in_the_whole() -> None:
    found = whole("from helpers import rows\n", helpers=HELPERS)
    before = found.parts[0][1]
    fault = Fault("exception", "RuntimeError", frames=(Frame(OWN, 1, "attend"), Frame("helpers.py", 8, "rows")))

    seen = found.seen(fault, OWN)

    assert seen.frames == (Frame(OWN, 1, "attend"), Frame(OWN, before + 8, "rows"))
    stub = Fault("exception", "NotImplementedError", frames=fault.frames)
    assert found.seen(stub, OWN) == stub


def test_a_verdict_tells_every_line_where_it_stands() -> None:
    found = whole("from helpers import rows\n", helpers=HELPERS)
    line = found.parts[0][1] + 8
    wrong = Diagnosis("softmax-wrong-axis", "", OWN, line)
    verdict = Verdict(
        "ex05.attention", "", Status.FAILED, 0, 1, "", OWN, 1, diagnosis=(wrong,), stage=Stage("", "", OWN, line)
    )

    placed = found.placed(verdict, OWN)

    assert (placed.file, placed.line) == (OWN, 1)
    assert [(each.file, each.line) for each in placed.diagnosis] == [("helpers.py", 8)]
    assert placed.stage == Stage("", "", "helpers.py", 8)
    assert found.placed(placed, OWN) == placed


def test_no_more_files_are_read_than_anybody_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(source: str) -> ast.Module | None:
        read.append(source)
        return parse_if_python(source)

    monkeypatch.setattr("grader.diagnosis.source.joined.parse_if_python", counted)
    others = {f"part{number}": f"def f{number}(x): return x\n" for number in range(200)}
    imports = "".join(f"from part{number} import f{number}\n" for number in range(150))

    assert len(whole(f"{imports}def f(x): return f1(x)\n", **others).parts) > 1
    assert len(read) < 20
    assert not any("f199" in source for source in read)
