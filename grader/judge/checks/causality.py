"""`causality`: no token sees the tokens after it, and every token sees those before."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import MODULE, made, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Call, Run, Tensor
from grader.words import say

# So large that a share of 1e-20 counts, and that squares of it may still be summed; in float16 there is less room.
LOUD, LOUD_IN_HALF = 2.0**60, 2.0**6

BASE = "base"
# Asked once more: what differs by itself says nothing of what a token sees.
AGAIN = "again"
PAST = "past"


class Causality:
    """Changes the tokens after one place and asks that all up to there stay as they are; then changes the first one.

    Tokens lie along the last axis but one of the module's only input. Needs no reference.

    Option `unscored`: a feature of the input that the case's weights keep out of all scores. Once more it becomes so
    large in the tokens after the place that whoever has the smallest share of it shows. Who scores it all the same may
    lose all else beside it, and gives what is no number: of that nothing is said.
    """

    name = "causality"
    compares = False
    explained = False
    options: Mapping[str, type] = {"unscored": int}

    def plan(self, question: Question) -> Run:
        ((_, x),) = question.case.inputs.items()
        changed = {BASE: x, AGAIN: x, PAST: _changed(x, slice(0, 1))}
        for t in range(x.shape[-2] - 1):
            changed[f"after {t}"] = _changed(x, slice(t + 1, None))
            if (feature := question.step.options.get("unscored")) is not None:
                changed[f"loud after {t}"] = loud = changed[f"after {t}"].copy()
                loud[..., t + 1 :, feature] = LOUD_IN_HALF if question.dtype == "float16" else LOUD
        calls = tuple(Call(name, of=MODULE, arguments=(Tensor(name),)) for name in changed)
        return Run((*made(question), *calls), {**tensors(question), **changed})

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        ((_, x),) = question.case.inputs.items()
        base = compare.tensor(seen, BASE)
        if base is None or base.shape[:-1] != x.shape[:-1]:
            return wrong(say("check.no-vector-each", got=compare.described(seen, BASE)))
        base = base.astype(np.float64)
        if compare.lifeless(base):
            return wrong(say("check.lifeless-causality"))
        # Masking after softmax and normalising again is right too, and moves the last digits.
        allowed = compare.tolerance(question, base, 0.0)
        again = compare.tensor(seen, AGAIN)
        if again is None or again.shape != base.shape or (np.abs(again - base) > allowed).any():
            return wrong(say("check.differs-by-itself"))
        past = compare.tensor(seen, PAST)
        if past is None or past.shape != base.shape:
            return wrong(say("check.shape-depends"))
        for t in range(x.shape[-2] - 1):  # a mask may have a hole anywhere
            after = compare.tensor(seen, f"after {t}")
            if after is None or after.shape != base.shape:
                return wrong(say("check.shape-depends"))
            same = (np.abs(after[..., : t + 1, :] - base[..., : t + 1, :]) <= allowed).all(axis=-1)
            if not same.all():
                first = int(np.argwhere(~same)[0][-1])
                return wrong(say("check.sees-future", token=first, after=t))
            if (after[..., t + 1 :, :] == base[..., t + 1 :, :]).all():
                return wrong(say("check.not-looked-at", after=t))
        if (past[..., 1:, :] == base[..., 1:, :]).all():
            return wrong(say("check.sees-no-past"))
        for t in range(x.shape[-2] - 1 if "unscored" in question.step.options else 0):
            loud = compare.tensor(seen, f"loud after {t}")
            if loud is None or loud.shape != base.shape:
                return wrong(say("check.shape-depends"))
            off = (np.abs(loud[..., : t + 1, :] - base[..., : t + 1, :]) > allowed).any(axis=-1)
            if off.any():
                return wrong(say("check.sees-a-little", token=int(np.argwhere(off)[0][-1]), after=t))
        return RIGHT


def _changed(x: np.ndarray, tokens: slice) -> np.ndarray:
    other = x.copy()
    other[..., tokens, :] = 1.5 - 0.5 * other[..., tokens, ::-1]
    return other
