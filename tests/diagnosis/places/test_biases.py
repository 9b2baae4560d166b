"""A bias that nobody asked for is shown where it comes from, a missing one where it is left out.

That is never at the layer that joins the heads, which may have one or not.
"""

from __future__ import annotations

import ast
import textwrap

import pytest

from grader.diagnosis.place import culprit

BESIDE = """
class Base(nn.Module):
    def __init__(self, d, bias=True):
        self.W_query = nn.Linear(d, d, bias=bias)


def layer(d, with_bias=True):
    return nn.Linear(d, d, bias=with_bias)


def plain(d, with_bias=False):
    return nn.Linear(d, d, bias=with_bias)


"""


def check(
    body: str, about: str, signature: str = "qkv_bias=False", base: str = "nn.Module", mistake: str = "bias-always"
) -> None:
    """Check that in a class with such an `__init__` the line is found that is marked, be it in its signature."""
    start = f"{BESIDE}class A({base}):\n    def __init__(self, d, {signature}):\n"
    source = start + textwrap.indent(body, " " * 8)
    marked = next((i for i, line in enumerate(source.splitlines(), 1) if "# <-" in line), start.count("\n"))
    assert culprit(ast.parse(source), "A", mistake, about) == marked


@pytest.mark.parametrize(
    "body",
    [
        'self.layers["out"] = nn.Linear(d, d)\nself.layers[role] = nn.Linear(d, d)  # <-',
        'mods = {"o": nn.Linear(d, d)}\nmods.update({r: nn.Linear(d, d) for r in roles})  # <-',
        'mods = {\n    "out_proj": nn.Linear(d, d),\n    "W_query": nn.Linear(d, d),  # <-\n}',
        "mods = dict(\n    out=nn.Linear(d, d),\n    W_query=nn.Linear(d, d),  # <-\n)",
        "out_proj = nn.Linear(d, d, bias=True)\nqkv = nn.Linear(d, 3 * d)  # <-",
        "last = nn.Linear(d, d)\nqkv = nn.Linear(d, d)  # <-\nself.out_proj = last",
        "last = nn.Linear(d, d)\nqkv = nn.Linear(d, d)  # <-\nself.in_proj, self.out_proj = qkv, last",
        "self.fc = nn.Linear(d, d)\nself.c_attn = nn.Linear(d, 3 * d)  # <-",
        'setattr(self, "out_proj", nn.Linear(d, d))\nsetattr(self, name, nn.Linear(d, d))  # <-',
        "self.proj: nn.Linear = nn.Linear(d, d)\nself.W_query: nn.Linear = nn.Linear(d, d)  # <-",
        # what it is given may be on, too
        "on = bias = True\nself.out_proj = nn.Linear(d, d, bias=bias)\nself.W_query = nn.Linear(d, d, bias=bias)  # <-",
    ],
)
@pytest.mark.parametrize("about", ["", "W_query.bias"])
def test_the_layer_that_joins_the_heads_is_not_the_one(body: str, about: str) -> None:
    check(body, about)


@pytest.mark.parametrize(
    "body",
    [
        "has_bias = qkv_bias is not None  # <-\nself.W_query = nn.Linear(d, d, bias=has_bias)",
        "self.qkv_bias = True  # <-\nself.W_query = nn.Linear(d, d, bias=self.qkv_bias)",
        "on = True  # <-\nbias = (\n    on\n)\nself.W_query = nn.Linear(d, d, bias=bias)",
        'options = {"d_in": d, "bias": True}  # <-\nself.W_query = nn.Linear(**options)',
        'options = {}\noptions["bias"] = True  # <-\nself.W_query = nn.Linear(**options)',
        "qkv_bias = True  # <-\noptions = dict(bias=qkv_bias)\nself.W_query = nn.Linear(d, d, **options)",
        "if qkv_bias is not None:  # <-\n    self.W_query = nn.Linear(d, d)",
        "if qkv_bias:\n    self.W_query = nn.Linear(d, d)\nelse:\n    self.W_query = nn.Linear(d, d)  # <-",
        "if not qkv_bias:\n    self.W_query = nn.Linear(d, d)  # <-\nelse:\n    self.W_query = nn.Linear(d, d)",
        "if qkv_bias == False:\n    self.W_query = nn.Linear(d, d)  # <-\nelse:\n    self.W_query = nn.Linear(d, d)",
        "if qkv_bias is not True:\n    self.W_query = nn.Linear(d, d)  # <-\nelse:\n    self.W_query = nn.Linear(d, d)",
        "if qkv_bias == True:\n    self.W_query = nn.Linear(d, d)\nelse:\n    self.W_query = nn.Linear(d, d)  # <-",
        'self.on = True  # <-\nself.on: "bool"\nself.W_query = nn.Linear(d, d, bias=self.on)',
        "self.W_query = layer(d)  # <-",
        "self.W_query = nn.Linear(d, d, bias=qkv_bias)\nself.W_value = layer(d)  # <-",
        "self.qkv = nn.Linear(d, 3 * d, bias=False)\nself.qkv.bias = nn.Parameter(torch.zeros(3 * d))  # <-",
    ],
)
def test_what_decides_of_a_bias_is_shown_wherever_it_stands(body: str) -> None:
    check(body, "W_value.bias" if "W_value" in body else "W_query.bias")


