"""What becomes of a list of heads in `forward` is told where nothing else can be meant."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.list_of_heads import averaged, chained, cut_across, otherwise


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return torch.cat([h(x) for h in reversed(self.heads)], -1)", "reversed(self.heads)"),
        ("return torch.cat([h(x) for h in self.heads[1:]], -1)", "self.heads[1:]"),
        ("return torch.cat([self.heads[0](x) for _ in range(2)], -1)", "self.heads[0]"),
        ("return torch.cat([h(x) for h in self.heads], -1)", ""),
        ("return torch.cat([self.heads[i](x) for i in range(2)], -1)", ""),
        ("return torch.cat([self.heads[0](x), self.heads[1](x)], -1)", ""),
        ("return [h for h in reversed(self.others)]", ""),
    ],
)
def test_heads_that_are_taken_otherwise_than_they_stand_are_told(body: str, code: str) -> None:
    source = f"""
class A(nn.Module):
    def __init__(self):
        self.heads = nn.ModuleList(Head() for _ in range(2))

    def forward(self, x):
        {body}
"""
    found = otherwise(ast.parse(source), "A")

    said = f"`{code}` takes the heads otherwise than they stand: go through `self.heads`, each once, in its order"
    assert found == ((said, 7) if code else None)


@pytest.mark.parametrize(
    ("body", "how"),
    [
        ("b, t, _ = x.shape; return torch.stack([h(x) for h in self.heads]).view(b, t, -1)", "view"),
        ("return torch.stack([h(x) for h in self.heads], dim=0).reshape(len(x), x.shape[1], -1)", "reshape"),
        ("b, t, _ = x.shape; return torch.stack([h(x) for h in self.heads], dim=2).view(b, t, -1)", ""),
        ("b, t, _ = x.shape; return torch.cat([h(x) for h in self.heads]).view(b, t, -1)", ""),
        ("n = len(self.heads); return torch.stack([h(x) for h in self.heads]).view(n, -1, 4)", ""),
        ("b, t, _ = x.shape; return torch.stack([x for h in range(2)]).view(b, t, -1)", ""),
    ],
)
def test_heads_that_are_stacked_in_front_and_cut_across_are_told(body: str, how: str) -> None:
    source = f"""
class A(nn.Module):
    def __init__(self):
        self.heads = nn.ModuleList(Head() for _ in range(2))

    def forward(self, x):
        {body}
"""
    found = cut_across(ast.parse(source), "A")

    across = f"and `.{how}` cuts across it: join them by `torch.cat(…, dim=-1)`"
    assert found == ((f"`torch.stack` puts an axis for the heads in front, {across}", 7) if how else None)


LIST = """
class A:
    def __init__(self, n):
        self.heads = nn.ModuleList(Head() for _ in range(n))

    def forward(self, x):
        {before}
        for head in self.heads:
            {turn}
        return torch.cat(all, -1)
"""


@pytest.mark.parametrize(
    ("before", "turn", "is_told"),
    [
        ("all = []", "x = head(x)", True),
        ("all = []", "y = head(x)", False),
        ("all = y = x", "y = head(y)", False),
        ("all = []", "x = norm(x)", False),
    ],
)
def test_a_head_that_is_given_what_the_last_one_made_is_told(before: str, turn: str, is_told: bool) -> None:
    found = chained(ast.parse(LIST.format(before=before, turn=turn)), "A")

    assert (found is not None) == is_told
    assert found is None or (found[0].startswith("`x = head(x)` gives each head what the one before") and found[1] == 9)


@pytest.mark.parametrize(
    "made",
    ["[nn.Linear(4, 4) for _ in range(2)]", "[nn.Linear(4, 4) for _ in range(n)]", "Layer() for _ in range(2)"],
)
def test_layers_that_are_alike_are_no_heads_either(made: str) -> None:
    source = LIST.format(before="all = []", turn="x = head(x)").replace("Head() for _ in range(n)", made)

    assert chained(ast.parse(source), "A") is None


@pytest.mark.parametrize(
    "turns",
    [
        "all = []\n        for head in self.heads:\n            all.append(head(x))",
        "all = []\n        for head in self.heads:\n            all += [head(x)]",
        "heads = self.heads\n        all = [head(x) for head in heads]",
        "all = [self.heads[i](x) for i in range(2)]",
        "all = [head(x) for head in self.heads]\n        all = torch.stack(all)\n        return all.mean(dim=0)",
    ],
)
def test_the_mean_of_heads_is_told_however_they_are_gone_through(turns: str) -> None:
    end = "\n        return torch.stack(all).mean(0)"
    source = f"""
class A(nn.Module):
    def __init__(self):
        self.heads = nn.ModuleList(Head() for _ in range(2))

    def forward(self, x):
        {turns}{"" if "return" in turns else end}
