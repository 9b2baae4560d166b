"""`state`: what the module computes with moves with it, and only what is to be learnt is a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from grader.judge import compare
from grader.judge.binding import labels
from grader.judge.checks.asking import MODULE, RESULT, called, made, tensors
from grader.judge.checks.extra import unwanted
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import MET, NAMELESS, Observation
from grader.model.run import Inspect, Run
from grader.words import say


class State:
    """Looks at the module's slots, and at what it computes with.

    A mask that is built while computing, on the device of the input, is right, and so is one that is never used. One
    that is a plain attribute, or always lies on the CPU, is not: it stays behind when a training script moves the
    model.
    """

    name = "state"
    compares = False
    explained = False
    options: Mapping[str, type] = {}

    def plan(self, question: Question) -> Run:
        return Run((*made(question), Inspect(MODULE), called(question, watch=True)), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        result = compare.tensor(seen, RESULT)
        if result is not None and not np.isfinite(result).all():
            return wrong(say("check.state-not-finite"))
        if result is None or compare.lifeless(result):
            return wrong(say("check.state-unclear"))
        slots = seen.slots.get(MODULE, ())
        hidden = [slot for slot in slots if slot.kind == "loose" and slot.name in question.loaded]
        if hidden:
            name = hidden[0].name
            in_list = labels.NUMBER.search(name)
            said = say("check.in-plain-list", slot=name) if in_list else say("check.plain-attribute", slot=name)
            found = wrong(said, "heads-unregistered" if in_list else "", at=MODULE)
            return replace(found, about=name)
        said, slot = unwanted(question, seen)
        if said:
            return replace(wrong(said, at=MODULE), about=slot)
        left = seen.strays.get(RESULT, ())
        if NAMELESS in left:
            return wrong(say("check.made-elsewhere"), at=RESULT + MET)
        if left:
            return replace(wrong(say("check.stays-behind", name=left[0]), at=MODULE), about=left[0])
        return RIGHT
