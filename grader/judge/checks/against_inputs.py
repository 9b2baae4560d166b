"""What else is wrong with a function's dropout, measured against its inputs where its output with p = 0 is no use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import is_class, largest_input
from grader.judge.checks.law import law
from grader.judge.checks.outside import is_dropout
from grader.judge.summaries import EXCHANGED, NO_DROPOUT_SEEN, OF_SURVIVORS, is_said
from grader.model.check import RIGHT, Finding, Question
from grader.model.observation import Observation
from grader.words import say

# What is said where what survives is divided by p.
INFINITE = ("check.infinite-at-zero", "check.kept-and-infinite-at-zero")


def against_inputs(question: Question, seen: Observation, found: Finding, evaluated: Any, dropped: Any) -> Finding:
    """What is found of a function, with what is wrong besides, measured against what it was given.

    evaluated, dropped: what it gives outside and in training; None where that is no tensor.
    """
    given = compare.rounded(largest_input(question), question.dtype).astype(np.float64)
    if is_class(question) or compare.changed_inputs(seen, question):
        return found
    is_whole = compare.are_floats(dropped) and dropped.shape[1:] == given.shape
    drawn = law(question, given, dropped) if is_whole else RIGHT
    # Of one thing not twice, as it is told where p is 0: what is dropped, or what the rest is divided by.
    told = EXCHANGED if is_said(EXCHANGED, found.summary) else ()
    told = (*told, *OF_SURVIVORS) if is_said(INFINITE, found.summary) else told
    said = () if drawn.right or drawn.mistake else (drawn.summary,)
    more = [each for each in (*said, *drawn.besides) if not is_said((*told, *NO_DROPOUT_SEEN), each)]
    also = list(drawn.mistakes)
    is_asked = compare.are_floats(evaluated) and evaluated.shape == given.shape
    if is_asked and not compare.values(question, evaluated, given).right:
        if is_dropout(question, seen, given, evaluated):
            also.append("dropout-in-eval")
        else:
            more.append(say("check.dropout-stays-on"))
    return replace(found, also=tuple(also), besides=tuple(more))