"""
    assert averaged(ast.parse(source), "A") is not None


def test_layers_of_several_kinds_are_no_heads_and_may_follow_one_another() -> None:
    source = LIST.format(before="all = []", turn="x = head(x)")
    layers = source.replace("Head() for _ in range(n)", "[nn.Linear(4, 4), nn.Dropout(0.1)]")

    assert layers != source
    assert chained(ast.parse(layers), "A") is None


@pytest.mark.parametrize(
    ("before", "turn", "given"),
    [("y = x", "y = head(y)", "x"), ("y = x * 2", "y = head(y)", ""), ("y = x", "z = head(y)", "")],
)
def test_what_a_head_is_given_in_place_of_what_the_last_one_made_is_told(before: str, turn: str, given: str) -> None:
    found = chained(ast.parse(LIST.format(before=before, turn=turn)), "A")

    said = f"`y = head(y)` gives each head what the one before it made: give each of them `{given}`"
    assert found == ((said, 9) if given else None)


@pytest.mark.parametrize(
    ("made", "call", "is_told"),
    [
        ("nn.Sequential(*[Head() for _ in range(n)])", "self.heads(x)", True),
        ("nn.Sequential(*[Head() for _ in range(n)])", "torch.cat([h(x) for h in self.heads], dim=-1)", False),
        ("nn.Sequential(*[nn.Linear(4, 4) for _ in range(n)])", "self.heads(x)", False),
        ("nn.Sequential(nn.Linear(4, 4), nn.ReLU())", "self.heads(x)", False),
        ("nn.Sequential(*[Head()] * n)", "self.heads(x)", True),
        ("Sequential(*(Head() for _ in range(n)))", "self.heads(x)", True),
        ("nn.Sequential(*layers)", "self.heads(x)", False),
        ("nn.Sequential(*[Linear(4, 4) for _ in range(n)])", "self.heads(x)", False),
        ("nn.Sequential(*[Lin(4, 4) for _ in range(n)])", "self.heads(x)", False),
        ("nn.Sequential(Linear(4 * n, 4))", "self.heads(x)", False),
        ("nn.Sequential(Norm(), *[Head() for _ in range(n)])", "self.heads(x)", False),
        ("nn.Sequential(*[Head() for _ in range(n)])", "self.heads(x * 2)", False),
    ],
)
def test_heads_in_a_sequence_are_told_where_they_are_called_as_one(made: str, call: str, is_told: bool) -> None:
    source = f"""
from torch.nn import Linear, Linear as Lin
class A(nn.Module):
    def __init__(self, n):
        self.heads = {made}
    def forward(self, x):
        return {call}
"""
    found = chained(ast.parse(source), "A")

    said = (
        "`self.heads(x)` gives each head what the one before it made: make the list with nn.ModuleList, and give each "
        "head `x`"
    )
    assert found == ((said, 7) if is_told else None)


def test_each_head_of_a_sequence_is_to_be_given_what_comes_in_by_its_own_name() -> None:
    source = """
class A(nn.Module):
    def __init__(self, n):
        self.heads = nn.Sequential(*[Head() for _ in range(n)])

    def forward(self, tokens):
        return self.heads(tokens)
"""
    found = chained(ast.parse(source), "A")

    assert found is not None and found[0].endswith("and give each head `tokens`")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return torch.stack(all).mean(0)", "torch.stack(all).mean(0)"),
        ("return torch.stack([h(x) for h in self.heads]).mean(0)", "torch.stack([h(x) for h in self.heads]).mean(0)"),
        ("return torch.stack(all).sum(0) / len(self.heads)", "torch.stack(all).sum(0) / len(self.heads)"),
        ("x = x - x.mean(dim=1, keepdim=True); first = self.heads[0]; return first(x)", ""),
        ("return x.mean(dim=1)", ""),
        ("return torch.cat(all, dim=-1) - x.mean(dim=-1, keepdim=True)", ""),
        ("one = torch.cat(all, dim=-1); return one - one.mean(dim=-1, keepdim=True)", ""),
        ("return torch.stack([x, x]).mean(0)", ""),
        ("return sum(x) / len(self.heads)", ""),
        ("return torch.mean(torch.stack(all), dim=0)", "torch.mean(torch.stack(all), dim=0)"),
        ("return sum(all) / len(self.heads)", "sum(all) / len(self.heads)"),
        ("return sum(all) / x.shape[-1]", ""),
        ("return torch.cat(all, dim=-1)", ""),
        ("return (x - x.mean()) @ torch.stack(all).mean(0)", ""),
    ],
)
def test_the_mean_of_heads_is_told(body: str, code: str) -> None:
    source = f"""
class A(nn.Module):
    def __init__(self):
        self.heads = nn.ModuleList(Head() for _ in range(2))

    def forward(self, x):
        all = [head(x) for head in self.heads]
        {body}
"""
    found = averaged(ast.parse(source), "A")

    said = (
        f"`{code}` takes the mean of the heads, in which none can be told from another: put their results "
        "side by side, with `torch.cat(..., dim=-1)`"
    )
    assert found == ((said, 8) if code else None)
