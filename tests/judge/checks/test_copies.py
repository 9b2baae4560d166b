"""`copies`: after one module's weights were copied into another, both give the same outputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.observation import Fault
from grader.model.run import Call, Inspect, Made, Make, Value

from ..hand_made import answer
from . import scenes
from .scenes import TOKENS


def test_both_modules_are_made_and_handed_over() -> None:
    actions = scenes.copies().run.actions

    assert [a for a in actions if isinstance(a, Make)] == [
        Make("source", "ex06_a", "Source", (Value(3), Value(2))),
        Make("target", "ex07_b", "Target", (Value(3), Value(6))),
    ]
    was, copy, result, still = (a for a in actions if isinstance(a, Call))
    assert copy.arguments == (Made("source"), Made("target"))
    assert (was.of, result.of, still.of) == ("source", "target", "source")


def test_a_target_that_gives_other_outputs_is_told() -> None:
    finding = scenes.copies().but_tensors(result=3 * TOKENS).judged()

    assert finding.summary.startswith("after the copy, the target's output: 36 of 36 values are off")


def of_other_sizes(due: Any, given: Any, **arrays: Any) -> str:
    """What is said of another pair's outputs. arrays: results of the case's own pair."""
    scene = scenes.copies().but_tensors(**arrays)
    step = replace(scene.question.step, options={**scene.question.step.options, "also": {"d_out": 3}})
    more = answer({"due": due, "given": given})
    scene = scene.but(returned={**scene.seen.returned, **more.returned}, tensors={**scene.seen.tensors, **more.tensors})
    return replace(scene, question=replace(scene.question, step=step)).judged().summary


def test_another_pair_gives_the_same_outputs_too() -> None:
    assert of_other_sizes(3 * TOKENS, 3.001 * TOKENS) == ""
    assert of_other_sizes(np.full_like(TOKENS, np.nan), TOKENS) == ""
    told = "after the copy the target, with d_out=3, gives something else than the source"
    assert of_other_sizes(3 * TOKENS, -3 * TOKENS) == told


def test_of_another_pair_nothing_is_asked_where_the_case_s_own_two_compute_different_things() -> None:
    said = of_other_sizes(3 * TOKENS, -3 * TOKENS, still=5 * TOKENS)

    assert "d_out" not in said


def with_another_pair(**options: Any) -> scenes.Scene:
    scene = scenes.copies()
    step = replace(scene.question.step, options={**scene.question.step.options, **options})
    return replace(scene, question=replace(scene.question, step=step))


def test_every_pair_s_target_is_made_with_its_own_arguments() -> None:
    scene = with_another_pair(also={"d_in": 4}, training={"d_in": 5})

    assert [(a.module, a.arguments, a.may_fail) for a in scene.run.actions if isinstance(a, Make)] == [
        ("ex06_a", (Value(3), Value(2)), False),
        ("ex07_b", (Value(3), Value(6)), False),
        ("ex06_a", (Value(5), Value(2)), True),
        ("ex07_b", (Value(5), Value(6)), True),
        ("ex06_a", (Value(4), Value(2)), True),
        ("ex07_b", (Value(4), Value(6)), True),
    ]


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        ("copied given", "with d_in=4, the copy raises: no"),
        ("given", "after the copy the target, with d_in=4, can no longer compute: no"),
    ],
)
def test_of_another_pair_s_copy_that_fails_its_error_is_told(refused: str, told: str) -> None:
    scene = with_another_pair(also={"d_in": 4})
    more = answer({name: 3 * TOKENS for name in ("able", "due", "given") if name != refused})
    seen = replace(
        scene.seen,
        returned={**scene.seen.returned, **more.returned},
        tensors={**scene.seen.tensors, **more.tensors},
        refused={refused: Fault("exception", "ValueError", "no")},
    )

    assert replace(scene, seen=seen).judged().summary == told
    for unable in ("able", "due"):  # the source or the target cannot compute by itself
        returned = {name: each for name, each in seen.returned.items() if name != unable}
        assert replace(scene, seen=replace(seen, returned=returned)).judged().right


def test_of_an_error_without_words_its_type_is_told() -> None:
    finding = scenes.copies().but(refused={"result": Fault("exception", "AssertionError")}).judged()

    assert finding.summary == "after the copy the target can no longer compute: AssertionError"


def test_a_source_that_was_changed_is_told() -> None:
    finding = scenes.copies().but_tensors(still=3 * TOKENS).judged()

    assert finding.summary.startswith("the source's own output: 36 of 36 values are off")


@pytest.mark.parametrize("left", [{"trainable": False}, {"kind": "loose", "trainable": False}, {"name": "other"}])
def test_a_source_that_is_no_longer_trained_is_told(left: dict[str, Any]) -> None:
    scene = scenes.copies()
    weight, bias = scene.seen.slots["read"]

    finding = scene.but(slots={**scene.seen.slots, "left": (replace(weight, **left), bias)}).judged()

    said = "after the copy the source's heads.0.W_query.weight is not trained any more; the source is only to be read"
    assert (finding.summary, finding.mistakes) == (said, ())
    was_so = {**scene.seen.slots, "read": (replace(weight, trainable=False), bias)}
    assert scene.but(slots={**was_so, "left": was_so["read"]}).judged().right


def test_a_source_that_holds_other_numbers_is_told_whatever_it_gives() -> None:
    scene = scenes.copies()
    emptied = {**scene.seen.tensors, "left.heads.0.W_query.bias": np.zeros(2, np.float32)}
    absent = {name: each for name, each in scene.seen.tensors.items() if name != "left.heads.0.W_query.bias"}

    for tensors in (emptied, absent):
        finding = scene.but(tensors=tensors).judged()
        assert finding.summary.startswith("after the copy the source's heads.0.W_query.bias holds other numbers")
        assert finding.mistake == "input-mutated"


def test_a_module_that_is_no_longer_in_training_is_told() -> None:
    scene = scenes.copies()
    step = replace(scene.question.step, options={**scene.question.step.options, "training": {"d_in": 4}})
    asked = replace(scene.question, step=step)
    random, same = np.stack([2 * TOKENS, 3 * TOKENS]), np.stack([TOKENS, TOKENS])

    def judged(before: Any, behind: Any, beside: str = "") -> str:
        seen = answer({f"{beside}before": before, f"{beside}behind": behind})
        both = {**scene.seen.returned, **seen.returned}
        merged = replace(scene.seen, returned=both, tensors={**scene.seen.tensors, **seen.tensors})
        return replace(scene, question=asked, seen=merged).judged().summary

    plan = [(action.name, action.times) for action in replace(scene, question=asked).run.actions[-5:]]
    calls = [("before", 2), ("beside before", 2), ("copied behind", 1), ("behind", 2), ("beside behind", 2)]
    assert plan == calls
    assert judged(random, random) == ""
    assert judged(random, same).startswith("after the copy the source drops nothing any more")
    assert judged(same, same) == ""  # as it dropped nothing before
    assert judged(random, random, "beside ") == ""
    assert judged(random, same, "beside ").startswith("after the copy the target drops nothing any more")
    assert judged(same, same, "beside ") == ""
    assert replace(scene, question=asked).judged().right  # of which no such pair can be made


def test_what_a_source_only_keeps_may_be_another_after_the_copy_has_tried_what_it_made() -> None:
    scene = scenes.copies()
    kept = replace(scenes.slot("last_weights", 2, 2), kind="loose", trainable=False)
    slots = {**scene.seen.slots, **{key: (*scene.seen.slots[key], kept) for key in ("read", "left")}}
    numbers = {"read.last_weights": np.eye(2, dtype=np.float32), "left.last_weights": np.ones((2, 2), np.float32)}

    assert scene.but(slots=slots, tensors={**scene.seen.tensors, **numbers}).judged().right

    is_a_weight = (replace(kept, trainable=True),)
    slots = {**scene.seen.slots, **{key: (*scene.seen.slots[key], *is_a_weight) for key in ("read", "left")}}
    finding = scene.but(slots=slots, tensors={**scene.seen.tensors, **numbers}).judged()
    assert finding.summary.startswith("after the copy the source's last_weights holds other numbers")


def test_a_source_that_is_wrong_by_itself_costs_its_copy_nothing() -> None:
    broken = Fault("exception", "ValueError", "no")

    assert scenes.copies().but_tensors(was=3 * TOKENS, still=3 * TOKENS).judged().right
    assert scenes.copies().but(refused={"was": broken, "still": broken}).judged().right


def test_a_target_that_was_broken_is_told() -> None:
    fault = Fault("exception", "RuntimeError", "mat1 and mat2 shapes\ncannot be multiplied \x1b[31m")

    finding = scenes.copies().but(refused={"result": fault}).judged()

    assert finding.summary == (
        "after the copy the target can no longer compute: mat1 and mat2 shapes cannot be multiplied [31m"
    )


def test_a_source_that_was_broken_is_told() -> None:
    finding = scenes.copies().but(refused={"still": Fault("exception", "ValueError", "no")}).judged()

    assert finding.summary == "after the copy the source can no longer compute: no"


@pytest.mark.parametrize("name", ["result", "still"])
def test_of_a_fresh_case_an_error_is_told_without_its_words(name: str) -> None:
    scene = scenes.copies().but(refused={name: Fault("exception", "ValueError", "0.1734")})
    fresh = replace(scene.question, case=replace(scene.question.case, origin="fresh"))

    summary = replace(scene, question=fresh).judged().summary

    assert "0.1734" not in summary
    assert "drawn afresh" in summary


def test_only_a_source_changed_after_a_right_copy_is_a_changed_input() -> None:
    changed = scenes.copies().but_tensors(still=3 * TOKENS).judged()
    both = scenes.copies().but_tensors(still=3 * TOKENS, result=3 * TOKENS).judged()

    assert (changed.mistake, both.mistake) == ("input-mutated", "")


def test_what_the_target_holds_is_asked_before_the_copy_and_after_it() -> None:
    actions = scenes.copies().run.actions

    copy = next(n for n, action in enumerate(actions) if isinstance(action, Call) and action.name == "copied")
    assert actions[copy - 1 : copy + 2 : 2] == (Inspect("target", "empty"), Inspect("target", "filled", values=True))
