"""What holds of every check there is: what was not computed is never right, and no answer trips a judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.judge.checks import BUILT_IN
from grader.model.check import Finding
from grader.model.observation import Returned
from grader.model.run import Make, Run, encode_actions
from grader.wire.frames import MESSAGE, metadata

from . import scenes
from .scenes import SCENES, Scene

MODULES = {"gradients of a module": scenes.gradients_of_a_module, "dropout of a module": scenes.dropout_of_a_module}
EVERY = {**SCENES, **MODULES}
WITH_TENSORS = sorted(name for name, scene in EVERY.items() if scene().seen.tensors)
every_scene = pytest.mark.parametrize("scene", [pytest.param(EVERY[name](), id=name) for name in sorted(EVERY)])
every_scene_with_tensors = pytest.mark.parametrize(
    "scene", [pytest.param(EVERY[name](), id=name) for name in WITH_TENSORS]
)

ODD: dict[str, Callable[[Any], Any]] = {
    "zeros": np.zeros_like,
    "ones": np.ones_like,
    "nan": lambda a: np.full(a.shape, np.nan, np.float32),
    "infinity": lambda a: np.full(a.shape, np.inf, np.float32),
    "huge": lambda a: np.full(a.shape, 3e38, np.float32) * np.where(np.arange(a.size).reshape(a.shape) % 2, 1, -1),
    "nothing in it": lambda a: np.zeros((0, *a.shape[1:]), np.float32),
    "no axes": lambda a: np.float32(a.reshape(-1)[0]),
    "one axis": lambda a: a.reshape(-1),
    "one axis more": lambda a: a[None],
    "one axis less": lambda a: a[0] if a.ndim else a,
    "on its side": lambda a: a.T,
    "one column less": lambda a: a[..., :-1] if a.ndim else a,
    "one row more": lambda a: np.concatenate([a, a[-1:]]) if a.ndim else a,
    "whole numbers": lambda a: np.arange(a.size).reshape(a.shape),
    "bytes": lambda a: np.arange(a.size).astype(np.uint8).reshape(a.shape),
    "truth values": lambda a: np.arange(a.size).reshape(a.shape) % 3 > 0,
    "half precision": lambda a: a.astype(np.float16),
    "double precision": lambda a: a.astype(np.float64),
}
NOT_TENSORS = {
    "none": Returned("none", type="None"),
    "number": Returned("number", type="int", number=3.0),
    "empty tuple": Returned("sequence", type="tuple"),
    "tuple of tuples": Returned("sequence", type="tuple", items=(Returned("sequence", type="tuple"),)),
    "dict": Returned("other", type="dict"),
    "a tensor that did not come": Returned("tensor", "", "float32", (2, 6, 3), "cpu", "torch.Tensor"),
    "a kind that there is none of": Returned("forged", type="forged"),
}


def test_every_check_has_a_scene() -> None:
    assert set(SCENES) == {check.name for check in BUILT_IN}


@every_scene
def test_a_right_answer_is_right(scene: Scene) -> None:
    assert scene.judged() == Finding(True)


@every_scene_with_tensors
def test_zeros_are_never_right(scene: Scene) -> None:
    finding = scene.each_tensor(np.zeros_like).judged()

    assert not finding.right
    assert finding.summary


@every_scene_with_tensors
def test_nan_is_never_right(scene: Scene) -> None:
    nothing = scene.each_tensor(lambda array: np.full(array.shape, np.nan, np.float32))

    assert not nothing.judged().right


@every_scene
def test_a_module_that_holds_and_does_nothing_is_never_right(scene: Scene) -> None:
    nothing = scene.each_tensor(np.zeros_like).but(slots={"module": ()}, operations={}, refused={})

    assert not nothing.judged().right


@every_scene_with_tensors
@pytest.mark.parametrize("odd", sorted(ODD))
def test_no_tensor_trips_a_judge(scene: Scene, odd: str) -> None:
    finding = scene.each_tensor(ODD[odd]).judged()

    assert isinstance(finding, Finding)
    assert finding.right or finding.summary


@every_scene_with_tensors
@pytest.mark.parametrize("odd", sorted(ODD))
def test_no_single_odd_tensor_trips_a_judge(scene: Scene, odd: str) -> None:
    for name in scene.seen.tensors:
        finding = scene.each_tensor(ODD[odd], only=name).judged()

        assert finding.right or finding.summary


@pytest.mark.parametrize("scene", [pytest.param(EVERY[n](), id=n) for n in sorted(EVERY) if EVERY[n]().seen.returned])
@pytest.mark.parametrize("kind", sorted(NOT_TENSORS))
def test_a_result_that_is_no_tensor_is_wrong_and_no_error(scene: Scene, kind: str) -> None:
    finding = scene.but(returned=dict.fromkeys(scene.seen.returned, NOT_TENSORS[kind])).judged()

    looks_at_gradients_alone = scene.question.step.check == "gradients"
    assert finding.right == looks_at_gradients_alone


@every_scene
def test_a_plan_holds_no_expected_value_and_crosses_the_wire(scene: Scene) -> None:
    run = scene.run

    message = metadata({"actions": encode_actions(run.actions)})[MESSAGE]

    assert isinstance(run, Run)
    assert len(message) < 64 * 1024
    given = [*scene.question.case.inputs.values(), *scene.question.case.weights.values()]
    originals = {array.tobytes() for array in given}
    assert scene.question.step.check == "causality" or all(t.tobytes() in originals for t in run.tensors.values())


@every_scene
def test_a_plan_is_the_same_for_every_solution(scene: Scene) -> None:
    first, again = scene.run, scene.run

    assert encode_actions(first.actions) == encode_actions(again.actions)
    assert {n: t.tobytes() for n, t in first.tensors.items()} == {n: t.tobytes() for n, t in again.tensors.items()}


def test_a_plan_makes_the_class_by_position() -> None:
    scene = scenes.dropout_of_a_module()

    made = [action for action in scene.run.actions if isinstance(action, Make)]

    assert [[argument.value for argument in make.arguments] for make in made] == [[9, 20, 0.0], [9, 20, 0.4]]
