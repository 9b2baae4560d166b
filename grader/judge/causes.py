"""Says of a step that fails whether an earlier one of its exercise is its cause, and so what to look at first."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from grader.judge.source import parsed
from grader.model.pack import Exercise, Step, Visibility
from grader.model.report import Cause, Status, Verdict
from grader.model.syntax import walk
from grader.words import say

WRONG = (Status.FAILED, Status.PARTIAL, Status.ERROR, Status.TIMEOUT, Status.CRASHED)
# What fails by its result alone may have it from another; a crash has its own traceback.
BY_RESULT = (Status.FAILED, Status.PARTIAL)


def cause_of(
    exercise: Exercise, step: Step, decided: Verdict, before: Mapping[str, Verdict], source: str
) -> Cause | None:
    """The earlier step of this exercise that a failure may come of; None where nothing speaks for one.

    before: verdicts by step. A hidden step is nobody's cause: students would hear of it.
    """
    if decided.status not in BY_RESULT:
        return None
    earlier = [
        (each, before[each.id])
        for each in exercise.steps[: exercise.steps.index(step)]
        if each.id in before and before[each.id].status in WRONG and each.visibility is Visibility.VISIBLE
    ]
    called = _called(parsed(source), step.of, exercise.definitions)
    firsts = {each.of: each for each in reversed(exercise.steps)}
    for each, _ in earlier:
        # What passes its first step gives right results, if not for all that it may be asked.
        if each.of in called and firsts[each.of] is each:
            return Cause(each.id, say("judge.cause-called", of=step.of, called=each.of, step=each.id))
    if decided.diagnosis or (decided.stage is not None and decided.stage.line):
        return None  # it has a place of its own
    is_computed_right = {*step.cases} <= _computed_right(exercise, step, before)
    for each, verdict in earlier:
        if is_computed_right and not {*step.cases} & {*each.cases}:
            continue  # on other cases alone something is wrong
        if each.of == step.of and any(found.line and not found.near for found in verdict.diagnosis):
            return Cause(each.id, say("judge.cause-earlier", step=each.id))
    return None


def _computed_right(exercise: Exercise, step: Step, before: Mapping[str, Verdict]) -> set[str]:
    """The cases on which earlier steps found all that a definition computes right."""
    computing = (each for each in exercise.steps if each.of == step.of and each.stages and each.id in before)
    return {case for each in computing if before[each.id].status is Status.PASSED for case in each.cases}


def _called(tree: ast.Module | None, of: str, definitions: Iterable[str]) -> set[str]:
    """Which others of an exercise's definitions a definition calls, by itself or through the module's own functions."""
    bodies = {
        node.name: node for node in (tree.body if tree else ()) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    reached: set[str] = set()
    todo = [of]
    while todo:
        body = bodies.get(todo.pop())
        calls = [node.func for node in walk(body) if isinstance(node, ast.Call)] if body is not None else []
        names = {function.id for function in calls if isinstance(function, ast.Name)} & bodies.keys()
        todo += sorted(names - reached)
        reached |= names
    return (reached & set(definitions)) - {of}
