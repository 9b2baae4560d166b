"""`dropout`: weights are dropped at the rate asked, survivors are scaled, in training only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.judge import compare
from grader.judge.checks.dropout import calls
from grader.model.check import RIGHT, Finding
from grader.model.observation import Returned, Slot
from grader.model.run import Call, Make, Mode, Tensor, Value

from ..hand_made import answer
from . import scenes
from .scenes import Scene, dropped, slot

SCENE = scenes.dropout()
WEIGHTS = SCENE.question.case.inputs["weights"]
CALLS = calls(SCENE.question)
MODULE = scenes.dropout_of_a_module()
PLAIN = MODULE.seen.tensors["plain"]


def answering(scene: Scene, results: dict[str, Any]) -> Finding:
    seen = answer(results)
    return replace(scene, seen=seen).judged()


def trained(training: Callable[[Any], Any], **results: Any) -> Finding:
    """The finding on a function that does this in training."""
    return answering(SCENE, dropped(SCENE.question, training, WEIGHTS) | results)


def kept(rng: Any, rate: float = 0.3) -> Any:
    return rng.random(WEIGHTS.shape) >= rate


def test_a_function_is_called_without_outside_and_in_training() -> None:
    plain, _, evaluated, _, training = [action for action in SCENE.run.actions if isinstance(action, Call)]

    assert plain.arguments == (Tensor("weights"), Value(0.0), Value(True))
    assert evaluated.arguments == (Tensor("weights"), Value(0.3), Value(False))
    assert (training.arguments, training.times) == ((Tensor("weights"), Value(0.3), Value(True)), CALLS)


def test_a_single_number_is_told_as_that_and_not_as_of_another_type() -> None:
    told = trained(lambda rng: (WEIGHTS * kept(rng)).mean(), plain=WEIGHTS.mean()).summary

    assert told == "returned a single number, without axes; expected a tensor that has some"


@pytest.mark.parametrize(
    ("shape", "times"), [((8, 12), 14), ((16, 24), 8), ((2, 60), 11), ((400, 300), 8), ((1,), 16), ((0,), 16)]
)
def test_larger_tensors_are_dropped_from_less_often(shape: tuple[int, ...], times: int) -> None:
    """As many numbers are drawn, and never so few calls that they could not be seen to differ."""
    case = replace(SCENE.question.case, inputs={"weights": np.ones(shape, np.float32), "p": 0.3, "training": True})

    assert calls(replace(SCENE.question, case=case)) == times


def test_a_class_drops_from_each_pair_of_a_token_and_one_before_it_in_each_head() -> None:
    assert MODULE.question.case.inputs["x"].shape[:2] == (3, 5)  # 15 pairs in each of 3 sequences and 2 heads

    assert calls(MODULE.question) == 15


def test_behind_evaluation_a_large_class_is_asked_less_often() -> None:
    case = replace(MODULE.question.case, inputs={"x": np.ones((12, 7, 9), np.float32)})

    run = MODULE.check.plan(replace(MODULE.question, case=case))

    times = {action.name: action.times for action in run.actions if isinstance(action, Call) and action.times > 1}
    assert times == {"dropped": 8, "dropped later": 4}


def test_a_class_is_made_without_dropout_and_with_it() -> None:
    actions = MODULE.run.actions

    assert [(a.name, a.arguments[-1]) for a in actions if isinstance(a, Make)] == [
        ("without", Value(0.0)),
        ("module", Value(0.4)),
    ]
    assert [(a.of, a.training) for a in actions if isinstance(a, Mode)] == [
        ("without", True),
        ("module", True),
        ("module", False),
        ("module", True),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_inverted_dropout_is_right_whatever_the_chance(seed: int) -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / 0.7, WEIGHTS, seed)

    assert answering(SCENE, results) == RIGHT


def test_nothing_dropped_is_told_and_named() -> None:
    finding = trained(lambda rng: WEIGHTS)

    assert finding.summary == "nothing is dropped in training although p = 0.3"
    assert finding.mistake == "dropout-missing"


def test_survivors_that_are_not_scaled_are_told_and_named() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng))

    assert finding.summary == "survivors are not divided by 1 - p (p = 0.3)"
    assert finding.mistake == "dropout-unscaled"


def test_the_wrong_share_is_told() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng, 0.5) / 0.7)

    assert finding.summary.endswith(" of the weights are dropped; expected about 30%")


def test_the_share_to_keep_taken_for_the_one_to_drop_is_told() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng, 0.7) / 0.7)

    told = " of the weights are dropped; expected about 30%: p is the share to drop, not the share to keep; "
    assert finding.summary.endswith(f"{told}turn the comparison round, or draw with 1 - p")


def test_weights_that_are_dropped_twice_are_told_and_no_share_to_keep() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng) * kept(rng) / 0.49)

    assert finding.summary.startswith("the weights are dropped twice: ")
    assert finding.summary.endswith("is left is 2.041 times what it was; expected about 30%, and 1.429")
    assert finding.besides == ()


def test_everything_dropped_is_told() -> None:
    assert trained(lambda rng: 0 * WEIGHTS).summary == "100% of the weights are dropped; expected about 30%"


def test_the_same_weights_dropped_each_time_are_told() -> None:
    mask = kept(np.random.default_rng(1))

    assert trained(lambda rng: WEIGHTS * mask / 0.7).summary == (
        "every call drops the same weights; draw them anew each time"
    )


def test_dropout_outside_training_is_told_and_named() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng) / 0.7, evaluated=WEIGHTS * kept(np.random.default_rng(1)) / 0.7)

    assert finding.summary.startswith("outside training the result should be the very one that training gives at p = 0")
    assert finding.mistake == "dropout-in-eval"


def test_rows_that_are_made_to_sum_to_one_again_are_told() -> None:
    def ones(weights: Any) -> Any:
        return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)

    plain = ones(WEIGHTS)
    finding = trained(lambda rng: ones(WEIGHTS * kept(rng)), plain=plain, **{"plain again": plain})

    assert finding.summary.startswith("each row of what is left is made to sum to 1 again")
    assert trained(lambda rng: WEIGHTS * kept(rng) / np.float32(0.7)).right


def test_branches_that_have_changed_places_are_one_mistake() -> None:
    finding = trained(lambda rng: WEIGHTS, evaluated=WEIGHTS * kept(np.random.default_rng(1)) / 0.7)

    assert finding.summary.startswith("weights are dropped outside training, and none in training")
    assert finding.mistakes == ("dropout-in-eval",)


@pytest.mark.parametrize("factor", [0.5, 2.0, 1 / 0.7])
def test_weights_that_are_scaled_by_a_fixed_number_are_told_where_p_is_0(factor: float) -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng) * factor, plain=WEIGHTS * factor)

    assert finding.summary.startswith(f"with p = 0 in training the result is {factor:.3g} times the weights")
    assert finding.mistakes == ()


def test_scaling_by_another_number_is_told() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng) / 0.3)

    assert (
        finding.summary == "what is left in training is 3.333 times what it was; expected 1 / (1 - p), which is 1.429"
    )


@pytest.mark.parametrize(
    "dropping",
    [
        lambda rng: WEIGHTS * kept(rng) / 0.7 + 1e-3,
        lambda rng: (WEIGHTS * kept(rng) / 0.7).round(3),
        lambda rng: WEIGHTS * kept(rng) / 0.701,
    ],
)
def test_what_a_function_gives_is_off_by_no_more_than_a_rounding(dropping: Callable[[Any], Any]) -> None:
    assert not trained(dropping).right


def test_survivors_that_are_scaled_each_by_another_number_are_told() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng) * rng.uniform(0.5, 3.0, WEIGHTS.shape).astype(np.float32))

    assert finding.summary.startswith("what comes out in training is neither 0 nor weight / (1 - p)")


def test_p_as_the_share_to_keep_is_told() -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng, 0.7) / 0.7, np.zeros_like(WEIGHTS))

    finding = answering(SCENE, results | {"evaluated": WEIGHTS})

    told = "with p = 0 everything is dropped: p is the share to drop, not the share to keep; "
    assert finding.summary == f"{told}turn the comparison round, or draw with 1 - p"


def test_weights_that_are_multiplied_by_p_are_not_said_to_be_kept_instead_of_dropped() -> None:
    finding = SCENE.but_tensors(plain=np.zeros_like(WEIGHTS)).judged()

    assert finding.summary.startswith("without dropout the output is the same everywhere")


def test_dropping_at_p_0_is_told_and_nothing_is_measured_against_it() -> None:
    halves = [WEIGHTS * kept(np.random.default_rng(seed)) / 0.7 for seed in (1, 2)]

    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / 0.7, WEIGHTS)
    finding = answering(SCENE, results | {"plain": halves[0], "plain again": halves[1]})

    assert finding.summary.startswith("with p = 0 the result changes from call to call while training")
    assert finding.mistakes == ()


@pytest.mark.parametrize("other", [WEIGHTS.T, WEIGHTS[:, :5], WEIGHTS[None], np.float32(0.5)], ids=np.shape)
def test_another_shape_outside_training_is_told(other: Any) -> None:
    finding = SCENE.but_tensors(evaluated=other).judged()

    assert not finding.right
    assert finding.summary


def test_another_shape_in_training_is_told() -> None:
    finding = SCENE.but_tensors(dropped=np.stack([WEIGHTS.T] * CALLS)).judged()

    assert finding.summary == "the output's shape differs between training and evaluation"


def test_weights_that_are_divided_by_p_are_told_where_p_is_0() -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / 0.3, np.full_like(WEIGHTS, np.inf))

    finding = answering(SCENE, results | {"evaluated": WEIGHTS})

    assert finding.summary == (
        "with p = 0 the output is not finite, as where survivors are divided by p: divide them by 1 - p"
    )


def test_survivors_kept_with_p_and_divided_by_it_are_told_what_p_is() -> None:
    kept = dropped(SCENE.question, lambda rng: WEIGHTS * (rng.random(WEIGHTS.shape) < 0.3) / 0.3, WEIGHTS)
    results = kept | {"plain": np.full_like(WEIGHTS, np.nan), "evaluated": WEIGHTS}

    finding = answering(SCENE, results)

    said = "with p = 0 the output is not finite: p is the share to drop, not the share to keep"
    assert finding.summary == f"{said}; turn the comparison round or draw with 1 - p, and divide what is left by 1 - p"


@pytest.mark.parametrize("value", [np.nan, 0.5])
def test_an_output_with_nothing_to_drop_is_told(value: float) -> None:
    plain = np.full_like(WEIGHTS, value)

    finding = SCENE.but_tensors(plain=plain, evaluated=plain).judged()

    assert finding.summary == (
        "without dropout the output is the same everywhere or not finite in places, so nothing can be said of dropout"
    )


def test_an_output_that_is_all_but_zero_is_told() -> None:
    small = np.float32(1e-5) * WEIGHTS

    assert answering(SCENE, dropped(SCENE.question, lambda rng: small, small)).summary == (
        "without dropout the output is all but zero; there is nothing to drop"
    )


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool"])
def test_a_result_that_is_no_float_is_wrong_and_no_error(dtype: str) -> None:
    plain = (np.arange(96).reshape(8, 12) % 5).astype(dtype)
    results = dict.fromkeys(dropped(SCENE.question, lambda rng: WEIGHTS, WEIGHTS), plain)

    assert not answering(SCENE, results).right


def context(keep: Callable[[Any], Any]) -> Finding:
    """The finding on a module whose context vectors are kept so in training."""
    return answering(MODULE, dropped(MODULE.question, lambda rng: PLAIN * keep(rng) / 0.6, PLAIN))


def test_dropout_on_the_context_is_told_and_named() -> None:
    finding = context(lambda rng: rng.random(PLAIN.shape) >= 0.4)

    assert finding.summary == (
        "each feature is dropped on its own: dropout acts on the context or on the values, not on the weights"
    )
    assert finding.mistake == "dropout-on-context"
    assert finding.else_said == ""


@pytest.mark.parametrize("spoilt", [2 * PLAIN, PLAIN * np.linspace(1, 2, PLAIN.shape[-1])])
def test_dropout_on_the_context_is_named_of_a_substitutes_numbers_too(spoilt: Any) -> None:
    finding = answering(
        MODULE, dropped(MODULE.question, lambda rng: spoilt * (rng.random(spoilt.shape) >= 0.4) / 0.6, spoilt)
    )

    assert finding.mistake == "dropout-on-context"
    assert finding.else_said.startswith("nothing can be said of dropout yet: with p = 0, where nothing is dropped")


def test_of_copies_that_do_not_lie_where_they_are_looked_for_nothing_is_said_of_dropout() -> None:
    spoilt = PLAIN * (np.arange(PLAIN.shape[-1]) != 3)

    finding = answering(
        MODULE, dropped(MODULE.question, lambda rng: spoilt * (rng.random(spoilt.shape) >= 0.4) / 0.6, spoilt)
    )

    assert finding.summary.startswith("nothing can be said of dropout yet: with p = 0, where nothing is dropped")
    assert finding.mistake == ""


def test_heads_that_all_drop_the_same_are_told() -> None:
    finding = context(lambda rng: np.tile(rng.random((3, 5, 5)) >= 0.4, 4))

    assert finding.summary == (
        "several weights are always dropped together, the same in several heads; decide on each head's by themselves"
    )


def test_one_head_without_dropout_is_told() -> None:
    def keep(rng: Any) -> Any:
        weights = rng.random((3, 5, 1, 1, 5)) >= 0.4
        both = np.concatenate([weights, np.ones_like(weights)], axis=2)
        return np.broadcast_to(both, (3, 5, 2, 2, 5)).reshape(3, 5, 20)

    assert not context(keep).right


def test_an_output_of_another_width_is_told() -> None:
    weights = PLAIN[..., :5]  # what comes of `return self.dropout(weights)`

    finding = answering(
        MODULE, dropped(MODULE.question, lambda rng: weights * (rng.random(weights.shape) >= 0.4) / 0.6, weights)
    )

    assert finding.summary == (
        "nothing can be said of dropout yet: the output has shape (3, 5, 5); expected (3, 5, 20)"
    )
    assert finding.mistake == ""


def test_copies_of_which_the_first_is_empty_are_wrong_and_no_error() -> None:
    plain = PLAIN.reshape(3, 5, 2, 2, 5).copy()
    plain[..., 0, :] = 0.0
    plain = plain.reshape(3, 5, 20)

    assert not answering(MODULE, dropped(MODULE.question, lambda rng: plain / 0.6, plain)).right


@pytest.mark.parametrize("shape", [(8, 1), (1, 12)], ids=["row by row", "column by column"])
def test_weights_that_are_dropped_together_are_told(shape: tuple[int, ...]) -> None:
    assert WEIGHTS.shape == (8, 12)

    finding = trained(lambda rng: WEIGHTS * (rng.random(shape) >= 0.3) / 0.7)

    assert finding.summary == "several weights are always dropped together; decide on each weight by itself"


def counted_out(rng: Any) -> Any:
    """Just three tenths of all weights are dropped, each as likely as any other."""
    return WEIGHTS * (rng.permutation(WEIGHTS.size) >= 0.3 * WEIGHTS.size).reshape(WEIGHTS.shape) / 0.7


def test_just_as_many_dropped_by_each_call_are_told() -> None:
    assert trained(counted_out).summary == (
        "every call drops exactly the same number of weights; decide on each weight by itself, not on how many"
    )


def test_dropout_before_softmax_is_told_and_named() -> None:
    shares = WEIGHTS / WEIGHTS.sum(-1, keepdims=True)

    def renormalised(rng: Any) -> Any:
        left = shares * kept(rng)
        return left / left.sum(-1, keepdims=True)

    finding = answering(SCENE, dropped(SCENE.question, renormalised, shares))

    assert finding.mistake == "dropout-on-scores"


def test_hidden_scores_that_are_dropped_are_told_and_named() -> None:
    visible = np.tri(5, dtype=bool)
    scores = np.where(visible, np.arange(75.0).reshape(3, 5, 5) % 7 / 7, -np.inf)

    def weights(scores: Any) -> Any:
        shares = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        return np.tile(shares, 4)

    with np.errstate(invalid="ignore"):
        results = dropped(
            MODULE.question, lambda rng: weights(scores * (rng.random((3, 5, 5)) >= 0.4) / 0.6), weights(scores)
        )
        finding = answering(MODULE, results)

    assert finding.mistake == "dropout-on-scores"


def test_survivors_scaled_although_nothing_is_dropped_are_named() -> None:
    assert trained(lambda rng: WEIGHTS / 0.7).mistake == "dropout-missing"


@pytest.mark.parametrize(("width", "mistake"), [(7, "dropout-missing"), (5, "")])
def test_nothing_dropped_is_named_but_of_weights_that_may_be_dropped_later(width: int, mistake: str) -> None:
    result = PLAIN[..., :width]

    assert answering(MODULE, dropped(MODULE.question, lambda rng: result, result)).mistake == mistake


@pytest.mark.parametrize("factor", [0.7, 1 / 0.7])
def test_weights_rescaled_outside_training_are_named(factor: float) -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng) / 0.7, evaluated=np.float32(factor) * WEIGHTS)

    assert finding.mistakes == ("dropout-in-eval",)


def test_weights_scaled_by_another_number_outside_training_are_not_named() -> None:
    assert trained(lambda rng: WEIGHTS * kept(rng) / 0.7, evaluated=np.float32(0.5) * WEIGHTS).mistakes == ()


def test_a_layer_that_is_drawn_anew_for_each_module_is_not_taken_for_dropout() -> None:
    plain = MODULE.seen.tensors["plain"]
    other = np.random.default_rng(7).normal(size=plain.shape).astype(np.float32)
    seen = answer(dropped(MODULE.question, lambda rng: plain, plain) | {"evaluated": other, "evaluated again": other})

    def finding(*slots: Slot) -> Finding:
        return replace(MODULE, seen=replace(seen, slots={"module": slots})).judged()

    assert "`out_proj` is a layer that this exercise does not have" in finding(slot("out_proj.weight", 4, 4)).summary
    assert finding().summary.startswith(
        "outside training the result should be the very one that training gives at p = 0"
    )


@pytest.mark.parametrize(
    ("name", "is_trainable", "is_told"),
    [
        ("heads.0.W_query.weight", True, True),
        ("heads.0.W_query", True, True),
        ("head.W_query.weight", True, False),
        ("qkv.0.weight", True, False),
        ("heads.0.mask", False, False),
        ("masks.0", False, False),
        ("mask", False, False),
    ],
)
def test_dropout_of_heads_in_a_list_that_eval_does_not_reach_is_told_and_named(
    name: str, is_trainable: bool, is_told: bool
) -> None:
    left = PLAIN * (np.random.default_rng(1).random(PLAIN.shape) >= 0.4)
    hidden = replace(slot(name, 4, 4), kind="loose", trainable=is_trainable)
    results = dropped(MODULE.question, lambda rng: PLAIN, PLAIN) | {"evaluated": left, "evaluated again": left}
    seen = answer(results, slots={"module": (hidden,)})

    finding = replace(MODULE, seen=seen).judged()

    said = "outside training something is dropped all the same: `eval()` does not reach modules in a plain list"
    assert finding.summary.startswith(said) is is_told
    assert (finding.mistake == "heads-unregistered") is is_told
    assert finding.mistake != "dropout-in-eval"


def test_what_is_wrong_in_training_and_outside_is_named_together() -> None:
    finding = trained(lambda rng: WEIGHTS * kept(rng), evaluated=np.float32(0.7) * WEIGHTS)

    assert finding.mistakes == ("dropout-in-eval", "dropout-unscaled")


def outside(again: Any, plain_again: Any) -> Finding:
    """The finding on a function that gives something else outside training, perhaps something new each time."""
    other = WEIGHTS + np.float32(0.1) * WEIGHTS**2
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / 0.7, WEIGHTS) | {"evaluated": other}
    return answering(SCENE, results | {"evaluated again": again(other), "plain again": plain_again(WEIGHTS)})


def test_only_dropout_makes_what_comes_outside_training_random() -> None:
    assert outside(lambda x: 2 * x, lambda x: x).mistake == "dropout-in-eval"
    assert outside(lambda x: x, lambda x: x).mistake == ""
    assert outside(lambda x: 2 * x, lambda x: 2 * x).mistake == ""


def test_weights_and_context_dropped_one_after_the_other_are_named_and_weights_dropped_twice_are_not() -> None:
    def each(rng: Any) -> Any:
        return rng.random(PLAIN.shape) >= 0.4

    def together(rng: Any) -> Any:
        return np.broadcast_to(rng.random((3, 5, 2, 1, 5)) >= 0.4, (3, 5, 2, 2, 5)).reshape(PLAIN.shape)

    assert context(lambda rng: together(rng) * each(rng) / 0.6).mistake == "dropout-on-context"
    assert context(lambda rng: together(rng) * together(rng) / 0.6).mistake == ""


def test_features_in_another_order_are_no_dropout_on_the_context() -> None:
    turned = PLAIN.reshape(3, 5, 2, 2, 5).swapaxes(-1, -2).reshape(PLAIN.shape)

    def keep(rng: Any) -> Any:
        mask = np.broadcast_to(rng.random((3, 5, 2, 5, 1)) >= 0.4, (3, 5, 2, 5, 2))
        return mask.reshape(PLAIN.shape)

    assert answering(MODULE, dropped(MODULE.question, lambda rng: turned * keep(rng) / 0.6, turned)).mistake == ""


def test_calls_are_not_compared_where_the_inputs_were_changed() -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / 0.7, WEIGHTS)
    results |= {"evaluated": WEIGHTS * kept(np.random.default_rng(1)) / 0.7}
    changed = answer(results, tensors={"sent.weights": 2 * WEIGHTS})

    finding = replace(SCENE, seen=changed).judged()

    assert finding.mistakes == ()
    assert finding.summary == (
        "each call changes the tensor that the next one is given, so what is dropped cannot be told"
    )


def test_what_is_scaled_outside_training_is_named_where_only_later_calls_change_the_inputs() -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng), WEIGHTS)
    results |= {"plain again": WEIGHTS, "evaluated": WEIGHTS * np.float32(0.7)}
    changed = answer(results, tensors={"sent.weights": 2 * WEIGHTS})

    assert "dropout-in-eval" in replace(SCENE, seen=changed).judged().mistakes


@pytest.mark.parametrize("name", ["plain", "evaluated", "dropped"])
def test_a_function_gives_back_the_type_that_it_was_given(name: str) -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / np.float32(0.7), WEIGHTS)
    assert answering(SCENE, results).right

    finding = answering(SCENE, results | {name: np.asarray(results[name], np.float64)})

    assert not finding.right
    assert finding.summary.startswith(
        "dtype float64; expected float32, as the inputs have it: leave out what changes it"
    )


@pytest.mark.parametrize(("names", "is_right"), [(["dropped"], False), (["plain", "evaluated", "dropped"], True)])
def test_a_class_gives_in_training_the_type_that_it_gives_outside(names: list[str], is_right: bool) -> None:
    results = {name: MODULE.seen.tensors[name] for name in MODULE.seen.returned}

    finding = answering(MODULE, results | {name: np.asarray(results[name], np.float64) for name in names})

    assert finding.right is is_right
    assert is_right or finding.summary.startswith("dtype float64; expected float32")


def test_nothing_returned_is_named() -> None:
    nothing = Returned("sequence", type="tuple", items=(Returned("none"),) * CALLS)
    results = dropped(SCENE.question, lambda rng: WEIGHTS, WEIGHTS)

    assert answering(SCENE, results | {"dropped": nothing}).mistake == "returns-none"
    assert answering(SCENE, results | {"plain": Returned("none")}).mistake == "returns-none"


def test_survivors_of_a_short_type_may_be_off_by_its_roundings() -> None:
    exact = dropped(SCENE.question, lambda rng: WEIGHTS * kept(rng) / 0.7, WEIGHTS)
    results = {name: compare.rounded(np.float32(array * 1.008), "bfloat16") for name, array in exact.items()}
    results["plain"] = results["evaluated"] = compare.rounded(WEIGHTS, "bfloat16")
    in_bfloat16 = replace(SCENE, question=replace(SCENE.question, dtype="bfloat16"))

    described = {n: replace(each, dtype="bfloat16") for n, each in answer(results).returned.items()}

    assert in_bfloat16.but(returned=described, tensors=results).judged() == RIGHT
    assert not answering(SCENE, results).right


@pytest.mark.parametrize("axis", [0, 1])
def test_weights_that_are_dropped_together_further_back_are_told(axis: int) -> None:
    def draw(rng: Any) -> Any:
        kept = np.moveaxis(rng.random(WEIGHTS.shape) >= 0.3, axis, 0).copy()
        kept[3:] = kept[3]
        return WEIGHTS * np.moveaxis(kept, 0, axis) / 0.7

    assert trained(draw).summary == "several weights are always dropped together; decide on each weight by itself"


@pytest.mark.parametrize("axis", [0, 1])
def test_weights_that_are_dropped_together_and_lie_apart_are_told(axis: int) -> None:
    def draw(rng: Any) -> Any:
        kept = np.moveaxis(rng.random(WEIGHTS.shape) >= 0.3, axis, 0).copy()
        half = len(kept) // 2
        kept[half:] = kept[:half]
        return WEIGHTS * np.moveaxis(kept, 0, axis) / 0.7

    assert trained(draw).summary == "several weights are always dropped together; decide on each weight by itself"


def test_masks_in_turn_are_told() -> None:
    masks = [kept(np.random.default_rng(seed)) for seed in range(4)]
    turns = iter(range(CALLS))

    assert trained(lambda rng: WEIGHTS * masks[next(turns) % 4] / 0.7).summary == (
        "several calls drop just the weights that an earlier one has dropped; draw them anew each time"
    )


def test_weights_that_are_dropped_more_often_the_larger_they_are_are_told() -> None:
    rates = 0.3 * WEIGHTS**2 / (WEIGHTS**2).mean()

    assert trained(lambda rng: WEIGHTS * (rng.random(WEIGHTS.shape) >= rates) / 0.7).summary == (
        "what is dropped is not what chance drops; give each weight the chance p, by itself, anew in each call"
    )


def later(scene: Scene, of: Any) -> Finding:
    """The finding where it is this that comes in training, behind evaluation."""
    return answering(scene, dict(scene.seen.tensors) | {"dropped later": of})


def test_dropout_that_does_not_come_back_behind_evaluation_is_told() -> None:
    assert later(MODULE, MODULE.seen.tensors["dropped"][::-1]) == RIGHT
    assert later(MODULE, np.stack([PLAIN / np.float32(0.6)] * calls(MODULE.question))).summary == (
        "after `eval()` and `train()` nothing is dropped any more: what evaluation switches off has to come back in "
        "training"
    )


@pytest.mark.parametrize(
    ("rate", "factor", "said"),
    [
        (0.2, 1 / 0.8, "what is left in training is 1.25 times what it was; expected 1 / (1 - p), which is 1.667"),
        (0.2, 1 / 0.6, "20% of the weights are dropped; expected about 40%"),
        (0.4, 1.0, "survivors are not divided by 1 - p (p = 0.4)"),
    ],
)
def test_dropout_that_comes_back_as_another_behind_evaluation_is_told(rate: float, factor: float, said: str) -> None:
    again = scenes.dropout_of_a_module(rate=rate, factor=factor).seen.tensors["dropped"]

    finding = later(MODULE, again)

    assert finding.summary == f"after `eval()` and `train()` dropout is no longer what it was: {said}"
    assert finding.mistakes == ()


def test_one_mask_for_all_that_comes_behind_evaluation_is_told() -> None:
    finding = later(MODULE, np.stack([MODULE.seen.tensors["dropped"][0]] * calls(MODULE.question)))

    assert finding.summary.endswith("what it was: every call drops the same weights; draw them anew each time")


def test_an_output_of_another_shape_behind_evaluation_is_told() -> None:
    assert later(MODULE, PLAIN).summary == "the output's shape differs between training and evaluation"


def test_nothing_behind_evaluation_is_told_and_named() -> None:
    seen = MODULE.seen
    nothing = {**seen.returned, "dropped later": Returned("none", type="None")}
    tensors = {name: each for name, each in seen.tensors.items() if name != "dropped later"}

    finding = replace(MODULE, seen=replace(seen, returned=nothing, tensors=tensors)).judged()

    assert finding.mistakes == ("returns-none",)


def test_what_is_no_number_any_more_behind_evaluation_is_told_as_that() -> None:
    gone = np.full_like(MODULE.seen.tensors["dropped"], np.nan)

    assert later(MODULE, gone).summary == (
        "after `eval()` and `train()` the result is not finite any more: what evaluation changes has to come back in "
        "training"
    )


def test_what_is_all_but_gone_behind_evaluation_is_gone_as_it_was_before() -> None:
    almost = MODULE.seen.tensors["dropped"] + np.float32(1e-9)

    assert answering(MODULE, MODULE.seen.tensors | {"dropped": almost, "dropped later": almost[::-1]}) == RIGHT


def test_survivors_and_draws_are_told_of_each_by_itself() -> None:
    unscaled = trained(lambda rng: WEIGHTS * (rng.random(WEIGHTS.shape) < 0.3))
    together = trained(lambda rng: WEIGHTS * kept(rng)[0] / 0.3)

    assert unscaled.mistakes == ("dropout-unscaled",)
    assert [said.endswith("turn the comparison round, or draw with 1 - p") for said in unscaled.besides] == [True]
    assert together.summary.startswith("what is left in training is 3.333 times")
    assert together.besides == ("several weights are always dropped together; decide on each weight by itself",)


def test_the_share_to_keep_and_weights_that_go_together_are_told_both() -> None:
    finding = trained(lambda rng: WEIGHTS * (rng.random(12) < 0.3) / 0.7)

    assert finding.summary.endswith("turn the comparison round, or draw with 1 - p")
    assert finding.besides == ("several weights are always dropped together; decide on each weight by itself",)


@pytest.mark.parametrize(("rate", "factor"), [(0.5, 2.0), (1 - 0.7**2, 1 / 0.7**2)])
def test_what_is_dropped_and_scaled_at_another_rate_is_one_mistake(rate: float, factor: float) -> None:
    assert trained(lambda rng: WEIGHTS * kept(rng, rate) * factor).besides == ()


def test_what_is_drawn_wrongly_is_told_beside_dropout_outside_training() -> None:
    results = {"evaluated": WEIGHTS * np.float32(0.7)}

    finding = trained(lambda rng: WEIGHTS * (rng.random(WEIGHTS.shape) < 0.3) / 0.7, **results)

    assert finding.mistakes == ("dropout-in-eval",)
    assert [said.endswith("turn the comparison round, or draw with 1 - p") for said in finding.besides] == [True]


def test_where_nothing_is_dropped_and_something_scaled_no_branches_have_changed_places() -> None:
    finding = trained(lambda rng: WEIGHTS, evaluated=WEIGHTS * np.float32(0.7))

    assert finding.summary.startswith("outside training the result should be the very one")
    assert finding.mistakes == ("dropout-in-eval", "dropout-missing")


def test_hidden_scores_that_are_dropped_are_named_where_nan_is_made_zero() -> None:
    visible = np.tri(5, k=-1, dtype=bool)
    scores = np.where(visible, np.arange(75.0).reshape(3, 5, 5) % 7 / 7, -np.inf)

    def weights(scores: Any) -> Any:
        shares = np.nan_to_num(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))
        return np.tile(shares, 4)

    with np.errstate(invalid="ignore"):
        results = dropped(
            MODULE.question, lambda rng: weights(scores * (rng.random((3, 5, 5)) >= 0.4) / 0.6), weights(scores)
        )
        finding = answering(MODULE, results)

    assert finding.mistake == "dropout-on-scores"
