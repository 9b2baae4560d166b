"""What becomes of the heads is told where nothing else can be meant."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.heads import dealt_out, never_moved, of_sizes, unused
from grader.model.observation import Fault

CUT = "x.view(b, n, self.num_heads, self.head_dim)"
SIZES = "The size of tensor a (3) must match the size of tensor b (5) at non-singleton dimension 3"


def forward(*statements: str) -> ast.Module:
    body = "".join(f"        {each}\n" for each in statements)
    return ast.parse(f"class A:\n    def forward(self, x):\n{body}")


@pytest.mark.parametrize(
    "statements",
    [
        (f"q = k = {CUT}", "return q @ k.transpose(2, 3)"),
        ("q = k = x.reshape((b, n, n_heads, -1))", "return q @ k.transpose(-2, -1)"),
        ("q = k = x.unflatten(-1, (h, hd))", "return torch.matmul(q, k.transpose(1, 2))"),
        (f"q = {CUT}", "q.transpose(1, 2)", "return q @ q.mT"),
        (f"q = {CUT}", "c = q.mT @ q", "return c.transpose(1, 2).reshape(b, n, -1)"),
        (f"q = {CUT}", "return (q.mT @ q).transpose(1, 2).reshape(b, n, -1)"),
        (f"q = {CUT}", "return (q.mT @ q).permute(0, 2, 1, 3)"),
    ],
)
def test_heads_that_nothing_moves_are_found_where_they_are_cut_out(statements: tuple[str, ...]) -> None:
    found = never_moved(forward(*statements), "A")

    assert found is not None
    assert found.lineno == 3


@pytest.mark.parametrize(
    "statements",
    [
        (f"q = {CUT}.transpose(1, 2)", "return q @ q.transpose(2, 3)"),
        (f"q = {CUT}", "q = q.transpose(-3, -2)", "return q @ q.mT"),
        (f"q = {CUT}", "q = q.transpose(a, b)", "return q @ q.mT"),
        (f"q = {CUT}", "q = q.permute(0, 2, 1, 3)", "return q @ q.mT"),
        (f"q = {CUT}", "return torch.einsum('bqhd,bkhd->bhqk', q, q)"),
        (f"q = {CUT}", "return [q[:, :, h] @ q[:, :, h].mT for h in range(2)]"),
        ("q = x.view(b, self.num_heads, n, self.head_dim)", "return q @ q.mT"),
        ("q = x.view(b * n, self.num_heads * self.head_dim)", "return q @ q.mT"),
        ("return x @ x.mT",),
    ],
)
def test_heads_that_are_moved_or_are_none_are_not_found(statements: tuple[str, ...]) -> None:
    assert never_moved(forward(*statements), "A") is None


def test_they_are_told_of_with_an_error_about_sizes_alone() -> None:
    tree = forward(f"q = k = {CUT}", "return q @ k.transpose(2, 3)")

    said = f"after `{CUT}` the heads stand behind the tokens: move them in front with `.transpose(1, 2)`"
    assert of_sizes(Fault("exception", "RuntimeError", SIZES), tree, "A", "") == (said, 3)
    assert of_sizes(Fault("exception", "RuntimeError", "no kernel"), tree, "A", "") is None
    assert of_sizes(Fault("exception", "ValueError", SIZES), tree, "A", "") is None


@pytest.mark.parametrize(
    ("text", "axes", "is_told"),
    [
        ("scores = queries @ keys.transpose(1, 2)", 4, True),
        ("scores = torch.matmul(queries, keys.transpose(2, 1))", 4, True),
        ("scores = queries @ keys.transpose(1, 2)", 3, False),
        ("scores = queries @ keys.transpose(2, 3)", 4, False),
        ("keys = keys.transpose(1, 2)", 4, False),
    ],
)
def test_keys_of_four_axes_are_told_how_they_are_turned(text: str, axes: int, is_told: bool) -> None:
    fault = Fault("exception", "RuntimeError", SIZES, shapes=(("keys", (2, 3, 5, 4)[:axes]),))

    found = of_sizes(fault, forward("return x"), "A", text)

    said = "with the heads `keys` has four axes: swap the last two, `keys.transpose(2, 3)`"
    assert found == ((said, 0) if is_told else None)


@pytest.mark.parametrize(("queries", "is_told"), [((2, 3, 5, 4), False), ((2, 5, 3, 4), True)])
def test_keys_whose_heads_stand_elsewhere_than_the_queries_are_not_told_to_turn(
    queries: tuple[int, ...], is_told: bool
) -> None:
    shapes = ("queries", queries), ("keys.transpose(1, 2)", (2, 3, 5, 4))
    fault = Fault("exception", "RuntimeError", SIZES, shapes=shapes)

    found = of_sizes(fault, forward("return x"), "A", "scores = queries @ keys.transpose(1, 2)")

    assert (found is not None) is is_told


@pytest.mark.parametrize(
    ("cut", "is_found"),
    [
        ("x.view(b, n, self.head_dim, self.num_heads).permute(0, 3, 1, 2)", True),
        ("x.view(b, n, self.head_dim, self.num_heads)", True),
        ("x.reshape((b, n, d_head, n_heads))", True),
        ("x.unflatten(2, (hd, h))", True),
        ("x.unflatten(2, (-1, h))", True),
        ("x.view(b, n, 3, hd, h).permute(2, 0, 4, 1, 3)", True),
        ("x.view(b, n, hd, 3, h).permute(3, 0, 4, 1, 2)", True),
        ("x.view(b, n, hd, h, 3).permute(4, 0, 3, 1, 2)", True),
        ("x.unflatten(-1, (hd, 3, h))", True),
        ("x.view(b, n, 3, h, hd).permute(2, 0, 3, 1, 4)", False),
        ("x.view(b, n, h, 3, hd).permute(3, 0, 2, 1, 4)", False),
        ("x.view(b, n, h, hd, 3).permute(4, 0, 2, 1, 3)", False),
        ("x.view(3, 3, 3, h)", False),
        ("x.view(b, n, -1, self.num_heads)", True),
        ("x.view(b, n, self.head_dim * self.num_heads)", False),
        ("c.reshape(b, h, n, d_k)", False),
        ("c.view(-1, h, n, d_k)", False),
        ("x.view(b, n, self.num_heads, self.head_dim).permute(0, 2, 1, 3)", False),
        ("x.view(b, self.head_dim, self.num_heads, n)", False),
        ("x.expand(b, n, self.head_dim, self.num_heads)", False),
    ],
)
def test_features_that_are_dealt_out_are_found(cut: str, is_found: bool) -> None:
    assert (dealt_out(forward(f"return {cut}"), "A") is not None) == is_found


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        (("q = x.view(b, n, hd, h).permute(0, 3, 1, 2)",), "`.permute(0, 3, 1, 2)` becomes `.permute(0, 2, 1, 3)`"),
        (("q = x.view(b, n, hd, h).permute(0, -1, 1, 2)",), "`.permute(0, -1, 1, 2)` becomes `.permute(0, 2, 1, 3)`"),
        (("q = x.view(b, n, hd, h)", "q = q.permute(0, 3, 1, 2)"), "becomes `.permute(0, 2, 1, 3)`"),
        (("q = x.unflatten(-1, (hd, h)).permute(0, 3, 2, 1)",), "becomes `.permute(0, 2, 3, 1)`"),
        (("q = x.view(b, n, hd, h).transpose(1, 3)",), "`.transpose(1, 3)` becomes `.permute(0, 2, 3, 1)`"),
        (("q = x.view(b, n, 3, hd, h).permute(2, 0, 4, 1, 3)",), "becomes `.permute(2, 0, 3, 1, 4)`"),
        (("q = x.unflatten(-1, (hd, 3, h)).permute(3, 0, 4, 1, 2)",), "becomes `.permute(3, 0, 2, 1, 4)`"),
        (("q = x.view(b, n, hd, h).transpose(2, 3)",), "`.transpose(2, 3)` becomes `.transpose(1, 2)`"),
        (("q = x.view(b, n, hd, h).permute(0, 1, 3, 2)",), "`.permute(0, 1, 3, 2)` becomes `.transpose(1, 2)`"),
        (("q = x.view(b, n, hd, h).transpose(1, 2)",), ""),  # which is right then
        (("q = x.view(b, n, 3, hd, h).permute(2, 0, 3, 1, 4)",), ""),
        (("q = x.view(b, n, hd, h).permute(*order)",), ""),
        (("q = x.view(b, n, hd, h)",), ""),
    ],
)
def test_a_move_of_axes_that_features_dealt_out_ask_for_is_told_to_change_too(
    statements: tuple[str, ...], told: str
) -> None:
    found = dealt_out(forward(*statements), "A")

    assert found is not None
    assert found[0].endswith(f", and with that {told}" if told.startswith("`") else told)
    assert ("becomes" in found[0]) is bool(told)


@pytest.mark.parametrize(
    "statements",
    [
        ("q = x.view(b, n, hd, h).transpose(2, 3).transpose(1, 2)",),
        ("q = x.view(b, n, hd, h).transpose(2, 3)", "q = q.permute(0, 2, 1, 3)"),
    ],
)
def test_a_move_of_axes_that_would_do_nothing_more_is_told_to_be_left_out(statements: tuple[str, ...]) -> None:
    found = dealt_out(forward(*statements), "A")

    assert found is not None
    assert found[0].endswith("and with that `.transpose(2, 3)` is left out")


def test_features_dealt_out_in_several_places_are_told_of_once_and_how_often() -> None:
    cuts = [f"{name} = {name}.view(b, n, hd, h).permute(0, 3, 1, 2)" for name in "qkv"]

    found = dealt_out(forward(*cuts), "A")

    assert found is not None
    assert found[0].endswith("becomes `.permute(0, 2, 1, 3)`; the same in 2 more places")
    assert found[1] == 3


def test_only_those_are_the_same_whose_axes_are_moved_alike() -> None:
    keys = "k = k.view(b, n, hd, h).permute(0, 3, 2, 1)"

    one, other = (f"{name} = {name}.view(b, n, hd, h).permute(0, 3, 1, 2)" for name in "qv")

    found = dealt_out(forward(one, keys, other), "A")
    assert found is not None
    assert found[0].endswith("becomes `.permute(0, 2, 1, 3)`; the same in 1 more place")
    found = dealt_out(forward(one, keys), "A")
    assert found is not None
    assert found[0].endswith("becomes `.permute(0, 2, 1, 3)`")


MADE = """
class A(nn.Module):
    def __init__(self, d, num_heads{more}):
        {init}

    def forward(self, x):
        {used}
