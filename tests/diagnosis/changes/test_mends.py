"""A source gets past an exception by what it was certainly to do there, and what is wrong behind it stays."""

from __future__ import annotations

import pytest

from grader.diagnosis.changes.mends import MOST_MENDS, handing_back, mends, unwritten
from grader.diagnosis.changes.pieces import repaired
from grader.diagnosis.source.tree import parsed
from grader.model.observation import Fault

SIZES = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (5x2 and 5x2)")

ORDER = Fault("exception", "RuntimeError", "view size is not compatible with input tensor's size and stride")


def undefined(name: str) -> Fault:
    return Fault("exception", "NameError", f"name '{name}' is not defined")


def absent(name: str, owner: str = "module 'torch'") -> Fault:
    return Fault("exception", "AttributeError", f"{owner} has no attribute '{name}'")


def module(*lines: str) -> str:
    forward = "".join(f"        {line}\n" for line in lines)
    return (
        "class A(nn.Module):\n    def __init__(self, width, dropout):\n        super().__init__()\n"
        "        self.W_key = nn.Linear(width, width)\n        self.dropout = nn.Dropout(dropout)\n\n"
        f"    def forward(self, x):\n{forward}"
    )


FIRST = 8  # the line of the first that `forward` is written in


def mended(source: str, fault: Fault, line: int = FIRST) -> list[list[str]]:
    """What stands in the lines that each way changes."""
    before = source.splitlines()
    ways = [repaired(source, way).splitlines() for way in mends(fault, parsed(source), "A", line)]
    return [[new.strip() for new, old in zip(way, before, strict=True) if new != old] for way in ways]


@pytest.mark.parametrize(
    ("line", "fault", "first"),
    [
        ("return W_key(x)", undefined("W_key"), "return self.W_key(x)"),
        ("return self.W_key(inputs)", undefined("inputs"), "return self.W_key(x)"),
        ("return torch.sofmax(x, dim=-1)", absent("sofmax"), "return torch.softmax(x, dim=-1)"),
        ("return self.W_kye(x)", absent("W_kye", "'A' object"), "return self.W_key(x)"),
        ("return x @ self.W_key.weight", SIZES, "return self.W_key(x)"),
        ("return torch.matmul(x, self.W_key.weight)", SIZES, "return self.W_key(x)"),
        ("return x @ self.W_key.T", SIZES, "return x @ self.W_key"),
        ("return x @ x.T", SIZES, "return x @ x.mT"),
        ("return x @ x.t()", SIZES, "return x @ x.mT"),
        ("return x @ x", SIZES, "return x @ x.mT"),
        ("return torch.mm(x, x)", SIZES, "return torch.mm(x, x.mT)"),
        ("return x.matmul(x)", SIZES, "return x.matmul(x.mT)"),
        ("return x * x", SIZES, "return (x @ x)"),
        ("return F.linear(x, x)", SIZES, "return F.linear(x, x.mT)"),
        ("return x @ x.transpose(1, 2)", SIZES, "return x @ x.mT"),
        ("return x @ x.swapaxes(0, 1)", SIZES, "return x @ x.mT"),
        ("return x.mT.view(1, -1)", ORDER, "return x.mT.reshape(1, -1)"),
    ],
)
def test_the_likeliest_way_past_an_exception_comes_first(line: str, fault: Fault, first: str) -> None:
    assert mended(module(line), fault)[0] == [first]


def test_what_is_made_above_and_not_read_is_tried_before_an_argument() -> None:
    source = module("y = x / 2", "y = self.W_key(inputs)", "z = y")
    told = mended(source, undefined("inputs"), FIRST + 1)

    assert told == [["y = self.W_key(x)"]]  # `y` is read, and `z` made below
    each = source.replace("y = x / 2", "y = [_ for _ in x]")
    assert mended(each, undefined("inputs"), FIRST + 1) == told  # what a comprehension counts by is there no more
    assert mended(source.replace("z = y", "z = x"), undefined("inputs"), FIRST + 1) == [
        ["y = self.W_key(y)"],
        ["y = self.W_key(x)"],
    ]


def test_a_name_is_mended_wherever_it_lacks_and_nowhere_else() -> None:
    told = mended(module("x = dropout(x)", "return dropout(x)"), undefined("dropout"))

    assert told == [["x = self.dropout(x)", "return self.dropout(x)"]]  # `__init__` has an argument of that name


def test_a_function_of_the_file_that_is_misspelt_where_it_is_called_is_meant() -> None:
    helper = "def scale(x):\n    return x / 2\n\n"

    assert mended(helper + module("return scael(x)"), undefined("scael"), FIRST + 3) == [["return scale(x)"]]
    assert ["return x + scale"] not in mended(helper + module("return x + scael"), undefined("scael"), FIRST + 3)


def test_a_module_that_is_misspelt_is_the_one_that_is_imported() -> None:
    source = f"import torch\nfrom torch import nn\n{module('return nnn.functional.softmax(x)')}"

    assert mended(source, undefined("nnn"), FIRST + 2) == [["return nn.functional.softmax(x)"]]


def test_factors_that_do_not_fit_are_tried_the_other_way_round_at_last() -> None:
    assert mended(module("return x.mT @ (x + 1)"), SIZES)[-1] == ["return ((x + 1) @ x.mT)"]


def test_a_method_with_another_name_than_forward_is_called_so() -> None:
    source = module("return x").replace("forward", "foward")
    fault = Fault("exception", "NotImplementedError", 'Module [A] is missing the required "forward" function')

    assert mended(source, fault, 0) == [["def forward(self, x):"]]


def test_a_method_with_another_name_than_init_is_called_so() -> None:
    source = module("return x").replace("__init__(self", "_init_(self")
    fault = Fault("exception", "TypeError", "A.__init__() takes 1 positional argument but 3 were given")

    assert mended(source, fault, 0) == [["def __init__(self, width, dropout):"]]


