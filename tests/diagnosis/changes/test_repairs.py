"""What people get wrong by one word is among the changes that are tried, and each changes that one piece alone."""
# ruff: noqa: E501 - what is wrong and what undoes it read best side by side

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from grader.diagnosis.changes.pieces import Repair, Side, in_all_places, repaired
from grader.diagnosis.changes.repairs import MOST_REPAIRS, repairs
from grader.diagnosis.source.tree import parsed

REFERENCE = Path(__file__).resolve().parents[3] / "solutions/reference"
DEFINITIONS = [
    pytest.param(path.read_text("utf-8"), node.name, id=f"{path.stem[:4]}-{node.name}")
    for path in sorted(REFERENCE.glob("ex*.py"))
    for node in parsed(path.read_text("utf-8")).body
    if isinstance(node, ast.FunctionDef | ast.ClassDef)
]


def of(source: str) -> list[Repair]:
    return repairs(parsed(source), "f")


def in_function(line: str) -> str:
    return f"def f(q, k, v, n):\n    {line}\n"


def same(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))


@pytest.mark.no_cover  # of what takes a second it makes six
@pytest.mark.parametrize(("source", "name"), DEFINITIONS)
def test_every_change_leaves_python_and_all_else_as_it_was(source: str, name: str) -> None:
    found = repairs(parsed(source), name)

    assert len(found) <= MOST_REPAIRS
    lines, before = source.splitlines(), ast.dump(ast.parse(source))
    for repair in found:
        changed = repaired(source, [repair])
        assert ast.dump(ast.parse(changed)) != before
        (first, _), (last, _) = repair.begin, repair.end
        assert changed.splitlines()[: first - 1] == lines[: first - 1]
        assert changed.splitlines()[len(changed.splitlines()) - len(lines) + last :] == lines[last:]


