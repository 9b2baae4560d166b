"""Says of a step that fails whether an earlier one is its cause, and so what to look at first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from grader.judge.source import parsed
from grader.model.pack import Exercise, Step, Visibility
from grader.model.report import Cause, Status, Verdict
from grader.model.syntax import walk
from grader.words import say

WRONG = (Status.FAILED, Status.PARTIAL, Status.ERROR, Status.TIMEOUT, Status.CRASHED)
# What fails by its result alone may have it from another; a crash has its own traceback.
BY_RESULT = (Status.FAILED, Status.PARTIAL)


def cause_of(
    exercises: Sequence[Exercise],
    exercise: Exercise,
    step: Step,
    decided: Verdict,
    before: Mapping[str, Verdict],
    source: str,
) -> Cause | None:
    """The earlier step that a failure may come of; None where nothing speaks for one.

    exercises: all of the pack, since a solution may use what it wrote for another. before: verdicts by step. A hidden
    step is nobody's cause: students would hear of it.
    """
    if decided.status not in BY_RESULT:
        return None

    def is_wrong(each: Step) -> bool:
        return each.id in before and before[each.id].status in WRONG and each.visibility is Visibility.VISIBLE

    earlier = [each for each in exercise.steps[: exercise.steps.index(step)] if is_wrong(each)]
    tree = parsed(source)
    calls = _calls(tree, step.of) if tree is not None else set()
    own = [each for each in _firsts(exercise, calls - {step.of}) if each in earlier]
    others = _imported(tree, calls, exercises, step) if tree is not None else ()
    # What passes its first step gives right results, if not for all that it may be asked.
    if each := next(iter((*own, *filter(is_wrong, others))), None):
        return Cause(each.id, say("judge.cause-called", of=step.of, called=each.of, step=each.id))
    if decided.diagnosis or (decided.stage is not None and decided.stage.line):
        return None  # it has a place of its own
    is_computed_right = {*step.cases} <= _computed_right(exercise, step, before)
    for each in sorted(earlier, key=lambda each: not each.stages):  # a wrong result rather than a wrong parameter
        if is_computed_right and not {*step.cases} & {*each.cases}:
            continue  # on other cases alone something is wrong
        if each.of == step.of and any(found.line and not found.near for found in before[each.id].diagnosis):
            return Cause(each.id, say("judge.cause-earlier", step=each.id))
    return None


def _computed_right(exercise: Exercise, step: Step, before: Mapping[str, Verdict]) -> set[str]:
    """The cases on which earlier steps found all that a definition computes right."""
    computing = (each for each in exercise.steps if each.of == step.of and each.stages and each.id in before)
    return {case for each in computing if before[each.id].status is Status.PASSED for case in each.cases}


def _firsts(exercise: Exercise, names: set[str]) -> list[Step]:
    """The first steps of those of an exercise's definitions that have one of these names."""
    return [*{each.of: each for each in reversed(exercise.steps) if each.of in names}.values()][::-1]


def _imported(tree: ast.Module, calls: set[str], exercises: Sequence[Exercise], step: Step) -> Iterator[Step]:
    """The first steps of what is called of the solution's other exercises, but for those that a stand-in replaces."""
    known = {
        each.id: each
        for each in exercises
        if each.id != step.exercise and not {its.id for its in each.steps} & {*step.relies_on}
    }
    for node in walk(tree):
        for here, module, there in _brought(node, known):
            yield from _firsts(known[module], {there} if here in calls else set())


def _brought(node: ast.AST, known: Mapping[str, Exercise]) -> Iterator[tuple[str, str, str]]:
    """The definitions of other exercises that an import brings: what each is called here, its module, and there."""
    for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
        module, here = alias.name.rpartition(".")[2], alias.asname or alias.name
        origin = (node.module or "").rpartition(".")[2] if isinstance(node, ast.ImportFrom) else ""
        if origin in known and alias.name != "*":
            yield here, origin, alias.name
        elif origin in known:
            yield from ((name, origin, name) for name in known[origin].definitions)
        elif module in known:
            yield from ((f"{here}.{name}", module, name) for name in known[module].definitions)


def _calls(tree: ast.Module, of: str) -> set[str]:
    """What a definition calls, by itself or through the module's own functions and classes, as it is written there."""
    bodies = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    called: set[str] = set()
    todo = [of]
    while todo:
        body = bodies.get(todo.pop())
        nodes = walk(body) if body is not None else ()
        names = {_dotted(node.func) for node in nodes if isinstance(node, ast.Call)} - {""}
        todo += sorted(names & bodies.keys() - called)
        called |= names
    return called


def _dotted(node: ast.expr) -> str:
    """A name, or names with dots between them; nothing for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if isinstance(node, ast.Attribute) and before else ""
