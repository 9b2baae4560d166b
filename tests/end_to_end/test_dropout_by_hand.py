"""What is wrong in dropout that is written by hand: each thing is told once, at its own line, and what to do."""

from __future__ import annotations

import pytest

from grader.model.report import Verdict

from .submissions import EX09, EX10, Marking, edited, verdicts, with_module

HEAD = "import torch\n\n\ndef dropout_weights(weights, p, training, generator=None):\n"
EVAL = "    if not training:\n        return weights\n"
EXTREMES = f"{EVAL}    if p == 0:\n        return weights\n    if p == 1:\n        return torch.zeros_like(weights)\n"
DRAWN = "torch.rand(weights.shape, generator=generator)"
TURN = "turn the comparison round"
TOGETHER = "several weights are always dropped together"
LAW, ENDS, GENERATOR = "ex09.law", "ex09.extremes", "ex09.generator"


def graded(mark: Marking, body: str, *, tries: bool = True) -> dict[str, Verdict]:
    return verdicts(mark(with_module(EX09, HEAD + body), EX09, tries=tries))


def line(body: str, text: str) -> int:
    """The number of the only line that holds this text."""
    (number,) = (i for i, each in enumerate((HEAD + body).splitlines(), 1) if text in each)
    return number


def said(verdict: Verdict) -> str:
    return "\n".join((verdict.summary, *verdict.notes))


@pytest.mark.parametrize("tries", [True, False])
@pytest.mark.parametrize(
    "draw",
    [
        "torch.bernoulli(torch.full_like(weights, p))",
        "torch.bernoulli(torch.full_like(weights, p), generator=generator)",
        "torch.rand_like(weights) < p",
        f"{DRAWN} <= p",
        f"{DRAWN}.le(p)",
    ],
)
def test_what_is_kept_that_is_to_go_is_told_once_where_it_is_decided(draw: str, tries: bool, mark: Marking) -> None:
    body = f"{EVAL}    keep = {draw}\n    return weights * keep / (1 - p)\n"

    found = graded(mark, body, tries=tries)

    law, ends = found[LAW], found[ENDS]
    assert (law.line, law.diagnosis) == (line(body, "keep ="), ())
    assert TURN in law.summary
    assert ends.cause is not None
    assert ends.cause.step == LAW
    assert f"in line {line(body, 'return weights * keep')} divides by `1 - p`, which is 0 there" in said(ends)


@pytest.mark.parametrize("draw", ["torch.bernoulli(torch.full_like(weights, p))", "torch.rand_like(weights) < p"])
def test_a_piece_is_found_although_the_generator_does_not_draw(draw: str, mark: Marking) -> None:
    found = graded(mark, f"{EXTREMES}    keep = {draw}\n    return weights * keep / (1 - p)\n")

    assert found[LAW].remark == f"for this step, all that is wrong is `{draw}`"
    assert "does not take its numbers from `generator`" in (found[GENERATOR].remark or "")


@pytest.mark.parametrize(
    "body",
    [
        f"{EVAL}    keep = torch.rand_like(weights) >= p\n    return weights * keep\n",
        f"{EVAL}    torch.manual_seed(0)\n    keep = torch.rand(weights.shape) >= p\n    return weights * keep\n",
        "    keep = torch.rand_like(weights) >= p\n    return weights * keep / (1 - p)\n",
    ],
)
def test_numbers_that_come_from_elsewhere_have_no_cause_in_what_is_made_of_them(body: str, mark: Marking) -> None:
    found = graded(mark, body)

    assert found[LAW].status == "failed"
    assert (found[GENERATOR].status, found[GENERATOR].cause) == ("failed", None)
    assert found[GENERATOR].line == line(body, "keep =")


