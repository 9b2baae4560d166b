"""Follows a solution that fails a step through the reference's stages: how far it is right, and near which line not."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from grader.judge.ask import Asker
from grader.judge.bench import Bench
from grader.judge.checks.asking import RESULT
from grader.judge.diagnosis import evidence
from grader.judge.diagnosis.stages import Progress, progress, traced
from grader.model.check import Question
from grader.model.pack import Exercise, Step
from grader.model.report import Stage
from grader.model.run import World


@dataclass(slots=True)
class Follower:
    """Follows one solution, with its calls traced."""

    bench: Bench
    asker: Asker

    def stage(self, question: Question, world: World) -> Stage | None:
        """How far the solution is right on a case that it fails, and where it goes wrong; None where unknown."""
        progress = self.follow(question, world)
        if progress is None:
            return None
        line = _own_line(evidence.parsed(self.bench.source(question.exercise)), question, progress.lines)
        return Stage(progress.right, progress.wrong, f"{question.exercise.id}.py" if line else "", line)

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
        run = self.bench.checks[question.step.check].plan(question)
        known = self.bench.stages(question, run, world)
        ways = self.asker.bound(question, run, world)
        if known is None or not isinstance(ways, list):
            return None
        trace = self.asker.observe(traced(ways[0].run), world).traces.get(RESULT)
        return progress(known, trace) if trace is not None and trace.made else None


def _own_line(tree: ast.Module | None, question: Question, lines: Sequence[int]) -> int:
    """Of nested lines the innermost that lies in no function which is asked for by itself; 0 for none."""
    others = question.exercise.definitions.keys() - {question.step.of}
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in (tree.body if tree else ())
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in others
    ]
    own = itertools.takewhile(lambda line: not any(line in span for span in spans), lines)
    return max(enumerate(own), default=(0, 0))[1]
