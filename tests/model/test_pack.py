"""Exercises, steps and draws as the rubrics describe them."""

from __future__ import annotations

import pytest

from grader.model.pack import Draw, Pack


def test_a_join_with_one_random_part_is_random() -> None:
    fixed, drawn = Draw("eye", (3,)), Draw("normal", (2, 3))

    assert not Draw("join", parts=(fixed, fixed)).is_random
    assert Draw("join", parts=(fixed, Draw("repeat", parts=(drawn,)))).is_random


def test_the_pack_sums_to_a_hundred_points(pack: Pack) -> None:
    assert pack.points == sum(exercise.points for exercise in pack.exercises) == 100


def test_an_exercise_is_found_by_its_id(pack: Pack) -> None:
    exercise = pack.exercise("ex10_causal_attention")

    assert (exercise.id, exercise.short) == ("ex10_causal_attention", "ex10")


def test_an_exercise_that_there_is_none_of_is_a_key_error(pack: Pack) -> None:
    with pytest.raises(KeyError, match="ex99"):
        pack.exercise("ex99")
