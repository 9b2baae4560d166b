"""What a search for copies compares: all that a student wrote, and nothing that everybody was given."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest

from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.submission.own_work import decoded, own_work, stub_text
from grader.submission.read import read_submission

from .packing import EX01, EX02, EX10, ROOT, SOURCE


def own(pack: Pack, modules: dict[str, str | bytes], *exercises: str) -> str:
    sources = {name: text.encode() if isinstance(text, str) else text for name, text in modules.items()}
    chosen = [exercise for exercise in pack.exercises if not exercises or exercise.id in exercises]
    return own_work(Submission("ada", Path("ada"), "", sources), pack, chosen)


def filled_in(name: str, pack: Pack) -> str:
    """A stub whose functions have got the reference's bodies, as a student fills it in."""
    stub, bodies = stub_text(pack, name), {}
    for node in ast.walk(ast.parse(SOURCE[name])):
        if isinstance(node, ast.FunctionDef):
            statements = [each for each in node.body if not isinstance(each, ast.Expr) or "super" in ast.unparse(each)]
            bodies[node.name] = [line for each in statements for line in ast.unparse(each).split("\n")]
    lines, current = [], ""
    for line in stub.split("\n"):
        current = line.split("def ")[1].split("(")[0] if "def " in line else current
        if line.strip() == "raise NotImplementedError":
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + each for each in bodies[current] if "super().__init__" not in each]
        else:
            lines.append(line)
    return "\n".join(lines)


def test_the_stubs_as_they_were_are_nobodys_work(pack: Pack) -> None:
    stubs = read_submission(ROOT / "exercises", pack)

    assert own_work(stubs, pack, pack.exercises) == ""


@pytest.mark.parametrize("name", list(SOURCE))
def test_of_a_stub_that_was_filled_in_only_what_was_written_is_left(name: str, pack: Pack) -> None:
    given = {line.strip() for line in stub_text(pack, name).split("\n")}
    short = {"", "super().__init__()"}

    lines = [line.strip() for line in own(pack, {name: filled_in(name, pack)}).split("\n")]

    shared = [line for line in lines if line in given - short]
    assert [line for line in shared if not line.startswith("class ")] == []
    assert len([line for line in lines if line and not line.startswith(("class ", "def ", "#"))]) > 0


def test_a_function_that_was_not_touched_is_left_out_beside_one_that_was(pack: Pack) -> None:
    stub = stub_text(pack, EX01)

    text = own(pack, {EX01: stub.replace("raise NotImplementedError", "return inputs @ query", 1)})

    assert text == f"# {EX01}.py\n\n\n\ndef attention_scores_for_query():\n    return inputs @ query\n\n\n"


def test_arguments_of_the_stub_are_left_out_without_their_types_too_and_others_are_not(pack: Pack) -> None:
    text = own(pack, {EX10: "class CausalAttention:\n    def forward(self, x):\n        return x\n"
                            "    def mine(self, y):\n        return y\n"})  # fmt: skip

    assert "def forward():\n" in text
    assert "def mine(self, y):\n" in text


def test_modules_stand_in_the_rubrics_order_and_what_is_no_python_last(pack: Pack) -> None:
    text = own(pack, {"extra": "a = 1\n", EX10: "x = 10\n", EX02: 'x = """open', EX01: "x = 1\n"})

    assert (
        text
        == f'# {EX01}.py\nx = 1\n\n\n# {EX10}.py\nx = 10\n\n\n# extra.py\na = 1\n\n\n# {EX02}.py\nx = """open\n\n\n'
    )


def test_only_the_exercises_that_are_asked_for_and_what_is_no_exercise(pack: Pack) -> None:
    text = own(pack, {"extra": "a = 1\n", EX10: "x = 10\n", EX01: "x = 1\n"}, EX10)

    assert text == f"# {EX10}.py\nx = 10\n\n\n# extra.py\na = 1\n\n\n"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (b"x = 1\r\ny = 2\r", "x = 1\ny = 2\n"), (b"\xef\xbb\xbfx = 1", "x = 1"),
        (b"x = '\xff'", "x = '\N{REPLACEMENT CHARACTER}'"),
        (b"# coding: latin-1\nx = '\xe9'", "# coding: latin-1\nx = 'é'"),
        (b"# coding: utf-7\n+AHg- = 1", "# coding: utf-7\nx = 1"),
        (b"# coding: idna\nx = 1", "# coding: idna\nx = 1"), (b"# coding: no-such\nx", "# coding: no-such\nx"),
        (b"# coding: utf-16\nx", "# coding: utf-16\nx"),
        (b"x\0y", "x\N{REPLACEMENT CHARACTER}y"),
    ],
)  # fmt: skip
def test_a_source_is_read_as_python_reads_it(source: bytes, text: str) -> None:
    assert decoded(source) == text


@pytest.mark.parametrize(
    "source",
    ["(" * 5_000, "x = " + "-" * 60_000 + "1", "x = " + "a." * 30_000 + "a", "x;" * 30_000, '"""a"""; import torch\n',
     "class A: 'one line'", "def f(): pass\n" * 4_000, "@x\n" * 20_000 + "def f(): pass", "\\", "\t" * 50_000,
     "import torch\n" * 80_000, "if 1:\n" + "\n".join(" " * n + "if 1:" for n in range(1, 300))],
)  # fmt: skip
def test_hostile_source_takes_no_time_and_is_kept(source: str, pack: Pack) -> None:
    started = time.process_time()

    text = own(pack, {EX01: source, EX02: "x = 2\n"})

    assert "x = 2\n" in text
    assert time.process_time() - started < 5
