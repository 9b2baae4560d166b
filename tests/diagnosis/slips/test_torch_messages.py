"""What torch says in its own words is told with what to do, and only where that is certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.slips.torch_messages import advice
from grader.model.observation import Fault, Frame

CLASS = "class A(Module):\n    def {}(self, d):\n        {}\n        self.w = d\n"
ASSIGNED = "cannot assign 'torch.FloatTensor' as {} 'W_query' (torch.nn.Something or None expected)"
LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
ONE = "only one element tensors can be converted to Python scalars"


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
    said = advice(Fault("exception", "RuntimeError", message), ast.parse("x = 1"), "f", "y = x @ w")

    assert said.startswith("float64 meets float32 here")


def test_where_whole_numbers_meet_float32_nothing_is_said_of_float64() -> None:
    message = "expected m1 and m2 to have the same dtype, but got: float != long long"

    assert advice(Fault("exception", "RuntimeError", message), ast.parse("x = 1"), "f", "x @ w") == ""


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
        said = advice(Fault("exception", "RuntimeError", message), ast.parse(source), of, "")

        assert said.endswith(told)


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

    said = advice(fault, ast.parse(f"def f(x, gen):\n    return {drawn}\n"), "f", f"return {drawn}")

    assert said == ("torch takes the generator by its name: write `generator=gen`" if is_told else "")


@pytest.mark.parametrize(("given", "is_told"), [("inputs", True), ("input", False), ("x", False)])
def test_pythons_own_input_was_meant_to_be_the_argument_that_is_called_nearly_so(given: str, is_told: bool) -> None:
    fault = Fault("exception", "AttributeError", "'builtin_function_or_method' object has no attribute 'T'")

    said = advice(fault, ast.parse(f"def f({given}): return input @ input.T\n"), "f", "input @ input.T")

    assert said == ("did you mean `inputs`?" if is_told else "")


@pytest.mark.parametrize(
    ("type_", "message", "text", "said"),
    [
        ("RuntimeError", LEAF, "target.weight.copy_(source.weight)", "no_grad"),
        ("RuntimeError", LEAF, "scores[i] = a @ b", ""),
        ("ValueError", ONE, "return torch.tensor(rows)", "torch.stack"),
        ("ValueError", ONE, "return math.sqrt(a @ b)", ""),  # which is a slip of its own
        ("TypeError", "sqrt(): argument 'input' (position 1) must be Tensor, not int", "", "`** 0.5`"),
        ("AttributeError", "'NoneType' object has no attribute 'transpose'", "", "is None"),
        ("AttributeError", "'list' object has no attribute 'mean'", "return out.mean()", "is no tensor"),
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
    found = advice(Fault("exception", type_, message), ast.parse(CLASS.format("f", "pass")), "A", text)

    assert said in found
    assert bool(said) is bool(found)


@pytest.mark.parametrize(
    "message",
    [
        "masked_fill_ only supports boolean masks, but got mask with dtype float",
        "where expected condition to be a boolean tensor, but got a tensor with dtype Float",
    ],
)
def test_a_mask_of_numbers_is_told_how_to_become_one_of_truth_values(message: str) -> None:
    said = advice(Fault("exception", "RuntimeError", message), ast.parse("def f(x): return x"), "f", "")

    assert said == "make the mask one of truth values, with `.bool()` or `dtype=torch.bool`"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "outs = outs.append(x)",
            "`outs.append(x)` changes the list itself and gives None: write it without `=` in front",
        ),
        ("outs.append(x)", "what stands before the dot is None"),
    ],
)
def test_what_a_list_gives_that_is_appended_to_is_told(body: str, said: str) -> None:
    fault = Fault(
        "exception", "AttributeError", "'NoneType' object has no attribute 'append'", (Frame("ex90.py", 3, "f"),)
    )
    tree = ast.parse(f"def f(outs, x):\n    for x in x:\n        {body}\n")

    assert advice(fault, tree, "f", body).startswith(said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("source.W_query.weight = target.W_query.T", "`source.W_query.weight = target.W_query.T`"),
        ("target.W_query.weight = source.W_query.T", "write the numbers into the one that is there"),
    ],
)
def test_a_copy_that_runs_the_wrong_way_is_told_that_and_not_how_to_write(line: str, said: str) -> None:
    tree = ast.parse(f"def copy(source, target):\n    {line}\n")

    assert said in advice(Fault("exception", "TypeError", ASSIGNED.format("parameter")), tree, "copy", line)


@pytest.mark.parametrize(
    ("line", "absent", "due"),
    [
        ("out.stack()", "stack", "`torch.stack(out)`"),
        ("out.cat(dim=-1)", "cat", "`torch.cat(out, dim=-1)`"),
        ("torch.cat(out.view(1, -1), dim=-1)", "view", ""),
        ("torch.cat(out.stack(dim=0), dim=-1)", "stack", "`torch.stack(out, dim=0)`"),
    ],
)
def test_a_list_that_is_to_join_itself_is_joined_by_torch_with_all_that_it_is_given(
    line: str, absent: str, due: str
) -> None:
    tree = ast.parse(f"import torch\n\ndef f(out):\n    return {line}\n")
    fault = Fault("exception", "AttributeError", f"'list' object has no attribute '{absent}'")

    said = advice(fault, tree, "f", f"return {line}")

    other = "what stands before the dot has the type list, and is no tensor"
    assert said == (f"a list has no `.{absent}`: write {due}" if due else other)
