"""A solution is asked by the names that it gives its weights, and what these are is found out once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from grader.judge import ask
from grader.judge.ask import Asker
from grader.judge.binding.loadings import loadings
from grader.model.case import PUBLIC, Case
from grader.model.check import Question
from grader.model.observation import Observation, Slot
from grader.model.pack import CaseTemplate
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
