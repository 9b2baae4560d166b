"""What comes of a public case is drawn beside what should have: weights, where the result only shows what they made."""

from __future__ import annotations

import pytest

from grader.model.report import Picture

from .submissions import EX02, EX08, EX10, EX12, Marking, edited, verdicts, with_module


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


def test_a_scores_picture_shows_what_is_hidden(mark: Marking) -> None:
    picture = drawn(mark, EX08, "ex08.masked", ("-torch.inf", "0.0"))

    assert picture is not None
    assert float("-inf") in picture.expected[0][0]
    assert float("-inf") not in picture.got[0][0]
