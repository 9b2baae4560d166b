"""A result that nobody keeps is told with what to write, and what changes something in its place is not."""

from __future__ import annotations

import ast
import re

import pytest

from grader.judge.diagnosis.clues.lost import compared, in_vain, is_past, lost, passed_by
from grader.judge.diagnosis.evidence import Mistake

CLASS = """
class A(nn.Module):
    def __init__(self, d, p):
        super().__init__()
        self.out_proj = nn.Linear(d, d)
        self.dropout = nn.Dropout(p)
        self.sudden = nn.Dropout(p, True)
        self.heads = nn.ModuleList([])

    def forward(self, x):
        {}
        return x
"""


def tree(statement: str) -> ast.Module:
    return ast.parse(CLASS.format(statement))


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("x.transpose(1, 2)", "x"),
        ("x.masked_fill(x > 0, -torch.inf)", "x"),
        ("torch.softmax(x, dim=-1)", "x"),
        ("nn.functional.dropout(x, 0.5)", "x"),
        ("F.softmax(x, -1)", "x"),
        ("self.out_proj(x)", "x"),
        ("self.dropout(x)", "x"),
        ("x / x.shape[-1] ** 0.5", "x"),
    ],
)
def test_a_result_that_nobody_keeps_is_told_with_what_to_write(statement: str, name: str) -> None:
    said = f"`{statement}` gives a new tensor that nothing keeps: write `{name} = {statement}`"

    assert lost(tree(statement), "A") == (said, 11)


def test_a_result_that_has_no_name_to_go_under_is_told_too() -> None:
    said = "`(x @ x).transpose(1, 2)` gives a new tensor that nothing keeps: give it a name, and go on with that"

    assert lost(tree("(x @ x).transpose(1, 2)"), "A") == (said, 11)


@pytest.mark.parametrize(
    "statement",
    [
        "x = x.transpose(1, 2)",
        "x.masked_fill_(x > 0, -torch.inf)",
        "x.transpose_(1, 2)",
        "torch.softmax(x, dim=-1, out=x)",
        "F.dropout(x, 0.5, inplace=True)",
        "self.sudden(x)",
        "self.heads(x)",
        "self.view(x)",
        "self.train()",
        "print(x.transpose(1, 2))",
        "rows.append(x.view(2, 3))",
        "nn.init.eye_(x)",
        "x.sum()",
        "','.join(x)",
        "softmax(x)",
        "'a string about x.view(2)'",
    ],
)
def test_what_changes_something_or_is_no_tensors_is_not_told(statement: str) -> None:
    assert lost(tree(statement), "A") is None


def test_only_another_shape_explains_an_error_about_sizes() -> None:
    assert lost(tree("x.softmax(-1)"), "A", shaping=True) is None
    assert lost(tree("x / 2"), "A", shaping=True) is None
    assert lost(tree("x.softmax(-1)\n        x.view(2, 3)"), "A", shaping=True) == (
        "`x.view(2, 3)` gives a new tensor that nothing keeps: write `x = x.view(2, 3)`",
        12,
    )


@pytest.mark.parametrize(
    ("statement", "due"),
    [
        ("x == self.dropout(x)", "x = self.dropout(x)"),
        ("self.width == x.shape[-1]", "self.width = x.shape[-1]"),
        ("x = y == self.dropout(x)", ""),
        ("assert x == y", ""),
        ("x < y", ""),
        ("x == y == z", ""),
        ("1 == x", ""),
    ],
)
def test_a_comparison_that_was_to_be_an_assignment_is_told(statement: str, due: str) -> None:
    said = f"`==` compares and keeps nothing: write `{due}`"

    assert compared(tree(statement), "A") == ((said, 11) if due else None)


def test_a_comparison_is_looked_for_by_the_name_to_its_left() -> None:
    assert compared(tree("x == self.dropout(x)"), "A", "x") is not None
    assert compared(tree("x == self.dropout(x)"), "A", "y") is None
    assert compared(tree("x == self.dropout(x)"), "A", word=re.compile("softmax")) is None


