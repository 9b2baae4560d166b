"""Of heads side by side it is told in its line what is not each one's own."""

# ruff: noqa: E501 - the lines of a class and what is said of them read best side by side

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.wrappers import one_for_all, one_too_few, put_in_place, shared_out

CLASS = """
class Heads(nn.Module):
    def __init__(self, d_in, d_out, length, drop, heads, bias=False):
        super().__init__()
{body}
"""


def a_class(*lines: str) -> ast.Module:
    return ast.parse(CLASS.format(body="\n".join(f"        {line}" for line in lines)))


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("d_out // heads", True),
        ("self.d_out // self.heads", True),
        ("d_out / heads", True),
        ("d_in // heads", False),
        ("d_out // 2", False),
        ("d_out * heads", False),
    ],
)
def test_a_width_that_is_divided_by_the_number_of_heads_is_told(code: str, is_told: bool) -> None:
    found = shared_out(
        a_class(f"self.heads = nn.ModuleList([Head(d_in, int({code})) for _ in range(heads)])"), "Heads", 1
    )

    assert (found is not None) == is_told
    assert found is None or (
        found[0].startswith(f"`{code}` shares the width out: each head gives d_out ") and found[1] == 5
    )


def test_the_width_is_called_as_the_student_calls_it() -> None:
    tree = ast.parse("class Heads:\n    def __init__(self, a, b, n_heads):\n        self.width = b // n_heads\n")

    found = shared_out(tree, "Heads", 1)

    assert found is not None and "num_heads * b " in found[0]
    assert shared_out(tree, "Heads", 3) is None


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["self.heads = nn.ModuleList([Head(d_in)] * heads)"], "[Head(d_in)] * heads", 5),
        (["head = Head(d_in)", "self.heads = nn.ModuleList(heads * [head])"], "heads * [head]", 6),
        (["h = Head(d_in)", "self.heads = nn.ModuleList(h for _ in range(heads))"], "(h for _ in range(heads))", 6),
        (["h = Head(d_in)", "for _ in range(heads):", "    self.heads.append(h)"], "self.heads.append(h)", 7),
        (["for _ in range(heads):", "    h = Head(d_in)", "    self.heads.append(h)"], "", 0),
        (["made = [Head(d_in) for _ in range(heads)]", "self.heads = nn.ModuleList([h for h in made])"], "", 0),
        (["self.rates = [0.1] * heads", "self.heads = nn.ModuleList(Head(d_in) for _ in range(heads))"], "", 0),
        (["width = int(d_out)", "self.widths = [width] * heads"], "", 0),
        (["self.widths = [d_out for _ in range(heads)]"], "", 0),
        (["self.some = [Head(d_in)] * heads", "self.more = [Head(d_in)] * heads"], "", 0),
    ],
)
def test_one_head_that_a_list_gets_again_and_again_is_told(lines: list[str], code: str, line: int) -> None:
    found = one_for_all(a_class(*lines), "Heads")

    assert (found is not None) == bool(code)
    assert found is None or (f"`{code}` puts one and the same head" in found[0] and found[1] == line)


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ("range(heads - 1)", "`range(heads - 1)` leaves out the last one: write `range(heads)`"),
        ("range(1, heads)", "`range(1, heads)` leaves out the first one: write `range(heads)`"),
        ("range(heads)", ""),
        ("range(heads - 2)", ""),
        ("range(length - 1)", ""),
    ],
)
def test_a_range_that_makes_one_head_too_few_is_told(turns: str, said: str) -> None:
    found = one_too_few(a_class(f"self.heads = nn.ModuleList([Head(d_in) for _ in {turns}])"), "Heads")

    assert found == ((said, 5) if said else None)


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["self.heads = nn.ModuleList()", "for _ in range(1, heads):", "    self.heads.append(Head(d_in))"], 6),
        (["made = []", "for i in range(1, heads):", "    h = Head(d_in)", "    made.append(h)"], 6),
        (["made: list = list()", "for i in range(1, heads):", "    made.append(Head(d_in))"], 6),
        (["self.heads = nn.ModuleList([])", "for _ in range(1, heads):", "    self.heads.append(Head(d_in))"], 6),
        (["made = [Head(d_in) for _ in range(1, heads)]", "self.heads = nn.ModuleList(made)"], 5),
        (["self.heads = nn.ModuleList(Head(d_in) for _ in range(1, heads))"], 5),
        # the first one is made by itself, or what the list gets is not known
        (["first = Head(d_in)", "self.heads = nn.ModuleList([first])", "for i in range(1, heads):", "    head = Head(d_in)", "self.heads.append(head)"], 0),
        (["self.heads = nn.ModuleList([Head(d_in)])", "for _ in range(1, heads):", "    self.heads.append(Head(d_in))"], 0),
        (["made = []", "made.append(Head(d_in))", "for _ in range(1, heads):", "    made.append(Head(d_in))"], 0),
        (["made = [Head(d_in)] + [Head(d_in) for _ in range(1, heads)]", "self.heads = nn.ModuleList(made)"], 0),
        (["self.heads = nn.ModuleList([Head(d_in), *(Head(d_in) for _ in range(1, heads))])"], 0),
        (["made = [Head(d_in) for _ in range(1, heads)]", "made.append(Head(d_in))", "self.heads = nn.ModuleList(made)"], 0),
        (["made = [Head(d_in) for _ in range(1, heads)]", "self.heads = nn.ModuleList([Head(d_in), *made])"], 0),
        (["made = [Head(d_in) for _ in range(1, heads)]", "made += [Head(d_in)]", "self.heads = nn.ModuleList(made)"], 0),
        (["made = []", "for _ in range(1, heads):", "    made.append(Head(d_in))", "self.heads = nn.ModuleList([first, *made])"], 0),
        (["for i in range(1, heads):", "    print(i)", "self.heads = nn.ModuleList([Head(d_in)])"], 0),
        (["for i in range(1, heads):", "    if i % 2:", "        self.heads.append(Head(d_in))"], 0),
        (["self.turns = range(1, heads)", "self.heads = nn.ModuleList([Head(d_in)])"], 0),
        (["self.heads = nn.ModuleList([Head(d_in) for _ in range(1, heads) if bias])"], 0),
    ],
)  # fmt: skip
def test_one_head_too_few_is_told_only_of_what_makes_all_of_the_list(lines: list[str], line: int) -> None:
    found = one_too_few(a_class(*lines), "Heads")

    assert found == (("`range(1, heads)` leaves out the first one: write `range(heads)`", line) if line else None)


