"""What comes of a public case is drawn beside what should have: weights, where the result only shows what they made."""

from __future__ import annotations

import pytest

from grader.model.report import Picture

from .submissions import EX02, EX05, EX08, EX10, EX12, REFERENCE, Marking, edited, verdicts, with_module


def drawn(mark: Marking, exercise: str, step: str, *edits: tuple[str, str]) -> Picture | None:
    return verdicts(mark(with_module(exercise, edited(exercise, *edits)), exercise))[step].picture


def test_of_a_wrong_matrix_the_matrix_is_drawn(mark: Marking) -> None:
    picture = drawn(
        mark,
        EX02,
        "ex02.weights",
        ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=0)"),
    )

    assert picture is not None
    assert (picture.name, picture.slices) == ("result", ("",))
    assert [round(sum(row), 4) for row in picture.expected[0]] == [1.0] * len(picture.expected[0])
    assert [round(sum(column), 4) for column in zip(*picture.got[0], strict=True)] == [1.0] * len(picture.got[0])


def test_of_wrong_context_vectors_the_weights_are_drawn(mark: Marking) -> None:
    picture = drawn(mark, EX10, "ex10.output", ("torch.softmax(masked", "torch.softmax(scores / keys.shape[-1] ** 0.5"))

    assert picture is not None
    assert (picture.case, picture.name) == ("lesson", "weights")
    assert picture.expected[0][0] == (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert sum(picture.got[0][0]) == pytest.approx(1.0, abs=1e-4)
    assert min(picture.got[0][0]) > 0
    assert (picture.row, picture.column) == (0, 0)


def test_where_the_weights_are_right_the_result_is_drawn(mark: Marking) -> None:
    picture = drawn(mark, EX10, "ex10.output", ("dropped @ values", "(dropped @ values) * 1.5"))

    assert picture is not None
    assert picture.name == "result"


def test_heads_are_slices(mark: Marking) -> None:
    picture = drawn(mark, EX12, "ex12.output", ("torch.softmax(masked, dim=-1)", "torch.softmax(masked, dim=1)"))

    assert picture is not None
    assert picture.name == "weights"
    assert all(name.count(",") == 1 for name in picture.slices)  # sequence and head


def test_of_several_heads_all_are_drawn_and_those_that_are_right_are_known(mark: Marking) -> None:
    mistake = "scaled[:, 1] = scaled[:, 1] * 2\n        masked = scaled.masked_fill("
    picture = drawn(mark, EX12, "ex12.output", ("masked = scaled.masked_fill(", mistake))

    assert picture is not None
    assert picture.slices == ("[0, 0]", "[0, 1]", "[0, 2]")
    assert (picture.right, picture.first) == ((0, 2), 1)


@pytest.mark.parametrize(("edit", "largest"), [("", "more"), (" / keys.shape[-1]", "less")])
def test_softmax_of_unscaled_and_scaled_scores_stands_beside_ones_own(mark: Marking, edit: str, largest: str) -> None:
    source = edited(EX05, (" / keys.shape[-1] ** 0.5", edit))
    shares = verdicts(mark(with_module(EX05, source), EX05))["ex05.scaled"].shares

    assert shares is not None
    assert (shares.case, shares.names) == ("scores", ("scores", "scaled"))
    assert shares.own is not None
    unscaled, scaled, own = (sum(map(max, each)) for each in (*shares.matrices, shares.own))
    assert scaled < unscaled
    assert own == unscaled if largest == "more" else own < scaled


def test_softmax_is_drawn_of_what_is_passed_too_and_alike_whatever_the_seed(mark: Marking) -> None:
    one, other = (verdicts(mark(REFERENCE, EX05, seed=seed))["ex05.scaled"] for seed in (1, 2))

    assert (one.status, one.picture) == ("passed", None)
    assert one.shares is not None
    assert one.shares == other.shares
    assert (one.shares.names, one.shares.own) == (("scores", "scaled"), None)


def test_a_scores_picture_shows_what_is_hidden(mark: Marking) -> None:
    picture = drawn(mark, EX08, "ex08.masked", ("-torch.inf", "0.0"))

    assert picture is not None
    assert float("-inf") in picture.expected[0][0]
    assert float("-inf") not in picture.got[0][0]
