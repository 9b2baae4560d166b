"""How far a step that failed is right, by the stages on its way to the result, and what it earns by that."""

from __future__ import annotations

import ast
from dataclasses import replace

from grader.diagnosis.clues.lost import lost
from grader.diagnosis.follow import Follower
from grader.diagnosis.places.scores import scaled_again
from grader.diagnosis.places.statements import statements_of
from grader.diagnosis.source.definition import result_line
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.workbench import Workbench
from grader.judge.summaries import OF_A_LATER_CALL, is_said
from grader.model.check import Question
from grader.model.pack import Exercise, Step
from grader.model.report import Status
from grader.model.run import World
from grader.verdict.examined import Examined, lacks_results
from grader.words import heard, say

# A mistake that makes of a stage, where scores are symmetric, the right values on their side: these earn nothing.
ON_THEIR_SIDE = {"softmax-wrong-axis": "weights"}
# One by which all is on its side up to a stage.
TURNED = {"query-key-swapped": "scaled"}
# Mistakes that say of a stage that it is missing or wrong: it, or a later one, that is right all the same is made and
# let go.
LET_GO = {
    "scale-missing": "scaled",
    "scale-no-sqrt": "scaled",
    "scale-inverted": "scaled",
    "scale-wrong-width": "scaled",
    "mask-missing": "masked",
    "mask-discarded": "masked",
    "softmax-missing": "weights",
}


def followed(
    bench: Workbench, follower: Follower, exercise: Exercise, step: Step, world: World, examined: Examined
) -> Examined:
    """With the last stage that is right and the first that is not, and what a failed step earns by that."""
    question = examined.question
    if examined.status is not Status.FAILED or not step.stages:
        return examined
    tree = parsed(bench.source(exercise))
    if question is not None and not examined.mistakes:
        examined = _staged(follower, question, world, examined, tree)
    if question is not None and examined.picture is not None:
        examined = replace(examined, picture=follower.picture(question, world) or examined.picture)
    if not step.credit:
        return examined
    credit, right = follower.credit(exercise, step, world)
    if not credit or any(ON_THEIR_SIDE.get(each.id) == right for each in examined.mistakes):
        return examined
    told = lost(tree, step.of) if question is not None else None
    is_lost = question is not None and told is not None and told[1] == follower.right_until(question, world)
    parts = {"step": step.name, "count": credit, "stage": right}
    if is_lost or _is_let_go(examined, step, right, tree):
        note = say("judge.credit-let-go", **parts)
    elif any(TURNED.get(each.id) == right for each in examined.mistakes):
        note = say("judge.credit-turned", **parts)
    elif any(heard("judge.nearly", each) for each in examined.notes):  # as that stage is, which is less looked at
        note = say("judge.credit-nearly", **parts)
    else:
        note = say("judge.credit", **parts)
    return replace(examined, credit=credit, notes=(*examined.notes, note))


def _is_let_go(examined: Examined, step: Step, right: str, tree: ast.Module) -> bool:
    """Whether a mistake says of a stage on the way to the one that is right that it is missing or wrong."""
    way = step.stages[: step.stages.index(right) + 1]
    # What is divided by a root once more was right before, and reaches the result.
    reaching = {"scale-no-sqrt"} if scaled_again(statements_of(tree, step.of)) else set()
    return any(LET_GO.get(each.id) in way for each in examined.mistakes if each.id not in reaching)


def _staged(follower: Follower, question: Question, world: World, examined: Examined, tree: ast.Module) -> Examined:
    """With the last stage that is right and the first that is not, or the one that is returned as the result."""
    if is_said(OF_A_LATER_CALL, examined.summary):
        return examined
    if lacks_results(examined):
        return examined  # which is of all, while the first of them is a stage
    if any(heard("judge.last-collected", note) is not None for note in examined.notes):
        return examined  # whose turns are right, and not what they make together
    stage = follower.stage(question, world)
    if stage is not None and examined.is_placed:  # a line that is known, where a stage has one that is near
        stage = replace(stage, file=examined.file, line=examined.line)
    returned = follower.returned(question, examined.answers[question.case], world)
    if not returned:
        return replace(examined, stage=stage)
    note = say("judge.returned-stage", stage=returned)
    examined = replace(examined, stage=None, notes=(*examined.notes, note))
    if examined.is_placed:  # a line that is known, with what to change in it
        return examined
    return replace(examined, line=result_line(tree, examined.line), remark=note)
