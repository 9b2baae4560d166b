"""A product of queries and keys in which the wrong one is turned, or none, is told, and any other product is not."""

from __future__ import annotations

import ast
import time

import pytest

from grader.diagnosis.clues.turns import (
    multiplied,
    neither_turned,
    turned_wrongly,
    unsummed,
    weight_in_front,
    weights_behind,
)


@pytest.mark.parametrize(
    ("body", "due", "line"),
    [
        ("return queries.T @ keys", "queries @ keys.T", 2),
        ("return keys.T @ queries", "queries @ keys.T", 2),
        ("return x.transpose(1, 2) @ x", "x @ x.transpose(1, 2)", 2),
        ("return torch.bmm(q.transpose(1, 2), k)", "q @ k.transpose(1, 2)", 2),
        ("return queries @ keys.view(b, d, n)", "keys.transpose(-2, -1)", 2),
        ("turned = keys.reshape(d, n)\n    return queries @ turned", "keys.transpose(-2, -1)", 2),
        ("check = keys.T @ queries\n    return queries @ keys.T", "", 0),
        ("return queries @ keys.T", "", 0),
        ("queries, keys = keys, queries\n    return queries.T @ keys", "queries @ keys.T", 3),
        ("queries = W.T @ x.T\n    keys = W.T @ x.T\n    return queries.T @ keys", "", 0),
        ("queries = (x @ W).transpose(0, 1)\n    return queries.T @ keys", "", 0),
        ("return (keys @ queries.T).T", "", 0),
        ("return weights.T @ values", "", 0),
        ("return queries.T @ keys.T", "", 0),
        ("keys = keys.view(b, n, h, d)\n    keys = keys.permute(0, 2, 3, 1)\n    return queries @ keys", "", 0),
        ("return queries @ keys.view(-1)", "", 0),
        ("return weights @ values.view(b, n, d)", "", 0),
    ],
)
def test_the_product_is_told_with_what_is_due(body: str, due: str, line: int) -> None:
    found = turned_wrongly(ast.parse(f"def f(queries, keys):\n    {body}\n"), "f")

    assert (found[1] if found else 0) == line
    assert found is None or f"`{due}`" in found[0]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return queries @ keys.transpose(-1, -1)", "keys.transpose(-1, -1)"),
        ("return torch.bmm(queries, keys.swapaxes(1, 1))", "keys.swapaxes(1, 1)"),
        ("return queries @ torch.transpose(keys, 1, 1)", "torch.transpose(keys, 1, 1)"),
        ("return queries @ keys.transpose(-2, -1)", ""),
        ("return queries @ keys.transpose(dim, dim)", ""),
        ("keys = keys.transpose(1, 1)\n    return queries @ keys.transpose(1, 2)", ""),  # which is for nothing alone
    ],
)
def test_an_axis_that_is_exchanged_with_itself_in_a_product_is_told(body: str, code: str) -> None:
    found = turned_wrongly(ast.parse(f"def f(queries, keys):\n    {body}\n"), "f")

    said = f"`{code}` exchanges an axis with itself, which changes nothing: name the two that are to change places"
    assert found == ((said, 2) if code else None)


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("return x * x.T", "x @ x.T"),
        ("return q.transpose(0, 1) * k", "q.transpose(0, 1) @ k"),
        ("return x * y", ""),
        ("return (x @ x.T) * s", ""),
        ("return x.T * y.T", ""),
        ("return 2 * x.T", ""),
    ],
)
def test_what_multiplies_number_by_number_in_place_of_matrices_is_told(body: str, due: str) -> None:
    found = multiplied(ast.parse(f"def f(x, y):\n    {body}\n"), 2)

    assert (found is None) == (not due)
    assert found is None or (f"`{due}`" in found[0] and found[1] == 2)


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("return w * v", "w @ v"),
        ("c = w * v\n    return c", "w @ v"),
        ("return b * u", "b @ u"),
        ("return torch.softmax(w, dim=-1) * v", "torch.softmax(w, dim=-1) @ v"),
        ("return (w + w) * v", "(w + w) @ v"),
        ("return torch.softmax(w, dim=-1) * m", ""),
        ("return (w * v).sum(dim=0)", ""),
        ("return torch.sum(w * v, 0)", ""),
        ("return v * w", ""),
        ("return w * m", ""),
        ("return w * u", ""),
    ],
)
def test_what_multiplies_two_matrices_that_do_not_fit_so_but_as_a_product_is_told(body: str, due: str) -> None:
    shapes = {"w": (6, 6), "v": (6, 2), "m": (5, 2), "u": (2, 6, 2), "b": (2, 6, 6)}
    said = "The size of tensor a (6) must match the size of tensor b (2) at non-singleton dimension 1"

    found = multiplied(ast.parse(f"def f(w, v, m, u, b):\n    {body}\n"), 2, shapes, said)

    assert (found is None) == (not due)
    assert found is None or (f"`{due}`" in found[0] and found[1] == 2)


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("return (w * x).sum(dim=0)", True),
        ("return torch.sum(w * x, axis=0)", True),
        ("return (w * x).sum(0)", True),
        ("return (w * x).sum(dim=1)", False),
        ("return (w * x).mean(dim=0)", False),
        ("return (x * w).sum(dim=0)", False),
    ],
)
def test_a_row_of_weights_that_is_multiplied_into_no_rows_and_summed_is_told_of_the_product(
    body: str, is_told: bool
) -> None:
    found = multiplied(ast.parse(f"def f(w, x):\n    {body}\n"), 2, {"w": (6,), "x": (6, 3)})

    assert (found is not None) == is_told
    assert found is None or ("`w @ x`, adds up as well" in found[0] and found[1] == 2)