@pytest.mark.parametrize(
    ("wrong", "right", "code", "within"),
    [
        ("return q * k.T", "return q @ k.T", "q * k.T", ""),
        ("return q + k", "return q - k", "q + k", ""),
        ("return q @ k / n", "return q @ k", "/ n", "q @ k / n"),
        ("return (q + k) * 2", "return (q + k)", "* 2", "(q + k) * 2"),
        ("return q / n ** 1 / 2", "return q / n ** 0.5", "q / n ** 1 / 2", ""),
        ("return q * n ** -2", "return q * n ** -0.5", "n ** -2", ""),
        ("return n ** 1 / 2", "return n ** 0.5", "n ** 1 / 2", ""),
        ("return torch.bernoulli(torch.full_like(q, n))", "return torch.bernoulli(torch.full_like(q, 1 - n))", "torch.full_like(q, n)", ""),
        ("return torch.bernoulli(q, generator=k)", "return torch.bernoulli(1 - q, generator=k)", "torch.bernoulli(q, generator=k)", ""),
        ("return k / q", "return q / k", "k / q", ""),
        ("return q @ k", "return q @ k.mT", "q @ k", ""),
        ("return q.T @ k", "return q @ k", "q.T", ""),
        ("return q.sum(dim=0)", "return q.sum(dim=-1)", "dim=0", ""),
        ("return q.sum(0)", "return q.sum(1)", "0", "q.sum(0)"),
        ("return q.sum(dim=1)", "return q.sum(dim=1, keepdim=True)", "q.sum(dim=1)", ""),
        ("return q.sum(1, keepdim=True)", "return q.sum(1)", "q.sum(1, keepdim=True)", ""),
        ("return torch.ones(n)", "return torch.zeros(n)", "torch.ones(n)", ""),
        ("return torch.zeros(q.shape)", "return torch.zeros(q.shape[1])", "torch.zeros(q.shape)", ""),
        ("return torch.zeros(q.shape, dtype=n)", "return torch.zeros(q.shape[0], dtype=n)", "torch.zeros(q.shape, dtype=n)", ""),
        ("return torch.zeros_like(q)", "return torch.zeros_like(q[0])", "torch.zeros_like(q)", ""),
        ("return torch.zeros_like(q)", "return torch.zeros_like(q[:, 0])", "torch.zeros_like(q)", ""),
        ("return q.log_softmax(-1)", "return q.softmax(-1)", "q.log_softmax(-1)", ""),
        ("return q.softmax(-1).exp()", "return q.softmax(-1)", ".exp()", "q.softmax(-1).exp()"),
        ("return (q / k).round()", "return (q / k)", ".round()", "(q / k).round()"),
        ("return torch.relu(g(q, k))", "return g(q, k)", "torch.relu", "torch.relu(g(q, k))"),
        ("return torch.relu(q)", "return q", "torch.relu(q)", ""),
        ("return torch.where(q, v, k)", "return torch.where(q, k, v)", "torch.where(q, v, k)", ""),
        ("return [q[i] for i in range(1, n)]", "return [q[i] for i in range(n)]", "range(1, n)", ""),
        ("return q[1:]", "return q[:]", "q[1:]", ""),
        ("return q[:n]", "return q[:n + 1]", "q[:n]", ""),
        ("return q.masked_fill(q > k, math.inf)", "return q.masked_fill(q > k, -math.inf)", "math.inf", ""),
        ("return q.masked_fill(q > k, float('inf'))", "return q.masked_fill(q > k, float('-inf'))", "'inf'", "float('inf')"),
        ("return q < k", "return q <= k", "q < k", ""),
        ("return q[::-1]", "return q[::1]", "-1", "q[::-1]"),
        ("return q if n else k", "return k if n else q", "q if n else k", ""),
        ("return q @ v", "return q @ k", "v", "q @ v"),
        ("return ~q", "return q", "~q", ""),
        ("return q * 0.0", "return q * 1.0", "0.0", "q * 0.0"),
        ("return einsum('id,dj->ij', q, k)", "return einsum('id,jd->ij', q, k)", "'id,dj->ij'", "einsum('id,dj->ij', q, k)"),
        ("return q - q", "return (q - q).exp()", "q - q", ""),
        ("q += k", "q -= k", "q += k", ""),
        ("return einsum('id,jd->i', q, k)", "return einsum('id,jd->ij', q, k)", "'id,jd->i'", "einsum('id,jd->i', q, k)"),
        ("return einsum('t,td->t', q, k)", "return einsum('t,td->d', q, k)", "'t,td->t'", "einsum('t,td->t', q, k)"),
        ("return q / n ** 2", "return q / n ** 0.5", "n ** 2", ""),
        ("return torch.softmax(q, -1) ** n", "return torch.softmax(q * n, -1)", "torch.softmax(q, -1) ** n", ""),
        ("return softmax(q) / n", "return softmax(q / n)", "softmax(q) / n", ""),
        ("return np.max(q)", "return torch.max(q)", "np.max(q)", ""),
        ("return torch.zeros(n, dtype=torch.int64)", "return torch.zeros(n)", "torch.zeros(n, dtype=torch.int64)", ""),
        ("return [h(q) for h in range(v)]", "return [h(q) for h in v]", "range(v)", ""),
        ("return sum(each.w for each in v)", "return torch.cat([*(each.w for each in v)])", "sum((each.w for each in v))", ""),
        ("v.w[0].copy_(q)", "v.w.copy_(q)", "v.w[0]", ""),
        ("return q / q.sum()", "return q / q.sum(-1, True)", "q.sum()", ""),
        ("return q[..., v:v + n]", "return q[..., v * n:(v + 1) * n]", "q[..., v:v + n]", ""),
        ("w = slice(v, v + n)", "w = slice(v * n, (v + 1) * n)", "slice(v, v + n)", ""),
        ("q[v:v + n] = k", "q[v * n:(v + 1) * n] = k", "q[v:v + n]", ""),
        ("v.extend(q)", "v.append(q)", "v.extend(q)", ""),
        ("return torch.ones(n)", "return torch.eye(n)", "torch.ones(n)", ""),
        ("return q[:, v]", "return q[..., v]", "q[:, v]", ""),
        ("q[:, -1] = k", "q[..., -1] = k", "q[:, -1]", ""),
        ("return [g(q) for i in range(n)]", "return [g(q[i]) for i in range(n)]", "q", "g(q)"),
        ("for i in range(n): v[i] = g(q, k)", "for i in range(n): v[i] = g(q[i], k)", "q", "g(q, k)"),
    ],
)  # fmt: skip
def test_one_word_is_undone(wrong: str, right: str, code: str, within: str) -> None:
    source = in_function(wrong)

    undone = [each for each in of(source) if same(repaired(source, [each]), in_function(right))]

    assert (code, within) in [(each.code, each.within) for each in undone]


