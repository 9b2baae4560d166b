"""Parameters that an exercise does not have: what they are drawn as is another number in each module that is made."""

from __future__ import annotations

from grader.judge.binding.loadings import unasked_biases
from grader.judge.checks.asking import MODULE
from grader.model.check import Question
from grader.model.observation import Observation
from grader.words import say


def unwanted(question: Question, seen: Observation) -> tuple[str, str]:
    """The sentence on one, a layer's or what is never to be learnt, and its name; both empty where there is none."""
    slots = seen.slots.get(MODULE, ())
    biases = unasked_biases(question.case.weights, slots, question.loaded, question.naming)
    own = {*question.loaded, *(slot.name for slot in biases)}
    for slot in slots:
        if slot.kind != "parameter" or not slot.trainable or slot.name in own or 0 in slot.shape:
            continue  # one without numbers is what some ask for their device
        layer, _, name = slot.name.rpartition(".")
        if layer and name in ("weight", "bias"):
            return say("check.layer-unwanted", layer=layer), slot.name
        return say("check.should-be-buffer", slot=slot.name), slot.name
    return "", ""