@pytest.mark.parametrize(
    ("turn", "name"),
    [
        (["self.head = Head(d_in)"], "self.head"),
        (["self.heads = nn.ModuleList([Head(d_in)])"], "self.heads"),
        (["head = Head(d_in)"], "head"),
        (["self.head = Head(d_in, i)"], "self.head"),
        (["head = Head(d_in)", "self.heads.append(head)"], ""),
        (["self.head = Head(d_in)", "self.add_module(str(i), self.head)"], ""),
        (["self.heads = self.heads + [Head(d_in)]"], ""),
        (["self.heads[i] = Head(d_in)"], ""),
        (["setattr(self, f'head{i}', Head(d_in))"], ""),
        (["print(i)", "self.head = Head(d_in)"], "self.head"),
        (["self.drop = nn.Dropout(drop)", "self.heads.append(Head(d_in))"], ""),
        (["self.count = i"], ""),
        (["head = self.heads = Head(d_in)"], ""),
    ],
)
def test_of_heads_each_of_which_takes_the_place_of_the_last_it_is_told_that_one_is_left(
    turn: list[str], name: str
) -> None:
    def told(turns: str) -> tuple[str, int]:
        lines = [f"for i in {turns}:", *(f"    {each}" for each in turn), "self.all = nn.ModuleList([])"]
        return put_in_place(a_class(*lines), "Heads") or ("", 0)

    found = told("range(heads)")
    assert (f"a new `{name}` in place of the last one" in found[0], found[1]) == (
        bool(name),
        5 + len(turn) if name else 0,
    )
    assert told("range(0, self.heads)") == found
    assert told("range(d_in)") == ("", 0)
