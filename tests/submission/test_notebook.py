"""Notebooks as students leave them: what an exercise needs is found among all else, and told of by cell and line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.submission import cells
from grader.submission.files import Unreadable
from grader.submission.read import read_submission

from .packing import EX01, EX02, EX10, EX11, SOURCE, code, lesson, notebook, words, zipped

EX08 = "ex08_causal_mask"
SOFTMAX = "def softmax(scores):\n    return scores"
Read = Callable[..., Submission]


@pytest.fixture
def read(tmp_path: Path, pack: Pack) -> Read:
    """Reads a notebook of these cells, or of these bytes."""

    def reading(*made: dict[str, Any] | str | bytes) -> Submission:
        path = tmp_path / "lab.ipynb"
        path.write_bytes(made[0] if isinstance(made[0], bytes) else notebook(*made))  # type: ignore[arg-type]
        return read_submission(path, pack)

    return reading


def text(submission: Submission, module: str) -> str:
    return submission.modules[module].decode()


def where(submission: Submission, module: str, line: str) -> tuple[int, int]:
    """Cell and line of a line of a module."""
    at = text(submission, module).split("\n").index(line)
    return submission.cells[module].lines[at]


def test_a_notebook_of_the_whole_lesson_holds_every_exercise_and_nothing_that_could_fail(
    read: Read, pack: Pack
) -> None:
    submission = read(lesson())

    assert set(submission.modules) == {exercise.id for exercise in pack.exercises}
    everything = b"".join(submission.modules.values())
    for unwanted in (b"matplotlib", b"SystemExit", b"print(", b"plt.", b"inputs = torch", b"seed(", b"naive"):
        assert unwanted not in everything
    assert (submission.id, submission.notes, submission.unreadable) == ("lab", (), {})
    for source in submission.modules.values():
        compile(source, "module", "exec")


def test_every_line_knows_its_cell_and_its_line_there(read: Read) -> None:
    submission = read(words("# Title"), "import torch", f"x = 1\n\n\n{SOFTMAX}", "print(softmax)")

    assert where(submission, EX02, "def softmax(scores):") == (3, 4)
    assert where(submission, EX02, "    return scores") == (3, 5)
    assert submission.excerpts["lab.ipynb cell 3"] == f"x = 1\n\n\n{SOFTMAX}".encode()
    assert len(submission.cells[EX02].lines) == len(text(submission, EX02).split("\n"))


def test_of_several_definitions_the_last_counts(read: Read) -> None:
    submission = read(SOFTMAX, "def softmax(scores):\n    return 2 * scores")

    assert "2 * scores" in text(submission, EX02)
    assert text(submission, EX02).count("def softmax") == 1


def test_what_a_definition_rests_on_is_the_last_before_it(read: Read) -> None:
    submission = read(
        "class CausalAttention:\n    one = 1",
        "class CausalAttention(CausalAttention):\n    two = 2",
        "limit = 1\ndef causal_mask(n=limit):\n    return n",
        "limit = 2",
    )

    assert text(submission, EX10).index("one = 1") < text(submission, EX10).index("two = 2")
    assert "limit = 1" in text(submission, EX08)
    assert "limit = 2" not in text(submission, EX08)


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("class CausalAttention(nn.Module):\n    def f(self): return nn", "from torch import nn"),
        ("class CausalAttention(Base):\n    pass", "class Base(First):\n    pass\nclass First:\n    pass"),
        ("@same\ndef causal_mask(n):\n    return n", "def same(f):\n    return f"),
    ],
)
def test_what_stands_below_and_was_run_before_stands_above_where_it_is_needed_at_once(
    above: str, below: str, read: Read
) -> None:
    (source,) = read(above, below).modules.values()

    exec(source, {"__name__": "module"})


def test_an_import_after_a_definition_does_not_take_its_place(read: Read) -> None:
    submission = read(SOFTMAX, "from torch.nn.functional import softmax")

    assert "def softmax" in text(submission, EX02)


def test_helpers_and_constants_of_other_cells_come_along_and_theirs_too(read: Read) -> None:
    submission = read(
        "import torch, os\nTWO = 2\nHALF = 1 / TWO",
        "def shifted(scores):\n    return HALF * scaled(scores)",
        "def softmax(scores):\n    return shifted(scores)",
        "scaled = lambda scores: torch.exp(scores)",
        "def unused():\n    pass",
    )

    found = text(submission, EX02)
    for part in ("import torch", "TWO = 2", "HALF = 1 / TWO", "def shifted", "scaled = lambda"):
        assert part in found
    assert "os" not in found
    assert "unused" not in found


def test_a_function_that_is_made_of_another_comes_along(read: Read) -> None:
    submission = read(
        "import torch\nfrom torch import nn",
        "by_row = torch.vmap(lambda row: row.exp())\nnormalised = nn.Softmax(dim=-1)\nlayer = nn.Linear(3, 2)",
        "def softmax(scores):\n    return normalised(by_row(scores).log()) if scores.ndim else layer",
    )

    assert "layer =" not in text(submission, EX02)
    assert "by_row = torch.vmap(" in text(submission, EX02)
    assert "normalised = nn.Softmax(dim=-1)" in text(submission, EX02)


def test_what_was_computed_is_left_out_so_that_a_global_is_told_as_such(read: Read) -> None:
    submission = read(
        "inputs = torch.rand(3)\nwidth = inputs.shape[0]", "def softmax(scores):\n    return inputs + width"
    )

    assert "inputs =" not in text(submission, EX02)
    assert "width =" not in text(submission, EX02)


def test_a_tensor_as_an_arguments_default_is_needed_by_nobody(read: Read) -> None:
    submission = read("import torch\ninputs = torch.rand(3)", "def softmax(scores=inputs, *, by=inputs):\n    return 3")

    assert "inputs = None\n" in text(submission, EX02)
    assert "rand" not in text(submission, EX02)


@pytest.mark.parametrize("given", ["3", "Layer()"])
def test_a_variable_with_the_name_of_a_function_does_not_take_its_place(given: str, read: Read) -> None:
    submission = read(SOFTMAX, f"class Layer:\n    def forward(self): pass\nsoftmax = {given}")

    assert "def softmax" in text(submission, EX02)


@pytest.mark.parametrize(
    "cell",
    [
        "if True:\n    def softmax(scores):\n        return scores",
        "if False:\n    pass\nelse:\n    def softmax(scores):\n        return scores",
        "try:\n    from mine import softmax\nexcept ImportError:\n    def softmax(scores):\n        return scores",
        "softmax: object = lambda scores: scores",
        "class Softmax:\n    if True:\n        dim: int = -1\n    def __call__(self, x):\n        return x\n"
        "softmax = Softmax()",
        "naive = softmax = lambda scores: scores",
        "if hasattr(torch, 'nobody'):\n    pass\nelse:\n    def softmax(scores):\n        return scores",
        "if (1, 2) > (1, 0):\n    def softmax(scores):\n        return scores",
        "with torch.no_grad():\n    def softmax(scores):\n        return scores",
        "from functools import partial\nsoftmax = partial(max, 0)",
        "import functools\nsame: object = functools.partial(max, 0)\nsoftmax = same",
        "naive, softmax = None, lambda scores: scores",
        "def compose(f, g):\n    return lambda x: f(g(x))\nsoftmax = compose(abs, int)",
        "def along(dim):\n    def by_row(x):\n        return x\n    return by_row\nsoftmax = along(-1)",
        "class Softmax:\n    def __call__(self, x):\n        return x\nsoftmax = Softmax()",
        "if __name__ == '__main__':\n    x = torch.ones(3); print(x)\n    @torch.no_grad()\n    def softmax(x):\n"
        "        return x\n    softmax(\n      torch.ones(3)\n    )",
    ],
    ids=[
        "if", "else", "except", "annotated", "annotated inside", "two names", "asks", "compares", "with", "partial",
        "renamed", "tuple", "composed", "inner", "instance", "main",
    ],
)  # fmt: skip
def test_a_definition_counts_wherever_it_stands_and_however_it_is_named(read: Read, cell: str) -> None:
    submission = read("import torch", cell)

    namespace: dict[str, Any] = {}
    exec(text(submission, EX02), namespace)
    assert namespace["softmax"](3) == 3


@pytest.mark.parametrize(
    "choice",
    [
        "FAST = False\nif FAST:\n    def softmax(scores):\n        return None",
        "try:\n    import nobody_has_this\n    softmax = nobody_has_this.softmax\nexcept ImportError:\n    pass",
    ],
    ids=["if", "try"],
)
def test_what_is_replaced_under_a_condition_alone_is_there_where_that_does_not_hold(read: Read, choice: str) -> None:
    submission = read(SOFTMAX, choice)

    namespace: dict[str, Any] = {}
    exec(text(submission, EX02), namespace)
    assert namespace["softmax"](3) == 3


def test_what_a_notebook_asks_of_its_machine_comes_along(read: Read) -> None:
    first = (
        "import math, torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
        "KIND = 'cuda' if torch.cuda.is_available() else 'cpu'\nROOT = math.sqrt(4)\n"
        "if torch.cuda.is_available():\n    NAME = 'cuda'\nelse:\n    NAME = 'cpu'"
    )
    submission = read(first, "def softmax(scores):\n    return scores, device.type, KIND, ROOT, NAME")

    namespace: dict[str, Any] = {}
    exec(text(submission, EX02), namespace)
    kind = "cuda" if namespace["torch"].cuda.is_available() else "cpu"
    assert namespace["softmax"](3) == (3, kind, kind, 2.0, kind)


@pytest.mark.parametrize(
    "choice",
    [
        "if torch.cuda.is_available():\n    KIND = 'cuda'; torch.cuda.manual_seed(1)\nelse:\n    KIND = 'cpu'",
        "with torch.no_grad():\n    if True:\n        torch.ones(\n          3); KIND = 'cpu'; torch.ones(3)",
    ],
)
def test_a_number_is_kept_that_is_given_beside_a_seed_or_a_demo(choice: str, read: Read) -> None:
    submission = read(f"import torch\n{choice}", "def softmax(scores):\n    return KIND")

    found = text(submission, EX02)
    assert "KIND = 'cpu'" in found
    assert "seed" not in found
    assert "ones" not in found


def test_numbers_under_a_condition_that_was_computed_are_left_out(read: Read) -> None:
    submission = read(
        "import torch\nloss = torch.rand(1)\nif loss > 2:\n    BEST = 1\nelse:\n    BEST = 2",
        "def softmax(scores):\n    return scores, BEST",
    )

    assert "BEST =" not in text(submission, EX02)


def test_a_helper_that_is_replaced_under_a_condition_alone_comes_along_too(read: Read) -> None:
    helper = "def scaled(x):\n    return x"
    choice = "FAST = False\nif FAST:\n    def scaled(x):\n        return None"
    submission = read(helper, choice, "def softmax(scores):\n    return scaled(scores)")

    namespace: dict[str, Any] = {}
    exec(text(submission, EX02), namespace)
    assert namespace["softmax"](3) == 3


@pytest.mark.parametrize("cell", ["if True:\n    softmax = 3", "softmax: int = 3", "softmax, other = 3, 4"])
def test_a_number_is_no_definition_wherever_it_stands(read: Read, cell: str) -> None:
    with pytest.raises(NothingToGrade):
        read("import torch", cell)


def test_an_earlier_exercise_is_imported_whether_the_notebook_does_or_just_uses_it(read: Read) -> None:
    own, wrapper = "class CausalAttention:\n    pass", "class MultiHeadAttentionWrapper:\n    heads = CausalAttention"
    spelt_out = f"from exercises.{EX10} import CausalAttention"

    for submission in (read(own, wrapper), read(own, spelt_out, wrapper), read(own, f"{spelt_out}\n{wrapper}")):
        assert spelt_out in text(submission, EX11)
        assert "class CausalAttention" not in text(submission, EX11)
        assert "class CausalAttention" in text(submission, EX10)
        assert spelt_out not in text(submission, EX10)


def test_a_class_of_an_earlier_exercise_that_stands_in_another_notebook_is_imported(read: Read) -> None:
    wrapper = "class MultiHeadAttentionWrapper:\n    def f(self): return CausalAttention, MultiHeadAttention"

    submission = read("%run part1.ipynb", wrapper)

    assert text(submission, EX11).startswith(f"from exercises.{EX10} import CausalAttention\nclass Multi")
    assert "import CausalAttention" not in text(read("from part1 import *", wrapper), EX11)


def test_a_later_exercise_is_copied_so_that_no_two_modules_wait_for_each_other(read: Read) -> None:
    submission = read("def softmax(scores):\n    return causal_mask(1)", "def causal_mask(n):\n    return softmax(n)")

    assert "def causal_mask" in text(submission, EX02)
    assert "import" not in text(submission, EX02)
    assert f"from exercises.{EX02} import softmax" in text(submission, EX08)


@pytest.mark.parametrize("tag", ["exercise:ex02", f"exercise:{EX02}", f"exercise:{EX02}.py"])
def test_a_tag_binds_a_cell_before_the_names_do(read: Read, tag: str) -> None:
    submission = read(
        code("def softmax(scores):\n    return 'tagged'", tag), "def softmax(scores):\n    return 'later'"
    )

    assert "'tagged'" in text(submission, EX02)
    assert "'later'" not in text(submission, EX02)


def test_a_tagged_cell_belongs_to_its_exercise_whatever_it_defines(read: Read) -> None:
    submission = read(code("def sofmax(scores):\n    return scores", "exercise:ex02"))

    assert "def sofmax" in text(submission, EX02)


def test_a_helper_of_a_tagged_cell_is_that_exercises_own(read: Read) -> None:
    first = code("def helper():\n    return 1\ndef softmax(scores):\n    return helper()", "exercise:ex02")
    second = code("def helper():\n    return 2\ndef causal_mask(n):\n    return helper()", "exercise:ex08")

    submission = read(first, second)

    assert "return 1" in text(submission, EX02)
    assert "return 2" in text(submission, EX08)


def test_what_a_definition_needs_at_once_stands_before_it_though_a_later_tagged_cell_has_it_too(read: Read) -> None:
    later = code("from torch import nn\ndef helper():\n    return nn", "exercise:ex10")
    submission = read("from torch import nn", "class CausalAttention(nn.Module):\n    pass", later)

    assert text(submission, EX10).splitlines()[0] == "from torch import nn"


def test_options_of_the_grading_magic_are_no_exercises(read: Read) -> None:
    submission = read(f"%%grade ex02 --timeout 3\n{SOFTMAX}")

    assert submission.notes == ()
    assert EX02 in submission.modules


def test_a_tag_for_no_exercise_is_told(read: Read) -> None:
    submission = read(code(SOFTMAX, "exercise:ex99"))

    assert submission.notes == ("lab.ipynb cell 1 is tagged for 'ex99', which is no exercise",)
    assert EX02 in submission.modules


def test_of_tags_without_end_a_few_are_told_and_a_cell_that_is_no_python_beside_them(read: Read) -> None:
    tags = [f"exercise:{number}" for number in range(1000)]
    tagged = {**code(SOFTMAX), "metadata": {"tags": [*tags, *tags]}}

    submission = read(tagged, "def (:")

    assert len(submission.notes) < 10
    assert submission.notes[0] == "lab.ipynb cell 1 is tagged for '0', which is no exercise"
    assert submission.notes[-1].startswith("lab.ipynb cell 2, line 1 cannot be read: ")
    assert EX02 in submission.modules


def test_lines_of_ipython_are_passed_over_and_line_numbers_stand(read: Read) -> None:
    source = f"%matplotlib inline\n!ls -la\n?print\nfiles = !ls\n    %time\n{SOFTMAX}\nsoftmax?\nsoftmax??"

    submission = read(source.replace("    %time\n", ""))

    assert where(submission, EX02, "def softmax(scores):") == (1, 5)


def test_a_line_of_a_string_or_sum_may_begin_like_a_magic(read: Read) -> None:
    submission = read("def softmax(scores):\n    '''\n    ! not a command\n    '''\n    return (scores\n        % 2)")

    assert "! not a command" in text(submission, EX02)
    assert "% 2" in text(submission, EX02)


@pytest.mark.parametrize("magic", ["%%time", "%%timeit -n 1", "%%capture out", "%%prun", "%%grade ex02", "\n\n%%time"])
def test_a_cell_magic_that_runs_its_cell_keeps_it(read: Read, magic: str) -> None:
    submission = read(f"{magic}\n{SOFTMAX}")

    assert where(submission, EX02, "def softmax(scores):") == (1, magic.count("\n") + 2)


@pytest.mark.parametrize("magic", ["%%bash", "%%writefile a.py", "%%javascript", "%%html", "%%timer"])
def test_a_cell_in_another_language_is_left_out(read: Read, magic: str) -> None:
    submission = read(f"{magic}\n{SOFTMAX}  # no", SOFTMAX)

    assert submission.cells[EX02].lines[0][0] == 2


def test_a_cell_that_is_no_python_is_told_by_cell_and_line_and_the_others_count(read: Read) -> None:
    submission = read(SOFTMAX, "x = 1\ndef broken(:\n", "def causal_mask(n):\n    return n")

    assert {EX02, EX08} <= set(submission.modules)
    assert submission.notes == ("lab.ipynb cell 2, line 2 cannot be read: invalid syntax; the other cells count",)


def test_an_exercise_whose_only_cell_is_no_python_says_so(read: Read) -> None:
    submission = read("def softmax(scores):\n    return (", "def causal_mask(n):\n    return n")

    assert submission.unreadable == {EX02: "lab.ipynb cell 1, line 2 cannot be read: '(' was never closed."}


def test_the_only_cell_is_told_where_it_is_no_python_and_nothing_says_whose_it_is(read: Read) -> None:
    """As where a tool wrote its lines without their ends."""
    with pytest.raises(NothingToGrade, match=r"^lab.ipynb cell 1, line 1 cannot be read: invalid syntax\.$"):
        read("import torchdef softmax(scores):    return scores")


def test_a_cell_that_python_refuses_after_parsing_is_told_by_its_own_line(read: Read) -> None:
    submission = read("x = 1\n\ndef softmax(scores):\n    x = 1\n    global x", "def causal_mask(n):\n    return n")

    assert submission.unreadable[EX02].startswith("lab.ipynb cell 1, line 5 cannot be read")


def test_statements_on_one_line_are_taken_apart(read: Read) -> None:
    submission = read(
        "import math; exit(); half = 1 / 2; é = 3; exit()", "def softmax(s):\n    return math.exp(half * é)"
    )

    assert text(submission, EX02).splitlines()[:5] == ["import math", "", "half = 1 / 2", "", "é = 3"]


def test_imports_of_the_future_come_first(read: Read) -> None:
    submission = read("import torch", "from __future__ import annotations\ndef softmax(s: X):\n    return torch.exp(s)")

    compile(submission.modules[EX02], "module", "exec")


def test_an_import_that_may_fail_is_kept_as_it_is_guarded(read: Read) -> None:
    guarded = "try:\n    import torch\nexcept ImportError:\n    torch = None"

    assert guarded in text(read(guarded, "def softmax(s):\n    return torch.exp(s)"), EX02)


def test_a_method_added_later_comes_along(read: Read) -> None:
    submission = read(
        "class CausalAttention:\n    pass", "def forward(self, x):\n    return x", "CausalAttention.forward = forward"
    )

    assert "CausalAttention.forward = forward" in text(submission, EX10)


def test_an_import_of_everything_is_kept_only_where_a_name_comes_from_nowhere_else(read: Read) -> None:
    star = "from math import *"

    assert star in text(read(star, "def softmax(s):\n    return exp(s)"), EX02)
    assert star not in text(read(star, SOFTMAX), EX02)


def test_a_notebook_in_a_folder_is_graded_with_the_modules_beside_it(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lab.ipynb").write_bytes(notebook(SOFTMAX))
    (tmp_path / f"{EX01}.py").write_text(SOURCE[EX01])

    assert set(read_submission(tmp_path, pack).modules) == {EX01, EX02}


def test_a_notebook_counts_before_the_stub_as_it_was_and_after_a_module_of_ones_own(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lab.ipynb").write_bytes(notebook(SOFTMAX))
    module = tmp_path / f"{EX02}.py"
    module.write_bytes((pack.source.exercises / f"{EX02}.py").read_bytes())
    assert "return scores" in text(read_submission(tmp_path, pack), EX02)

    module.write_text("def softmax(scores):\n    return 3\n")
    submission = read_submission(tmp_path, pack)

    assert "return 3" in text(submission, EX02)
    assert submission.notes == (f"{EX02} stands in lab.ipynb too; that of {EX02}.py is graded",)


def test_a_module_worked_on_is_no_stub_where_the_packs_own_folder_is_worked_in(tmp_path: Path, pack: Pack) -> None:
    for name in ("exercises", "fixtures"):
        shutil.copytree(pack.source.exercises.parent / name, tmp_path / name, ignore=shutil.ignore_patterns("submi*"))
    source = replace(pack.source, exercises=tmp_path / "exercises", fixtures=tmp_path / "fixtures")
    (tmp_path / "exercises" / f"{EX02}.py").write_text("def softmax(scores):\n    return 3\n")
    (tmp_path / "exercises/old.ipynb").write_bytes(notebook(SOFTMAX, SOURCE[EX01]))

    submission = read_submission(tmp_path / "exercises", replace(pack, source=source))

    assert "return 3" in text(submission, EX02)
    assert text(submission, EX01) != (tmp_path / "exercises" / f"{EX01}.py").read_text()


@pytest.mark.parametrize(
    "change", [lambda stub: stub.replace(b"\n", b"\r\n"), lambda stub: stub + b"\n\n", lambda s: s]
)
def test_a_stub_is_one_whatever_an_editor_did_to_its_line_endings(change: Any, tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lab.ipynb").write_bytes(notebook(SOFTMAX))
    (tmp_path / f"{EX02}.py").write_bytes(change((pack.source.exercises / f"{EX02}.py").read_bytes()))

    assert "return scores" in text(read_submission(tmp_path, pack), EX02)


def test_a_cell_moved_is_another_submission_and_an_output_is_not(read: Read) -> None:
    first = read(SOFTMAX)
    with_output = json.loads(notebook(SOFTMAX))
    with_output["cells"][0]["outputs"] = [{"output_type": "stream", "text": "hello"}]

    assert read(json.dumps(with_output).encode()).sha256 == first.sha256
    assert read(words("moved"), SOFTMAX).sha256 != first.sha256


DEEP = b'{"cells": ' + b"[" * 100_000


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is no notebook: it is empty; save the notebook in Jupyter"),
        (b" \n", "is no notebook: it is empty"),
        (b"{", "is no notebook: it breaks off or is damaged at line 1, column 2"),
        (b"[]", "is no notebook: it has no cells"),
        (b'{"cells": 3}', "is no notebook: it has no cells"),
        (b"\xff\xfe\x00", "is no notebook"),
        (DEEP, "is no notebook: it is nested too deeply"),
        (b'{"cells": [' + b"[]," * 300_000 + b"[]]}", "has too many parts for a notebook"),
        (b'{"nbformat": 3, "worksheets": [{"cells": []}]}', "in the format of before 2015"),
        (b'{"cells": [], "x": ' + b"9" * 5000 + b"}", "is no notebook"),
        (b'{"cells": [3, null, {}, {"cell_type": "code"}, {"cell_type": "code", "source": [1]}]}', "No cell of"),
        (notebook("x = 1"), "No cell of lab.ipynb defines what an exercise asks for"),
        (b" " * (65 << 20), "at most 67,108,864 are read; clear its outputs and save it again"),
    ],
)  # fmt: skip
def test_what_is_no_notebook_is_nothing_to_grade_in_a_sentence(read: Read, data: bytes, said: str) -> None:
    with pytest.raises(NothingToGrade, match=said):
        read(data)


def test_a_notebook_with_large_pictures_is_read_without_them(read: Read) -> None:
    book = json.loads(notebook(SOFTMAX))
    book["cells"][0]["outputs"] = [{"output_type": "display_data", "data": {"image/png": "A" * (40 << 20)}}]

    submission = read(json.dumps(book).encode())

    assert EX02 in submission.modules


@pytest.mark.no_cover
def test_many_notebooks_with_all_of_the_lesson_are_told_in_a_few_sentences(tmp_path: Path, pack: Pack) -> None:
    for number in range(14):
        (tmp_path / f"lab{number:02}.ipynb").write_bytes(lesson())

    notes = read_submission(tmp_path, pack).notes

    assert len(notes) == 11
    assert notes[0] == (f"13 exercises, such as {EX01}, stand in lab01.ipynb too; those of lab00.ipynb are graded")
    assert notes[-1] == "3 more files were not taken"


HUGE = "y = '" + "#" * cells.MAX_CELL + "'"


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "source",
    [HUGE, "x = " + "(" * 30_000, "x = " + "-" * 30_000 + "1", "x = " + "1+" * 15_000 + "1", "x = a" + "[0]" * 10_000,
     "x = '\ud800'", "x = 1\0", "if x: pass\n" + "elif x: pass\n" * 2_300, "x = " + "lambda: " * 4_000 + "1",
     " " * 30_000 + "=!", "x = f'" + "{y}" * 10_000 + "'", "?" * 30_000, "\n".join("a = 1" for _ in range(5_000))],
    ids=lambda source: repr(source[:12]),
)  # fmt: skip
def test_a_hostile_cell_costs_itself_alone(read: Read, source: str) -> None:
    submission = read(SOFTMAX, code(source), "def causal_mask(n):\n    return n")

    assert EX02 in submission.modules


@pytest.mark.timeout(20)
def test_thousands_of_definitions_that_use_each_other_take_no_time(read: Read) -> None:
    source = "\n".join(
        f"softmax = len\nsoftmax.a = 1\ndef f{n}(x=softmax, y=softmax):\n    return f{n - 1}" for n in range(450)
    )

    submission = read(source, "def softmax(s):\n    return f449")

    assert EX02 in submission.modules


@pytest.mark.no_cover
@pytest.mark.timeout(20)
def test_thousands_of_defaults_that_are_nowhere_take_no_time(read: Read) -> None:
    source = f"def f({', '.join(f'a{n}=b{n}' for n in range(2300))}): pass"

    submission = read(SOFTMAX, *[code(source, "exercise:ex02")] * 10)

    assert "b2299 = None" in text(submission, EX02)


def test_cells_have_an_end(read: Read) -> None:
    submission = read(SOFTMAX, *["("] * cells.MAX_CELLS)

    assert submission.notes[0] == "lab.ipynb has more than 2,000 cells of code; cell 2001 and later are left out"
    assert submission.notes[-1] == "1999 cells of lab.ipynb cannot be read"


@pytest.mark.no_cover
def test_code_has_an_end(read: Read) -> None:
    submission = read(SOFTMAX, *["x = 1\n" * 5_000] * 12)

    assert any("and later are left out" in note for note in submission.notes)


JSON = st.recursive(
    st.none() | st.integers(-3, 3) | st.text(max_size=10) | st.sampled_from(["code", SOFTMAX, "exercise:ex02"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cells", "cell_type", "source", "metadata", "tags"]), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_ends_in_cells_or_in_a_sentence(value: Any) -> None:
    for content in (value, {"cells": value}, {"cells": [{"cell_type": "code", "metadata": value, "source": value}]}):
        try:
            cells.read_cells(json.dumps(content).encode())
        except Unreadable as why:
            assert str(why)


LINES = [
    "def softmax(s):", "    return s", "%time x", "!ls", "x = 1", "'''", "import os as o", "@o", "class A(B):",
    "    y: int = x", "(", ")", "\\", "\f", "é = x; z = é",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=8))
def test_whatever_lines_a_cell_has_its_statements_stand_at_their_own(lines: list[str]) -> None:
    source = "\n".join(lines)
    if not source.strip():
        return

    for cell in cells.read_cells(notebook(code(source))).cells:
        for statement in cell.statements:
            for number, line in statement.lines:
                there = lines[number - 1]
                assert line.strip() in there or there.strip().startswith(("%", "!"))


def test_two_notebooks_in_one_archive_are_put_together(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "ada.zip"
    path.write_bytes(zipped({"a.ipynb": notebook(SOFTMAX), "b.ipynb": notebook("def causal_mask(n):\n    return n")}))

    submission = read_submission(path, pack)

    assert {name: origin.file for name, origin in submission.cells.items()} == {EX02: "a.ipynb", EX08: "b.ipynb"}


def test_of_two_notebooks_the_one_with_work_in_it_counts(tmp_path: Path, pack: Pack) -> None:
    stubs = "def softmax(scores):\n    'Softmax.'\n    raise NotImplementedError", "def causal_mask(n):\n    pass"
    (tmp_path / "a template.ipynb").write_bytes(notebook(*stubs))
    (tmp_path / "lab.ipynb").write_bytes(notebook(SOFTMAX))
    (tmp_path / "the template.ipynb").write_bytes(notebook(*stubs))

    submission = read_submission(tmp_path, pack)

    assert submission.cells[EX02].file == "lab.ipynb"
    assert "raise" not in text(submission, EX02)
    assert EX08 in submission.modules
    assert submission.notes == ()


def test_a_notebook_that_was_called_as_a_module_is_is_read_as_one(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / f"{EX02}.py").write_bytes(notebook(words("# Softmax"), SOFTMAX))

    for path in (tmp_path, tmp_path / f"{EX02}.py"):
        submission = read_submission(path, pack)
        assert where(submission, EX02, "def softmax(scores):") == (2, 1)
        assert submission.cells[EX02].file == f"{EX02}.ipynb"


def test_of_notebooks_that_a_browser_numbered_the_last_counts(tmp_path: Path, pack: Pack) -> None:
    for name in ("lab.ipynb", "lab (1).ipynb", "lab (10).ipynb", "lab (9).ipynb"):
        (tmp_path / name).write_bytes(notebook(SOFTMAX))

    submission = read_submission(tmp_path, pack)

    assert submission.cells[EX02].file == "lab (10).ipynb"
    assert submission.notes[0] == f"{EX02} stands in lab (9).ipynb too; that of lab (10).ipynb is graded"


@pytest.mark.parametrize(
    "made",
    [
        "import logging\nlog = logging.getLogger(__name__)",
        'log = "W_query W_key".split()',
        'log = [f"W_{each}" for each in ("query", "key")]',
        "from dataclasses import dataclass\n@dataclass\nclass Config:\n    d: int = 3\nlog = Config()",
        'from collections import namedtuple\nlog = namedtuple("QKV", "q k v")',
        'import torch\nlog = torch.tensor(float("-inf"))',
        "import math\nlog = math.log2(math.e)",
        "DIMS = [2, 3]\nlog = max(DIMS)",
        "log = {}\nlog['all'] = print",
        "import json\nlog = json.loads('{}')",
        "import os, pathlib\nlog = pathlib.Path(os.environ.get('HOME', '.'))",
        "from argparse import Namespace\nlog = Namespace(d=3)",
        "import importlib\nlog = importlib.import_module('math')",
        "import torch\nlog = torch.tensor(-torch.inf)",
        "import torch\nlog = torch.Generator().manual_seed(1)",
        "import numpy as np\nlog = np.finfo(np.float32).tiny",
        "import torch\ndef get_device():\n    if torch.cuda.is_available():\n        return 'cuda'\n    return 'cpu'\n"
        "log = get_device()",
        "import math\ndef log_of(base):\n    return lambda number: math.log(number, base)\nlog = log_of(2)",
        "log = []\nlog.append(1)",
        "log = {}\nlog.update(d_in=3)",
        "log = {}\nfor each in ('a', 'b'):\n    log[each] = str(each)",
    ],
)
def test_what_a_function_uses_comes_along_though_it_is_made_by_a_call(made: str, read: Read) -> None:
    submission = read(code(made), code("def softmax(scores):\n    log\n    return scores"))

    assert all(line in text(submission, EX02).split("\n") for line in made.split("\n"))


def test_the_variable_of_a_comprehension_is_none_of_the_notebooks(read: Read) -> None:
    submission = read(
        code("import math\nscale = math.sqrt"),
        code("log = [scale for scale in (1, 2)]"),
        code("def softmax(scores):\n    log\n    return scale(scores)"),
    )

    assert "scale = math.sqrt" in text(submission, EX02)
    assert "log = [scale for scale in (1, 2)]" in text(submission, EX02)


@pytest.mark.parametrize(
    "computed",
    [
        "log = torch.rand(3)",
        "log = torch.tensor([1.0, 2.0])",
        "log = torch.ones(3).tril()",
        "inputs = torch.rand(3)\nlog = inputs.shape[0]",
        "inputs = torch.rand(3)\ndef f(x): return x\nlog = f(inputs)",
        "log = open('notes.txt').read()",
        "log = input()",
        "log = eval('torch.ones(3)')",
        "log = torch.tensor(torch.rand(1))",
        "import numpy as np\nlog = np.ones(3)",
    ],
)
def test_what_is_computed_of_tensors_or_asked_of_the_world_does_not(computed: str, read: Read) -> None:
    submission = read(code("import torch"), code(computed), code("def softmax(scores):\n    log\n    return scores"))

    assert "log =" not in text(submission, EX02)


@pytest.mark.parametrize(
    "added",
    [
        "def add(owner):\n    return lambda f: setattr(owner, f.__name__, f)\n\n\n@add(CausalAttention)\n"
        "def forward(self, x):\n    return x",
        "def forward(self, x):\n    return x\n\n\nsetattr(CausalAttention, 'forward', forward)",
        "from fastcore.basics import patch\n\n\n@patch\ndef forward(self: CausalAttention, x):\n    return x",
    ],
)
def test_a_method_that_is_added_in_a_later_cell_belongs_to_its_class(added: str, read: Read) -> None:
    made = "from torch import nn\n\n\nclass CausalAttention(nn.Module):\n    pass"

    submission = read(code(made), code(added), code("print(CausalAttention())"))

    assert all(line in text(submission, EX10).split("\n") for line in added.split("\n") if line)
    assert "print" not in text(submission, EX10)


@pytest.mark.parametrize("made", ["lru_cache(None)(lambda n: n)", "torch.no_grad()(made)", "lru_cache(made)"])
def test_a_function_that_is_made_of_another_is_a_definition(made: str, read: Read) -> None:
    cell = f"import torch\nfrom functools import lru_cache\ndef made(n): return n\ncausal_mask = {made}"

    assert f"causal_mask = {made}" in text(read(code(cell)), EX08)


@pytest.mark.parametrize(
    "made",
    [
        "type('Head', (Base,), {})",
        "with_a_name(Base)",
        "build(Base)",
        "types.new_class('Head', (Base,))",
        "Base if __debug__ else None",
    ],
)
def test_a_class_is_whatever_is_given_its_name(made: str, read: Read) -> None:
    helpers = """
