"""An axis that is taken for another one, and sequences that are lost, are told where nothing else can be meant."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.batch import (
    counted,
    counted_or_written_over,
    first_alone,
    last_alone,
    rebound,
    stacked,
    unpacked,
    written_over,
)
from grader.model.observation import Fault

AXES = {"x": ("B", "T", "d_in")}
MANY = Fault("exception", "ValueError", "too many values to unpack (expected 2)")


def forward(*statements: str, given: str = "x") -> ast.Module:
    body = "".join(f"        {each}\n" for each in statements)
    return ast.parse(f"class A:\n    def forward(self, {given}):\n{body}")


@pytest.mark.parametrize(
    ("text", "given", "name"),
    [
        ("num_tokens, d_in = x.shape", "x", "x"),
        ("    num_tokens, d_in = x.size()  # of the input", "x", "x"),
        ("num_tokens, d_in = batch.shape", "batch", "batch"),
        ("num_tokens, d_in = batch.shape", "batch, mask", ""),
        ("num_tokens, d_in = keys.shape", "x", ""),
        ("num_tokens, d_in = x.shape[1:]", "x", ""),
    ],
)
def test_a_shape_that_is_unpacked_into_too_few_names_is_told_with_its_axes(text: str, given: str, name: str) -> None:
    found = unpacked(MANY, forward(text.strip(), given=given), "A", text, AXES)

    said = f"`{name}` is (B, T, d_in), so write as many names: `B, T, d_in = {name}.shape`"
    assert found == ((said, 0) if name else None)


def test_of_another_error_or_another_value_of_that_name_nothing_is_told() -> None:
    text = "num_tokens, d_in = x.shape"

    assert unpacked(MANY, forward("x = x.mT", text), "A", text, AXES) is None
    assert unpacked(MANY, forward(text), "A", text, {}) is None
    assert unpacked(Fault("exception", "ValueError", "shape mismatch"), forward(text), "A", text, AXES) is None
    few = Fault("exception", "ValueError", "not enough values to unpack (expected 3, got 2)")
    assert unpacked(few, forward(text), "A", text, {"x": ("T", "d_in")}) == (
        "`x` is (T, d_in), so write as many names: `T, d_in = x.shape`",
        0,
    )


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("num_tokens = x.shape[0]", "x.shape[0]"),
        ("T = x.size(0)", "x.size(0)"),
        ("seq_len = len(x)", "len(x)"),
        ("num_tokens = x.shape[1]", ""),
        ("batch_size = x.shape[0]", ""),
        ("n = x.shape[0]", ""),
        ("num_tokens = keys.shape[0]", ""),
        ("num_tokens = x.shape[0] * 2", ""),
    ],
)
def test_sequences_that_are_counted_for_tokens_are_told(statement: str, code: str) -> None:
    found = counted(forward(statement), "A", AXES)

    said = f"`{code}` counts the sequences: `x` is (B, T, d_in), and `x.shape[1]` counts the tokens"
    assert found == ((said, 3) if code else None)
    assert counted(forward(statement), "A", {"x": ("T", "d_in")}) is None
    assert counted(forward("x = x[0]", statement), "A", AXES) is None


@pytest.mark.parametrize(
    ("statement", "behind", "name"),
    [
        ("num_tokens, b, d_in = x.shape", "scores = scores + self.mask[:num_tokens, :num_tokens]", "num_tokens"),
        ("(seq_len, b, _) = x.size()", "scores[:seq_len] = 0", "seq_len"),
        ("b, num_tokens, d_in = x.shape", "scores = scores + self.mask[:num_tokens, :num_tokens]", ""),
        ("T, B, C = x.shape", "q = q.view(T, B, -1); scores = scores + self.mask[:B, :B]", ""),  # right by other names
        ("num_tokens, b = y.shape", "scores = scores + self.mask[:num_tokens, :num_tokens]", ""),
    ],
)
def test_sequences_that_are_unpacked_as_tokens_are_told(statement: str, behind: str, name: str) -> None:
    found = counted(forward(statement, behind), "A", AXES)

    said = f"`{name}` counts the sequences: `x` is (B, T, d_in), and `x.shape[1]` counts the tokens"
    assert found == ((said, 3) if name else None)
    assert counted(forward(statement, behind), "A", {"x": ("T", "d_in")}) is None


@pytest.mark.parametrize(
    ("statement", "is_told"),
    [("x = x[0]", True), ("x = x[1]", False), ("first = x[0]", False), ("x = x[0:1]", False), ("x = x[i]", False)],
)
def test_a_batch_that_becomes_its_first_sequence_is_told(statement: str, is_told: bool) -> None:
    found = first_alone(forward(statement), "A", AXES)

    said = f"`{statement}` keeps the first sequence alone, but all of the batch are asked for"
    assert found == ((said, 3) if is_told else None)
    assert first_alone(forward(statement), "A", {"x": ("T", "d_in")}) is None


@pytest.mark.parametrize(
    ("turn", "behind", "is_told"),
    [
        ("c = x[i] @ x[i].mT", "return c", True),
        ("y = x[i]; c = y @ y.mT", "return self.out_proj(c)", True),
        ("c = c + x[i]", "return c", False),
        ("c = x[i]; rows.append(c)", "return torch.stack(rows)", False),
        ("c = x[i]; rows[i] = c", "return rows", False),
        ("c[i] = x[i]", "return c", False),
        ("c += x[i]", "return c", False),
        ("c = x @ x.mT", "return c", False),
        ("c = x[i]", "return x", False),
        ("c = x[i]", "c = x.mT; return c", False),
        ("c = x[i]", "pass", False),
    ],
)
def test_a_loop_that_keeps_its_last_turn_alone_is_told(turn: str, behind: str, is_told: bool) -> None:
    tree = ast.parse(f"def f(x):\n    for i in range(len(x)):\n        {turn}\n    {behind}\n")

    found = last_alone(tree, "f")

    said = "each turn of the loop puts a new `c` in place of the last one: add them up, or collect them in a list and "
    assert found == ((f"{said}join them by torch.stack", 3) if is_told else None)


@pytest.mark.parametrize(
    ("turn", "is_told"),
    [
        ("c[i] = q[j] * x[i, j]", True),
        ("c[i] += q[j] * x[i, j]", False),
        ("c[i] = c[i] + q[j] * x[i, j]", False),
        ("c[i, j] = q[j] * x[i, j]", False),
        ("c[i] = q[0] * x[i, 0]", False),
        ("if x[i, j] > 0:\n                c[i] = x[i, j]", False),
        ("k = j + 1\n            c[i, k] = q[j]", False),
        ("c[i] = q[j]\n            d.append(c[i])", False),
        ("s += q[j] * x[i, j]\n            c[i] = s", False),
        ("c[i] = q[j]\n            if x[i, j] > 0:\n                break", False),
    ],
)
def test_a_number_that_each_inner_turn_puts_in_the_same_place_is_told(turn: str, is_told: bool) -> None:
    tree = ast.parse(
        f"def f(q, x):\n    for i in range(6):\n        for j in range(3):\n            {turn}\n    return c\n"
    )

    found = last_alone(tree, "f")

    assert (found is not None) == is_told
    assert found is None or (found[0].startswith("each turn of the loop puts a new `c[i]` in place") and found[1] == 4)


def test_turns_of_a_method_that_may_be_heads_are_not_to_be_added_up() -> None:
    loops = "        for i in x:\n            for j in q:\n                c[i] = j\n"
    tree = ast.parse(f"class A:\n    def forward(self, q, x):\n{loops}        return c\n")

    assert last_alone(tree, "A") is None


@pytest.mark.parametrize(
    ("loop", "turn", "behind", "is_told"),
    [
        ("for row in s", "row = soft(row)", "return s", True),
        ("for i, row in enumerate(s)", "row = row.softmax(-1)", "return torch.zeros(3)", True),
        ("for row in s", "row = row.div_(2)", "return s", False),
        ("for row in s", "row = soft(x)", "return s", False),
        ("for row in s", "row[:] = soft(row)", "return s", False),
        ("for row in s", "row = soft(row)\n        s[0] = row", "return s", False),
        ("for row in s", "row = soft(row)", "return row", False),
        ("for row in s", "row = soft(row); s[0] = row", "return s", False),
        ("for row in s", "row = rows.append(soft(row))", "return torch.stack(rows)", False),
    ],
)
def test_a_loop_that_gives_its_own_variable_another_value_is_told(
    loop: str, turn: str, behind: str, is_told: bool
) -> None:
    tree = ast.parse(f"def f(s):\n    {loop}:\n        {turn}\n    {behind}\n\ndef soft(x):\n    return x\n")

    found = rebound(tree, "f")

    assert (found is not None) == is_told
    assert found is None or (found[0].startswith("`row = ") and found[1] == 3)


@pytest.mark.parametrize(
    ("turn", "place"),
    [
        ("t.W_key.weight.data[:] = h.weight.repeat(3, 1)", "t.W_key.weight.data"),
        ("t.W_key.weight.data = h.weight", "t.W_key.weight.data"),
        ("t.W_key.weight.copy_(h.weight)", "t.W_key.weight"),
        ("t.W_key.weight[i:j].copy_(h.weight)", "t.W_key.weight[i:j]"),
        ("t.W_key.weight[n:n + 2] = h.weight", ""),
        ("t.W_key.weight[n] = h.weight", ""),
        ("getattr(t, h).weight.data = w[h]", ""),
        ("t.W_key.weight.data = w", ""),
        ("t.W_key.weight.data = t.W_key.weight.data + h.weight", ""),
        ("t.last = h(x)", ""),
    ],
)
def test_a_loop_that_writes_over_what_its_last_turn_wrote_is_told(turn: str, place: str) -> None:
    tree = ast.parse(f"def f(s, t):\n    for n, h in enumerate(s.heads):\n        {turn}\n")

    found = written_over(tree, "f")

    said = f"each turn of the loop writes over what the last one wrote into `{place}`: "
    assert (found is not None) == bool(place)
    assert found is None or (found[0].startswith(said) and found[1] == 3)


def test_of_a_loops_variable_that_a_function_may_write_into_nothing_is_told() -> None:
    soft = "def soft(x):\n    return x.exp_()\n"
    source = f"def f(s):\n    for row in s:\n        row = soft(row)\n    return s\n\n{soft}"

    assert rebound(ast.parse(source), "f") is None


@pytest.mark.parametrize(
    ("statements", "is_found"),
    [
        (("return torch.stack(rows)",), True),
        (("return torch.stack(rows, dim=1)",), False),
        (("return torch.stack(rows, 1)",), False),
        (("a = torch.stack(rows)", "return torch.stack([a, a])"), False),
        (("return torch.cat(rows)",), False),
    ],
)
def test_the_only_stack_along_the_first_axis_is_found(statements: tuple[str, ...], is_found: bool) -> None:
    assert (stacked(forward(*statements), "A") is not None) == is_found


def test_of_sizes_that_do_not_fit_a_loop_that_fills_the_same_place_is_told_where_that_failed() -> None:
    copied = "def copy(wide, narrow):\n    for head in narrow:\n        wide.weight.copy_(head.weight)\n"

    said, line = counted_or_written_over(ast.parse(copied), "copy", {}, 3) or ("", 0)

    assert ("writes over what the last one wrote into `wide.weight`" in said, line) == (True, 3)
    assert counted_or_written_over(ast.parse(copied), "copy", {}, 2) is None
    assert counted_or_written_over(ast.parse(copied.replace("wide.", "wide[head].")), "copy", {}, 3) is None