@pytest.mark.parametrize(
    ("mistake", "statement", "line"),
    [
        ("dropout-missing", "self.dropout(x)", 11),
        ("dropout-missing", "x == self.dropout(x)", 11),
        ("dropout-missing", "torch.mul(x, kept) / 2", 11),
        ("dropout-missing", "x * self.mask", 11),
        ("dropout-missing", "x + self.mask", 5),
        ("softmax-missing", "x.softmax(-1)", 11),
        ("softmax-missing", "x / x.sum(-1)", 11),
        ("scale-missing", "x.div(8)", 11),
        ("scale-missing", "x + self.mask", 5),
        ("mask-discarded", "x + self.mask", 11),
        ("mask-discarded", "x.masked_fill(x + 1 > 0, 0)", 5),
        ("out-proj-missing", "self.out_proj(x)", 11),
        ("out-proj-missing", "x.softmax(-1)", 5),
        ("out-proj-missing", "self.dropout(x)", 5),
        ("mask-missing", "x.masked_fill(x > 0, 0)", 5),
        ("dropout-missing", "x = self.dropout(x)", 5),
        ("mask-missing", "y = -torch.inf", 5),
        ("returns-none", "return print(x)", 11),
        ("returns-none", "return print()", 5),
        ("returns-none", "print(x)", 5),
    ],
)
def test_what_is_missing_is_shown_where_it_is_computed_in_vain(mistake: str, statement: str, line: int) -> None:
    mistakes, notes = in_vain([Mistake(mistake, 5)], tree(statement), "A")

    assert mistakes == (Mistake(mistake, line),)
    assert bool(notes) == (line == 11)


@pytest.mark.parametrize(
    ("mistake", "body", "code", "name"),
    [
        ("softmax-missing", "w = torch.softmax(s, -1)\n        return s @ v", "w = torch.softmax(s, -1)", "w"),
        (
            "softmax-missing",
            "w = torch.softmax(s, -1)\n        d = self.dropout(w)\n        return s @ v",
            "w = torch.softmax(s, -1)",
            "d",
        ),
        ("scale-missing", "t = s / 2**0.5\n        return torch.softmax(s, -1)", "t = s / 2 ** 0.5", "t"),
        ("dropout-missing", "d = self.dropout(w)\n        return w @ v", "d = self.dropout(w)", "d"),
        ("softmax-missing", "w = torch.softmax(s, -1)\n        w = self.dropout(w)\n        return w @ v", "", ""),
        (
            "softmax-missing",
            "w = torch.softmax(s, -1)\n        if self.p:\n            w = self.dropout(s)\n        return w @ v",
            "",
            "",
        ),
        ("softmax-missing", "w = torch.softmax(s, -1)\n        return w @ v", "", ""),
        ("softmax-missing", "w = torch.softmax(s, -1)\n        w = w @ v\n        return w", "", ""),
        ("softmax-missing", "w = torch.softmax(s, -1)\n        print(w, w.shape)\n        return s", "", ""),
        ("softmax-missing", "w = torch.softmax(s, -1)\n        for row in w:\n            s = s + row", "", ""),
        ("softmax-missing", "w = torch.softmax(s, -1)\n        if w.sum() > 1:\n            return s", "", ""),
        ("mask-missing", "w = torch.softmax(s, -1)\n        return s @ v", "", ""),
        ("scale-missing", "t = s.div_(2)\n        return torch.softmax(s, -1)", "", ""),
        ("scale-missing", "t = (s @ v).mul_(2)\n        return torch.softmax(s, -1)", "", ""),
        ("scale-missing", "t = torch.div(s, 2, out=s)\n        return torch.softmax(s, -1)", "", ""),
        ("dropout-missing", "d = F.dropout(w, 0.5, inplace=True)\n        return w @ v", "", ""),
    ],
)
def test_what_is_missing_is_told_where_it_is_computed_and_nothing_comes_of_it(
    mistake: str, body: str, code: str, name: str
) -> None:
    mistakes, notes = in_vain([Mistake(mistake, 5)], tree(body), "A")

    assert notes == ([f"nothing is done with what `{code}` makes: go on with `{name}`"] if name else [])
    assert mistakes == (Mistake(mistake, 5),)


