"""A picture is drawn up of what can be compared at a glance, and never of a fresh case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.diagnosis.picture import LARGEST, MOST_HEADS, MOST_SLICES, picture, picture_of_result
from grader.judge.checks.asking import called
from grader.model.case import FRESH, PUBLIC, Case
from grader.model.pack import CaseTemplate
from grader.model.report import CELLWISE
from grader.model.run import Make, Mode, Run

from ..judge.hand_made import answer, expecting, numbers, question

LESSON = Case(CaseTemplate("lesson"), PUBLIC)
WEIGHTS = np.array([[1.0, 0.0], [0.25, 0.75]])


def drawn(expected: Any, got: Any, case: Case = LESSON) -> Any:
    return picture(case, "weights", np.asarray(expected), np.asarray(got), 1e-6)


def test_a_matrix_stands_beside_the_right_one_and_its_first_wrong_cell_is_known() -> None:
    found = drawn(WEIGHTS, [[1.0, 0.0], [0.25, 0.5]])

    assert (found.case, found.name, found.slices) == ("lesson", "weights", ("",))
    assert found.expected == (((1.0, 0.0), (0.25, 0.75)),)
    assert found.got == (((1.0, 0.0), (0.25, 0.5)),)
    assert (found.row, found.column) == (1, 1)


def test_truth_values_stay_what_they_are() -> None:
    found = drawn([[False, True], [False, False]], [[True, True], [False, True]])

    assert found.got == (((True, True), (False, True)),)
    assert {type(cell) for row in (*found.expected[0], *found.got[0]) for cell in row} == {bool}


def test_how_many_more_are_wrong_than_are_shown_is_known() -> None:
    batch = np.stack([np.eye(2)] * 6)
    heads = np.stack([np.stack([np.eye(2)] * 2)] * 3)
    off = heads.copy()
    off[0, 0] += 1
    off[2] += 1

    assert drawn(batch, batch + np.arange(1, 7)[:, None, None]).more == 6 - MOST_SLICES
    assert drawn(batch, batch + 1).more == 5  # which are alike
    assert drawn(heads, off).more == 2
    assert drawn(WEIGHTS, WEIGHTS + 1).more == 0


@pytest.mark.parametrize("off", [1e-3, 1.3e-5, 2e-7, 1e-10])
def test_what_tells_a_number_from_the_right_one_is_kept(off: float) -> None:
    found = picture(LESSON, "weights", WEIGHTS, WEIGHTS + off, off / 2)

    assert found is not None
    assert found.got[0][0][0] - found.expected[0][0][0] == pytest.approx(off, rel=0.1)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (WEIGHTS, WEIGHTS),
        (WEIGHTS, WEIGHTS + 1e-7),
        (WEIGHTS, WEIGHTS[0]),
        (WEIGHTS[0], WEIGHTS[1]),
        (np.zeros((LARGEST + 1, 2)), np.ones((LARGEST + 1, 2))),
        (np.zeros((2, LARGEST + 1)), np.ones((2, LARGEST + 1))),
        (np.zeros((0, 2)), np.ones((0, 2))),
        (np.zeros((2,) * 5), np.ones((2,) * 5)),
    ],
    ids=["right", "right but for noise", "another shape", "a vector", "tall", "broad", "empty", "five axes"],
)
def test_there_is_no_picture_of(expected: Any, got: Any) -> None:
    assert drawn(expected, got) is None


def test_a_fresh_case_is_nobodys_to_see() -> None:
    assert drawn(WEIGHTS, 1 - WEIGHTS, Case(LESSON.template, FRESH)) is None


def test_of_many_matrices_those_that_are_wrong_are_shown_each_once() -> None:
    expected = np.stack([WEIGHTS, WEIGHTS, WEIGHTS, 2 * WEIGHTS, 3 * WEIGHTS, 4 * WEIGHTS])[:, None]
    got = expected + np.array([0, 1, 1, 0, 1, 1])[:, None, None, None]

    found = drawn(expected, got)

    assert found.slices == ("[1, 0]", "[4, 0]", "[5, 0]")
    assert len(found.slices) == len(found.expected) == len(found.got) == MOST_SLICES


def heads(count: int, *wrong: tuple[int, int], sequences: int = 2) -> Any:
    """The picture of that many heads, each unlike the others, of which those at these places are wrong."""
    numbers = np.arange(sequences * count, dtype=float).reshape(sequences, count, 1, 1)
    expected = np.broadcast_to(WEIGHTS, (sequences, count, 2, 2)) + numbers
    got = expected.copy()
    for place in wrong:
        got[place][0, 1] += 1.0
    return drawn(expected, got)


def test_of_a_wrong_sequence_every_head_is_shown_and_which_are_right() -> None:
    found = heads(5, (1, 1), (1, 4))

    assert found.slices == tuple(f"[1, {head}]" for head in range(5))
    assert found.right == (0, 2, 3)
    assert (found.first, found.row, found.column) == (1, 0, 1)
    assert found.got[1][0][1] == found.expected[1][0][1] + 1
    assert found.got[2] == found.expected[2]


def test_so_many_heads_are_not_all_shown_but_those_that_are_wrong_are() -> None:
    found = heads(MOST_HEADS + 4, (0, MOST_HEADS), (0, MOST_HEADS + 3))

    assert len(found.slices) == len(found.got) == MOST_HEADS
    assert found.slices[-2:] == (f"[0, {MOST_HEADS}]", f"[0, {MOST_HEADS + 3}]")
    assert found.first == MOST_HEADS - 2
    assert len(heads(MOST_HEADS + 4, *((0, head) for head in range(MOST_HEADS + 4))).slices) == MOST_HEADS


def test_of_large_heads_the_first_wrong_one_is_shown() -> None:
    expected = np.zeros((1, 4, CELLWISE + 1, 2))
    got = expected.copy()
    got[0, 2:] = 1.0

    found = drawn(expected, got)

    assert (found.slices, found.right, found.first) == (("[0, 2]",), (), 0)


def test_what_hides_a_score_is_the_same_however_it_is_written() -> None:
    expected = np.array([[0.0, -np.inf], [1.0, 2.0]])

    assert drawn(expected, [[0.0, -1e9], [1.0, 2.0]]) is None
    assert drawn(expected, [[0.0, -np.inf], [np.nan, np.inf]]).got[0][0] == (0.0, -np.inf)


def test_only_what_is_infinite_is_drawn_so() -> None:
    hidden = drawn([[0.0, -np.inf], [1.0, 2.0]], [[0.0, -1e9], [1.5, 2.0]])
    enormous = drawn([[0.0, 0.5], [1.0, 2.0]], [[0.0, -1.7e38], [1.0, 2.0]])

    assert hidden.got[0] == ((0.0, -1e9), (1.5, 2.0))
    assert (hidden.row, hidden.column) == (1, 0)
    assert hidden.expected[0][0] == (0.0, -np.inf)
    assert enormous.got[0][0] == (0.0, -1.7e38)


def test_numbers_have_as_many_digits_as_anybody_reads() -> None:
    assert drawn([[1 / 3, 1.0]], [[2 / 3, 1.0]]).got == (((0.666667, 1.0),),)


def test_truth_values_are_drawn_and_complex_numbers_are_not() -> None:
    asked = question("output", {"x": numbers(2, 2)})
    mask = np.triu(np.ones((2, 2), bool), 1)

    run = Run((Make("module", "ex", "A", ()), Mode("module", False), called(asked), Mode("module", True)), {})
    found = picture_of_result(asked, run, answer({"result": ~mask}), expecting(mask))

    assert found is not None
    assert found.name == "result"
    assert found.expected == (((0.0, 1.0), (0.0, 0.0)),)
    assert picture_of_result(asked, run, answer({"result": WEIGHTS * 1j}), expecting(WEIGHTS)) is None
    assert picture_of_result(asked, run, answer({}), expecting(WEIGHTS)) is None


def test_a_result_that_was_asked_for_in_training_is_called_so() -> None:
    asked = question("output", {"x": numbers(2, 2)})
    run = Run((Mode("module", False), Mode("module", True), called(asked)), {})

    found = picture_of_result(asked, run, answer({"result": WEIGHTS + 1}), expecting(WEIGHTS))

    assert found is not None
    assert found.name == "result in training"


def test_each_slice_has_the_digits_that_tell_its_own_numbers_apart() -> None:
    expected = np.ones((2, 2, 2))
    got = expected + np.array([1e-1, 3e-6])[:, None, None]

    found = drawn(expected, got)

    assert found is not None
    assert [each[0][0] for each in found.got] == [1.1, 1.000003]
