"""Parameters that an exercise does not have: what they are drawn as is another number in each module that is made."""

from __future__ import annotations

from grader.judge.checks.asking import MODULE
from grader.model.check import Question
from grader.model.observation import Observation
from grader.words import say


def unwanted(question: Question, seen: Observation) -> str:
    """The sentence on one, a layer's or what is never to be learnt; empty where there is none."""
    extra = [slot for slot in seen.slots.get(MODULE, ()) if slot.kind == "parameter" and slot.trainable]
    for slot in extra:
        layer, _, name = slot.name.rpartition(".")
        if slot.name in question.loaded or (name == "bias" and f"{layer}.weight" in question.loaded):
            continue
        if layer and name in ("weight", "bias"):
            return say("check.layer-unwanted", layer=layer)
        return say("check.should-be-buffer", slot=slot.name)
    return ""
