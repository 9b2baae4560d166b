"""A known mistake is said of the code that makes it, and what is missing is told where it is computed in vain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.as_written import as_written
from grader.diagnosis.evidence import Mistake
from tests.judge.hand_made import CLASS, FUNCTION, class_doing, function, numbers, question


def told(body: str, *mistakes: Mistake) -> tuple[tuple[Mistake, ...], list[str]]:
    return as_written(mistakes, class_doing(body), "A", None)


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
    mistakes, notes = told(statement, Mistake(mistake, 5))

    assert [found.line for found in mistakes] == [line]
    assert bool(notes) == (line == 11)


@pytest.mark.parametrize(
    ("statement", "code"), [("return", "return"), ("return None", "return None"), ("return x", ""), ("y = x", "")]
)
def test_a_return_that_hands_nothing_back_is_said_in_place_of_one_that_is_not_there(statement: str, code: str) -> None:
    tree = ast.parse(function("y = 2 * x", statement))

    (found,), _ = as_written([Mistake("returns-none", 2)], tree, FUNCTION, None)

    said = f"`{code}` hands nothing back: write behind `return` what was computed"
    assert (found.said, found.line) == ((said, 3) if code else ("", 2))


def test_what_is_no_root_since_the_power_comes_first_or_none_is_taken_is_said_in_place_of_what_else_may_lack_one() -> (
    None
):
    (rooted,), _ = told("return s / n ** 1 / 2", Mistake("scale-no-sqrt", 5))
    (plain,), _ = told("return s / n", Mistake("scale-no-sqrt", 5))

    assert (rooted.line, plain.line) == (11, 5)
    assert rooted.said.startswith("`n ** 1 / 2` is no root")
    assert plain.said.startswith("`s / n` divides by the width itself")


@pytest.mark.parametrize(
    ("mistake", "body", "name", "line"),
    [
        ("scale-missing", "t = s / 2**0.5\n        return torch.softmax(s, -1)", "t", 5),
        ("out-proj-missing", "o = self.out_proj(c)\n        o = c\n        return o", "o", 12),
        ("mask-missing", "w = torch.softmax(s, -1)\n        return s @ v", "", 5),
        ("mask-missing", "m = s + f\n        w = m.softmax(-1)\n        return w @ v", "", 5),
        (
            "mask-missing",
            "m = s.masked_fill(f, -torch.inf)\n        w = m.softmax(-1)\n        w = s.softmax(-1)\n        return w",
            "w",
            13,
        ),
        ("mask-missing", "m = s.masked_fill(f, -torch.inf)\n        return s.softmax(-1) @ v", "", 5),
    ],
)
def test_what_is_missing_is_told_where_it_is_made_and_marked_where_something_else_takes_its_name(
    mistake: str, body: str, name: str, line: int
) -> None:
    mistakes, notes = told(body, Mistake(mistake, 5))

    assert [note.endswith(f" makes: go on with `{name}`") for note in notes] == ([True] if name else [])
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
    mistakes, _ = as_written(
        [Mistake("mask-discarded", 11), Mistake("scale-missing", 12)], class_doing(body), "A", None
    )

    assert [mistake.id for mistake in mistakes] == names


def test_scores_that_are_scaled_first_go_with_the_mask_that_is_let_go() -> None:
    body = "t = s / 8\n        m = t.masked_fill(f, -torch.inf)\n        return torch.softmax(s, -1)"

    mistakes, notes = as_written(
        [Mistake("mask-discarded", 12), Mistake("scale-missing", 13)], class_doing(body), "A", None
    )

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
        (
            "dropout-missing",
            "w = w if self.training else self.dropout(w)\n        return w @ v",
            11,
            "under `if not self.training` dropout is called only when training is over",
        ),
        ("dropout-missing", "w = self.dropout(w) if self.training else w\n        return w @ v", 5, ""),
        ("dropout-missing", "w = self.dropout(w) if w.any() else w\n        return w @ v", 5, ""),
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
    mistakes, notes = told(body, Mistake(mistake, 5))

    assert mistakes == (Mistake(mistake, line),)
    assert [told.startswith(note) for told in notes] == ([True] if note else [])


def test_a_mask_that_leaves_a_row_nothing_is_told_once_and_instead_of_the_mistakes_own_words() -> None:
    body = "m = torch.triu(torch.ones(4, 4), 0)\n        return x.masked_fill(m.bool(), -torch.inf)"
    (mistake,), notes = told(body, Mistake("mask-diagonal", 5))

    assert "leaves the first row no token to look at" in mistake.said
    assert (mistake.line, notes) == (11, [])


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (Mistake("mask-missing", 2), "`scaled_dot_product_attention` hides nothing by itself"),
        (Mistake("dropout-missing", 2), "`scaled_dot_product_attention` drops nothing unless it is told to"),
        (Mistake("softmax-missing", 2), ""),
    ],
)
def test_what_the_rubrics_words_do_not_fit_is_said_instead_of_them(mistake: Mistake, said: str) -> None:
    (found,), notes = told("x = F.scaled_dot_product_attention(x, x, x)", mistake)

    assert (found.said.startswith(said), bool(found.said), notes) == (True, bool(said), [])
    assert found.line == (11 if said else 2)


def test_what_is_said_of_a_mistake_already_stays() -> None:
    mistake = Mistake("mask-missing", 2, "said")

    assert told("x = F.scaled_dot_product_attention(x, x, x)", mistake) == ((mistake,), [])


@pytest.mark.parametrize("of", [FUNCTION, CLASS])
def test_the_axis_that_softmax_runs_along_is_the_queries_where_no_batch_stands_before_it(of: str) -> None:
    asked = question("output", {"x": numbers(4, 4)}, of=of)
    method = f"class {CLASS}:\n    def forward(self, x):\n        return x / x.sum(0)"
    tree = ast.parse(function("return x / x.sum(0)") if of == FUNCTION else method)

    (found,), _ = as_written([Mistake("softmax-wrong-axis", 2)], tree, of, asked)

    assert bool(found.said) == (of == FUNCTION)
