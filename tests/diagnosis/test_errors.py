"""What the source says of an error is quoted with its line, and only where it is certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.errors import cause, has_work
from grader.diagnosis.source.tree import parsed
from grader.model.observation import Fault, Frame

MULTIPLIED = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (5x3 and 2x3)")
LAYER = "class A:\n    def __init__(self, {}):\n        self.W_query = {}\n"
CLASS = "class A(Module):\n    def {}(self, d):\n        {}\n        self.w = d\n"
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

    assert said == ("there is no GPU here: compute where the inputs are, on `x.device`", 0)


@pytest.mark.parametrize(
    "message",
    [
        "expected m1 and m2 to have the same dtype, but got: float != double",
        "expected scalar type Double but found Float",
        "dot : expected both vectors to have same dtype, but found Float and Double",
        "addmv input tensors must have the same dtype, but got Double, Float, and Double",
    ],
)
def test_where_float64_meets_float32_it_is_said_what_makes_which(message: str) -> None:
    said = cause(Fault("exception", "RuntimeError", message), ast.parse("x = 1"), "f", "y = x @ w", is_fresh=True)

    assert said is not None
    assert said[0].startswith("float64 meets float32 here")


def test_where_whole_numbers_meet_float32_nothing_is_said_of_float64() -> None:
    message = "expected m1 and m2 to have the same dtype, but got: float != long long"

    assert cause(Fault("exception", "RuntimeError", message), ast.parse("x = 1"), "f", "x @ w", is_fresh=True) is None


@pytest.mark.parametrize(
    ("source", "of", "told"),
    [
        ("def f(scores, n): pass\n", "f", "make it with `device=scores.device`"),
        ("class A:\n    def forward(self, x): pass\n", "A", "or make it with `device=x.device`"),
    ],
)
def test_what_lies_on_another_device_than_it_is_given_is_told_where_to_be_made(source: str, of: str, told: str) -> None:
    apart = (
        "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
        "expected self and mask to be on the same device, but got mask on cpu and self on cuda:0",
    )
    for message in apart:
        found = cause(Fault("exception", "RuntimeError", message), ast.parse(source), of, "", is_fresh=True)

        assert found is not None
        assert found[0].endswith(told)


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


ASSIGNED = "cannot assign 'torch.FloatTensor' as {} 'W_query' (torch.nn.Something or None expected)"
LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
ONE = "only one element tensors can be converted to Python scalars"


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
    ("drawn", "is_told"),
    [
        ("torch.rand(x.shape, gen)", True),
        ("torch.rand(x.shape, generator=gen)", False),
        ("torch.rand(x.shape, x)", False),
        ("torch.rand(gen)", False),
    ],
)
def test_a_generator_that_has_no_name_in_a_call_of_torchs_is_told(drawn: str, is_told: bool) -> None:
    fault = Fault(
        "exception", "TypeError", "rand() received an invalid combination of arguments - got (Size, NoneType)"
    )

    found = cause(fault, ast.parse(f"def f(x, gen):\n    return {drawn}\n"), "f", f"return {drawn}", is_fresh=True)

    assert found == (("torch takes the generator by its name: write `generator=gen`", 0) if is_told else None)


@pytest.mark.parametrize(("given", "is_told"), [("inputs", True), ("input", False), ("x", False)])
def test_pythons_own_input_was_meant_to_be_the_argument_that_is_called_nearly_so(given: str, is_told: bool) -> None:
    fault = Fault("exception", "AttributeError", "'builtin_function_or_method' object has no attribute 'T'")

    found = cause(fault, ast.parse(f"def f({given}): return input @ input.T\n"), "f", "input @ input.T", is_fresh=True)

    assert found == (("did you mean `inputs`?", 0) if is_told else None)


@pytest.mark.parametrize(
    ("type_", "message", "text", "said"),
    [
        ("RuntimeError", LEAF, "target.weight.copy_(source.weight)", "no_grad"),
        ("RuntimeError", LEAF, "scores[i] = a @ b", ""),
        ("ValueError", ONE, "return torch.tensor(rows)", "torch.stack"),
        ("ValueError", ONE, "return math.sqrt(a @ b)", "`torch.sqrt`"),
        ("TypeError", "sqrt(): argument 'input' (position 1) must be Tensor, not int", "", "`** 0.5`"),
        ("AttributeError", "'NoneType' object has no attribute 'transpose'", "", "is None"),
        ("AttributeError", "'builtin_function_or_method' object has no attribute 'T'", "input @ input.T", ""),
        ("AttributeError", "'builtin_function_or_method' object has no attribute 'T'", "print.T", ""),
        ("RuntimeError", "Can't access the shape of an uninitialized parameter or buffer.", "", "`nn.Linear(d_in"),
        ("RuntimeError", "something else", "", ""),
        ("TypeError", ASSIGNED.format("parameter"), "target.W_query = source.W_query.weight.T", "into the one that is"),
        ("TypeError", ASSIGNED.format("parameter"), "self.W_query = x @ self.W_query", "`self.W_query` holds"),
        ("TypeError", ASSIGNED.format("child module"), "self.W_query = self.W_query(x)", "`self.W_query` holds"),
        ("TypeError", ASSIGNED.format("child module"), "target.W_query = source.W_query.weight", ""),
    ],
)
def test_a_message_of_torchs_has_what_to_do_beside_it(type_: str, message: str, text: str, said: str) -> None:
    found = cause(Fault("exception", type_, message), ast.parse(CLASS.format("f", "pass")), "A", text, is_fresh=True)

    assert (said in found[0] if found else said == "") and (found is None or said != "")


@pytest.mark.parametrize(
    "message",
    [
        "masked_fill_ only supports boolean masks, but got mask with dtype float",
        "where expected condition to be a boolean tensor, but got a tensor with dtype Float",
    ],
)
def test_a_mask_of_numbers_is_told_how_to_become_one_of_truth_values(message: str) -> None:
    said = cause(Fault("exception", "RuntimeError", message), ast.parse("def f(x): return x"), "f", "", is_fresh=False)

    assert said == ("make the mask one of truth values, with `.bool()` or `dtype=torch.bool`", 0)
