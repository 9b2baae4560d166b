"""`output`: the result is what the reference gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.check import Finding
from grader.model.observation import Fault
from grader.model.pack import Pack
from grader.model.run import Call, Load, Make, Mode, Send, Tensor, Value

from ..hand_made import CLASS, EXERCISE, FUNCTION, answer, expecting, numbers, question
from . import scenes
from .scenes import CHECKS, TOKENS, Scene


def test_a_function_is_called_with_the_cases_inputs() -> None:
    asked = question("output", {"x": TOKENS, "p": 0.5})

    (call,) = CHECKS["output"].plan(asked).actions

    assert call == Call("result", module=EXERCISE, definition=FUNCTION, arguments=(Tensor("x"), Value(0.5)))


def test_a_class_is_made_loaded_put_into_evaluation_and_called() -> None:
    asked = question("output", {"x": TOKENS}, of=CLASS, weights={"W.weight": numbers(4, 3)}, construct={"d_in": 3})

    run = CHECKS["output"].plan(asked)

    assert run.actions == (
        Make("module", EXERCISE, CLASS, (Value(3),)),
        Load("module", {"W.weight": "weight.W.weight"}),
        Mode("module", training=False),
        Call("result", of="module", arguments=(Tensor("x"),)),
        Call("again", of="module", arguments=(Tensor("again x"),), may_fail=True),
        Make("another", EXERCISE, CLASS, (Value(6),), may_fail=True),
        Call("beside", of="module", arguments=(Tensor("again x"),), may_fail=True),
    )
    assert set(run.tensors) == {"x", "again x", "weight.W.weight"}
    np.testing.assert_array_equal(run.tensors["again x"], TOKENS[..., ::-1])


def test_what_is_no_floating_tensor_is_the_same_in_the_next_call() -> None:
    mask = np.triu(np.ones((6, 6), bool), 1)
    asked = question("output", {"x": TOKENS, "mask": mask, "by": np.array(0.5, np.float32), "p": 0.5}, of=CLASS)

    run = CHECKS["output"].plan(asked)

    (again,) = (each for each in run.actions if isinstance(each, Call) and each.name == "again")
    assert again.arguments == (Tensor("again x"), Tensor("again mask"), Tensor("again by"), Value(0.5))
    np.testing.assert_array_equal(run.tensors["again mask"], mask)


def test_a_module_that_gives_its_first_answer_again_is_told() -> None:
    wanted, turned = 2 * TOKENS.astype(np.float64), 2 * TOKENS[..., ::-1]
    asked = question("output", {"x": TOKENS}, of=CLASS)
    scene = Scene(
        asked,
        answer({"result": 2 * TOKENS, "again": 2 * TOKENS, "beside": turned}),
        expecting(wanted, again=wanted[..., ::-1], beside=wanted[..., ::-1]),
    )

    assert scene.but_tensors(again=turned).judged().right
    assert scene.judged().summary.startswith("called once more, with other numbers: 24 of 36 values are off")
    assert scene.but(refused={"again": Fault("exception", "RuntimeError", "a stale graph")}).judged().summary == (
        "called once more, with other numbers, the module raises: a stale graph"
    )


def test_a_module_that_keeps_how_many_sequences_there_were_is_told() -> None:
    x = numbers(3, 4, 2)
    wanted, turned = 2 * x.astype(np.float64), 2 * x[..., ::-1]
    scene = Scene(
        question("output", {"x": x}, of=CLASS),
        answer({"result": 2 * x, "again": turned, "fewer": turned, "beside": turned}),
        expecting(wanted, again=wanted[..., ::-1], fewer=wanted[:2, :, ::-1], beside=wanted[..., ::-1]),
    )
    told = "called once more, with x of shape (2, 4, 2) after (3, 4, 2)"

    np.testing.assert_array_equal(scene.run.tensors["fewer x"], x[:2, :, ::-1])
    assert scene.but_tensors(fewer=turned[:2]).judged().right
    assert scene.judged().summary.startswith(f"{told}: shape (3, 4, 2); expected (2, 4, 2)")
    assert scene.but(refused={"fewer": Fault("exception", "RuntimeError", "no such view")}).judged().summary == (
        f"{told}, the module raises: no such view"
    )


@pytest.mark.parametrize("inputs", [{"x": TOKENS}, {"x": TOKENS[0, 0]}, {"x": TOKENS[0], "mask": TOKENS[0] > 0}])
def test_where_one_would_be_left_or_there_are_several_inputs_none_are_taken_away(inputs: dict[str, Any]) -> None:
    run = CHECKS["output"].plan(question("output", inputs, of=CLASS))

    assert "fewer" not in [each.name for each in run.actions if isinstance(each, Call)]


def test_a_module_that_shares_what_it_is_made_with_with_the_next_one_is_told() -> None:
    wanted, turned = 2 * TOKENS.astype(np.float64), 2 * TOKENS[..., ::-1]
    scene = Scene(
        question("output", {"x": TOKENS}, of=CLASS),
        answer({"result": 2 * TOKENS, "again": turned, "beside": turned / 2}),
        expecting(wanted, again=wanted[..., ::-1], beside=wanted[..., ::-1]),
    )
    told = (
        "once another Attention of other sizes is made, this one is no longer what it was: "
        "keep what it is made with under `self`; "
    )

    assert scene.but_tensors(beside=turned).judged().right
    assert scene.judged().summary.startswith(told + "36 of 36 values are off")
    assert scene.but(refused={"beside": Fault("exception", "RuntimeError", "no such view")}).judged().summary == (
        told + "no such view"
    )


def test_whole_numbers_alone_are_others_for_the_next_module() -> None:
    construct = {"d_in": 3, "dropout": 0.5, "qkv_bias": True}

    run = CHECKS["output"].plan(question("output", {"x": TOKENS}, of=CLASS, construct=construct))

    (another,) = (each for each in run.actions if isinstance(each, Make) and each.name == "another")
    assert another.arguments == (Value(6), Value(0.5), Value(True))


def test_the_next_module_serves_single_tokens_where_a_step_asks_for_the_longest_sequence() -> None:
    (another,) = (each for each in before_longer().run.actions if isinstance(each, Make) and each.name == "another")

    assert another.arguments == (Value(1),)


def test_a_right_result_whose_inputs_were_written_into_has_a_note_where_that_is_a_known_mistake() -> None:
    scene = scenes.output().but(written={"result": ("x",)})
    asked = replace(scene.question, exercise=replace(scene.question.exercise, mistakes={"input-mutated": "Do not."}))

    finding = replace(scene, question=asked).judged()

    assert (finding.right, finding.mistake) == (True, "")
    assert finding.notes == ("it writes into the caller's x: better make a new tensor",)
    assert scene.judged().notes == ()
    assert replace(scene, question=asked).but_tensors(result=3 * TOKENS).judged().notes == ()


def test_values_that_are_off_are_told_with_the_worst() -> None:
    wrong = 2 * TOKENS
    wrong[1, 2, 0] = 9.0

    finding = scenes.output().but_tensors(result=wrong).judged()

    expected = f"{2 * TOKENS[1, 2, 0]:.4g}"
    assert finding.summary == f"1 of 36 values is off; the worst at [1, 2, 0]: got 9, expected {expected} (case random)"


def test_one_row_too_many_is_told_by_its_shape() -> None:
    finding = scenes.output().but_tensors(result=np.ones((2, 7, 3), np.float32)).judged()

    assert finding.summary == "shape (2, 7, 3); expected (2, 6, 3) (case random)"


def test_a_very_negative_number_stands_for_minus_infinity_where_the_step_says_so() -> None:
    wanted, got = np.array([1.0, -np.inf]), np.array([1.0, -1e9], np.float32)
    plain = question("output", {"x": TOKENS})
    lenient = question("output", {"x": TOKENS}, options={"minus_infinity": -1e8})

    findings = [Scene(asked, answer({"result": got}), expecting(wanted)).judged() for asked in (plain, lenient)]

    assert [finding.right for finding in findings] == [False, True]
    assert findings[1].notes == ("-1e+09 stands for -inf; accepted",)


def test_the_references_own_noise_is_allowed_four_times() -> None:
    scene = scenes.output()
    largest = float(np.abs(2 * TOKENS).max())
    noisy = replace(scene, expected=expecting(2 * TOKENS.astype(np.float64), 1e-3))

    within = noisy.but_tensors(result=2 * TOKENS + np.float32(3.9e-3 * largest)).judged()
    beyond = noisy.but_tensors(result=2 * TOKENS + np.float32(4.1e-3 * largest)).judged()

    assert (within.right, beyond.right) == (True, False)


def before_longer() -> Scene:
    """A class that is called with the case's six tokens, with as many as there may be, and with six others."""
    asked = question("output", {"x": TOKENS}, of=CLASS, construct={"most": 8}, options={"longest": "most"})
    longer = 2 * np.concatenate([TOKENS, np.roll(TOKENS, 1, axis=-1)[:, :2]], axis=1)
    wanted = 2 * TOKENS.astype(np.float64)
    turned = 2 * TOKENS[..., ::-1]
    seen = answer({"result": 2 * TOKENS, "longer": longer, "again": turned, "beside": turned})
    due = {"longer": longer.astype(np.float64), "again": wanted[..., ::-1], "beside": wanted[..., ::-1]}
    return Scene(asked, seen, expecting(wanted, **due))


