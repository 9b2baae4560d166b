"""The law of dropout: each number is dropped at the rate asked, on its own, and what survives is scaled by 1 / (1 - p).

It can be told of many calls, never of one; `chance` says what cannot come of draws.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from grader.judge import compare
from grader.judge.checks import chance
from grader.judge.checks.asking import is_class
from grader.judge.summaries import EXCHANGED, is_said
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.words import say

# Weights below this are too near zero to tell a dropped one from a survivor.
VISIBLE = 1e-3
# How far a ratio of two roundings may lie from what it should be: a hundredth where a class has summed up before, which
# leaves few digits of what is nearly nothing, and more only where digits are fewer.
LOOSE_OF_CLASS, LOOSE, LOOSE_UNITS = 1e-2, 1e-4, 4.0
# How near a share that is counted comes to the rate at which it was drawn, as far as that is of interest.
LOOSE_OF_RATE = 0.1


def law(question: Question, plain: np.ndarray, dropped: np.ndarray) -> Finding:
    """Whether each number is dropped at the rate asked, on its own, and else as large as a survivor is to be.

    plain: what there is to drop from. dropped: (calls, *plain.shape), each drawn anew.
    """
    rate, loose = rate_of(question), loose_of(question)
    heads, copies = question.step.options.get("heads", 1), question.step.options.get("copies", 1)
    visible = np.broadcast_to(np.abs(plain) > VISIBLE, dropped.shape)
    if not visible.any():
        return wrong(say("check.zero-to-drop"))
    ratio = np.divide(dropped, plain, out=np.zeros_like(dropped), where=visible)
    gone = visible & (np.abs(ratio) < loose)
    scaled = visible & (np.abs(ratio - 1.0 / (1.0 - rate)) < loose)
    if bool((np.abs(ratio - 1.0) < loose)[visible].all()):
        # A class may hand back the weights themselves, as they were before some are dropped.
        tokens = [np.shape(each)[-2:-1] for each in question.case.inputs.values()]
        if is_class(question) and plain.shape[-1:] in tokens:
            return wrong(say("check.dropout-unclear"))
        return wrong(say("check.nothing-dropped", rate=f"{rate:g}"), "dropout-missing")
    if not plain.ndim or plain.shape[-1] % (heads * copies):
        return wrong(say("check.dropout-unclear"))
    parts, visible_parts = (each.reshape(*gone.shape[:-1], heads, copies, -1) for each in (gone, visible))
    is_laid_out = _is_weights(plain.reshape(*plain.shape[:-1], heads, copies, -1), loose, is_class(question))
    if not (gone | scaled)[visible].all():
        found = _scaled_otherwise(question, dropped, ratio, visible & ~gone, parts, is_laid_out=is_laid_out)
        is_explained = is_said(("check.dropped-twice",), found.summary)
        if is_explained or not (is_laid_out and _together(parts)) or not _are_alike(ratio[visible & ~gone], loose):
            return found
        shown, kept = visible_parts[..., 0, :], np.median(ratio[visible & ~gone])
        drawn = _share(question, parts[..., 0, :], shown)
        # At another rate than the one asked for, and right at that: it is told of what is left.
        is_of_that = abs(kept * (1.0 - parts[..., 0, :].sum() / shown.sum()) - 1.0) < LOOSE_OF_RATE
        is_share = is_said(("check.share-dropped",), drawn.summary) and not is_said(EXCHANGED, drawn.summary)
        return found if drawn.mistakes or (is_share and is_of_that) else _with(found, drawn)
    if not _together(parts):
        # Numbers that a substitute makes out of weights are not alike, and sum to nothing in particular.
        if not is_laid_out and (
            not _together(~visible_parts) or chance.goes_together(gone, visible, gone.ndim - 1, rate)
        ):
            return wrong(say("check.dropout-unclear"))
        # Weights that lie elsewhere are dropped each on its own as well.
        else_said = "" if is_laid_out else say("check.dropout-unclear")
        return replace(wrong(say("check.dropped-context"), "dropout-on-context"), else_said=else_said)
    return _share(question, parts[..., 0, :], visible_parts[..., 0, :])


def _scaled_otherwise(
    question: Question,
    dropped: np.ndarray,
    ratio: np.ndarray,
    kept: np.ndarray,
    parts: np.ndarray,
    *,
    is_laid_out: bool,
) -> Finding:
    """What is said where not every survivor is as large as it is to be.

    ratio: of what came out to what there was. kept: what can be seen of it and survives. parts: what is gone, by heads
    and copies. is_laid_out: whether copies of weights lie where they are looked for.
    """
    rate, loose = rate_of(question), loose_of(question)
    if bool((np.abs(ratio - 1.0) < loose)[kept].all()):
        return wrong(say("check.not-scaled", rate=f"{rate:g}"), "dropout-unscaled")
    if not is_laid_out:
        return wrong(say("check.dropout-unclear"))
    with np.errstate(all="ignore"):
        shares = dropped.reshape(parts.shape).sum(axis=-1)
    are_shares = np.abs(shares - 1.0) < loose
    are_none = (dropped.reshape(parts.shape) == 0).all(axis=-1) & are_shares.any()  # by whoever makes 0 of NaN
    # A hidden score that is dropped is -inf · 0, which makes its row NaN, and no weight 0.
    is_hidden = np.isnan(shares) & are_shares.any() & ~(dropped == 0)[parts.reshape(dropped.shape)].any()
    if (are_shares | is_hidden | are_none).all():
        return wrong(say("check.dropped-scores"), "dropout-on-scores")
    is_twice = bool((np.abs(ratio * (1.0 - rate) ** 2 - 1.0) < loose)[kept].all())
    mistake = "dropout-on-context" if is_twice and not _together(parts) else ""
    factor = float(np.median(ratio[kept]))
    if _are_alike(ratio[kept], loose):
        if is_twice and (said := _dropped_twice(kept, parts, factor, rate)):
            return wrong(said)
        if (said := _kept_and_scaled(kept, parts, factor, rate)) and not is_class(question):
            return wrong(said)
        got, due = compare.shown_apart(factor, 1.0 / (1.0 - rate))
        return wrong(say("check.scaled-otherwise", factor=got, due=due), mistake)
    of_class, of_function = say("check.neither-dropped-nor-scaled"), say("check.survivors-not-scaled")
    return wrong(of_class if is_class(question) else of_function, mistake)


def _dropped_twice(kept: np.ndarray, parts: np.ndarray, factor: float, rate: float) -> str:
    """What is said where as much is dropped as by who drops, then drops from what is left; "" else."""
    count, dropped = int(kept.sum() + parts.sum()), float(parts.sum())
    if not _together(parts) or chance.is_off(dropped, count, 1.0 - (1.0 - rate) ** 2):
        return ""
    got, due = compare.shown_apart(factor, 1.0 / (1.0 - rate))
    return say("check.dropped-twice", share=f"{dropped / count:.0%}", rate=f"{rate:.0%}", factor=got, due=due)


def _kept_and_scaled(kept: np.ndarray, parts: np.ndarray, factor: float, rate: float) -> str:
    """What is said where p is taken for the share to keep, both in what is dropped and in what is left; "" else."""
    count, dropped = int(kept.sum() + parts.sum()), float(parts.sum())
    is_kept = not chance.is_off(dropped, count, 1.0 - rate) and chance.is_off(dropped, count, rate)
    if not is_kept or abs(factor * rate - 1.0) > LOOSE_OF_CLASS:
        return ""
    return say("check.share-kept-and-scaled", share=f"{dropped / count:.0%}", rate=f"{rate:.0%}")


def _together(gone: np.ndarray) -> bool:
    """Whether all copies of a weight are dropped together."""
    return bool((gone == gone[..., :1, :]).all())


def _is_weights(parts: np.ndarray, loose: float, of_class: bool) -> bool:
    """Whether copies of weights are alike, as they are where values and heads keep to their places.

    of_class: whether the weights are a module's own, which sum to 1.
    """
    is_any = (parts != 0).any(axis=-1)  # of a token that sees nothing there may be no weights
    are_shares = not of_class or (is_any.any() and np.allclose(parts.sum(axis=-1)[is_any], 1.0, atol=loose))
    return bool(are_shares and np.allclose(parts, parts[..., :1, :], atol=loose))


def _are_alike(ratios: np.ndarray, loose: float) -> bool:
    """Whether all that survives is one and the same number of times what it was."""
    factor = float(np.median(ratios)) if ratios.size else math.nan
    return math.isfinite(factor) and bool(np.allclose(ratios, factor, rtol=0.0, atol=loose))


def _with(found: Finding, drawn: Finding) -> Finding:
    """A finding with what another one says of the draws behind it, which neither of them makes right or wrong."""
    is_told = drawn.right or all(is_said(EXCHANGED, each.summary) for each in (found, drawn))
    said = () if is_told else (drawn.summary,)
    return replace(found, besides=(*found.besides, *said, *drawn.besides))


def _share(question: Question, gone: np.ndarray, visible: np.ndarray) -> Finding:
    count, rate = int(visible.sum()), rate_of(question)
    if count == 0:
        return wrong(say("check.dropout-unclear"))
    dropped = float(gone.sum())
    if not chance.is_off(dropped, count, rate):
        return _independent(gone, visible, rate)
    none = "dropout-missing" if dropped == 0 else ""
    figures = {"share": f"{dropped / count:.0%}", "rate": f"{rate:.0%}"}
    if chance.is_off(dropped, count, 1.0 - rate):
        # Where weights go together there are fewer draws than weights, so that their share may be off by chance.
        together = _going_together(gone, visible, dropped / count)
        return wrong(together) if together else wrong(say("check.share-dropped", **figures), none)
    # Of a class it is a layer that was handed the other share.
    said = say("check.share-kept", **figures) if is_class(question) else say("check.share-exchanged", **figures)
    return _with(wrong(said, none), _independent(gone, visible, 1.0 - rate))


def _independent(gone: np.ndarray, visible: np.ndarray, rate: float) -> Finding:
    """Whether what is dropped at a rate is decided anew in each call, for each number on its own."""
    count = int(visible.sum())
    again = chance.repeats(gone, visible, rate)
    if again == len(gone) - 1:
        return replace(wrong(say("check.same-each-time")), repeats=True)
    if together := _going_together(gone, visible, rate):
        return wrong(together)
    if again:
        return wrong(say("check.drawn-before"))
    if chance.are_counted_out(gone, count // len(gone), rate):
        return wrong(say("check.same-number"))
    if chance.depend(gone, visible, rate) or chance.are_uneven(gone, visible, rate):
        return wrong(say("check.not-by-chance"))
    return RIGHT


def _going_together(gone: np.ndarray, visible: np.ndarray, rate: float) -> str:
    """What is said where numbers are always dropped together; "" where none are. The last axis but one is heads."""
    heads = gone.ndim - 2
    if chance.goes_together(gone, visible, heads, rate):
        return say("check.dropped-in-heads")
    others = {*range(1, gone.ndim)} - {heads}
    is_one = any(chance.goes_together(gone, visible, axis, rate) for axis in others)
    return say("check.dropped-together") if is_one else ""


def loose_of(question: Question) -> float:
    """How far a ratio of two roundings may lie from what it should be."""
    return max(LOOSE_OF_CLASS if is_class(question) else LOOSE, LOOSE_UNITS * compare.EPSILON[question.dtype])


def rate_of(question: Question) -> float:
    """The rate that a case asks for."""
    template = question.case.template
    given = {**template.construct, **template.inputs}
    return float(given[question.step.options["rate"]])  # type: ignore[arg-type]