@pytest.mark.parametrize(
    ("body", "named", "told"),
    [
        (f"{EXTREMES}    keep = {DRAWN} < p\n    return weights * keep\n", {"dropout-unscaled"}, [("keep =", TURN)]),
        (f"    if p == 0:\n        return weights\n    if p == 1:\n        return torch.zeros_like(weights)\n"
         f"    keep = {DRAWN} < p\n    return weights * keep / (1 - p)\n", {"dropout-in-eval"}, [("keep =", TURN)]),
        (f"{EXTREMES}    keep = torch.rand(weights.shape[-1], generator=generator) >= p\n"
         "    left = weights * keep\n    return left / p\n", set(), [("keep =", TOGETHER)]),
        (f"{EXTREMES}    keep = torch.rand(weights.shape[-1], generator=generator) >= p\n"
         "    return weights * keep\n", {"dropout-unscaled"}, [("keep =", TOGETHER)]),
        (f"{EXTREMES}    torch.manual_seed(0)\n    keep = torch.rand(weights.shape) >= p\n    return weights * keep\n",
         {"dropout-unscaled"}, [("manual_seed", "every call drops the same weights")]),
    ],
)  # fmt: skip
def test_of_two_mistakes_both_are_told_each_with_its_line(
    body: str, named: set[str], told: list[tuple[str, str]], mark: Marking
) -> None:
    law = graded(mark, body)[LAW]

    assert {found.id for found in law.diagnosis} == named
    for place, text in told:
        assert any(
            note.startswith(f"line {line(body, place)} is not right either: ") and text in note for note in law.notes
        )


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (f"    keep = {DRAWN} < p\n    return weights * keep / (1 - p)\n", {"dropout-in-eval"}),
        (f"{EVAL}    keep = {DRAWN} < p\n    return weights * keep\n", {"dropout-unscaled"}),
        (f"    keep = {DRAWN} < p\n    return weights * keep\n", {"dropout-in-eval", "dropout-unscaled"}),
    ],
)
def test_beside_a_named_mistake_it_is_told_where_it_is_decided_what_goes(
    body: str, named: set[str], mark: Marking
) -> None:
    law = graded(mark, body)[LAW]

    assert TURN in law.summary
    assert {found.id for found in law.diagnosis} == named
    marked = {found.line for found in law.diagnosis}
    decided = line(body, "keep =")
    assert (f"what is dropped is decided in line {decided}" in law.notes) is (decided not in marked)


def test_where_p_is_taken_for_the_share_to_keep_twice_both_lines_are_told(mark: Marking) -> None:
    body = f"{EXTREMES}    keep = {DRAWN} < p\n    left = weights * keep\n    return left / p\n"

    law = graded(mark, body)[LAW]

    assert law.line == line(body, "keep =")
    assert f"what is left is scaled in line {line(body, 'return left')}" in law.notes


@pytest.mark.parametrize(
    "body",
    [
        f"keep = {DRAWN} < p\n    return weights * keep / p\n",
        f"left = weights * ({DRAWN} < p)\n    if p == 1:\n        return left\n    return left * (1 - p)\n",
    ],
)
def test_what_is_left_where_all_is_to_go_comes_of_the_share_that_is_kept(body: str, mark: Marking) -> None:
    zero = "    if not training or p == 0:\n        return weights\n"

    extremes = graded(mark, f"{zero}    {body}")[ENDS]

    assert extremes.cause is not None
    assert extremes.cause.step == LAW


def test_a_division_elsewhere_is_not_told_where_one_piece_is_all_that_is_wrong(mark: Marking) -> None:
    found = graded(mark, f"{EVAL}    r = {DRAWN}\n    return torch.where(r < p, weights / (1 - p), 0.0)\n")

    assert found[ENDS].remark == "all that is wrong is `r < p`; the rest is right as it stands"
    assert "which is 0 there" not in said(found[ENDS])


def test_a_wrong_evaluation_does_not_come_of_what_is_missing_in_training(mark: Marking) -> None:
    found = graded(mark, "    if p == 1:\n        return torch.zeros_like(weights)\n    return weights\n")

    assert [each.id for each in found[LAW].diagnosis] == ["dropout-missing"]
    assert (found[ENDS].status, found[ENDS].cause) == ("failed", None)