@pytest.mark.parametrize("product", ["q * k[i]", "k[i] * q"])
def test_what_multiplies_a_row_whole_in_a_loop_is_tried_by_the_row(product: str) -> None:
    body = "for i in range(n):\n        v += {}\n    return v"

    due = in_function(body.format(product.replace("q", "q[i]")))
    found = [each for each in of(in_function(body.format(product))) if each.code == "q"]

    assert any(same(repaired(in_function(body.format(product)), [each]), due) for each in found)


def test_of_what_a_loop_counts_by_or_makes_itself_no_row_is_taken() -> None:
    found = of(in_function("for i in range(len(q)): k = g(i); v.append(h(k)); n[i] = g(q[i])"))

    assert not [each.text for each in found if each.code in ("k", "q") and each.text.endswith("[i]")]


@pytest.mark.parametrize(
    ("before", "is_tried"),
    [
        ("b = torch.where(n, float('inf'), 0)", False),
        ("big = torch.inf\n    b = q.masked_fill(n, big)", False),
        ("b = torch.where(n, float('-inf'), 0)", True),
        ("big = torch.inf\n    b = q.masked_fill(n, -big)", True),
        ("b = q * 2", True),
    ],
)
def test_a_sum_with_infinity_that_lacks_its_sign_is_no_difference(before: str, is_tried: bool) -> None:
    source = in_function(f"{before}\n    return q + b")

    undone = [each for each in of(source) if same(repaired(source, [each]), source.replace("q + b", "q - b"))]

    assert bool(undone) == is_tried


def test_a_loop_that_ends_too_early_goes_on() -> None:
    source = "def f(q):\n    for x in q:\n        total = x\n        break\n    return total\n"

    assert any("pass" in repaired(source, [each]) and each.line == 4 for each in of(source))


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("for i in range(n):\n        for j in range(i):\n            q[i, j] = k[i] @ k[j]", "for i in range(n):\n        for j in range(n):\n            q[i, j] = k[i] @ k[j]"),
        ("for i in range(len(k)):\n        for j in range(i, n):\n            q[i, j] = k[i] @ k[j]", "for i in range(len(k)):\n        for j in range(len(k)):\n            q[i, j] = k[i] @ k[j]"),
        ("return [[k[i] @ k[j] for j in range(i + 1)] for i in range(n)]", "return [[k[i] @ k[j] for j in range(n)] for i in range(n)]"),
    ],
)  # fmt: skip
def test_a_loop_that_goes_as_far_as_the_one_around_it_has_come_goes_through(body: str, due: str) -> None:
    source = in_function(body)

    assert any(same(repaired(source, [each]), in_function(due)) for each in of(source))


def test_a_piece_that_is_wrong_in_a_few_places_is_changed_in_all() -> None:
    source = "def f(q, k):\n    s = torch.zeros(len(q))\n    for i in range(len(q)):\n        s[i] = q @ k[i]\n    return s\n"

    changed = [repaired(source, each) for each in in_all_places(of(source))]

    assert source.replace("len(q)", "len(k)") in changed
    assert in_all_places(of("def f(q):\n    return [q + 1, q + 1, q + 1, q + 1, q + 1]\n")) == []


@pytest.mark.parametrize(
    ("body", "due", "side", "line"),
    [
        ("for x in q:\n        v = []\n        v.append(x)\n    return v", "v = []\n    for x in q:\n        pass\n        v.append(x)\n    return v", Side.BEFORE, 3),
        ("s = 0.0\n    for x in q:\n        s += x\n        v.append(s)", "pass\n    for x in q:\n        s = 0.0\n        s += x\n        v.append(s)", Side.INSIDE, 2),
    ],
)  # fmt: skip
def test_what_a_loop_adds_up_or_collects_is_begun_on_the_other_side(body: str, due: str, side: Side, line: int) -> None:
    (moved,) = (each for each in of(in_function(body)) if each.side)

    assert repaired(in_function(body), [moved]) == in_function(due)
    assert (moved.side, moved.line) == (side, line)


@pytest.mark.parametrize(
    ("source", "due"),
    [
        ("def f(q):\n\tfor x in q:\n\t\tv = []\n\t\tv.append(x)\n", "def f(q):\n\tv = []\n\tfor x in q:\n\t\tpass\n\t\tv.append(x)\n"),
        ("def f(q):\n\ts = 0.0\n\tfor x in q:\n\t\ts += x\n", "def f(q):\n\tpass\n\tfor x in q:\n\t\ts = 0.0\n\t\ts += x\n"),
    ],
)  # fmt: skip
def test_what_is_indented_by_tabs_stays_so(source: str, due: str) -> None:
    (moved,) = (each for each in of(source) if each.side)

    assert repaired(source, [moved]) == due


