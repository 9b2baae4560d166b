"""A mistake that the catalogue does not know is told by how far the solution is right, and near which line not."""

from __future__ import annotations

import pytest

from tests.end_to_end.submissions import REFERENCE, Marking, verdicts
from tests.sampling import one_in

from .reading import OUTSIDE, Wrong, wrong

# What is wrong with these is no result: gradients, randomness, what is measured of it, a mask that stays behind or is
# not bool, a copy, a loop, a layer that cannot be made or take what it is given, nothing that a helper gives, one head
# for all, what training, another call or another module changes, an operation, or a stage itself.
NO_RESULT = {
    "ex02-by_hand_until_it_overflows",
    "ex02-layer_of_a_third_axis",
    "ex03-stars_and_a_sum",
    "ex05-a_sum_of_squares_that_begins_at_one",
    "ex05-deviation_after_scaling",
    "ex05-deviation_for_variance",
    "ex05-divided_by_its_own_spread",
    "ex05-every_query_with_every_query",
    "ex05-in_double",
    "ex05-of_the_keys_alone",
    "ex05-one_by_heart",
    "ex05-one_query_for_all_trials",
    "ex05-stars_for_products",
    "ex05-uniform_numbers",
    "ex06-data_of_the_values",
    "ex06-weights_made_by_numpy",
    "ex06-widths_the_other_way_round",
    "ex07-biases_of_nn_tensor",
    "ex07-copied_the_wrong_way",
    "ex07-dropout_of_a_later_lesson",
    "ex07-scores_for_so_many_tokens",
    "ex07-turned_only_where_it_has_to_fit",
    "ex08-four_axes_at_most",
    "ex08-log_of_next_to_nothing",
    "ex08-ones_and_zeros",
    "ex09-drawn_wherever_a_generator_is",
    "ex09-just_so_many",
    "ex09-kept_with_p",
    "ex09-loop_over_two_axes",
    "ex09-never_quite_all",
    "ex09-own_dice",
    "ex09-whole_percents",
    "ex09-whole_rows",
    "ex10-dropout_ended_by_evaluation",
    "ex10-global_mask",
    "ex10-global_to_be_rid_of_the_error",
    "ex10-keys_detached",
    "ex10-layers_from_d_out_to_d_in",
    "ex10-mask_for_so_many_sequences",
    "ex10-mask_in_a_plain_attribute",
    "ex10-mask_of_the_first_call",
    "ex10-method_hands_nothing_back",
    "ex10-minus_a_hundred",
    "ex10-weights_come_first",
    "ex11-counted_by_a_number",
    "ex11-dropout_before_context_length",
    "ex11-eight_tokens_at_most",
    "ex11-one_head_many_times",
    "ex12-a_hundred_below_nothing",
    "ex12-a_thread_for_each_head",
    "ex12-any_width_is_taken",
    "ex12-batch_of_the_first_call",
    "ex12-feature_by_feature",
    "ex12-head_after_head",
    "ex12-joined_as_they_lie_by_torchs_own",
    "ex12-mask_on_the_class",
    "ex12-number_by_number",
    "ex13-drops_nothing_behind_the_copy",
    "ex13-evaluated_for_the_copy",
    "ex13-every_head_into_all_rows",
    "ex13-head_by_head",
    "ex13-method_that_nobody_wrote",
    "ex13-only_the_first_head_copied",
    "ex13-split_evaluated_for_the_copy",
    "ex13-turned_where_it_fits",
}
UNKNOWN = [solution for solution in wrong() if not solution.ids]


@pytest.mark.parametrize("solution", one_in(12, (pytest.param(each, id=each.name) for each in UNKNOWN)))
def test_an_unknown_mistake_is_shown_near_its_line(solution: Wrong, mark: Marking) -> None:
    report = mark({**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}, solution.exercise)

    stages = [verdict.stage for verdict in verdicts(report).values() if verdict.stage and verdict.stage.line]
    assert (not stages) == (solution.name in NO_RESULT)
    if stages:
        assert abs(stages[0].line - solution.lines[OUTSIDE]) <= 1


def test_many_of_them_are_shown() -> None:
    assert len({solution.name for solution in UNKNOWN} - NO_RESULT) >= 30
