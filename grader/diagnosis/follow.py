"""Follows a solution that fails a step through the reference's stages: how far it is right, and near which line not."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from grader.diagnosis.picture import picture
from grader.diagnosis.places.patterns import MASKING
from grader.diagnosis.places.texts import written
from grader.diagnosis.runs import traced, up_to_result
from grader.diagnosis.sought import allowed
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.stages import Progress, Stages, is_stage, progress
from grader.diagnosis.workbench import Workbench
from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.model.case import Case
from grader.model.check import Question
from grader.model.observation import Observation, Trace
from grader.model.pack import Exercise, Step
from grader.model.report import Picture, Stage
from grader.model.run import Run, World
from grader.model.syntax import Definition, assigned_at, holds, read_in, stored_in, walk

# What rubrics call the scores when they are divided by a root, and when the future is hidden in them.
SCALED, MASKED = "scaled", "masked"
IS_MASKED = re.compile(rf"{MASKING.pattern}|mask")
IS_SCALED = re.compile(r"(?<!\*)[*/](?!\*)|sqrt|\b(div|mul)\w*\(")


def _is_masked_alone(tree: ast.Module, line: int) -> bool:
    """Whether a line's own code masks, and scales nothing, whatever a comment says of it."""
    nodes = [node for node in walk(tree) if isinstance(node, ast.stmt) and holds(node, line)]
    text = min((written(node) for node in nodes), key=len, default="")
    return IS_MASKED.search(text) is not None and IS_SCALED.search(text) is None


