"""A root that divides too late, or once more, is told where the source has no other that it could be."""

# ruff: noqa: E501 - a source and what is said of it read best side by side

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.scales import floored, halved, late, needless, rootless, takes_a_root, twice

HEAD = "def f(q, k, v, d):\n    "
SCALED = "\ndef scaled(q, k):\n    return q @ k.T / math.sqrt(k.shape[-1])\n"
LONG = "\ndef scaled(q, k):\n    n = (q * q).sum(-1, True)\n    m = (k * k).sum(-1).sqrt()\n    return q / n.sqrt() @ k.T / m\n"
ROOTED = "\ndef scaled(q, k):\n    root = k.shape[-1] ** 0.5\n    return (q @ k.T).div(root)\n"


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("w = torch.softmax(q @ k.T, dim=-1) / math.sqrt(d)\n    return w @ v", "torch.softmax(q @ k.T, dim=-1) / math.sqrt(d)", 2),
        ("w = torch.softmax(q @ k.T, dim=-1)\n    w = w / d**0.5\n    return w @ v", "w / d ** 0.5", 3),
        ("w = (q @ k.T).softmax(-1)\n    w /= d ** 0.5\n    return w @ v", "w /= d ** 0.5", 3),
        ("w = F.softmax(q @ k.T, -1)\n    return w @ v / d ** 0.5", "w @ v / d ** 0.5", 3),
        ("s = d ** 0.5\n    w = F.softmax(q @ k.T, -1)\n    return drop(w) / s @ v", "drop(w) / s", 4),
        ("w = F.softmax(q @ k.T, -1) * d ** -0.5\n    return w @ v", "F.softmax(q @ k.T, -1) * d ** -0.5", 2),
        ("w = F.softmax(q @ k.T, -1).div(math.sqrt(d))\n    return w @ v", "F.softmax(q @ k.T, -1).div(math.sqrt(d))", 2),
        ("w = F.softmax(torch.mul(q @ k.T, d ** -0.5), -1) / d ** 0.5\n    return w @ v", "", 0),
        # The scores are scaled as well, or something else is divided.
        ("w = F.softmax(q @ k.T / d ** 0.5, -1)\n    return w @ v / d ** 0.5", "", 0),
        ("s = d ** -0.5\n    w = F.softmax(q @ k.T * s, -1)\n    return w @ v / d ** 0.5", "", 0),
        ("w = F.softmax(q @ k.T / d ** 0.5, -1)\n    return w @ v", "", 0),
        ("w = F.softmax(q @ k.T, -1)\n    w = q @ k.T\n    return w / d ** 0.5", "", 0),
        ("w = F.softmax(q @ k.T, -1)\n    return w / w.sum(-1) @ v", "", 0),
        ("w = F.softmax(q @ k.T, -1)\n    return w / w.pow(2).sum(-1) ** 0.5 @ v", "", 0),
        ("w = F.softmax(scaled(q, k), -1) / d ** 0.5\n    return w @ v" + SCALED, "", 0),
        ("w = F.softmax(q @ k.T, -1) * d ** 0.5\n    return w @ v", "", 0),
    ],
)  # fmt: skip
def test_a_root_that_divides_behind_softmax_is_found(body: str, code: str, line: int) -> None:
    found = late(ast.parse(f"{HEAD}{body}\n"), "f")

    said = f"`{code}` divides only after softmax: divide the scores by the root, before softmax"
    assert found == ((said, line) if code else None)


def test_a_root_that_a_module_keeps_is_known_for_one() -> None:
    module = "class M(nn.Module):\n    def __init__(self, d):\n        self.scale = d ** 0.5\n    def forward(self, q, k, v):\n"
    module += "        return torch.softmax(q @ k.mT, -1) / self.scale @ v\n"

    found = late(ast.parse(module), "M")

    assert found is not None
    assert found[1] == 5
    assert late(ast.parse(module.replace("q @ k.mT", "q @ k.mT / self.scale")), "M") is None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("s = scaled(q, k)\n    return F.softmax(s / math.sqrt(d), -1) @ v" + SCALED, "s / math.sqrt(d)"),
        ("return F.softmax(scaled(q, k) / d ** 0.5, -1) @ v" + ROOTED, "scaled(q, k) / d ** 0.5"),
        ("s = scaled(q, k)\n    s /= d ** 0.5\n    return F.softmax(s, -1) @ v" + ROOTED, "s /= d ** 0.5"),
        ("return F.softmax(scaled(q, k), -1) @ v" + SCALED, ""),
        ("return F.softmax(scaled(q / d ** 0.5, k), -1) @ v" + SCALED, ""),
        ("return F.softmax(scaled(q, k) / d ** 0.5, -1) @ v" + SCALED.replace(" / math.sqrt(k.shape[-1])", ""), ""),
        ("return F.softmax(scaled(q, k) / 2, -1) @ v" + SCALED, ""),
        ("return F.softmax(scaled(q, k) / d ** 0.5, -1) @ v" + LONG, ""),
    ],
)
def test_a_root_of_what_another_function_divides_by_one_is_found(body: str, code: str) -> None:
    found = twice(ast.parse(f"{HEAD}{body}\n"), "f")

    said = f"`{code}` divides by a root once more: `scaled` does so already"
    assert (found[0] if found else "") == (said if code else "")


