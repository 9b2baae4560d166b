"""What the source says of an error is quoted with its line, and only where it is certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.errors import cause, has_work
from grader.diagnosis.source.tree import parsed
from grader.model.observation import Fault, Frame
from grader.model.pack import Definition

MULTIPLIED = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (5x3 and 2x3)")
LAYER = "class A:\n    def __init__(self, {}):\n        self.W_query = {}\n"
TURNED = "`{}` has d_out before d_in, but d_in, the width of x, comes first"


def test_a_cause_is_told_with_its_line() -> None:
    tree = ast.parse(LAYER.format("d_in, d_out", "nn.Linear(d_out, d_in)"))

    said = cause(MULTIPLIED, tree, "A", "queries = self.W_query(x)", is_fresh=False)

    assert said == (TURNED.format("nn.Linear(d_out, d_in)"), 3)
    assert cause(MULTIPLIED, ast.parse(""), "A", "queries = self.W_query(x)", is_fresh=False) is None


@pytest.mark.parametrize(
    ("kind", "text", "begins"),
    [
        ("EOFError", 'n = int(input("how many?"))', "nobody is there to type when it is graded, so take out `input()`"),
        ("BdbQuit", "breakpoint()", "nobody is there to type when it is graded, so take out `breakpoint()`"),
        ("FileNotFoundError", 'x = torch.load("w.pt")', "there are no files of yours"),
        ("FileNotFoundError", 'data = open("data.txt").read()', "there are no files of yours"),
        ("OSError", 'plt.savefig("heads.png")', "there are no files of yours"),
        ("FileNotFoundError", "raise FileNotFoundError", ""),
        ("EOFError", "raise EOFError", ""),
        ("ValueError", 'x = torch.load("w.pt")', ""),
    ],
)
def test_what_is_not_there_when_it_is_graded_is_told(kind: str, text: str, begins: str) -> None:
    said = cause(Fault("exception", kind, "no"), ast.parse("x = 1"), "f", text, is_fresh=False)

    if begins:
        assert said is not None
        assert (said[0].startswith(begins), said[1]) == (True, 0)
    else:
        assert said is None


@pytest.mark.parametrize(
    ("body", "is_begun"),
    [
        ("raise NotImplementedError", False),
        ('"""What it does."""\n        super().__init__()\n        raise NotImplementedError("later")', False),
        ("super().__init__()\n        self.w = d\n        raise NotImplementedError", True),
    ],
)
def test_a_stubs_error_behind_work_is_no_stub(body: str, is_begun: bool) -> None:
    tree = ast.parse(f"class A(Module):\n    def __init__(self, d):\n        {body}\n")

    assert has_work(tree, 3) is is_begun
    assert not has_work(tree, 99)


def test_work_is_work_where_a_function_hands_on_to_another() -> None:
    handed_on = "def f(x):\n    return _f(x)\ndef _f(x):\n    y = x @ x.T\n    raise NotImplementedError\n"

    assert has_work(parsed(handed_on), 5)


def test_a_device_that_is_not_here_is_told_as_that() -> None:
    fault = Fault("exception", "AssertionError", "Torch not compiled with CUDA enabled")

    said = cause(fault, ast.parse("x = 1"), "f", 'y = x.to("cuda")', is_fresh=False)

    assert said == ("there is no GPU here: compute where the inputs are, on their `device`", 0)


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (Fault("exception", "NameError", "name 'attn_weight' is not defined"), "return attn_weight"),
        (Fault("exception", "AssertionError", "Torch not compiled with CUDA enabled"), "y = x.cuda()"),
        (Fault("exception", "EOFError", "EOF"), "input()"),
    ],
)
def test_nothing_is_read_of_a_message_that_may_be_made_of_fresh_inputs(fault: Fault, text: str) -> None:
    tree = ast.parse("def f(x):\n    attn_weights = x\n    return attn_weights\n")

    assert cause(fault, tree, "f", text, is_fresh=True) is None
    assert cause(fault, tree, "f", text, is_fresh=False) is not None


@pytest.mark.parametrize(
    ("file", "message", "is_told"),
    [
        ("ex02.py", "", True),
        ("ex03.py", "", False),
        ("ex02.py", "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'", False),  # which is torch's word
        ("ex02.py", "There was no rule registered for HigherOrderOperator while_loop and mode <object>", False),
    ],
)
def test_a_stub_of_another_exercise_is_where_to_begin(file: str, message: str, is_told: bool) -> None:
    frames = (Frame("ex03.py", 7, "context_vectors"), Frame(file, 3, "attention_weights"))
    fault = Fault("exception", "NotImplementedError", message, frames=frames)

    found = cause(fault, ast.parse("def f(x): return x\n"), "f", "w = attention_weights(s)", is_fresh=True)

    assert found == (("`attention_weights` in ex02.py is not written yet: begin there", 0) if is_told else None)


@pytest.mark.parametrize(
    ("defined", "called", "said"),
    [
        ("mask_score", "mask_scores", ("`mask_score` is to be called `mask_scores`, as the exercise asks for it", 1)),
        ("mask_scores", "mask_score", ("did you mean `mask_scores`?", 0)),
        ("mask_helper", "mask_helpers", ("did you mean `mask_helper`?", 0)),  # which nobody asks for
        ("other_due", "other_dues", ("did you mean `other_due`?", 0)),  # nor does this exercise
    ],
)
def test_a_name_that_is_misspelt_where_it_is_defined_is_told_there(
    defined: str, called: str, said: tuple[str, int]
) -> None:
    asked = {
        name: Definition(name, "(scores)", ("scores",), is_class=False, exercise=exercise)
        for name, exercise in (("mask_scores", "ex08_mask"), ("weights", "ex08_mask"), ("other_dues", "ex02_softmax"))
    }
    tree = ast.parse(
        f"def {defined}(scores):\n    return scores\n\ndef weights(scores):\n    return {called}(scores)\n"
    )
    fault = Fault("exception", "NameError", f"name '{called}' is not defined")

    assert cause(fault, tree, "weights", f"return {called}(scores)", is_fresh=False, definitions=asked) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q = self.split(x)", "`split` is a function of the file, and no method: call it without `self.`"),
        (
            "q = self.out_proj(x)",
            "no method is called `out_proj`, and nothing is kept as `self.out_proj` in `__init__`: make it, or use the "
            "name that it has",
        ),
        (
            "q = x.view(self.width)",
            "nothing is kept as `self.width`: make it in `__init__`, or use the name that it has there",
        ),
    ],
)
def test_what_a_class_calls_of_its_own_and_does_not_have_is_told_as_what_it_may_be(text: str, said: str) -> None:
    name = text.partition("self.")[2].partition("(")[0].rstrip(")")
    tree = ast.parse(f"def split(x):\n    return x\n\nclass A:\n    def forward(self, x):\n        {text}\n")
    fault = Fault("exception", "AttributeError", f"'A' object has no attribute '{name}'")

    assert cause(fault, tree, "A", text, is_fresh=False) == (said, 0)


def test_a_number_that_is_kept_where_a_layer_is_called_is_told_where_it_is_kept() -> None:
    tree = ast.parse(LAYER.format("d_out", "d_out").replace("W_query", "out_proj"))
    fault = Fault("exception", "TypeError", "'int' object is not callable")

    said = cause(fault, tree, "A", "return self.out_proj(x)", is_fresh=False)

    assert said == ("`self.out_proj = d_out` keeps a number, which cannot be called: make a layer with `nn.Linear`", 3)


def test_a_method_that_stands_outside_of_its_class_is_told_to_be_moved() -> None:
    source = "class A:\n    def forward(self, x):\n        return self.split(x)\n\ndef split(self, x):\n    return x\n"
    fault = Fault("exception", "AttributeError", "'A' object has no attribute 'split'")

    said = cause(fault, ast.parse(source), "A", "return self.split(x)", is_fresh=False)

    assert said == ("`split` stands outside of the class `A`: move it one level to the right", 5)


def test_a_layer_is_no_number_that_is_kept() -> None:
    tree = ast.parse(LAYER.format("d_in, d_out", "nn.Linear(d_in, d_out)"))
    fault = Fault("exception", "TypeError", "'float' object is not callable")

    said = cause(fault, tree, "A", "s = scale (self.W_query(x))", is_fresh=False)

    assert said is None or "keeps a number" not in said[0]