@dataclass(slots=True)
class Follower:
    """Follows one solution, with its calls traced. Remembers what it followed."""

    bench: Workbench
    asker: Asker
    _traces: dict[tuple[World, Run], Observation] = field(default_factory=dict)
    _progress: dict[tuple[str, Case], tuple[Trace, Progress]] = field(default_factory=dict)
    _drawn: set[tuple[World, str]] = field(default_factory=set)

    def stage(self, question: Question, world: World) -> Stage | None:
        """How far the solution is right on a case that it fails, and where it goes wrong; None where unknown."""
        progress = self.follow(question, world)
        if progress is None:
            return None
        tree = parsed(self.bench.source(question.exercise))
        line = own_line(tree, question, progress.lines)
        wrong = progress.wrong
        if MASKED in question.step.stages and wrong == SCALED and _is_masked_alone(tree, line):
            wrong = MASKED  # by who masks before they scale
        meaning = question.exercise.meanings.get(wrong, "")
        # By that name the solution calls something else, made of what is right in the very line that is not.
        right = "" if wrong and progress.right in _named_at(tree, line) else progress.right
        return Stage(right, wrong, question.exercise.file if line else "", line, meaning)

    def steps(self, question: Question, world: World) -> int:
        """How many tensors the solution makes on its way, as far as they are noted; 0 where it made none."""
        trace = self._trace(question, world)
        return len(trace.made) if trace is not None else 0

    def right_until(self, question: Question, world: World) -> int:
        """The line of the solution's own that makes the last stage which is right; 0 where there is none."""
        progress = self.follow(question, world)
        return own_line(parsed(self.bench.source(question.exercise)), question, progress.made) if progress else 0

    def credit(self, exercise: Exercise, step: Step, world: World) -> tuple[int, str]:
        """The points that the rubric gives for stages that are right, and for which one; 0 for none.

        Fresh cases count alone, where there are any: a right value on inputs never seen must have been computed.
        """
        cases = self.bench.cases(exercise, step, world)
        fresh = [case for case in cases if not case.is_public]
        right: set[str] = set()
        missing: set[str] = set()
        for case in fresh or cases:
            progress = self.follow(self.asker.question(exercise, step, case), world)
            right |= progress.found if progress else set()
            missing |= progress.missing if progress else set(step.stages)
            if missing >= step.credit.keys():
                break
        return max(((step.credit[name], name) for name in right - missing if name in step.credit), default=(0, ""))

    def follow(self, question: Question, world: World) -> Progress | None:
        """What the solution makes of a case; None where it made nothing that could be followed."""
        known = self.bench.stages(question, world)
        trace = self._trace(question, world) if known is not None else None
        if known is None or trace is None or not trace.made:
            return None
        key = question.step.id, question.case
        if key not in self._progress or self._progress[key][0] is not trace:
            given = [*question.case.inputs.values(), *question.case.weights.values()]
            self._progress[key] = trace, progress(known, trace, given)
        return self._progress[key][1]

    def returned(self, question: Question, seen: Observation, world: World) -> str:
        """The stage that a result is, of which something is still to be made on every public case; "" for none.

        On one case another mistake may come to the same, as a root that is rounded to 1 leaves scores as they are.
        """
        for stage in self._stages_that_are(question, seen, world):
            cases = self.bench.cases(question.exercise, question.step, world)
            others = (replace(question, case=case) for case in cases if case.is_public and case is not question.case)
            if all(self._may_return(other, stage, world) for other in others):
                return stage
        return ""

    def _may_return(self, question: Question, stage: str, world: World) -> bool:
        if self.bench.stages(question, world) is None or _is_rough(question):
            return True
        seen = self._observed(question, world)
        return seen is not None and stage in self._stages_that_are(question, seen, world)

    def _stages_that_are(self, question: Question, seen: Observation, world: World) -> list[str]:
        """The stages before the last, which is the result, that are what a solution gives."""
        known, result = self.bench.stages(question, world), compare.tensor(seen, RESULT)
        if known is None or result is None or _is_rough(question):
            return []
        given = self.bench.expected(question, world).observation.returned.get(RESULT)
        if given is not None and given.items:  # of several results, each is a stage that is due
            return []
        before = [*known.values.items()][:-1]
        return [name for name, value in before if value.shape == result.shape and is_stage(value, result)]

    def picture(self, question: Question, world: World) -> Picture | None:
        """What the solution's tokens make of each other, where its result only shows what comes of that.

        The last of the reference's stages that is a square for each sequence or head, such as attention weights, beside
        the solution's last tensor of the same shape; None where there is none, where it is right, or where the same
        definition's was drawn before: its other steps fail for the same reason.
        """
        if (world, question.step.of) in self._drawn:
            return None
        self._drawn.add((world, question.step.of))
        known = self.bench.stages(question, world)
        square = _last_square(known) if known is not None else None
        trace = self._trace(question, world) if square is not None else None
        if square is None or trace is None:
            return None
        name, expected = square
        progress = self.follow(question, world)
        if progress is not None and name in progress.found:  # what is made of it afterwards is another thing
            return None
        same = [made.value for made in trace.made if np.shape(made.value) == expected.shape]
        if not same:
            return None
        return picture(question.case, name, expected, same[-1], allowed(expected))

    def _trace(self, question: Question, world: World) -> Trace | None:
        seen = self._observed(question, world)
        return seen.traces.get(RESULT) if seen is not None else None

    def _observed(self, question: Question, world: World) -> Observation | None:
        """What the solution does with its calls traced; None where it cannot be asked."""
        ways = self.asker.bound(question, self.bench.plan(question), world, trusting=True)
        if not isinstance(ways, list):
            return None
        run = traced(up_to_result(ways[0].run))
        if (world, run) not in self._traces:
            self._traces[world, run] = self.asker.observe(run, world)
        seen = self._traces[world, run]
        if self.asker.was_refused(run, seen, world):
            return self._observed(question, world)  # it is not trusted again
        return seen


def _is_rough(question: Question) -> bool:
    """Whether a case is compared so loosely that much that is not alike looks so."""
    return question.case.template.relative is not None


def _last_square(stages: Stages) -> tuple[str, Any] | None:
    """The last stage that is square in its last two axes, with its name; None where the result may be taken for it."""
    found = list(stages.values.items())
    square = [pair for pair in found[:-1] if pair[1].ndim > 1 and pair[1].shape[-1] == pair[1].shape[-2] > 1]
    return square[-1] if square and found[-1][1].shape != square[-1][1].shape else None


def _named_at(tree: ast.Module, line: int) -> set[str]:
    """The variables that are given a value in a line, and are not made of themselves."""
    return {name for node in assigned_at(tree, line) for name in stored_in(node) - read_in(node.value)}


def own_line(tree: ast.Module, question: Question, lines: Sequence[int]) -> int:
    """Of nested lines the innermost that lies in no function which is asked for by itself; 0 for none."""
    elsewhere = asked_elsewhere(tree, question)
    own = itertools.takewhile(lambda line: not any(holds(node, line) for node in elsewhere), lines)
    return max(enumerate(own), default=(0, 0))[1]


def asked_elsewhere(tree: ast.Module, question: Question) -> list[ast.stmt]:
    """What is asked for by itself, but for what this step asks."""
    others = question.exercise.definitions.keys() - {question.step.of}
    return [node for node in tree.body if isinstance(node, Definition) and node.name in others]
