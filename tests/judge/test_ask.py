"""A solution is asked by the names that it gives its weights, and what these are is found out once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from grader.judge import ask
from grader.judge.ask import Asker, Bound
from grader.judge.binding.fused import BLOCKS, BY_HEAD, EACH_HEAD, IN_TURN
from grader.judge.binding.loadings import loadings
from grader.model.case import PUBLIC, Case
from grader.model.check import Question
from grader.model.observation import Observation, Slot
from grader.model.pack import CaseTemplate, Fused, Naming
from grader.model.run import OWN, Load, Make, Run, World
from tests.judge.hand_made import exercise, numbers, step

WEIGHT = "W_query.weight"


def test_why_weights_have_no_place_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Any] = []

    def counted(*arguments: Any) -> Any:
        found.append(arguments)
        return loadings(*arguments)

    def observe_each(runs: Sequence[Run], world: World) -> Iterator[Observation]:
        other = Slot("other.weight", (2, 2), "parameter", "Linear", trainable=True)
        yield from (Observation(slots={"module": (other,)}) for _ in runs)

    monkeypatch.setattr(ask, "loadings", counted)
    asker = Asker(SimpleNamespace(observe_each=observe_each))  # type: ignore[arg-type]
    case = Case(CaseTemplate("drawn"), PUBLIC, {}, {WEIGHT: numbers(3, 2)})
    question = Question(exercise(step()), step(), case)
    run = Run((Make("module", "ex", "Attention"), Load("module", {WEIGHT: f"weight.{WEIGHT}"})))

    answers = [asker.bound(question, run, OWN) for _ in range(3)]

    assert all(isinstance(each, Observation) and each.fault is not None for each in answers)
    assert {each.fault.kind for each in answers if isinstance(each, Observation) and each.fault} == {"weights"}
    assert len(found) == 1


def test_where_wrong_results_have_shown_how_weights_lie_together_no_other_order_is_tried() -> None:
    roles = ("W_query", "W_key", "W_value")
    held = (Slot("qkv.weight", (12, 3), "parameter", "Linear", trainable=True),)

    def observe_each(runs: Sequence[Run], world: World) -> Iterator[Observation]:
        yield from (Observation(slots={"module": held}) for _ in runs)

    checks = {"output": SimpleNamespace(explained=True)}
    asker = Asker(SimpleNamespace(observe_each=observe_each, checks=checks))  # type: ignore[arg-type]
    weights = {f"{role}.weight": numbers(4, 3, seed=seed) for seed, role in enumerate(roles)}
    load = Load("module", {name: f"weight.{name}" for name in weights})
    run = Run((Make("module", "ex", "Attention"), load), {f"weight.{name}": each for name, each in weights.items()})
    asked = replace(step(), of="Attention")
    naming = Naming(fused=(Fused(("qkv",), roles),))
    question = Question(exercise(asked), asked, Case(CaseTemplate("drawn"), PUBLIC, {}, weights), naming=naming)

    every = asker.layouts(question, run, OWN)
    asker.settle(run, [every[4], every[2]], OWN)

    assert len(every) > 4
    assert asker.layouts(question, run, OWN) == [every[4], every[2]]
    assert asker.layouts(question, run, World(frozenset({"other"}))) == [every[4], every[2]]


def test_what_lies_head_by_head_lies_side_by_side_where_there_is_one_head() -> None:
    plain, turned = (
        Bound(Run(()), layout=f"{BLOCKS}: {roles}") for roles in ("W_query, W_key, W_value", "W_value, W_key, W_query")
    )

    for layout in (BY_HEAD, EACH_HEAD):
        assert ask._nearest([plain, turned], f"{layout}: W_value, W_key, W_query") == [turned]
    assert ask._nearest([plain, turned], f"{IN_TURN}: W_value, W_key, W_query") == []