import types

class Base: ...

def with_a_name(cls):
    cls.called = "mine"
    return cls

def build(base):
    class Head(base): ...
    return Head
"""

    submission = read(helpers, f"CausalAttention = {made}", "CausalAttention(3)")

    namespace: dict[str, Any] = {}
    exec(text(submission, EX10), namespace)
    assert issubclass(namespace["CausalAttention"], namespace["Base"])


def test_an_object_that_took_its_classs_name_is_no_class(read: Read) -> None:
    submission = read("class CausalAttention:\n    def forward(self): ...", "CausalAttention = CausalAttention()")

    assert text(submission, EX10).startswith("class CausalAttention")


@pytest.mark.parametrize("run", ["%run helping.py", "%run ./helping"])
def test_a_file_that_is_run_gives_its_names(run: str, read: Read) -> None:
    source = f"{run}\n%run train.py --steps 3\n%run part1.ipynb\ndef softmax(scores):\n    return help_with(scores)"

    assert text(read(source), EX02).startswith("from helping import *\n\ndef softmax")


@pytest.mark.parametrize("magic", ["%%writefile", "%%file", "%%writefile -a"])
def test_a_module_that_a_cell_writes_is_that_module(magic: str, read: Read) -> None:
    submission = read(
        code(f"{magic} exercises/{EX02}.py\n{SOFTMAX}"),
        code("%%writefile notes.py\ndef causal_mask(n):\n    return n"),
    )

    assert submission.modules.keys() == {EX02}
    assert where(submission, EX02, "def softmax(scores):") == (1, 2)


def test_a_magic_that_goes_on_behind_a_backslash_ends_with_its_last_line(read: Read) -> None:
    submission = read(code(f"!pip install -q \\\n    torch \\\n    einops\n{SOFTMAX}"))

    assert where(submission, EX02, "    return scores") == (1, 5)


@pytest.mark.parametrize(
    "made",
    [
        "try:\n    import torch as log\nexcept ImportError:\n    print('pip install torch')\n    raise",
        "try:\n    import torch as log\nexcept ImportError:\n    install('torch')\n    import torch as log",
        "import torch\ntry:\n    torch.ones(1).cuda()\n    log = 'cuda'\nexcept RuntimeError:\n    log = 'cpu'",
        "import torch\nif torch.cuda.is_available():\n    log = 'cuda'\n    print('on a GPU')\nelse:\n    log = 'cpu'",
        "log = 0\ndef count():\n    global log\n    log += 1",
    ],
)
def test_what_stands_beside_a_definition_costs_it_nothing(made: str, read: Read) -> None:
    use = "count()" if "count" in made else "log"
    submission = read(code(made), code(f"def softmax(scores):\n    {use}\n    return scores"))

    assert all(line in text(submission, EX02).split("\n") for line in made.split("\n"))


def test_what_changes_how_all_below_is_read_comes_along_at_the_top(read: Read) -> None:
    submission = read(code("import torch\nfrom __future__ import annotations"), code(SOFTMAX))

    assert text(submission, EX02).startswith("from __future__ import annotations\n")


@pytest.mark.parametrize(
    "experiment",
    [
        "scores = [[1.0], [3.0]]\nscale = [scale(each) for each in scores]",
        "table = {}\nfor scale in [1, 2]:\n    table[scale] = scale ** 2",
        "d_k = 4\nscale = d_k ** -0.5",
        "scale, d_k = 0.5, 4",
    ],
)
def test_an_experiment_that_takes_the_name_of_a_helper_does_not_take_its_place(experiment: str, read: Read) -> None:
    helper = "def scale(scores):\n    return scores"

    submission = read(code(helper), code("def softmax(scores):\n    return scale(scores)"), code(experiment))

    assert helper in text(submission, EX02)
    assert experiment not in text(submission, EX02)


@pytest.mark.parametrize(
    "computed",
    [
        "def make(n): return torch.ones(n)\nlog = make(3)",
        "rows = [[True]]\nlog = torch.tensor(rows)",
        "from torch import tensor\nlog = tensor(3)",
        "def slow():\n    while True: pass\nsetattr(softmax, 'log', slow())",
        "def slow():\n    while True: pass\nlog = {}\nlog[slow()] = 1",
        "def make(n=inputs): return n\nlog = make()",
        "def make(): return inputs\nlog = make()",
        "def make(n=torch.ones(3)): return n\nlog = make()",
        "def more(): return torch.ones(3)\ndef make(): return more()\nlog = make()",
    ],
)
def test_what_may_be_a_tensor_or_take_its_time_does_not_come_along(computed: str, read: Read) -> None:
    submission = read(code("import torch"), code("def softmax(scores):\n    log\n    return scores"), code(computed))

    assert computed.split("\n")[-1] not in text(submission, EX02)


@pytest.mark.no_cover
def test_a_thousand_changes_of_a_table_are_read_in_no_time(read: Read) -> None:
    submission = read(code("y = {}\n" + "y[1] = y\n" * 2000), code("def softmax(scores):\n    return y"))

    assert text(submission, EX02).count("y[1] = y") == 2000