"""


@pytest.mark.parametrize(
    ("init", "used", "is_unused"),
    [
        ("self.d = d", "return x", True),
        ("self.num_heads = num_heads", "return x", True),
        ("assert d % num_heads == 0", "return x", True),
        ("self.n = num_heads\n        self.width = d // self.n", "return x", True),
        ("if d % num_heads:\n            raise ValueError", "return x", True),
        ("self.n = num_heads\n        self.width = d // self.n", "return x / self.width", False),
        ("self.heads = [B(d) for _ in range(num_heads)]", "return x", False),
        ("super().__init__(d, num_heads)", "return x", False),
        ("if num_heads > 1:\n            self.split = True", "return x", False),
        ("self.mine = num_heads, d", "return x.view(self.mine)", False),
    ],
)
def test_a_number_of_heads_of_which_nothing_is_made_is_found(init: str, used: str, is_unused: bool) -> None:
    tree = ast.parse(MADE.format(more="", init=init, used=used))

    assert unused(tree, "A", 1) == ("num_heads" if is_unused else "")


def test_arguments_that_are_handed_on_unseen_are_none_that_is_unused() -> None:
    assert unused(ast.parse(MADE.format(more=", **rest", init="pass", used="return x")), "A", 1) == ""
    assert unused(ast.parse(MADE.format(more="", init="pass", used="return x")), "A", 2) == ""
    assert unused(ast.parse("class A: pass\n"), "A", 1) == ""


def test_one_tensor_that_is_stacked_for_each_head_is_told() -> None:
    fault = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (10x36 and 12x12)")

    found, parts = (
        of_sizes(fault, forward("q = x", f"q = torch.stack({each}, dim=2)", "return q @ q"), "A", "")
        for each in ("[q] * self.num_heads", "[q, x]")
    )

    assert found is not None and found[0].startswith("`torch.stack([q] * self.num_heads, dim=2)` gives every head")
    assert parts is None
