"""What is dropped before it is asked whether that is due, or handed back without asking, is found in its line."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.training import chosen_wrongly, dropped_unasked


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("if p == 0:\n        return x\n    return torch.rand(3) * x", 2),
        ("if p == 0 or not training:\n        return x\n    return torch.rand(3) * x", 0),
        ("if p == 0:\n        return x * 0\n    return torch.rand(3) * x", 0),
        ("return torch.rand(3) * x", 0),
    ],
)
def test_where_training_is_never_asked_for_it_is_where_an_argument_is_handed_back(body: str, line: int) -> None:
    assert chosen_wrongly(ast.parse(f"def f(x, p, training):\n    {body}\n"), "f") == line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("w *= keep\n    if not training:\n        return w\n    return w / (1 - p)", 3),
        ("w.mul_(keep)\n    return w / (1 - p) if training else w", 3),
        ("w[~keep] = 0\n    if training:\n        return w / (1 - p)\n    return w", 3),
        ("w = w * keep\n    if training:\n        return w / (1 - p)\n    return w", 3),
        ("if p == 0:\n        return w\n    w = w * keep\n    return w / (1 - p) if training else w", 5),
        ("kept = w * keep\n    if not training:\n        return w\n    return kept / (1 - p)", 0),
        ("if not training:\n        return w\n    w *= keep\n    return w / (1 - p)", 0),
        ("keep = keep if training else 1\n    w *= keep\n    return w", 0),
        ("w *= 2\n    return w * keep / (1 - p) if training else w", 0),
    ],
)
def test_what_is_dropped_before_it_is_asked_for_is_found(body: str, line: int) -> None:
    tree = ast.parse(f"def f(w, p, training):\n    keep = torch.rand(w.shape) >= p\n    {body}\n")

    assert dropped_unasked(tree, "f") == line
    assert line == 0 or chosen_wrongly(tree, "f") == line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("w = w * torch.bernoulli(torch.full_like(w, 1 - p))", 2),
        ("w = w * (torch.rand_like(w) > p).float()", 2),
        ("w = w * torch.empty_like(w).bernoulli_(1 - p)", 2),
        ("w = w * torch.rand_like(w).gt(p)", 2),
        ("draws = torch.rand_like(w)\n    keep = (draws > p).to(w.dtype)\n    w *= keep", 4),
        ("draws = torch.rand_like(w)\n    drop = draws < p\n    w.masked_fill_(drop, 0)", 4),
        ("keep = torch.bernoulli(w * 0 + p)\n    w[keep == 0] = 0", 3),
        ("operand = 2\n    w = w * operand", 0),
        ("w = w * operand", 0),
        ("w = w * random_mask.shape[0]", 0),
        ("draws = torch.rand_like(w)\n    w = w * torch.ones_like(draws)", 0),
        ("draws = torch.rand_like(w)\n    w = w * len(draws)", 0),
        ("draws = torch.rand_like(w)\n    w = w * (p < 2)", 0),
        ("keep = torch.rand_like(w) > p\n    w = w * torch.ones_like(keep)", 0),
        ("keep = torch.rand_like(w) > p\n    w = w * keep.shape[0]", 0),
        ("keep = torch.rand_like(w) > p\n    keep = torch.ones_like(w)\n    w = w * keep", 0),
        ("was = w\n    w = w * (torch.rand_like(w) > p)\n    if not training:\n        return was", 0),
        ("was = w.clone()\n    w *= torch.rand_like(w) > p\n    if not training:\n        return was", 0),
    ],
)
def test_what_is_dropped_is_found_by_a_draw_that_decides_and_not_by_letters(body: str, line: int) -> None:
    tree = ast.parse(f"def f(w, p, training):\n    {body}\n    return w / (1 - p) if training else w\n")

    assert dropped_unasked(tree, "f") == line