@pytest.mark.parametrize(
    ("made", "line"),
    [
        ("scores = queries * keys", 2),
        ("scores = k * q", 2),
        ("scores = queries * keys\n    scores = scores.sum(-1)", 0),
        ("scores = queries * scale", 0),
        ("scores = queries * queries", 0),
        ("other = queries * keys", 0),
    ],
)
def test_scores_that_are_never_summed_are_told_where_a_mask_does_not_fit_them(made: str, line: int) -> None:
    body = f"def f(queries, keys, mask):\n    {made}\n    return scores.masked_fill(mask, 0)\n"

    found = unsummed(ast.parse(body), "f", len(body.splitlines()), ["scores", "mask"])

    assert (found[1] if found else 0) == line


def test_what_a_name_was_given_last_is_found_fast_in_a_long_source() -> None:
    source = "def f(q, x):\n" + "    s = x.T @ q\n    x = q + 1\n" * 6000 + "    return q\n"

    started = time.process_time()
    turned_wrongly(ast.parse(source), "f")

    assert time.process_time() - started < 3.0


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("return v @ torch.softmax(s, dim=-1)", "torch.softmax(s, dim=-1) @ v"),
        ("w = s.softmax(-1)\n    return v @ w", "w @ v"),
        ("w = s.softmax(-1)\n    return torch.matmul(v, w)", "w @ v"),
        ("w = s.softmax(-1)\n    return w @ v", ""),
        ("w = s.softmax(-1)\n    return w @ w", ""),
        ("return v @ s", ""),
    ],
)
def test_weights_behind_what_they_blend_are_told_where_the_sizes_do_not_fit(body: str, due: str) -> None:
    tree = ast.parse(f"def f(s, v):\n    {body}\n")

    said = f"the weights come first, and what they blend behind them: write `{due}`"
    line = body.count("\n") + 2
    assert weights_behind(tree, "f", line) == ((said, line) if due else None)
    assert weights_behind(tree, "f", 1) is None


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("return W_query @ x", "x @ W_query"),
        ("return torch.matmul(self.W_k, x)", "x @ self.W_k"),
        ("return W_query @ y", ""),
        ("return W_query @ self.W_k", ""),
        ("return x @ W_query", ""),
        ("return s @ x", ""),
    ],
)
def test_a_weight_in_front_of_what_it_projects_is_told(body: str, due: str) -> None:
    shapes = {"W_query": (3, 2), "self.W_k": (3, 2), "x": (6, 3), "y": (2, 3), "s": (3, 2)}

    found = weight_in_front(ast.parse(f"def f(x, y, s):\n    {body}\n"), 2, shapes)

    assert found == ((f"a weight stands behind what it projects: write `{due}`", 2) if due else None)


@pytest.mark.parametrize(
    ("code", "shapes", "due"),
    [
        ("q @ k", {"q": (5, 2), "k": (5, 2)}, "q @ k.T"),
        ("torch.matmul(q, k)", {"q": (2, 5, 3), "k": (2, 5, 3)}, "q @ k.transpose(-2, -1)"),
        ("q @ k", {"q": (5, 5), "k": (5, 5)}, ""),  # which fit
        ("q @ k", {"q": (5, 2), "k": (4, 2)}, ""),
        ("q @ k", {"q": (5, 2)}, ""),
        ("q @ k.view(5, 2)", {"q": (5, 2)}, ""),
        ("q * k", {"q": (5, 2), "k": (5, 2)}, ""),
    ],
)
def test_two_of_one_shape_that_are_multiplied_as_they_are_are_told_how_rows_meet(
    code: str, shapes: dict[str, tuple[int, ...]], due: str
) -> None:
    said = neither_turned(ast.parse(f"def f(q, k):\n    return {code}\n"), 2, shapes)

    assert said == (f"each row times each row is `{due}`" if due else "")