@pytest.mark.parametrize(
    "body",
    [
        "self.use_bias = qkv_bias\nself.W_query = nn.Linear(d, d, bias=self.use_bias)",
        "self.W_query = nn.Linear(d, d, bias=bool(qkv_bias))",
        "if qkv_bias:\n    self.W_query = nn.Linear(d, d)\nelse:\n    self.W_query = nn.Linear(d, d, bias=False)",
        "self.W_query = nn.Linear(d, d, bias=qkv_bias)\nself.out_proj = nn.Linear(d, d, bias=qkv_bias)",
    ],
)
def test_a_default_is_shown_through_all_that_hands_it_on(body: str) -> None:
    check(body, "W_query.bias", "qkv_bias=True")


def test_a_layer_is_not_called_after_what_a_variable_of_its_name_is_in_another_function() -> None:
    source = """
class A(nn.Module):
    def __init__(self, d, qkv_bias=False):
        heads = []
        for _ in range(2):
            head = Head(d, bias=True)
            heads.append(head)
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        out = [head(x) for head in self.heads]
        return torch.cat(out, dim=-1)
"""
    assert culprit(ast.parse(source), "A", "bias-always", "heads.0.W_query.bias") == 6


def test_a_default_that_the_joining_layer_takes_too_is_not_the_one() -> None:
    body = "self.W_query = nn.Linear(d, d, bias=bias)  # <-\nself.out_proj = nn.Linear(d, d, bias=bias)"

    check(body, "W_query.bias", "qkv_bias=False, bias=True")


def test_a_class_that_leaves_its_base_class_the_default_is_shown_where_it_does() -> None:
    check("super().__init__(d)  # <-", "W_query.bias", base="Base")
    check("self.x = 1\nsuper().__init__(d, bias=True)  # <-", "W_query.bias", base="Base")


@pytest.mark.parametrize(
    "body",
    [
        "self.out_proj = nn.Linear(d, d, bias=False)\nself.qkv = nn.Linear(d, 3 * d, bias=False)  # <-",
        'self.layers["out"] = nn.Linear(d, d, bias=False)\nself.layers[role] = nn.Linear(d, d, bias=False)  # <-',
        "out_proj = nn.Linear(d, d, bias=False)\nself.qkv = nn.Linear(d, 3 * d, bias=not qkv_bias)  # <-",
        "self.final = nn.Linear(d, d, bias=False)\nself.qkv = nn.Linear(d, 3 * d, bias=False)  # <-",
        "bias = False  # <-\nself.out_proj = nn.Linear(d, d)\nself.W_query = nn.Linear(d, d, bias=bias)",
        "self.out_proj = nn.Linear(d, d)\nself.W_query = plain(d)  # <-",
        "if qkv_bias:\n    self.q = nn.Linear(d, d, False)  # <-\nelse:\n    self.q = nn.Linear(d, d, False)",
        "self.W_query = nn.Linear(d, d, bias=qkv_bias)\nself.head = CausalAttention(d, d)  # <-",
    ],
)
@pytest.mark.parametrize("about", ["", "W_key.bias"])
def test_a_bias_that_is_left_out_is_shown_where_it_is(body: str, about: str) -> None:
    check(body, about, mistake="bias-ignored")


@pytest.mark.no_cover
def test_a_switch_of_a_thousand_names_is_looked_for_in_a_moment() -> None:
    source = "def f(bias):" + "\n    bias = bias; Head(bias=bias)" * 2_000

    assert culprit(ast.parse(source), "f", "bias-always") > 0
