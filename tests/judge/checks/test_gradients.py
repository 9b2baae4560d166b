"""`gradients`: a gradient reaches everything that is to be learnt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.model.case import Expected
from grader.model.observation import Fault
from grader.model.run import Backward, Call, Gradients, Inspect, Load, Make, Mode, Value

from ..hand_made import answer
from . import scenes
from .scenes import TOKENS, Scene


def test_a_functions_floating_arguments_are_followed() -> None:
    call, backward, send = scenes.gradients().run.actions

    assert isinstance(call, Call)
    assert call.track
    assert (backward, send) == (Backward("result"), Gradients(tensors=("queries", "keys")))


def test_a_modules_weights_are_followed_and_not_its_inputs() -> None:
    *_, mode, call, backward, send = scenes.gradients_of_a_module().run.actions[:-6]

    assert mode == Mode("module", training=True)
    assert isinstance(call, Call)
    assert not call.track
    assert backward == Backward("result")
    assert send == Gradients(of="module", tensors=("W_query.weight", "W_key.weight", "W_value.weight"))


@pytest.mark.parametrize(
    ("gradient", "told"),
    [
        (np.zeros_like(TOKENS), "the gradient of keys is zero everywhere: the result does not depend on it"),
        (np.full_like(TOKENS, np.nan), "the gradient of keys is not finite"),
        (np.full_like(TOKENS, np.inf), "the gradient of keys is not finite"),
    ],
)
def test_a_gradient_that_says_nothing_is_told(gradient: np.ndarray, told: str) -> None:
    assert scenes.gradients().but_tensors(gradient__keys=gradient).judged().summary == told


@pytest.mark.parametrize(("unused", "is_told"), [(1, True), (0, False)])
def test_a_role_that_a_fused_weight_holds_for_nothing_is_told(unused: int, is_told: bool) -> None:
    scene = scenes.gradients_of_a_module()
    gradients = [scene.seen.tensors[f"gradient.{name}"] for name in scene.question.loaded]
    gradients[2:] = [np.zeros_like(gradients[2])] * unused or gradients[2:]
    fused = replace(scene, question=replace(scene.question, loaded=("qkv.weight",)))

    told = fused.but_tensors(gradient__qkv__weight=np.concatenate(gradients), result=3 * TOKENS, outside=3 * TOKENS)

    said = "the gradient of a part of qkv.weight, as large as the weight of one role, is zero: the result does not"
    assert told.judged().summary.startswith(said) is is_told


def test_a_weight_that_is_as_large_as_one_of_the_references_holds_no_roles_side_by_side() -> None:
    scene = scenes.gradients_of_a_module()
    assert scene.expected is not None
    gradient = np.eye(4, dtype=np.float32)  # with as many zeros as another weight has numbers
    due = scene.expected.observation
    expected = replace(
        scene.expected, observation=replace(due, tensors={**due.tensors, "gradient.out.weight": gradient})
    )
    question = replace(scene.question, loaded=(*scene.question.loaded, "out.weight"))

    assert (
        replace(scene, question=question, expected=expected).but_tensors(gradient__out__weight=gradient).judged().right
    )


def test_a_module_is_asked_outside_training_too_and_once_more_with_other_weights() -> None:
    *_, evaluation, outside, training, load, trained, learnt = scenes.gradients_of_a_module().run.actions

    assert isinstance(load, Load)
    assert isinstance(outside, Call)
    assert isinstance(learnt, Call)
    assert (evaluation, training, trained) == tuple(Mode("module", training=each) for each in (False, True, False))
    assert (outside.name, load.times, learnt.name) == ("outside", 0.5, "learnt")


def test_a_module_that_is_right_outside_training_alone_is_told() -> None:
    told = scenes.gradients_of_a_module().but_tensors(result=3 * TOKENS).judged()

    assert told.summary.startswith("in training the result is another than outside of it, which nothing here asks for:")
    assert told.at == "result"


def test_what_dropout_does_in_training_is_another_steps_to_judge() -> None:
    scene = scenes.gradients_of_a_module().but_tensors(result=3 * TOKENS)
    step = scene.question.step
    exercise = replace(scene.question.exercise, steps=(step, replace(step, id="ex10.dropout", check="dropout")))

    assert replace(scene, question=replace(scene.question, exercise=exercise)).judged().right


def test_a_module_that_keeps_its_weights_of_before_is_told() -> None:
    told = scenes.gradients_of_a_module().but_tensors(learnt=2 * TOKENS).judged()

    assert told.summary.startswith("called once more, with other weights, as training makes them: ")


def test_a_module_that_fails_with_other_weights_is_told() -> None:
    scene = scenes.gradients_of_a_module()
    returned = {name: result for name, result in scene.seen.returned.items() if name != "learnt"}
    broken = {"learnt": Fault("exception", "ValueError", message="no such weight")}

    told = scene.but(returned=returned, refused=broken).judged().summary

    assert told == "called once more, with other weights, as training makes them, the module raises: no such weight"


def test_a_result_that_is_wrong_everywhere_loses_nothing_here() -> None:
    assert scenes.gradients_of_a_module().but_tensors(result=TOKENS, outside=TOKENS, learnt=TOKENS).judged().right


def test_a_gradient_that_does_not_arrive_is_told() -> None:
    scene = scenes.gradients_of_a_module()
    arrived = {name: array for name, array in scene.seen.tensors.items() if name != "gradient.W_key.weight"}

    finding = scene.but(tensors=arrived).judged()

    assert finding.summary == ("no gradient reaches W_key.weight; is it used, and is nothing detached on the way?")


def test_the_students_own_slots_are_what_counts() -> None:
    scene = scenes.gradients_of_a_module()
    fused = replace(scene.question, loaded=("qkv.weight",))

    without = replace(scene, question=fused).judged()
    arrived = replace(scene, question=fused).but_tensors(gradient__qkv__weight=np.ones((12, 3))).judged()

    assert without.summary.startswith("no gradient reaches qkv.weight")
    assert arrived.right


def test_one_entry_that_counts_is_a_gradient_of_a_wrong_result() -> None:
    gradient = np.zeros_like(TOKENS)
    gradient[1, 2, 0] = 1e-20

    assert scenes.gradients().but_tensors(result=3 * TOKENS, gradient__keys=gradient).judged().right


@pytest.mark.parametrize("rows", [slice(0, 2), slice(None)])
def test_a_right_result_whose_gradient_is_cut_off_in_part_is_told(rows: slice) -> None:
    scene = scenes.gradients_of_a_module()
    name = "gradient.W_value.weight"
    gradient = scene.seen.tensors[name].copy()
    gradient[rows] /= 2

    told = scene.but(tensors={**scene.seen.tensors, name: gradient}).judged().summary

    assert told == "the result is right, but its gradients are not: a part of it is cut off on the way back"


def test_a_right_results_gradients_may_be_fused_and_turned_and_err_a_little() -> None:
    scene = scenes.gradients_of_a_module()
    fused = np.concatenate([scene.seen.tensors[f"gradient.{role}.weight"] for role in scenes.ROLES]).T * 1.001
    own = replace(scene, question=replace(scene.question, loaded=("qkv.weight",)))
    result = {"result": scene.seen.tensors["result"]}

    assert own.but(tensors={**result, "gradient.qkv.weight": fused}).judged().right
    assert not own.but(tensors={**result, "gradient.qkv.weight": fused * 1.1}).judged().right


def test_gradients_are_compared_without_that_of_a_weight_that_may_be_absent_and_is() -> None:
    scene = scenes.gradients_of_a_module()
    due = {name: array.astype(np.float64) for name, array in scene.seen.tensors.items() if name != "result"}
    bias = {"gradient.out_proj.bias": np.full(4, 9.0)}
    expected = Expected(answer(scenes.of_a_module(2 * TOKENS.astype(np.float64)), tensors=due | bias), {})
    without = replace(scene, question=replace(scene.question, naming=scenes.NAMING), expected=expected)
    name = "gradient.W_value.weight"
    halved = {**scene.seen.tensors, name: scene.seen.tensors[name] / 2}

    assert without.judged().right
    assert not without.but(tensors=halved).judged().right


def test_what_is_returned_beside_the_result_may_add_gradients_of_its_own() -> None:
    scene = scenes.gradients_of_a_module()
    due = {name: array for name, array in scene.seen.tensors.items() if name.startswith("gradient.")}
    first = {name.replace("gradient", "first"): array for name, array in due.items()}
    doubled = {name: 2 * array for name, array in due.items()}
    halved = {**first, "first.W_value.weight": first["first.W_value.weight"] / 2}
    absent = {name: array for name, array in first.items() if name != "first.W_value.weight"}

    def judged(of_first: dict[str, np.ndarray]) -> bool:
        both = answer({**scenes.of_a_module(), "result": (2 * TOKENS, TOKENS)}, tensors={**doubled, **of_first})
        return replace(scene, seen=both).judged().right

    assert [judged(each) for each in (first, halved, absent, {})] == [True, False, False, False]


def test_another_module_is_made_where_the_rubric_says_with_what() -> None:
    make, load, call, backward, look = scenes.gradients_of_another_module().run.actions[-5:]

    assert isinstance(make, Make)
    assert (make.name, make.arguments[-1], make.may_fail) == ("other", Value(True), True)
    assert isinstance(call, Call)
    assert (call.name, call.of, call.may_fail) == ("given", "other", True)
    assert isinstance(load, Load)
    assert (load.into, load.rest, load.may_fail) == ("other", 0.25, True)
    looked = Inspect("other", "other", gradients=True, may_fail=True)
    assert (backward, look) == (Backward("given", may_fail=True), looked)


def without(scene: Scene, *names: str) -> Scene:
    """The scene in which none of these gradients arrives in the other module."""
    gone = {f"other.{name}" for name in names}
    return scene.but(tensors={name: array for name, array in scene.seen.tensors.items() if name not in gone})


@pytest.mark.parametrize("name", ["W_query.weight", "W_query.bias", "W_value.bias"])
def test_a_gradient_that_does_not_arrive_in_the_other_module_is_told(name: str) -> None:
    scene = scenes.gradients_of_another_module()
    key = f"other.{name}"
    of_zeros = scene.but(tensors={**scene.seen.tensors, key: np.zeros_like(scene.seen.tensors[key])})

    assert scene.judged().right
    told = f"with qkv_bias=True, no gradient reaches {name}; is it used, and is nothing detached on the way?"
    for cut in (without(scene, name), of_zeros):
        assert cut.judged().summary == told
        assert cut.judged().at == "given"


def test_a_gradient_that_does_not_arrive_whole_in_the_other_module_is_told() -> None:
    scene = scenes.gradients_of_another_module()
    halved = scene.seen.tensors["other.W_value.bias"] / 2

    told = scene.but(tensors={**scene.seen.tensors, "other.W_value.bias": halved}).judged()

    assert told.summary == (
        "with qkv_bias=True, the result is right, but its gradients are not; "
        "is nothing cut off or scaled on the way back?"
    )


def test_a_bias_that_changes_nothing_needs_no_gradient() -> None:
    assert without(scenes.gradients_of_another_module(), "W_key.bias").judged().right


def test_gradients_in_the_other_module_are_compared_only_where_it_gives_what_is_due() -> None:
    scene = scenes.gradients_of_another_module().but_tensors(given=3 * TOKENS)

    assert without(scene, "W_query.bias").judged().right
    assert not without(scene, "W_query.weight").judged().right


def test_of_another_module_whose_weights_have_no_place_it_is_asked_that_some_gradient_arrives() -> None:
    scene = scenes.gradients_of_another_module().but(refused={"other load": Fault("exception", "KeyError")})
    zeros = np.zeros_like(scene.seen.tensors["other.W_query.weight"])

    assert scene.but(tensors={**scene.seen.tensors, "other.W_query.weight": zeros}).judged().right
    assert not without(scene, "W_query.weight").judged().right


def test_a_weight_that_the_other_module_calls_otherwise_or_does_not_train_is_not_asked_for() -> None:
    scene = without(scenes.gradients_of_another_module(), "W_query.weight", "W_key.weight")
    first, second, *others = scene.seen.slots["other"]
    renamed = replace(first, name="qkv.weight")
    frozen = replace(second, trainable=False)  # which is another step's to judge

    assert scene.but(slots={"other": (renamed, frozen, *others)}).judged().right


@pytest.mark.parametrize("name", ["other", "given"])
def test_what_the_other_module_does_not_do_is_another_steps_to_judge(name: str) -> None:
    scene = scenes.gradients_of_another_module()
    gone = {"other backward": Fault("exception", "KeyError"), name: Fault("exception", "ValueError")}

    assert scene.but(refused=gone, slots={}).judged().right


def test_an_error_on_the_way_back_through_the_other_module_is_told() -> None:
    broken = {"given backward": Fault("exception", "RuntimeError", message="written in place")}

    told = scenes.gradients_of_another_module().but(refused=broken).judged().summary

    assert told == "with qkv_bias=True, sending a gradient back raises: written in place"


def test_a_module_that_learns_nothing_has_no_gradients_to_be_asked_for() -> None:
    scene = scenes.gradients_of_a_module()
    seen, due = (answer(scenes.of_a_module(2 * TOKENS.astype(dtype))) for dtype in (np.float32, np.float64))
    question = replace(scene.question, loaded=())

    assert replace(scene, question=question, seen=seen, expected=Expected(due, {})).judged().right
