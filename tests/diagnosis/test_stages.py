"""Intermediate results are found however a solution came by them, and a wrong one is the first that is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.diagnosis.stages import Progress, Stages, is_stage, progress, stages_of
from grader.model.observation import Trace, Traced

RANDOM = np.random.default_rng(3)
QUERIES, KEYS, VALUES = (RANDOM.standard_normal((2, 5, 4)) for _ in range(3))
SCORES = QUERIES @ KEYS.transpose(0, 2, 1)
SCALED = SCORES / 2.0
MASKED = np.where(np.triu(np.ones((5, 5), bool), 1), -np.inf, SCALED)
WEIGHTS = np.exp(MASKED) / np.exp(MASKED).sum(-1, keepdims=True)
CONTEXT = WEIGHTS @ VALUES
ALL = {
    "queries": QUERIES,
    "keys": KEYS,
    "values": VALUES,
    "scores": SCORES,
    "scaled": SCALED,
    "masked": MASKED,
    "weights": WEIGHTS,
    "context": CONTEXT,
}
MADE_OF = {"scores": [0, 1], "scaled": [3], "masked": [4], "weights": [5], "context": [6, 2]}


def reference() -> Trace:
    """The reference's own trace, every stage marked."""
    made = tuple(Traced((10 + i,), value, tuple(MADE_OF.get(name, ()))) for i, (name, value) in enumerate(ALL.items()))
    return Trace(made, {name: number for number, name in enumerate(ALL)})


STAGES = stages_of(reference(), list(ALL))


def trace(*made: tuple[int, Any, list[int]]) -> Trace:
    """A trace: for each tensor its line, its value, and which earlier ones it was made of."""
    return Trace(tuple(Traced((line,), np.asarray(value, np.float32), tuple(parents)) for line, value, parents in made))


def right_up_to(name: str) -> list[tuple[int, Any, list[int]]]:
    """The reference's tensors up to a stage, one line each from line 10."""
    numbers = range(list(ALL).index(name) + 1)
    return [(10 + i, list(ALL.values())[i], MADE_OF.get(list(ALL)[i], [])) for i in numbers]


def test_every_stage_knows_what_it_is_made_of() -> None:
    assert STAGES.needs["queries"] == frozenset()
    assert STAGES.needs["scores"] == {"queries", "keys"}
    assert STAGES.needs["context"] == ALL.keys() - {"context"}


def test_the_reference_is_right_all_the_way() -> None:
    assert progress(STAGES, reference()) == Progress(found=frozenset(ALL), right="context", made=(17,))


@pytest.mark.parametrize("last", list(ALL)[3:-1])
def test_what_follows_the_last_right_stage_is_wrong_where_it_was_made(last: str) -> None:
    made = right_up_to(last)
    wrong = np.where(np.isfinite(made[-1][1]), made[-1][1], -5.0) * 0.9
    following = list(ALL)[len(made)]

    shown = progress(STAGES, trace(*made, (40, wrong, [len(made) - 1]), (41, wrong * 2, [len(made)])))

    assert (shown.right, shown.wrong, shown.lines) == (last, following, (40,))
    assert following in shown.missing


@given(st.sampled_from(list(ALL)), st.permutations(range(3)))
def test_a_stage_is_found_whatever_the_order_of_its_axes(name: str, axes: list[int]) -> None:
    shown = progress(STAGES, trace((1, ALL[name].transpose(axes), [])))

    assert name in shown.found


@pytest.mark.parametrize("name", ALL)
def test_a_stage_is_found_with_axes_merged_or_of_length_one(name: str) -> None:
    value = ALL[name]

    assert name in progress(STAGES, trace((1, value.reshape(10, -1), []))).found
    assert name in progress(STAGES, trace((1, value[:, None], []))).found


