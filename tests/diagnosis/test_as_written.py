"""A known mistake is said of the code that makes it, and by its rubric's words where that is not certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.as_written import as_written
from grader.diagnosis.evidence import Mistake
from tests.judge.hand_made import CLASS, FUNCTION, class_doing, function, numbers, question

ATTENDING = "x = F.scaled_dot_product_attention(x, x, x{})"
TOLD = "`scaled_dot_product_attention` {}: hand it `{}`"
MADE = "class A(nn.Module):\n    def __init__(self):\n        {}\n    def forward(self, x):\n        return {}\n"


def said(mistake: str, tree: ast.Module) -> tuple[str, int]:
    found = as_written(Mistake(mistake, 2), tree, "A", None)
    return found.said, found.line


@pytest.mark.parametrize("given", ["", ", None", ", is_causal=False", ", dropout_p=0.1"])
def test_torchs_own_attention_that_hides_nothing_is_to_be_told_what_hides(given: str) -> None:
    told = TOLD.format("hides nothing by itself, so every token sees the future", "is_causal=True")

    assert said("mask-missing", class_doing(ATTENDING.format(given))) == (told, 11)


@pytest.mark.parametrize(
    "given", [", mask", ", attn_mask=m", ", is_causal=True", ", None, 0.0, True", ", is_causal=c", ", **m", ", *more"]
)
def test_torchs_own_attention_that_may_hide_something_is_told_nothing_else(given: str) -> None:
    assert said("mask-missing", class_doing(ATTENDING.format(given))) == ("", 2)


def test_torchs_own_attention_is_to_be_told_the_mode() -> None:
    told = "dropout_p=self.p if self.training else 0.0"
    always, never = "drops in evaluation too, since nobody tells it the mode", "drops nothing unless it is told to"

    assert said("dropout-in-eval", class_doing(ATTENDING.format(", dropout_p=self.p"))) == (
        TOLD.format(always, told),
        11,
    )
    assert said("dropout-missing", class_doing(ATTENDING.format(""))) == (
        TOLD.format(never, "dropout_p=self.dropout.p if self.training else 0.0"),
        11,
    )


@pytest.mark.parametrize(
    ("given", "rate"),
    [
        ("0.1", "0.1"),
        ("p", "p"),
        ("self.dropout.p", "self.dropout.p"),
        ("self.dropout.p if torch.is_grad_enabled() else 0.0", "self.dropout.p"),
        ("0.0 if x.is_inference() else self.p", "self.p"),
        ("self.p if a else 0.2", "self.p"),
        ("self.p * 2", "(self.p * 2)"),
        ("self.p * 2 if a else 0.0", "(self.p * 2)"),
        ("self.p if a else 0.0 if b else 0.5", "self.p"),
        ("(0.5 if b else 0.1) if a else 0.0", "0.5"),
        ("rate()", "rate()"),
    ],
)
def test_what_torchs_own_attention_is_to_be_told_is_a_rate_and_no_choice_in_a_choice(given: str, rate: str) -> None:
    told, _ = said("dropout-in-eval", class_doing(ATTENDING.format(f", dropout_p={given}")))

    assert told.endswith(f": hand it `dropout_p={rate} if self.training else 0.0`")


@pytest.mark.parametrize("given", [", dropout_p=self.p if self.training else 0.0", ", dropout_p=self.training * 0.1"])
def test_torchs_own_attention_that_is_told_the_mode_is_told_nothing_else(given: str) -> None:
    assert said("dropout-in-eval", class_doing(ATTENDING.format(given))) == ("", 2)
    assert said("dropout-missing", class_doing(ATTENDING.format(given))) == ("", 2)


@pytest.mark.parametrize(
    ("statement", "is_told"),
    [
        ("e = x.exp().triu()", True),
        ("e = torch.triu(torch.exp(x))", True),
        ("e = torch.exp(x)\n        e = e.triu()", True),
        ("e = torch.exp(x)\n        e = e.triu(0)", True),
        ("e = torch.triu(torch.exp(x), diagonal=0)", True),
        ("e = torch.exp(x)\n        e = e.triu(1)", False),
        ("e = torch.triu(torch.exp(x), diagonal=1)", False),
        ("e = torch.triu(torch.exp(x), -1)", False),
        ("e = torch.triu(torch.exp(x), d)", False),
        ("e = x.exp() * torch.ones_like(x).triu()", False),
        ("m = (x.exp() > 0).triu()", False),
        ("x = x.masked_fill(x.exp().triu() > 0, 0)", False),
        ("e = x.triu()", False),
    ],
)
def test_a_triangle_of_exponentials_is_no_mask(statement: str, is_told: bool) -> None:
    found, _ = said("mask-inverted", class_doing(statement))

    assert found.endswith("the future, and makes the past 0: `tril` keeps the past") == is_told
    assert bool(found) == is_told


@pytest.mark.parametrize(
    ("made", "returned", "told", "line"),
    [
        ("self.out_proj = nn.Linear(4, 4)", "x", "`__init__` makes `self.out_proj`, and the joined heads", 2),
        ("pass", "self.out_proj(x)", "`self.out_proj` is called here, and `__init__` does not make it", 5),
        ("self.out_proj = nn.Linear(4, 4)", "self.out_proj(x)", "", 2),
        ("self.out_proj = nn.Linear(4, 4)", "self.proj(x)", "", 2),
        ("self.add_module('out_proj', nn.Linear(4, 4))", "self.out_proj(x)", "", 2),
        ("self.d_out = d_out", "x", "", 2),
        ("self.output_dim = 4", "x.view(self.output_dim)", "", 2),
        ("self.out_proj = nn.Parameter(w)", "x", "", 2),
        ("self.output_dim, self.out_proj = 4, nn.Linear(4, 4)", "self.out_proj(x)", "", 2),
        ("self.d_out, self.out_proj = 4, Projection(4)", "self.out_proj(x)", "", 2),
        ("self.out_proj = nn.Linear(4, 4)", "F.linear(x, self.out_proj.weight)", "", 2),
        ("self.out_proj = nn.Linear(4, 4); self.last = self.out_proj", "self.last(x)", "", 2),
        ("self.d_out = 4", "self.out_proj(x)", "`self.out_proj` is called here", 5),
        ("self.d_out = 4; self.out_proj = nn.Linear(4, 4)", "x.view(self.d_out)", "`__init__` makes `self.out", 2),
        ("self.proj: nn.Linear = nn.Linear(4, 4)", "x", "`__init__` makes `self.proj`, and the joined heads", 2),
        ("pass", "x", "", 2),
    ],
)
def test_an_output_layer_is_either_not_made_or_not_called(made: str, returned: str, told: str, line: int) -> None:
    found, at = said("out-proj-missing", ast.parse(MADE.format(made, returned)))

    assert (found.startswith(told), bool(found), at) == (True, bool(told), line)


@pytest.mark.parametrize(
    ("method", "is_told"),
    [
        ("def forward(self, x):\n        self.output = x.flatten(2)\n        return self.output", False),
        ("def forward(self, x):\n        self.output = x\n        return self.output(x)", False),
        ("def forward(self, x):\n        return x @ self.output", False),
        ("def output(self, x):\n        return x\n    def forward(self, x):\n        return self.output(x)", False),
        ("output = nn.Flatten(2)\n    def forward(self, x):\n        return self.output(x)", False),
        ("def forward(self, x):\n        return self.output(x)", True),
    ],
)
def test_what_is_kept_under_a_name_is_no_layer_that_is_called(method: str, is_told: bool) -> None:
    tree = ast.parse(f"class A(nn.Module):\n    def __init__(self):\n        pass\n    {method}\n")

    assert bool(said("out-proj-missing", tree)[0]) == is_told


def test_of_a_class_that_may_have_its_layer_from_another_nothing_is_said() -> None:
    tree = ast.parse(MADE.format("pass", "self.out_proj(x)").replace("nn.Module", "Base"))

    assert said("out-proj-missing", tree) == ("", 2)


@pytest.mark.parametrize(
    ("line", "code", "due"),
    [
        ("return x / x.sum(0)", "x.sum(0)", "x.sum(dim=-1, keepdim=True)"),
        ("return x / torch.sum(x, dim=-2)", "torch.sum(x, dim=-2)", "torch.sum(x, dim=-1, keepdim=True)"),
        ("return x / x.sum(-1, keepdim=True)", "", ""),
        ("return x / x.sum()", "", ""),
        ("return x.softmax(0) / x.sum(0)", "", ""),
        ("return x.sum(0) / x.sum(-2)", "", ""),
        ("e = x.exp()\n    total = e.sum(0)\n    return e / total", "e.sum(0)", "e.sum(dim=-1, keepdim=True)"),
        ("e = x.exp()\n    e /= e.sum(0)\n    return e", "e.sum(0)", "e.sum(dim=-1, keepdim=True)"),
        ("return x.exp() / x.exp().sum(0)", "x.exp().sum(0)", "x.exp().sum(dim=-1, keepdim=True)"),
        ("e = x.exp()\n    return (e / torch.einsum('ij->j', e) * x).sum(-2)", "", ""),
        ("return (x.unsqueeze(-1) / 2).sum(dim=-2)", "", ""),
        ("return x / x.exp().sum(0)", "", ""),
        ("return x.T / x.sum(0)", "", ""),
        ("return x / x.sum(0)[:, None]", "", ""),
        ("total = x.sum(0)\n    total = x.cumsum(0)[-1]\n    return x / total", "", ""),
    ],
)
def test_shares_that_are_made_by_hand_are_told_along_which_axis_they_are_added_up(
    line: str, code: str, due: str
) -> None:
    asked = question("output", {"x": numbers(4, 4)})
    found = as_written(Mistake("softmax-wrong-axis", 2), ast.parse(function(line)), FUNCTION, asked).said

    told = f"`{code}` adds up over the queries, so a column sums to 1; each row has to: write `{due}`"
    assert found == (told if code else "")


def test_the_first_axis_is_the_queries_where_no_batch_stands_before_it() -> None:
    asked = question("output", {"x": numbers(2, 4, 4)}, of=CLASS)
    tree = ast.parse(f"class {CLASS}:\n    def forward(self, x):\n        return x / x.sum(0)")

    assert as_written(Mistake("softmax-wrong-axis", 2), tree, CLASS, asked).said == ""
