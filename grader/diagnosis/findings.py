"""What the source says of a check's finding where results alone do not tell what is wrong."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from grader.diagnosis.clues.dropout import drops_what_is_blended
from grader.diagnosis.evidence import Mistake, placed
from grader.diagnosis.places.dropout import dropped_joined, drops_weights, drops_weights_alone
from grader.diagnosis.places.statements import asked
from grader.judge.summaries import NO_DROPOUT_SEEN, is_said
from grader.model.check import Finding
from grader.model.observation import Fault
from grader.words import heard, say


def settled(finding: Finding, tree: ast.Module, of: str) -> Finding:
    """A finding without the mistake that the source speaks against, or with one that it shows."""
    is_unseen = is_said(NO_DROPOUT_SEEN, finding.summary)
    if is_unseen and (drops_what_is_blended(tree, of) or dropped_joined(tree, of)):
        return replace(finding, mistake="dropout-on-context", summary=say("check.dropped-context"))
    is_against = finding.else_said and drops_weights_alone(tree, of)
    return replace(finding, mistake="", summary=finding.else_said) if is_against else finding


def unopposed(found: Sequence[str], tree: ast.Module, of: str) -> list[str]:
    """Of mistakes that a check is certain of, those that the source does not speak against."""
    # What is dropped are weights, which are normalised once more; so it may be where that stands in another file.
    is_of_weights = drops_weights(tree, of) or not any(asked(tree, of))
    return [name for name in found if not (is_of_weights and name == "dropout-on-scores")]


def of_shape(fault: Fault, tree: ast.Module, of: str) -> Mistake | None:
    """The known mistake that a weight's other shape is, which keeps all weights from being put in; None where none is.

    The check of parameters names it for certain; here its slot's name alone says so.
    """
    shaped = heard("judge.slot-shape", fault.message) if fault.kind == "weights" else None
    if shaped is None or shaped["slot"] != "out_proj.weight":
        return None
    return placed("out-proj-wrong-width", tree, of, shaped["slot"])