def test_a_root_where_nothing_is_to_be_scaled_is_found() -> None:
    found = needless(ast.parse(f"{HEAD}s = q @ k.T / d ** 0.5\n    return s / s.sum() ** 0.5\n"), "f")

    assert found == ("`q @ k.T / d ** 0.5` divides by a root, and nothing is to be scaled here", 2)
    assert needless(ast.parse(f"{HEAD}s = q @ k.T\n    return s / s.sum() ** 0.5\n"), "f") is None


@pytest.mark.parametrize(
    ("body", "code", "due"),
    [
        ("return q @ k.T / d ** 1 / 2", "d ** 1 / 2", "d ** 0.5"),
        ("return (q / k.shape[-1] ** 1 / 2).var()", "k.shape[-1] ** 1 / 2", "k.shape[-1] ** 0.5"),
        ("s = d**1/2\n    return q / s", "d ** 1 / 2", "d ** 0.5"),
        ("return q / d ** 1 // 2", "d ** 1 // 2", "d ** 0.5"),
        ("return q / d ** (1 / 2)", "", ""),
        ("return q / d / 2", "", ""),
        ("return q ** 1 / 3", "", ""),
        ("return (q + d ** 1) / 2", "", ""),
    ],
)
def test_a_half_that_was_to_be_a_root_is_found(body: str, code: str, due: str) -> None:
    found = halved(ast.parse(f"{HEAD}{body}\n"), "f")

    said = f"`{code}` is no root, since first comes the power and then the division: write `{due}`"
    assert found == ((said, 2) if code else None)


@pytest.mark.parametrize(
    ("body", "code", "due"),
    [
        ("return q @ k.T / k.shape[-1]", "q @ k.T / k.shape[-1]", "k.shape[-1] ** 0.5"),
        ("s = q @ k.T\n    s = s / d\n    return s", "s / d", "d ** 0.5"),
        ("q /= d", "q /= d", "d ** 0.5"),
        ("return q.div(k.size(-1))", "q.div(k.size(-1))", "k.size(-1) ** 0.5"),
        ("return q @ k.T / d / d ** 0.5", "", ""),
        ("return q / d.pow(0.5)", "", ""),
        ("return q / d / d", "", ""),
        ("return q * int(d / num_heads) ** -1", "", ""),
        ("return q / (d // 2)", "", ""),
        ("return q / 4", "", ""),
        ("e = (q * (1 / d)).exp()\n    return e / e.sum()", "", ""),
        ("e = q.exp()\n    total = e.sum()\n    return e / total", "", ""),
    ],
)
def test_a_division_by_a_width_of_which_no_root_is_taken_is_told(body: str, code: str, due: str) -> None:
    found = rootless(ast.parse(f"{HEAD}{body}\n"), "f")

    said = f"`{code}` divides by the width itself, and it is the square root of that which is due: `{due}`"
    assert found == ((said, 0) if code else None)


@pytest.mark.parametrize(
    ("body", "code", "due"),
    [
        ("return q @ k.T // math.sqrt(d)", "q @ k.T // math.sqrt(d)", "q @ k.T / math.sqrt(d)"),
        ("root = d ** 0.5\n    return q @ k.T // root", "q @ k.T // root", "q @ k.T / root"),
        ("q //= d ** 0.5", "q //= d ** 0.5", "q /= d ** 0.5"),
        ("return d // 2", "", ""),
        ("return q @ k.T / math.sqrt(d // 2)", "", ""),
    ],
)
def test_a_division_by_a_root_that_is_rounded_down_is_told(body: str, code: str, due: str) -> None:
    found = floored(ast.parse(f"{HEAD}{body}\n"), "f")

    said = f"`{code}` rounds down, since `//` leaves whole numbers: write `{due}`"
    assert (found and found[0]) == (said if code else None)


@pytest.mark.parametrize(
    ("body", "is_taken"), [("q /= d ** 0.25", True), ("r = d.sqrt()", True), ("q /= d * 2", False)]
)
def test_whether_a_root_is_taken_whatever_is_done_with_it(body: str, is_taken: bool) -> None:
    assert takes_a_root(ast.parse(f"{HEAD}{body}\n"), "f") == is_taken