def test_what_a_loop_never_changes_stays_before_it() -> None:
    source = in_function("s = 2.0\n    for x in q:\n        v.append(s * x)")

    assert not any(each.side for each in of(source))


def test_only_something_forgotten_is_told_as_a_step() -> None:
    source = in_function("return q @ k")

    assert {each.text for each in of(source) if each.is_step} == {
        "(q @ k).mT", "(q @ k).sum(-1)", "(q @ k).sum(0)", "(q @ k).flatten(-2)", "(q @ k).exp()", "(q @ k).squeeze(0)",
    }  # fmt: skip


def test_what_a_loop_begins_with_lacks_no_step() -> None:
    assert not any(each.is_step for each in of(in_function("s = torch.zeros(n)\n    s[0] = q")))


def test_what_may_never_end_is_left_as_it_is() -> None:
    source = "def f(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n"

    assert {each.line for each in of(source)} == {2, 5}


def test_a_choice_is_turned_round_last_and_not_turned_off() -> None:
    source = in_function("return v if n == 1 else q * k")

    texts = [each.text for each in of(source) if each.begin < (2, 21)]

    assert texts[-1] == "(n != 1)"
    assert not any("n ==" in text and "n == 1" not in text for text in texts)


@pytest.mark.parametrize(
    "line", ["assert q.ndim == 2", "raise ValueError(q.sum(0))", "'(d,), (T, d) -> (T,)'", "'ij,jk->ik'"]
)
def test_what_is_only_said_is_left_as_it_is(line: str) -> None:
    assert not of(in_function(line))


def test_what_a_definition_makes_use_of_is_changed_too() -> None:
    source = "def g(q):\n    return q * 2.0\n\n\ndef h(q):\n    return q * 3.0\n\n\ndef f(q):\n    return g(q)\n"

    assert {each.line for each in of(source)} == {2, 10}


def test_two_pieces_are_changed_at_once_though_letters_take_two_bytes() -> None:
    source = in_function("größe = q * k; return größe.sum(0)")
    one = next(each for each in of(source) if each.text == "(q @ k)")
    other = next(each for each in of(source) if each.code == "0" and each.text == "1")

    assert repaired(source, [other, one]) == in_function("größe = (q @ k); return größe.sum(1)")
    assert not one.overlaps(other)
    assert all(each.overlaps(each) for each in of(source))


def test_of_more_than_anybody_writes_nothing_is_changed() -> None:
    lines = "".join(f"    q = q + k * {number}\n" for number in range(800))

    assert not of(f"def f(q, k):\n{lines}    return q\n")


def nested(line: str, depth: int = 30) -> str:
    """A function in a function in a function, the innermost with this line."""
    begins = "".join(f"{' ' * level}def f{level or ''}(a):\n" for level in range(depth))
    ends = "".join(f"{' ' * level}return 1\n" for level in range(depth, 0, -1))
    return f"{begins}{' ' * depth}{line}\n{ends}"


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "line",
    [
        f"g({', '.join('0' * 3000)})",
        f"g({', '.join(f'a{number}' for number in range(1400))})",
        f"a.view({', '.join('a' * 1400)})",
        ";".join(["g(0, 0, 0, 0, 0, 0, 0, 0)"] * 200),
        "; ".join(f"x{number} = a" for number in range(500)),
    ],
)
def test_little_is_written_out_of_what_is_far_longer_than_anybody_writes(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [0]
    unparse = ast.unparse

    def counted(node: ast.AST) -> str:
        text = unparse(node)
        written[0] += len(text)
        assert written[0] < 1_000_000  # which is less than a second
        return text

    monkeypatch.setattr(ast, "unparse", counted)
    of(nested(line))

    assert written[0]


def test_pieces_of_pieces_overlap() -> None:
    found = of(in_function("return (q * k).sum(0)"))
    whole = next(each for each in found if each.code == "(q * k).sum(0)")

    assert all(whole.overlaps(each) and each.overlaps(whole) for each in found)


def test_the_same_changes_are_tried_in_the_same_order() -> None:
    source = (REFERENCE / "ex12_multi_head_attention.py").read_text("utf-8")

    some, others = (repairs(ast.parse(source), "MultiHeadAttention") for _ in range(2))

    assert [*itertools.chain(some)] == others
