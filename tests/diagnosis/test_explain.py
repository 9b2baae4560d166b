"""The smallest set of known mistakes that fits is found; where several fit, all of them are."""

from __future__ import annotations

import numpy as np

from grader.diagnosis.explain import Explanations, explain
from grader.diagnosis.signature import PROJECTIONS, Signature

A, B, C = (frozenset({name}) for name in ("scale-missing", "mask-missing", "softmax-twice"))
RIGHT = frozenset[str]()


def known(*rows: tuple[frozenset[str], int, float]) -> Explanations:
    """Explanations with two cases whose projections are all one number."""
    values = np.array([[[value] * PROJECTIONS] * 2 for _, _, value in rows], np.float32)
    return Explanations(
        ids=[ids for ids, _, _ in rows],
        sizes=[size for _, size, _ in rows],
        cases=[("step", "a"), ("step", "b")],
        counts=[1, 1],
        forms=np.full(values.shape[:2], 7, np.uint32),
        values=values,
    )


def own(*values: float | None) -> list[Signature | None]:
    return [None if value is None else Signature(7, np.full(PROJECTIONS, value)) for value in values]


TABLE = known((RIGHT, 0, 1.0), (A, 1, 2.0), (B, 1, 3.0), (A | B, 2, 4.0), (A | C, 2, 3.0))


def test_the_one_mistake_that_fits_is_found() -> None:
    assert explain(TABLE, own(2.0, 2.0)) == {A}
    assert explain(TABLE, own(4.0, 4.0)) == {A | B}


def test_fewer_mistakes_are_believed_first() -> None:
    assert explain(TABLE, own(3.0, 3.0)) == {B}


def test_a_right_result_shows_no_mistake() -> None:
    assert explain(TABLE, own(1.0, 1.0)) == {RIGHT}


def test_every_case_has_to_fit() -> None:
    assert explain(TABLE, own(2.0, 3.0)) == set()
    assert explain(TABLE, own(2.5, 2.5)) == set()


def test_a_case_may_be_left_out_but_not_all() -> None:
    assert explain(TABLE, own(None, 2.0)) == {A}
    assert explain(TABLE, own(None, None)) == set()


def test_what_cannot_be_told_apart_is_given_whole() -> None:
    alike = known((RIGHT, 0, 1.0), (A, 1, 2.0), (B, 1, 2.0))

    assert explain(alike, own(2.0, 2.0)) == {A, B}


def test_what_is_nothing_but_nan_or_zero_is_not_explained() -> None:
    empty = known((RIGHT, 0, 1.0), (A, 1, 0.0))

    assert explain(empty, own(0.0, 0.0)) == set()
    assert explain(known((A, 1, 0.0)), [Signature(7, np.zeros(PROJECTIONS)), None]) == set()
