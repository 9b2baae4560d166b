"""What fresh cases are drawn from is the seed, and of a secret one nothing that says it."""

from __future__ import annotations

from dataclasses import replace

from grader.model.order import Order

SECRET = Order(seed=7, seed_is_secret=True, salt="ada's work")


def test_a_seed_that_is_told_is_what_cases_are_drawn_from_whatever_is_graded() -> None:
    assert Order(seed=7, salt="ada's work").cases_seed == Order(seed=7).cases_seed == 7


def test_a_secret_one_gives_each_submission_cases_of_its_own_and_always_the_same() -> None:
    others = [replace(SECRET, salt="bob's work"), replace(SECRET, seed=8), replace(SECRET, salt=""), Order(seed=7)]

    assert SECRET.cases_seed == replace(SECRET).cases_seed > 2**128
    assert len({SECRET.cases_seed, *(other.cases_seed for other in others)}) == 5