@pytest.mark.parametrize(
    ("mistake", "body", "code", "name", "line"),
    [
        (
            "softmax-missing",
            "w = torch.softmax(s, -1)\n        w = self.dropout(s)\n        return w @ v",
            "w = torch.softmax(s, -1)",
            "w",
            12,
        ),
        (
            "scale-missing",
            "t = s / 8\n        m = hide(t)\n        m = hide(s)\n        return torch.softmax(m, -1)",
            "t = s / 8",
            "m",
            13,
        ),
        (
            "out-proj-missing",
            "o: Tensor = self.out_proj(c)\n        o = c\n        return o",
            "o: Tensor = self.out_proj(c)",
            "o",
            12,
        ),
        (
            "mask-missing",
            "m = s.masked_fill(f, -torch.inf)\n        w = m.softmax(-1)\n        w = s.softmax(-1)\n        return w",
            "m = s.masked_fill(f, -torch.inf)",
            "w",
            13,
        ),
        ("mask-missing", "m = s + f\n        w = m.softmax(-1)\n        return w @ v", "", "", 5),
        ("mask-missing", "m = s.masked_fill(f, -torch.inf)\n        return s.softmax(-1) @ v", "", "", 5),
    ],
)
def test_what_is_missing_is_marked_where_something_else_takes_the_name_of_what_was_computed(
    mistake: str, body: str, code: str, name: str, line: int
) -> None:
    mistakes, notes = in_vain([Mistake(mistake, 5)], tree(body), "A")

    assert notes == ([f"nothing is done with what `{code}` makes: go on with `{name}`"] if name else [])
    assert mistakes == (Mistake(mistake, line),)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("m = (s / 8).masked_fill(f, -torch.inf)\n        return torch.softmax(s, -1)", ["mask-discarded"]),
        ("(s / 8).masked_fill(f, -torch.inf)\n        return torch.softmax(s, -1)", ["mask-discarded"]),
        ("m = s.masked_fill(f, -torch.inf)\n        return torch.softmax(s, -1)", ["mask-discarded", "scale-missing"]),
        (
            "m = s.masked_fill(f, -torch.inf)\n        t = s / 8\n        return torch.softmax(s, -1)",
            ["mask-discarded", "scale-missing"],
        ),
    ],
)
def test_scores_that_are_scaled_in_what_is_masked_and_let_go_are_no_mistake_of_their_own(
    body: str, names: list[str]
) -> None:
    mistakes, _ = in_vain([Mistake("mask-discarded", 11), Mistake("scale-missing", 12)], tree(body), "A")

    assert [mistake.id for mistake in mistakes] == names


def test_scores_that_are_scaled_first_go_with_the_mask_that_is_let_go() -> None:
    body = "t = s / 8\n        m = t.masked_fill(f, -torch.inf)\n        return torch.softmax(s, -1)"

    mistakes, notes = in_vain([Mistake("mask-discarded", 12), Mistake("scale-missing", 13)], tree(body), "A")

    assert mistakes == (Mistake("mask-discarded", 12),)
    assert notes == ["nothing is done with what `t = s / 8` makes: go on with `m`"]


