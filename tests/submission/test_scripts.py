"""One script with several exercises in it, such as a notebook that was saved as one, is read as a notebook is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.submission.cells import MAX_SCRIPT
from grader.submission.intake import recognise
from grader.submission.read import read_submission
from tests.command import Grade

EX01, EX02, EX03 = "ex01_dot_product_scores", "ex02_softmax_weights", "ex03_context_vectors"
SCRIPT = '''"""# The lesson

Saved from a notebook.
"""
!pip install -q torch
import torch
import matplotlib.pyplot as plt

inputs = torch.rand(6, 3)


def attention_scores(inputs):
    return inputs @ inputs.T


def softmax(scores):
    return torch.exp(scores) / torch.exp(scores).sum()


plt.plot(softmax(attention_scores(inputs)[0]))
'''
ONES = ("attention_scores", "attention_scores_for_query")
NOTE = "{} is no exercise by its name; the definitions in it are graded, as those of a notebook are"


@pytest.mark.parametrize("given", ["lesson.py", "."])
def test_a_script_is_read_by_its_definitions(given: str, tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lesson.py").write_text(SCRIPT, "utf-8")

    submission = read_submission(tmp_path / given, pack)

    assert {EX01, EX02} <= submission.modules.keys()
    assert submission.notes == (NOTE.format("lesson.py"),)
    softmax = submission.modules[EX02].decode()
    assert "def softmax" in softmax
    assert "import torch" in softmax
    assert not any(left in softmax for left in ("plt", "pip", "rand", "attention_scores"))


@pytest.mark.parametrize("given", ["", "my lesson.py"])
def test_a_script_in_an_encoding_of_windows_is_read_and_told(given: str, tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "my lesson.py").write_text(SCRIPT, "utf-16")

    submission = read_submission(tmp_path / given, pack)

    assert submission.cells.keys() == {EX01, EX02}
    assert any(note.startswith("my lesson.py is in UTF-16, which Python does not read") for note in submission.notes)


@pytest.mark.parametrize("depth", ["", "week 3/"])
def test_each_students_script_in_a_download_is_read(depth: str, tmp_path: Path, pack: Pack) -> None:
    for student in ("ada", "bob"):
        folder = tmp_path / student / depth
        folder.mkdir(parents=True)
        (folder / f"{student}s lesson.py").write_text(SCRIPT, "utf-8")

    handed = [*recognise(tmp_path, pack)]

    assert [each.submission is not None and {*each.submission.cells} for each in handed] == [{EX01, EX02}] * 2


def test_a_script_of_one_exercise_beside_others_is_a_helper(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lesson.py").write_text("def softmax(scores):\n    return scores\n", "utf-8")
    (tmp_path / f"{EX03}.py").write_text("from lesson import softmax\n", "utf-8")

    submission = read_submission(tmp_path, pack)

    assert submission.modules.keys() == {EX03, "lesson"}
    assert submission.notes == ()


def test_a_script_of_all_that_an_exercise_asks_for_is_that_exercise_where_it_is_not_there(
    tmp_path: Path, pack: Pack
) -> None:
    (tmp_path / "head.py").write_text("class CausalAttention:\n    pass\n", "utf-8")
    (tmp_path / f"ada_{EX01}.py").write_text("".join(f"def {name}(*x): pass\n" for name in ONES), "utf-8")
    (tmp_path / f"{EX03}.py").write_text("from head import CausalAttention\n", "utf-8")

    submission = read_submission(tmp_path, pack)

    assert submission.cells.keys() == {EX01, "ex10_causal_attention"}
    assert submission.notes == (NOTE.format(f"ada_{EX01}.py"), NOTE.format("head.py"))
    assert "head" in submission.modules


def test_a_script_takes_the_place_of_what_is_missing_or_the_stub_as_it_was(tmp_path: Path, pack: Pack) -> None:
    stub = (pack.source.exercises / f"{EX01}.py").read_bytes()
    (tmp_path / f"{EX01}.py").write_bytes(stub)
    (tmp_path / f"{EX03}.py").write_text("def context_vector(weights, inputs):\n    return weights\n", "utf-8")
    (tmp_path / "lesson.py").write_text(f"{SCRIPT}\n\ndef context_vector(weights, inputs):\n    pass\n", "utf-8")

    submission = read_submission(tmp_path, pack)

    assert submission.cells.keys() == {EX01, EX02}
    assert submission.modules[EX01] != stub
    assert submission.modules[EX03].endswith(b"return weights\n")
    assert submission.notes == (NOTE.format("lesson.py"),)


def test_of_several_scripts_the_one_that_holds_most_counts_and_then_the_last_number(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "a.py").write_text("def softmax(scores):\n    return 'a'\n", "utf-8")
    for number in (1, 2):
        source = SCRIPT.replace("return inputs @ inputs.T", f"return {number}")
        (tmp_path / f"lesson ({number}).py").write_text(source, "utf-8")

    submission = read_submission(tmp_path, pack)

    assert "return 2" in submission.modules[EX01].decode()
    assert "'a'" not in submission.modules[EX02].decode()
    assert submission.notes == (NOTE.format("lesson (2).py"),)


@pytest.mark.parametrize("around", ["", "my class/"])
def test_a_folder_of_one_script_for_each_student_is_a_class(around: str, tmp_path: Path, pack: Pack) -> None:
    folder = tmp_path / around
    folder.mkdir(exist_ok=True)
    for student in ("ada", "bob"):
        (folder / f"{student}.py").write_text(SCRIPT, "utf-8")
    (folder / "notes.py").write_text("import torch\n", "utf-8")

    intake = recognise(tmp_path, pack)

    assert [each.id for each in intake] == ["ada", "bob"]
    assert "notes.py" in intake.said


def test_the_parts_of_one_student_are_no_class(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada/one.py").write_text("def softmax(scores):\n    return scores\n", "utf-8")
    (tmp_path / "ada/two.py").write_text("def attention_scores(inputs):\n    return inputs\n", "utf-8")

    (handed,) = recognise(tmp_path, pack)

    assert handed.submission is not None
    assert handed.submission.cells.keys() == {EX01, EX02}


@pytest.mark.parametrize("mark", ["# In[{}]:", "# In [{}]:", "# %%", "#%%", "# COMMAND ----------"])
def test_a_cell_that_is_no_python_costs_no_other_and_lines_are_those_of_the_file(
    mark: str, tmp_path: Path, pack: Pack
) -> None:
    cells = (
        "import torch",
        "def softmax(scores):\n    return (scores",
        "def attention_scores(inputs):\n    return inputs",
    )
    source = "\n\n".join(f"{mark.format(n)}\n{cell}" for n, cell in enumerate(cells, 1))
    (tmp_path / "lesson.py").write_text(source, "utf-8")

    submission = read_submission(tmp_path / "lesson.py", pack)

    assert submission.unreadable == {EX02: "lesson.py, line 6 cannot be read: '(' was never closed."}
    line = source.split("\n").index("def attention_scores(inputs):") + 1
    assert line in [there for _, there in submission.cells[EX01].lines]
    assert submission.excerpts["lesson"].decode() == source


def test_the_pictures_in_the_text_of_a_saved_notebook_do_not_count(tmp_path: Path, pack: Pack) -> None:
    picture = f'"""![a]({"x" * MAX_SCRIPT})\n"""\n\n'
    helper = 'HELP = """two\nlines\n"""\n'
    (tmp_path / "lesson.py").write_text(f"{picture}{helper}def softmax(scores):\n    return HELP\n", "utf-8")

    submission = read_submission(tmp_path / "lesson.py", pack)

    assert helper.rstrip() in submission.modules[EX02].decode()
    assert 7 in [line for _, line in submission.cells[EX02].lines]


@pytest.mark.parametrize("line", ["# %%\n", '"""x\n', '"""\n', "# In[1]:\n"])
def test_a_script_of_marks_alone_takes_no_time(line: str, tmp_path: Path, pack: Pack) -> None:
    source = f"def softmax(scores):\n    return scores\n{line * 60_000}"
    (tmp_path / "lesson.py").write_text(source, "utf-8")

    submission = read_submission(tmp_path / "lesson.py", pack)

    assert EX02 in {**submission.modules, **submission.unreadable}


MARIMO = '''import marimo

app = marimo.App()

with app.setup:
    import torch


@app.cell(hide_code=True)
def _(
    torch,
):
    def attention_scores(inputs):

        return inputs @ inputs.T

    print((
    return (attention_scores,)


@app.cell
def _():
    text = """
    two lines
    """

    def context_vector(weights, inputs):
        return weights, text
    return


@app.function
def softmax(scores):
    return torch.exp(scores)


if __name__ == "__main__":
    app.run()
'''


@pytest.mark.parametrize("given", ["lesson.py", "."])
def test_a_notebook_of_marimos_is_read_cell_by_cell(given: str, tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lesson.py").write_text(MARIMO, "utf-8")

    submission = read_submission(tmp_path / given, pack)

    assert submission.modules[EX02].decode().startswith("if True:\n    import torch\n\ndef softmax(scores):")
    assert "text = " in submission.modules[EX03].decode()
    assert submission.unreadable == {EX01: "lesson.py, line 17 cannot be read: '(' was never closed."}
    assert submission.excerpts["lesson"].decode() == MARIMO


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("get_ipython().run_cell_magic('time', '', 'def softmax(scores):\\n    return scores\\n')", 4),
        ("# Commented out IPython magic to ensure Python compatibility.\n# %%time\n# def softmax(scores):\n"
         "#\n#     return scores\n\n# a comment", 8),
    ],
    ids=["nbconvert", "Colab"],
)  # fmt: skip
def test_what_stands_below_a_magic_is_read_however_it_was_saved(
    cell: str, line: int, tmp_path: Path, pack: Pack
) -> None:
    (tmp_path / "lesson.py").write_text(f"# In[1]:\n\nimport torch\n{cell}\n# In[2]:\n\nx = 1\n", "utf-8")

    submission = read_submission(tmp_path / "lesson.py", pack)

    compile(submission.modules[EX02], "module", "exec")
    assert "    return scores" in submission.modules[EX02].decode().split("\n")
    assert (1, line) in submission.cells[EX02].lines


def test_a_script_alone_brings_the_helpers_beside_it(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lesson.py").write_text("from helping import *\n\n\ndef softmax(scores):\n    return help(scores)\n")
    (tmp_path / "helping.py").write_text("def help(x):\n    return x\n\n\ndef attention_scores(inputs):\n    pass\n")

    submission = read_submission(tmp_path / "lesson.py", pack)

    assert submission.cells.keys() == {EX02}  # nothing of the other script, which was not asked for
    assert submission.modules.keys() == {EX02, "helping"}


@pytest.mark.parametrize("source", ["", "import torch\n", "def train(model):\n    pass\n", "(" * 5_000, "\0", "é" * 9])
def test_a_script_without_exercises_is_nothing_to_grade(source: str, tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "train.py").write_text(source, "utf-8")

    with pytest.raises(
        NothingToGrade, match=r"train.py is no exercise, and defines nothing that one asks for; the modules"
    ):
        read_submission(tmp_path / "train.py", pack)
    with pytest.raises(NothingToGrade, match="holds no exercise"):
        read_submission(tmp_path, pack)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def softmax(scores):\n    return (scores\n", "lesson.py, line 2 cannot be read: '(' was never closed."),
        (
            f"def softmax(scores):\n    return scores\n{'#' * (MAX_SCRIPT - 39)}\n",
            "lesson.py, line 1 cannot be read: it has 65,537 characters; at most 65,536 are read.",
        ),
    ],
)
def test_a_script_that_cannot_be_read_costs_what_it_defines(source: str, told: str, tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "lesson.py").write_text(source, "utf-8")

    submission = read_submission(tmp_path / "lesson.py", pack)

    assert submission.unreadable == {EX02: told}
    assert EX02 not in submission.modules


def test_a_mistake_in_a_script_is_shown_at_its_own_line(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "lesson.py").write_text(SCRIPT, "utf-8")

    said = grade("run", tmp_path / "lesson.py", "--exercise", "ex01", "--exercise", "ex02", "--exercise", "ex03").stdout

    lines = SCRIPT.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "torch.exp" in line)
    assert f"lesson.py:{number}" in said
    assert lines[number - 1].strip() in said
    assert "There is no `attention_weights` in lesson.py (it has `softmax`)." in said
    assert "cell" not in said


def test_an_exercise_that_a_script_lacks_is_told(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "lesson.py").write_text(SCRIPT, "utf-8")

    report = json.loads(grade("run", tmp_path / "lesson.py", "--exercise", "ex03", "--format", "json").stdout)

    (first, *_) = report["exercises"][0]["steps"]
    assert first["summary"] == "Nothing in lesson.py defines `context_vector` or `context_vectors`."
