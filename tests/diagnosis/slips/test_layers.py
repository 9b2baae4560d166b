"""A layer that is taken for something else is told with what to write instead, and only where that is certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.slips.layers import kept_number, layer, makes_layers_aside
from grader.model.observation import Fault

CLASS = """
class A(nn.Module):
    def __init__(self, d, p):
        super().__init__()
        {made}

    def forward(self, x):
        {used}
"""
AMBIGUOUS = "Boolean value of Tensor with more than one value is ambiguous"
TWICE = "Softmax.__init__() got multiple values for argument 'dim'"


@pytest.mark.parametrize(("type_", "is_told"), [("Head", True), ("Own", True), ("list", False)])
def test_modules_that_are_joined_instead_of_their_results_are_told(type_: str, is_told: bool) -> None:
    tree = ast.parse("from exercises.ex10 import Head\nclass Own(Head): ...\n")
    fault = Fault("exception", "TypeError", f"expected Tensor as element 0 in argument 0, but got {type_}")

    said = f"these are modules, and not what they compute: call each `{type_}` with its input"
    assert layer(fault, tree, "A", "return torch.cat(heads)") == ((said, 0) if is_told else None)


def told(message: str, used: str, *, made: str = "pass", type_: str = "TypeError") -> object:
    tree = ast.parse(CLASS.format(made=made, used=used))
    return layer(Fault("exception", type_, message), tree, "A", used.splitlines()[-1])


@pytest.mark.parametrize(
    ("message", "used", "made", "said"),
    [
        (
            AMBIGUOUS,
            "x = nn.Dropout(x)",
            "self.drop = nn.Dropout(p)",
            "`nn.Dropout(x)` makes a layer and computes nothing: write `self.drop(x)`",
        ),
        (
            AMBIGUOUS,
            "x = nn.Dropout(x)",
            "pass",
            "`nn.Dropout(x)` makes a layer and computes nothing: make it in `__init__`, of a number, and call it here",
        ),
        (
            TWICE,
            "w = nn.Softmax(x / 2, dim=-1)",
            "pass",
            "`nn.Softmax(x / 2, dim=-1)` makes a layer and computes nothing: write `torch.softmax(x / 2, dim=-1)`",
        ),
        (
            "unsupported operand type(s) for @: 'Softmax' and 'Tensor'",
            "return nn.Softmax(x) @ x",
            "pass",
            "`nn.Softmax(x)` makes a layer and computes nothing: write `torch.softmax(x, dim=-1)`",
        ),
        (
            "unsupported operand type(s) for @: 'Softmax' and 'Tensor'",
            "w = nn.Softmax(x)\n        return w @ x",
            "pass",
            "`nn.Softmax(x)` makes a layer and computes nothing: write `torch.softmax(x, dim=-1)`",
        ),
        # what is made and called, made of a number, or ambiguous for another reason
        (AMBIGUOUS, "x = nn.Dropout(self.p)(x)", "pass", ""),
        (AMBIGUOUS, "x = nn.Dropout(0.5)", "pass", ""),
        (AMBIGUOUS, "x = 1 if x else 0", "self.drop = nn.Dropout(p)", ""),
        ("something else", "x = nn.Dropout(x)", "pass", ""),
    ],
)
def test_a_layer_that_is_made_of_a_tensor_is_told_with_its_call(message: str, used: str, made: str, said: str) -> None:
    assert told(message, used, made=made) == ((said, 8) if said else None)


@pytest.mark.parametrize(
    ("message", "made", "said"),
    [
        (
            "Linear.__init__() got an unexpected keyword argument 'qkv_bias'",
            "self.W = nn.Linear(d, d, qkv_bias=b)",
            "`nn.Linear` calls this argument otherwise: write `bias=b`",
        ),
        (
            "Dropout.__init__() got an unexpected keyword argument 'dropout'",
            "self.drop = nn.Dropout(dropout=p)",
            "`nn.Dropout` calls this argument otherwise: write `p=p`",
        ),
        (
            "_DropoutNd.__init__() got an unexpected keyword argument 'prob'",
            "self.drop = nn.Dropout(prob=p)",
            "`nn.Dropout` calls this argument otherwise: write `p=p`",
        ),
        ("Linear.__init__() got an unexpected keyword argument 'heads'", "self.W = nn.Linear(d, d, heads=2)", ""),
        ("Linear.__init__() got an unexpected keyword argument 'qkv_bias'", "self.W = make(d, qkv_bias=b)", ""),
        ("A.__init__() got an unexpected keyword argument 'qkv_bias'", "self.W = A(d, qkv_bias=b)", ""),
    ],
)
def test_an_argument_that_torch_calls_otherwise_is_told(message: str, made: str, said: str) -> None:
    assert told(message, "pass", made=made) == ((said, 5) if said else None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("target.W_query.data = source.W_query.T", "source.W_query"),
        ("a = b.weight.T @ c.T", "c"),
        ("a = b.T @ c.T", ""),
        ("a = b.t() @ c", ""),
    ],
)
def test_a_layer_that_is_taken_for_its_matrix_is_told_by_its_name(text: str, code: str) -> None:
    said = f"`{code}` is a layer; the matrix is its `weight`, so write `{code}.weight.T`"

    assert told("'Linear' object has no attribute 'T'", text) == ((said, 0) if code else None)
    assert told("'Linear' object has no attribute 'wieght'", text) is None


@pytest.mark.parametrize(
    ("made", "used", "is_told"),
    [
        ("self.heads = nn.ModuleList([B(d)])", "return self.heads(x)", True),
        ("self.heads = nn.ModuleList([B(d)])", "return self.others(x)", False),
        ("self.heads = nn.Sequential(B(d))", "return self.heads(x)", False),
    ],
)
def test_a_list_of_layers_that_is_called_is_told(made: str, used: str, is_told: bool) -> None:
    message = 'Module [ModuleList] is missing the required "forward" function'

    found = told(message, used, made=made, type_="NotImplementedError")

    said = "`self.heads` is a list of layers: call each of them, as in `[layer(x) for layer in self.heads]`"
    assert found == ((said, 0) if is_told else None)


@pytest.mark.parametrize(
    ("made", "message", "is_told"),
    [
        ("self.drop = nn.Dropout(p)", "'<' not supported between instances of 'Dropout' and 'float'", True),
        ("self.drop = nn.Dropout(p)", "argument 'dropout_p' must be float, not Dropout", True),
        ("self.drop = nn.Dropout(p)", "unsupported operand type(s) for -: 'int' and 'Dropout'", True),
        ("self.drop = nn.Dropout(p)", "argument 'dropout_p' must be float, not str", False),
        ("self.drop = self.other = nn.Dropout(p)", "argument 'dropout_p' must be float, not Dropout", False),
    ],
)
def test_a_layer_that_is_taken_for_its_number_is_told(made: str, message: str, is_told: bool) -> None:
    found = told(message, "return F.dropout(x, self.drop)", made=made)

    said = (
        "`self.drop` is a layer, and a number is due here: call the layer with the weights, or keep the number itself"
    )
    assert found == ((said, 0) if is_told else None)


@pytest.mark.parametrize(
    ("made", "used", "is_aside"),
    [
        ("self.key = nn.Linear(d, d)", "return x", False),
        ("self.heads = nn.ModuleList(nn.Linear(d, d) for _ in p)", "return x", False),
        ("out = nn.Linear(d, d)", "return x", True),
        ("self.out = (nn.Linear(d, d),)", "return x", True),
        ("self.out = nn.Linear(d, d),", "return x", True),
        ("self.key = nn.Linear(d, d)", "return nn.Linear(3, 3)(x)", True),
    ],
)
def test_a_layer_that_the_module_does_not_hold_is_made_aside(made: str, used: str, is_aside: bool) -> None:
    assert makes_layers_aside(ast.parse(CLASS.format(made=made, used=used)), "A") is is_aside


@pytest.mark.parametrize(
    ("kept", "text", "line"),
    [
        ("self.dropout = dropout", "weights = self.dropout(weights)", 5),
        ("self.drop = p_drop", "weights = self.drop(weights)", 5),
        ("self.dropout = nn.Dropout(dropout)", "weights = self.dropout(weights)", 0),
        ("self.dropout = dropout", "weights = self.drop_path(weights)", 0),
        ("self.scale = d", "scores = self.scale(scores)", 0),
    ],
)
def test_a_share_that_is_called_as_a_layer_is_told_where_it_is_kept(kept: str, text: str, line: int) -> None:
    given = kept.split(" = ")[1]
    advice = f"`{kept}` keeps a number, which cannot be called: make a layer of it with `nn.Dropout({given})`"
    tree = ast.parse(CLASS.format(made=kept, used="pass"))

    fault = Fault("exception", "TypeError", "'float' object is not callable")

    said = kept_number(fault, tree, "A", text)

    assert said == ((advice, line) if line else None)