KEEP = (
    "keep = torch.rand_like(weights) < self.dropout.p\n        dropped = weights * keep if self.training else weights"
)
LINES = {
    "nn.Dropout(1 - dropout)": ("nn.Dropout(dropout)", "nn.Dropout(1 - dropout)"),
    "nn.functional.dropout(": (
        "self.dropout(weights)",
        "nn.functional.dropout(weights, 1 - self.dropout.p, self.training)",
    ),
    "keep = ": ("dropped = self.dropout(weights)", KEEP),
}
INVERTED = ("(self.mask[:num_tokens, :num_tokens],", "(~self.mask[:num_tokens, :num_tokens],")
NEVER_ITSELF = ("diagonal=1", "diagonal=0")
SEEN = ("scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)", "scaled")


@pytest.mark.parametrize("mask", [INVERTED, NEVER_ITSELF, SEEN])
@pytest.mark.parametrize("place", LINES)
def test_in_a_class_the_share_to_keep_is_told_whatever_the_mask_does(
    place: str, mask: tuple[str, str], mark: Marking
) -> None:
    source = edited(EX10, LINES[place], mask)

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.dropout"]

    assert "p is the share to drop, not the share to keep" in verdict.summary
    assert verdict.cause is None
    assert place in source.splitlines()[verdict.line - 1]


@pytest.mark.parametrize("mask", [INVERTED, NEVER_ITSELF])
@pytest.mark.parametrize(
    ("named", "changes"),
    [
        ("dropout-missing", [("dropped = self.dropout(weights)", "dropped = weights")]),
        ("dropout-in-eval", [("self.dropout(weights)", "nn.functional.dropout(weights, self.dropout.p)")]),
        (
            "dropout-on-scores",
            [
                ("= scores / keys", "= self.dropout(scores) / keys"),
                ("dropped = self.dropout(weights)", "dropped = weights"),
            ],
        ),
    ],
)
def test_in_a_class_dropout_is_named_whatever_the_mask_does(
    named: str, changes: list[tuple[str, str]], mask: tuple[str, str], mark: Marking
) -> None:
    found = verdicts(mark(with_module(EX10, edited(EX10, *changes, mask)), EX10))

    assert [each.id for each in found["ex10.dropout"].diagnosis] == [named]
    assert [each.id[:5] for each in found["ex10.output"].diagnosis] == ["mask-"]


def test_in_a_class_another_rate_is_told_beside_a_named_mistake(mark: Marking) -> None:
    source = edited(
        EX10,
        ("nn.Dropout(dropout)", "nn.Dropout(1 - dropout)"),
        ("= scores / keys", "= self.dropout(scores) / keys"),
        ("dropped = self.dropout(weights)", "dropped = weights"),
    )

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.dropout"]

    assert [each.id for each in verdict.diagnosis] == ["dropout-on-scores"]
    number = next(i for i, each in enumerate(source.splitlines(), 1) if "nn.Dropout(" in each)
    assert any(
        note.startswith(f"line {number} is not right either: `nn.Dropout(1 - dropout)`") for note in verdict.notes
    )


@pytest.mark.parametrize(
    "code", ["self.dropout(self.dropout(weights))", "nn.functional.dropout(once, self.dropout.p, self.training)"]
)
def test_in_a_class_dropout_that_is_called_twice_is_told_at_the_second_call(code: str, mark: Marking) -> None:
    before = "once = self.dropout(weights)\n        dropped = " if "once" in code else "dropped = "
    source = edited(EX10, ("dropped = self.dropout(weights)", f"{before}{code}"))

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.dropout"]

    assert verdict.summary.startswith("The weights are dropped twice: ")
    assert verdict.diagnosis == ()
    assert f"`{code}` drops once more" in verdict.remark
    assert code in source.splitlines()[verdict.line - 1]