@pytest.mark.parametrize(
    ("mistake", "body", "line", "note"),
    [
        (
            "dropout-missing",
            "if not self.training:\n            w = self.dropout(w)\n        return w @ v",
            11,
            "under `if not self.training:` dropout is called only when training is over",
        ),
        ("dropout-missing", "w = self.dropout(w)\n        if not self.training:\n            w = F.dropout(w)", 5, ""),
        ("dropout-missing", "if self.training:\n            w = self.dropout(w)\n        return w @ v", 5, ""),
        (
            "dropout-on-context",
            "w = torch.softmax(s, -1)\n        w = self.dropout(w)\n        return self.dropout(w @ v)",
            13,
            "`return self.dropout(w @ v)` drops once more what comes of weights that were dropped already",
        ),
        ("dropout-on-context", "w = torch.softmax(s, -1)\n        return self.dropout(w @ v)", 5, ""),
        (
            "dropout-on-context",
            "w = self.dropout(torch.softmax(s, -1))\n        v = self.dropout(v)\n        return w @ v",
            5,
            "",
        ),
        (
            "dropout-on-context",
            "w = self.dropout(torch.softmax(s, -1))\n        return w @ self.dropout(v)",
            5,
            "",
        ),
        ("dropout-on-context", "v = self.dropout(v)\n        w = torch.softmax(s, -1)\n        return w @ v", 5, ""),
    ],
)
def test_dropout_that_does_nothing_where_it_is_called_or_comes_once_more_is_told(
    mistake: str, body: str, line: int, note: str
) -> None:
    mistakes, notes = in_vain([Mistake(mistake, 5)], tree(body), "A")

    assert mistakes == (Mistake(mistake, line),)
    assert [told.startswith(note) for told in notes] == ([True] if note else [])


@pytest.mark.timeout(20)  # a minute where each is followed from each
def test_each_of_very_many_results_is_followed_once() -> None:
    chain = [f"w{number} = torch.softmax(w{number - 1}, -1)" for number in range(1, 900)]
    body = "w0 = s\n        " + "\n        ".join([*chain, "return s @ v + w899"])

    assert in_vain([Mistake("softmax-missing", 5)], tree(body), "A")[1] == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("shifted = x - x.max()\n        e = torch.exp(x)", 12),
        ("shifted = x - x.max()\n        e = torch.exp(shifted)", 0),
        ("shifted = x - x.max()\n        e = torch.exp(y)", 0),
        ("x.add_(1)\n        e = torch.exp(x)", 0),
        ("n = len(x)\n        e = torch.exp(x)\n        for i in range(n):\n            e[i, i + 1:] = 0", 0),
        ("n = len(x)\n        e = torch.exp(x)\n        if n > 1:\n            e = e / n", 0),
    ],
)
def test_the_line_that_passes_a_result_by_is_told(body: str, line: int) -> None:
    found = passed_by(tree(f"{body}\n        x = e / e.sum()"), "A")

    said = "nothing is done with what `shifted = x - x.max()` makes: go on with `shifted`"
    assert found == ((said, line) if line else None)


@pytest.mark.parametrize(
    ("line", "right", "past"),
    [(3, 5, True), (3, 2, False), (4, 5, False), (3, 6, True), (3, 8, False), (1, 5, False)],
)
def test_what_is_not_read_behind_what_is_right_cannot_have_spoilt_it(line: int, right: int, past: bool) -> None:
    source = (
        "def f(w, v):\n    w = v @ w\n    self.dropout(w)\n    v.transpose(1, 2)\n    c = w @ w\n    return c @ v\n"
        "def g(w):\n    return w\n"
    )

    assert is_past(ast.parse(source), line, right) is past


def test_a_loop_is_not_past_what_stands_in_it() -> None:
    source = "def f(n, s):\n    for i in range(n):\n        s[i] = n * i\n    return s\n"

    assert not is_past(ast.parse(source), 2, 3)


def test_a_tensor_of_a_size_alone_is_not_what_the_next_line_was_to_read() -> None:
    source = "def f(n):\n    {} = torch.{}(n, n)\n    mask = torch.zeros(n, n)\n    return mask\n"

    assert passed_by(ast.parse(source.format("everywhere", "ones")), "f") is None
    assert passed_by(ast.parse(source.format("mine", "triu")), "f") is not None