def test_a_module_may_be_called_with_all_tokens_before_it_is_called_once_more() -> None:
    run = before_longer().run

    calls = [action for action in run.actions if isinstance(action, Call)]
    assert [(call.name, call.may_fail, call.recorded) for call in calls] == [
        ("result", False, True), ("longer", True, False), ("again", True, True), ("beside", True, True),
    ]  # fmt: skip
    assert [call.arguments for call in calls[:-1]] == [(Tensor("x"),), (Tensor("longer x"),), (Tensor("again x"),)]
    longer = np.concatenate([TOKENS, np.roll(TOKENS, 1, axis=-1)[:, :2]], axis=1)  # whose last two are other tokens
    np.testing.assert_array_equal(run.tensors["longer x"], longer)
    np.testing.assert_array_equal(run.tensors["again x"], TOKENS[..., ::-1])


def test_what_it_makes_of_all_tokens_is_judged_after_the_case() -> None:
    scene = before_longer()
    nothing = np.zeros((2, 8, 3), np.float32)

    assert scene.judged().right
    assert scene.but_tensors(result=TOKENS, longer=nothing).judged().summary.startswith("36 of 36 values are off")
    assert (
        scene.but_tensors(longer=nothing, again=TOKENS)
        .judged()
        .summary.startswith("for a sequence of 8 tokens, as many as the context has, after one of 6: 48 of 48 values")
    )
    assert (
        scene.but_tensors(again=TOKENS)
        .judged()
        .summary.startswith("called once more, with other numbers: 36 of 36 values are off")
    )