@pytest.mark.parametrize(
    ("first", "begun"),
    [
        ("self.width = width", "super().__init__(); self.width = width"),
        ("if width < 1:\n            width = 1", "super().__init__(); self.W_key = nn.Linear(width, width)"),
    ],
)
def test_what_was_never_begun_is_begun_first_and_no_line_moves(first: str, begun: str) -> None:
    source = module("return x").replace("super().__init__()", first)
    fault = Fault("exception", "AttributeError", "cannot assign module before Module.__init__() call")

    assert mended(source, fault, 4) == [[begun]]


@pytest.mark.parametrize(
    ("body", "handed"),
    [
        ("    y = x * 2\n", "    y = x * 2; return y\n"),
        ("    y = x * 2\n    return\n", "    y = x * 2\n    return y\n"),
        ("    y = 0\n    for z in x:\n        y += z\n", "        y += z\n    return y\n"),
    ],
)
def test_a_function_that_is_used_and_gives_nothing_hands_back_what_it_makes_and_no_line_moves(
    body: str, handed: str
) -> None:
    source = f"def masked(x):\n{body}\n\n{module('return masked(x)')}"
    fault = Fault("exception", "TypeError", "unsupported operand")

    line = source.count("\n")
    (way,) = mends(fault, parsed(source), "A", line)
    assert handing_back(parsed(source), "A") == [way]
    assert handed in repaired(source, way)
    assert repaired(source, way).splitlines()[line - 1 :] == ["        return masked(x)"]


def test_below_a_loop_nothing_is_handed_back_where_no_line_is_free() -> None:
    source = f"def masked(x):\n    y = 0\n    for z in x:\n        y += z\n{module('return masked(x)')}"

    assert handing_back(parsed(source), "A") == []


@pytest.mark.parametrize(
    ("last", "handed"),
    [
        ("y = x * 2", "        y = x * 2; return y\n"),
        ("y: Tensor = x", "        y: Tensor = x; return y\n"),
        ("x += 1", "        x += 1; return x\n"),
        ("x * 2", "        return x * 2\n"),
        ("y = x\n        return", "        y = x\n        return y\n"),
        ("y = 0\n        for z in x:\n            y += z", "            y += z\n        return y\n"),
        (
            "y = x\n        for z in x:\n            for i in z:\n                y[i][0] = 1\n        return",
            "= 1\n        return y\n",
        ),
        ("y = x\n        print(y)", "        y = x; return y\n        print(y)\n"),
    ],
)
def test_what_the_last_statement_makes_is_handed_back(last: str, handed: str) -> None:
    source = module(last)

    (way,) = handing_back(parsed(source), "A")
    assert repaired(source, way).endswith(handed)


@pytest.mark.parametrize(
    "last",
    ["print(x)", "pass", "self.kept = x", "'said'", "for y in x:\n            y += 1", "for y in x:\n            f(y)"],
)
def test_a_function_that_ends_in_nothing_to_hand_back_is_not_mended(last: str) -> None:
    assert handing_back(parsed(module(last)), "A") == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("return x[self.W_key]", Fault("exception", "IndexError", "index 3 is out of bounds")),
        ("return x.nothing_like_it()", absent("nothing_like_it", "'Tensor' object")),
        ("return x + 1", SIZES),
    ],
)
def test_where_it_is_not_known_what_was_meant_there_is_no_way(line: str, fault: Fault) -> None:
    assert mended(module(line), fault) == []


def test_no_argument_stands_for_what_is_not_imported_but_that_itself() -> None:
    assert mended(module("return torch.exp(x)"), undefined("torch")) == [['return __import__("torch").exp(x)']]
    assert mended(module("return x / math.sqrt(2)"), undefined("math")) == [['return x / __import__("math").sqrt(2)']]


def test_what_was_raised_in_another_file_is_not_mended() -> None:
    assert mended(module("return W_key(x)"), undefined("W_key"), 0) == []


def test_of_a_line_with_many_products_so_many_ways_are_taken() -> None:
    assert len(mended(module(f"return {' @ '.join('x' * 30)}"), SIZES)) == MOST_MENDS


@pytest.mark.parametrize(
    ("line", "kept"),
    [("x *= 2", "pass"), ("y = x.mul_(2) + 1", "y = x + 1"), ("y = x.relu_().add_(1)", "y = x.add_(1)")],
)
def test_what_writes_into_what_was_given_goes_on_with_it_as_it_came(line: str, kept: str) -> None:
    source = module(line, "return x")

    (way,) = unwritten(parsed(source), "A")

    assert repaired(source, way) == module(kept, "return x")


def test_of_several_places_that_write_each_may_be_all_that_is_too_much() -> None:
    source = module("x *= 2", "x /= 3", "return x")

    left = [repaired(source, way) for way in unwritten(parsed(source), "A")]

    pairs = [("pass", "x /= 3"), ("x *= 2", "pass"), ("pass", "pass")]
    assert left == [module(*pair, "return x") for pair in pairs]


def test_what_writes_within_another_that_does_is_not_changed_beside_it() -> None:
    source = module("x += x.mul_(2)", "return x")

    left = [repaired(source, way) for way in unwritten(parsed(source), "A")]

    assert sorted(left) == sorted([module("pass", "return x"), module("x += x", "return x")])


@pytest.mark.parametrize("line", ["y = x * 2", "y = x.mul(2)", "y = self.kept.mul_(x)", "y = x.__len__()"])
def test_where_nothing_is_written_into_what_was_given_there_is_nothing_to_leave_out(line: str) -> None:
    assert unwritten(parsed(module(line)), "A") == []