@pytest.mark.parametrize("name", ["queries", "scores", "weights", "context"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_stage_is_found_in_slices_as_a_loop_makes_them(name: str, axis: int) -> None:
    slices = [(3, part, []) for part in np.moveaxis(ALL[name], axis, 0)]

    assert name in progress(STAGES, trace(*slices)).found
    assert name not in progress(STAGES, trace(*slices[:-1])).found


def test_a_stage_is_found_some_features_at_a_time_as_heads_give_them() -> None:
    halves = [(10, CONTEXT[..., :2], []), (10, CONTEXT[..., 2:], [])]
    mean = (20, (CONTEXT[..., :2] + CONTEXT[..., 2:]) / 2, [0, 1])

    assert "context" in progress(STAGES, trace(*halves)).found
    assert "context" not in progress(STAGES, trace(halves[0])).found
    assert "context" not in progress(STAGES, trace((10, CONTEXT[..., 1:3], []), halves[0])).found
    assert progress(STAGES, trace(*halves, mean)).lines == (20,)


def test_a_result_whose_parts_are_put_together_wrongly_is_not_right_up_to_itself() -> None:
    made = right_up_to("weights")
    halves = [(30, CONTEXT[..., 2:], [6, 2]), (30, CONTEXT[..., :2], [6, 2])]
    reversed_halves = (31, np.concatenate([CONTEXT[..., 2:], CONTEXT[..., :2]], axis=-1), [7, 8])

    shown = progress(STAGES, trace(*made, *halves, reversed_halves))
    doubled = progress(STAGES, trace(*made, (30, CONTEXT, [6, 2]), (31, CONTEXT * 2, [7])))

    assert (shown.right, shown.wrong, shown.lines) == ("weights", "context", (31,))
    assert (doubled.right, doubled.wrong, doubled.lines) == ("context", "", (31,))


def test_what_is_put_together_out_of_sight_is_not_told_to_be_wrong() -> None:
    made = right_up_to("weights")
    zeros = (29, np.zeros_like(CONTEXT), [])
    written = [(30, CONTEXT[..., :2], [6, 2]), (30, CONTEXT[..., 2:], [6, 2])]

    shown = progress(STAGES, trace(*made, zeros, *written, (31, CONTEXT * 2, [7])))

    assert (shown.right, shown.wrong) == ("context", "")


def test_a_result_of_which_nothing_but_parts_was_made_is_not_right_up_to_itself() -> None:
    made = right_up_to("weights")
    halves = [(30, CONTEXT[..., :2], [6, 2]), (31, CONTEXT[..., 2:], [6, 2])]

    shown = progress(STAGES, trace(*made, *halves))

    assert "context" in shown.found
    assert (shown.right, shown.wrong) == ("weights", "")


def test_a_stage_is_found_number_by_number() -> None:
    numbers = [(3, number, []) for number in SCORES.reshape(-1)]

    assert "scores" in progress(STAGES, trace(*numbers)).found


def test_numbers_in_another_arrangement_are_no_stage() -> None:
    heads = RANDOM.standard_normal((2, 3, 5, 4))
    stages = Stages({"queries": heads}, {"queries": frozenset()})

    assert progress(stages, trace((1, heads.transpose(0, 2, 1, 3).reshape(2, 5, 12), []))).found == {"queries"}
    assert progress(stages, trace((1, heads.transpose(0, 2, 1, 3).reshape(2, 3, 5, 4), []))).found == frozenset()
    assert progress(stages, trace((1, heads[..., ::-1], []))).found == frozenset()


@pytest.mark.parametrize("rows", [True, False])
def test_weights_on_their_side_are_no_stage_where_symmetric_scores_give_them_along_another_axis(rows: bool) -> None:
    scores = QUERIES[0] @ QUERIES[0].T
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    stages = stages_of(Trace((Traced((1,), scores), Traced((2,), weights, (0,))), {"scores": 0, "weights": 1}), ALL)
    shown = weights if rows else weights.T

    whole = progress(stages, trace((1, scores, []), (2, shown, [0])))
    each = progress(stages, trace((1, scores, []), *((2, line, [0]) for line in shown)))

    assert (("weights" in whole.found), ("weights" in each.found)) == (rows, rows)
    assert ("weights" in progress(STAGES, trace((2, WEIGHTS.swapaxes(1, 2), []))).found) is True


def test_what_a_fused_kernel_skips_is_excused_by_what_comes_of_it() -> None:
    fused = trace((1, QUERIES, []), (2, KEYS, []), (3, VALUES, []), (4, CONTEXT, [0, 1, 2]), (5, CONTEXT + 1, [3]))

    assert progress(STAGES, fused).found == ALL.keys()
    assert progress(STAGES, fused).wrong == ""
    assert progress(STAGES, fused).lines == (5,)


def test_work_in_another_order_is_no_mistake() -> None:
    late = [(1, QUERIES / 2, []), (2, KEYS, []), (3, VALUES, [])]

    shown = progress(STAGES, trace(*late, (4, SCALED, [0, 1]), (5, SCALED * 3, [3])))

    assert (shown.right, shown.wrong, shown.lines) == ("scaled", "masked", (5,))


def test_scores_that_are_masked_before_they_are_scaled_are_not_blamed() -> None:
    early = np.where(np.isinf(MASKED), -np.inf, SCORES)
    late = [(41, early / 3, [4]), (42, WEIGHTS**2, [5])]
    otherwise = {"one cell less": np.where(np.arange(50).reshape(2, 5, 5) == 9, 1.0, early), "another score": early + 1}

    shown = progress(STAGES, trace(*right_up_to("scores"), (40, early, [3]), *late))

    assert (shown.right, shown.wrong, shown.lines) == ("scores", "scaled", (41,))
    for name, value in otherwise.items():
        assert progress(STAGES, trace(*right_up_to("scores"), (40, value, [3]), *late)).lines == (40,), name


def test_scores_that_were_given_are_not_blamed_for_being_masked_before_they_are_scaled() -> None:
    needs = {"scaled": frozenset[str](), "masked": frozenset({"scaled"})}
    asked = Stages({name: ALL[name].astype(np.float32) for name in needs}, needs)
    early = np.where(np.isinf(MASKED), -np.inf, SCORES)
    made = trace((40, early, []), (41, early / 3, [0]), (42, WEIGHTS**2, [1]))

    assert progress(asked, made, [SCORES]).lines == (41,)
    assert progress(asked, made, [SCORES + 1]).lines == (40,)


@pytest.mark.parametrize("made", [lambda mask: mask, lambda mask: ~mask, lambda mask: mask * -1e9])
def test_a_mask_that_hides_what_is_to_be_hidden_is_not_blamed(made: Callable[[Any], Any]) -> None:
    right, wrong = (made(np.triu(np.ones((5, 5), bool), diagonal)) * 1.0 for diagonal in (1, 0))
    needs = {"scaled": frozenset[str](), "masked": frozenset({"scaled"})}
    asked = Stages({name: ALL[name].astype(np.float32) for name in needs}, needs)
    late = [(41, SCALED / 3, []), (42, MASKED / 3, [1])]

    assert progress(asked, trace((40, right, []), *late), [SCORES]).lines == (41,)
    assert progress(asked, trace((40, wrong, []), *late), [SCORES]).lines == (40,)


def test_a_stage_is_known_as_it_stands_and_not_turned_or_where_it_says_nothing() -> None:
    assert is_stage(WEIGHTS, WEIGHTS + 1e-7)
    assert not is_stage(WEIGHTS, WEIGHTS * 2)
    assert not is_stage(WEIGHTS, WEIGHTS.transpose(0, 2, 1))
    assert is_stage(MASKED, np.where(np.isinf(MASKED), -1e9, MASKED))
    assert not is_stage(np.ones((2, 2)), np.ones((2, 2)))


def test_a_very_negative_number_hides_as_minus_infinity_does() -> None:
    assert "masked" in progress(STAGES, trace((1, np.where(np.isinf(MASKED), -1e9, MASKED), []))).found
    assert "masked" not in progress(STAGES, trace((1, np.where(np.isinf(MASKED), 0, MASKED), []))).found


def test_steps_on_the_way_to_a_right_stage_are_not_blamed() -> None:
    shifted, powers = SCALED - 1, np.exp(SCALED - 1)
    made = [*right_up_to("masked"), (20, shifted, [5]), (21, powers, [6]), (22, WEIGHTS, [7]), (23, WEIGHTS + 1, [8])]

    assert progress(STAGES, trace(*made)).lines == (23,)


def test_a_tensor_that_comes_of_nothing_right_is_not_blamed() -> None:
    made = [*right_up_to("scores"), (20, np.triu(np.ones((5, 5))), []), (21, SCORES * 2, [3])]

    assert progress(STAGES, trace(*made)).lines == (21,)


def test_a_solution_with_nothing_right_goes_wrong_with_its_first_tensor() -> None:
    shown = progress(STAGES, trace((7, np.ones((2, 5, 4)) * RANDOM.random((2, 5, 4)), []), (8, np.ones(3), [0])))

    assert (shown.right, shown.wrong, shown.lines) == ("", "queries", (7,))


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_constant_is_never_a_right_stage(value: float) -> None:
    constant = np.full((2, 5, 5), value)
    of_one_token = Stages({"weights": np.ones((2, 1, 1))}, {"weights": frozenset()})

    assert progress(STAGES, trace((1, constant, []))).found == frozenset()
    assert progress(of_one_token, trace((1, np.ones((2, 1, 1)), []))) == Progress(lines=(1,))


def test_nan_is_no_stage() -> None:
    assert progress(STAGES, trace((1, SCORES * np.nan, []))).found == frozenset()


def test_noise_is_forgiven_and_more_than_noise_is_not() -> None:
    for error, is_found in ((1e-6, True), (1e-2, False)):
        shown = progress(STAGES, trace((1, SCORES + error * np.abs(SCORES).max(), [])))
        assert ("scores" in shown.found) is is_found


def test_a_thousand_tensors_are_looked_through_in_linear_time() -> None:
    many = [(1, number, []) for number in itertools.islice(itertools.cycle(CONTEXT.reshape(-1)), 1000)]

    assert "context" in progress(STAGES, trace(*many)).found


def test_exponentials_on_the_way_to_weights_are_not_blamed_for_a_sum_over_the_wrong_axis() -> None:
    exponentials = np.exp(SCALED)
    total = exponentials.sum(-2, keepdims=True)
    stages = Stages({"weights": exponentials / exponentials.sum(-1, keepdims=True)}, {"weights": frozenset()})

    shown = progress(stages, trace((1, exponentials, []), (2, total, [0]), (3, exponentials / total, [0, 1])))
    only = progress(stages, trace((1, exponentials, [])))

    assert (shown.wrong, shown.lines) == ("weights", (2,))
    assert only.lines == (1,)


def test_where_every_stage_is_right_only_what_comes_after_all_of_them_is_blamed() -> None:
    alone = Stages({"values": VALUES, "context": VALUES}, {"values": frozenset(), "context": frozenset({"values"})})
    made = [(10, VALUES, []), (11, SCORES, [0]), (12, VALUES, [1, 0])]

    assert progress(alone, trace(*made)).lines == ()
    assert progress(alone, trace(*made, (13, 2 * VALUES, [2]))).lines == (13,)


def test_a_row_of_what_a_function_was_given_is_not_blamed() -> None:
    made = trace((1, SCALED[0, 0], []), (2, SCALED[0, 0] ** 2, [0]))
    stages = Stages({"masked": MASKED, "weights": WEIGHTS}, {"masked": frozenset(), "weights": frozenset({"masked"})})

    assert progress(stages, made, [SCALED]).lines == (2,)
    assert progress(stages, made).lines == (1,)


def test_where_nothing_is_right_and_one_stage_is_all_it_goes_wrong_where_the_last_is_made() -> None:
    stages = Stages({"weights": WEIGHTS}, {"weights": frozenset()})

    made = [(1, SCALED - 1, []), (2, SCALED**2, [0]), (3, SCALED**3, [1])]

    assert progress(stages, trace(*made)).lines == (3,)
    assert progress(stages, trace(*made, (4, 7.0, [2]))).lines == (3,)  # a number that is printed, perhaps
    assert progress(stages, trace(made[0], (4, 7.0, [0]))).lines == (1,)
    assert progress(stages, trace()) == Progress(missing=frozenset({"weights"}), wrong="weights")


def test_zeros_that_are_filled_are_not_to_blame_but_what_is_written_into_them() -> None:
    half = np.where(np.arange(5) < 3, CONTEXT.transpose(0, 2, 1), 0.0).transpose(0, 2, 1)
    made = (Traced((20,), QUERIES), Traced((21,), KEYS), Traced((22,), VALUES), Traced((23,), np.zeros_like(CONTEXT)))
    filled = Traced((25,), half * 1.5, (2, 3))

    found = progress(stages_of(reference(), list(ALL)), Trace((*made, filled)))

    assert found.lines == (25,)