def test_an_error_that_only_another_length_raises_is_told_with_what_came_before() -> None:
    scene = before_longer()
    fault = Fault("exception", "RuntimeError", "The size of tensor a (8) must match")

    assert scene.but(refused={"longer": fault, "again": fault}).judged().summary == (
        "a sequence of 8 tokens, as many as the context has, after one of 6, raises: "
        "The size of tensor a (8) must match"
    )
    assert scene.but(refused={"again": fault}).judged().summary == (
        "called once more, with other numbers, the module raises: The size of tensor a (8) must match"
    )


def test_a_callers_tensor_that_has_to_be_as_it_was_is_looked_at_again() -> None:
    asked = question("output", {"x": TOKENS, "p": 1.0}, options={"unchanged": True})
    zeros = np.zeros_like(TOKENS)

    def finding(*sent: np.ndarray) -> Finding:
        seen = answer({"result": zeros}, tensors=dict(zip(["sent.x"], sent, strict=False)))
        return Scene(asked, seen, expecting(zeros.astype(np.float64))).judged()

    assert CHECKS["output"].plan(asked).actions[-1] == Send(("x",))
    assert finding(TOKENS).right
    assert finding(zeros).summary == "it writes into the caller's x: better make a new tensor"
    assert finding(zeros).mistake == finding().mistake == "input-mutated"  # as what no frame can hold is not sent


def test_a_loop_over_single_numbers_is_through_with_the_longest_sequence_in_time(pack: Pack) -> None:
    given = [
        ({"num_heads": 1, **exercise.cases[name].construct}, step.options["longest"])
        for exercise in pack.exercises
        for step in exercise.steps
        for name in step.cases
        if "longest" in step.options
    ]
    # d_out is one head's width or that of all of them; so many products there are, or fewer, for each two tokens.
    products = [int(own[longest]) ** 2 * own["d_out"] * own["num_heads"] for own, longest in given]

    assert max(products) <= 130**2 * 8


@pytest.mark.parametrize(("left", "told"), [(0.0, ""), (2e-9, "at [1, 2] there is 2e-09 where nothing may be left")])
@pytest.mark.parametrize("is_asked", [True, False])
def test_where_the_reference_gives_nothing_next_to_nothing_is_told_if_the_rubric_asks(
    left: float, told: str, is_asked: bool
) -> None:
    due = np.array([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0]])
    got = due.astype(np.float32)
    got[1, 2] = left
    asked = question("output", {"x": TOKENS}, options={"zeros": True} if is_asked else {})

    found = Scene(asked, answer({"result": got}), expecting(due)).judged()

    assert found.right is (not is_asked or not told)
    assert found.right or found.summary.startswith(told)
