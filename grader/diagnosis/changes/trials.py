"""Tries small changes of a source that is wrong, beside it: what makes all of a step right is all that it lacks.

One change is tried first, then the same one in all places, or two: of these the first has to bring the solution a
stage further.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.diagnosis.changes.bearing import bearing_on
from grader.diagnosis.changes.modules import Answers, beside
from grader.diagnosis.changes.pieces import Repair, Repairs, Scope, in_all_places
from grader.diagnosis.changes.repairs import repairs
from grader.diagnosis.follow import Follower, asked_elsewhere, own_line
from grader.diagnosis.source.called import called
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.source.used import definitions_of
from grader.diagnosis.stages import Progress, progress
from grader.diagnosis.workbench import Workbench
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.model.check import Question
from grader.model.pack import Step
from grader.model.run import OWN, Call, Run, World
from grader.model.syntax import holds, walk

# Tensors that are made in all trials of a step: with the few of most solutions every change can be tried, and of one
# that loops over single numbers, where each trial takes its time, the likeliest. What makes more of them once it is
# changed is looked at so far.
MOST_STEPS, MOST_NOTED = 20_000, 40_000
# What is tried beside the changes: the source as it is. Where that is right all of a sudden, no change made it right.
UNCHANGED: Repairs = ()
# So many of those that may bear on what is wrong are tried.
MOST_TRIED = 200
# So many changes that bring a solution further are gone on from, each with so many others.
MOST_BEGUN, MOST_BEHIND = 2, 50
# So many that make the first case right are tried on the others.
MOST_RIGHT = 6
# So many are tried before it is seen whether one of them will do.
AT_ONCE = 16
# Of lines that are no further apart than this neither is nearer to where it goes wrong: the likelier change counts.
NEAR = 2
LOOPS = (ast.For, ast.While, ast.comprehension)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is wrong, and what changes of it have to make right.

    asked: all that has to be right, first what is told of. known: changes that another step was found to lack. raised:
    the line of an exception, which is begun with.
    """

    asked: Sequence[Question]
    world: World
    tree: ast.Module
    known: Repairs
    raised: int

    @property
    def question(self) -> Question:
        return self.asked[0]

    def line(self, far: Progress | None) -> int:
        """Where it goes wrong, 0 where that is not known. far: how far it is right."""
        return own_line(self.tree, self.question, far.lines) if far is not None else 0


@dataclass(frozen=True, slots=True)
class _Tried:
    """What came of some changes.

    right: what makes all cases right, the nearest to where it goes wrong, if that is known, and the likeliest.
    further: where none does, the first that bring the solution a stage further, and how far.
    """

    right: Repairs = ()
    further: Sequence[tuple[Repairs, Progress]] = ()


@dataclass(slots=True)
class Trials:
    """Tries changes of one solution's modules. Remembers those that made a definition right, which others may use."""

    bench: Workbench
    asker: Asker
    follower: Follower
    _found: dict[str, Repairs] = field(default_factory=dict)
    _searched: set[tuple[World, str]] = field(default_factory=set)
    # Whether all of a step comes right with some changes: each of a definition's steps asks that of the others.
    _comes_right: dict[tuple[World, str, frozenset[Repair]], bool] = field(default_factory=dict)

    def lacking(self, question: Question, world: World, raised: int = 0) -> Repairs:
        """The changes that make a step right on all of its cases, of those in what it asks for itself.

        Nothing where none of those that are tried does. A definition is searched once, for the first of its steps that
        looks at its results. raised: the line of an exception, which is begun with.
        """
        wrong = self._wrong(question, world, raised)
        right = self._tried(wrong, [wrong.known] if wrong.known else []).right
        searched = (world, question.step.of)
        if not right and searched not in self._searched and self._may_search(wrong):
            self._searched.add(searched)
            right = self._search(wrong)
            found = self._found.get(question.exercise.id, ())
            self._found[question.exercise.id] = tuple(dict.fromkeys((*found, *right)))
        if right:
            self._comes_right[world, question.step.id, frozenset(right)] = True
        own = _asked_here(right, wrong)
        return own if not raised or len(own) == len(right) else ()  # what is wrong elsewhere may be what raised

    def scope(self, question: Question, world: World, lacking: Repairs, *, is_raised: bool = False) -> Scope:
        """Where changes that make a step right are all that is lacking. is_raised: it raises, and what uses it too."""
        tree, of = parsed(self.bench.source(question.exercise)), question.step.of
        known = self._known(question, tree)
        is_part = not {*known} <= {*lacking}  # the rest is asked for by itself, and told there
        steps = [each for each in question.exercise.steps if each is not question.step]
        whole = tuple(dict.fromkeys((*known, *lacking)))
        if not self._make_right([each for each in steps if each.of == of], question, world, whole):
            return Scope.DEFINITION_FOR_STEP if is_part else Scope.STEP
        if is_part:
            return Scope.DEFINITION
        users = [each for each in steps if is_raised and each.of != of and of in called(tree, each.of)]
        return Scope.FILE if self._make_right(users, question, world, lacking) else Scope.DEFINITION

    def _make_right(self, steps: Sequence[Step], question: Question, world: World, lacking: Repairs) -> bool:
        """Whether with these changes all comes right that other steps ask."""
        if world != OWN and any(each.relies_on != question.step.relies_on for each in steps):
            return False  # of what is asked with other stand-ins nothing is known here
        keys = {each.id: (world, each.id, frozenset(lacking)) for each in steps}
        known = [self._comes_right.get(key) for key in keys.values()]
        left = [each for each in steps if keys[each.id] not in self._comes_right]
        if False in known or not left:
            return False not in known
        with beside(self.bench, self.asker, question, [lacking], world) as changed:
            for each in left:
                asked = [other for other, _ in self.bench.asked(question.exercise, each, world).whole]
                is_right = self._comes_right[keys[each.id]] = bool(changed.right_for(asked, [lacking]))
                if not is_right:
                    return False
        return True

    def _wrong(self, question: Question, world: World, raised: int) -> _Wrong:
        tree = parsed(self.bench.source(question.exercise))
        return _Wrong(self._asked(question, world), world, tree, self._known(question, tree), raised)

    def _known(self, question: Question, tree: ast.Module) -> Repairs:
        """What made another step right, of what this one makes use of."""
        used = definitions_of(tree, question.step.of)
        found = self._found.get(question.exercise.id, ())
        return tuple(each for each in found if any(holds(node, each.line) for node in used))

    def _asked(self, question: Question, world: World) -> list[Question]:
        """All that a change has to make right: a step's cases, the one that is shown first and the public ones before.

        Of a function also what its other steps tell of many calls: without them nothing drawn may pass for right.
        """
        exercise, step = question.exercise, question.step
        is_class = exercise.definitions[step.of].is_class
        siblings = [] if is_class else [each for each in exercise.steps if each.of == step.of and each is not step]
        own, *others = (
            sorted((each for each, _ in self.bench.asked(exercise, some, world).whole), key=_is_fresh)
            for some in (step, *siblings)
        )
        drawn = (each for some in others for each in some if self._is_drawn(each))
        if self._is_drawn(question):  # which says as much as another that is wrong by where it draws
            drawn = (each for each in drawn if not self._draws_elsewhere(each, world))
        return [question, *(each for each in own if each.case is not question.case), *drawn]

    def _of_siblings(self, wrong: _Wrong) -> list[Question]:
        """What other steps ask of the same function: a change that spoils it makes up for what is wrong."""
        exercise, step = wrong.question.exercise, wrong.question.step
        if exercise.definitions[step.of].is_class:
            return []
        siblings = (each for each in exercise.steps if each.of == step.of and each is not step)
        alike = (each for each in siblings if wrong.world == OWN or each.relies_on == step.relies_on)
        return [asked for each in alike for asked, _ in self.bench.asked(exercise, each, wrong.world).whole]

    def _draws_elsewhere(self, question: Question, world: World) -> bool:
        """Whether a step is wrong in that its random numbers come from elsewhere than they should."""
        seen = self.asker.observe(self.bench.plan(question), world)
        return seen.is_whole and bool(self.bench.checks[question.step.check].judge(question, seen, None).draws_from)

    def _may_search(self, wrong: _Wrong) -> bool:
        """Whether changes are tried for a step: of results, and of what a function gives in many calls without a loop.

        What spoils a class's other steps may be made up for in them, and a loop takes as many times as long.
        """
        question = wrong.question
        if self.bench.checks[question.step.check].explained:
            return True
        if question.exercise.definitions[question.step.of].is_class or not any(map(self._is_drawn, wrong.asked)):
            return False
        used = definitions_of(wrong.tree, question.step.of)
        return not any(isinstance(node, LOOPS) for each in used for node in walk(each))

    def _is_drawn(self, question: Question) -> bool:
        """Whether many calls are to tell of what is drawn in them."""
        return not self.bench.checks[question.step.check].explained and _times(self.bench.plan(question)) > 1

    def _search(self, wrong: _Wrong) -> Repairs:
        """One change, or else two, with which all cases are right, besides those that are known."""
        question, world = wrong.question, wrong.world
        if not (own := repairs(wrong.tree, question.step.of, wrong.raised)):
            return ()
        far = self.follower.follow(question, world) if not wrong.raised else None
        most = MOST_STEPS // max(1, self.follower.steps(question, world), _times(self.bench.plan(question)))
        likely = bearing_on(wrong.tree, question, own, far)
        likely = [each for each in likely if not any(map(each.overlaps, wrong.known))]
        singles = [(*wrong.known, each) for each in likely]
        if (line := wrong.line(far)) and most < len(singles):  # of so few those near where it goes wrong
            singles.sort(key=lambda each: _apart(each, line))
        tried = self._tried(wrong, singles[: min(most, MOST_TRIED)], far)
        twos: list[Repairs] = [(*wrong.known, *each) for each in in_all_places(likely)][:MOST_BEHIND]
        for some, now in tried.further:
            behind = (each for each in own if not any(map(each.overlaps, some)))
            twos += [(*some, each) for each in bearing_on(wrong.tree, question, behind, now)][:MOST_BEHIND]
        return tried.right or self._tried(wrong, twos[:most]).right

    def _tried(self, wrong: _Wrong, some: Sequence[Repairs], far: Progress | None = None) -> _Tried:
        """What comes of some changes. far: how far the solution is right, where it is to be known which go further."""
        if not some:
            return _Tried()
        first, *others = wrong.asked
        some = [UNCHANGED, *some]
        # What is asked behind the result takes several times as long.
        brief = self.bench.checks[first.step.check].explained
        line = wrong.line(far)
        answers: Answers = []
        right: list[Repairs] = []
        whole: list[Repairs] = []
        siblings = self._of_siblings(wrong)
        left = MOST_RIGHT
        with beside(self.bench, self.asker, first, some, wrong.world) as changed:
            for begin in range(0, len(some), AT_ONCE):
                part = some[begin : begin + AT_ONCE]
                these, is_through = changed.answers(first, part, is_traced=far is not None, brief=brief)
                answers += these
                seeming = [each for each, way, seen in these if changed.is_right(first, way, seen, brief=brief)]
                now = changed.right_for([first] if brief else [], seeming)[:left]
                if UNCHANGED in now:
                    return _Tried()
                brief = brief and UNCHANGED not in seeming  # else what is wrong lies behind the result
                left -= len(now)
                now = changed.right_for(others, now)
                right += now
                whole += changed.right_for(siblings, now)
                if not is_through or not left or any(_apart(each, line) == 0 for each in whole):
                    break
        if right or far is None:
            return _Tried(min(whole or right, key=lambda each: _apart(each, line), default=()))
        return _Tried(further=[*itertools.islice(self._further(wrong, answers, far), MOST_BEGUN)])

    def _further(self, wrong: _Wrong, answers: Answers, far: Progress) -> Iterator[tuple[Repairs, Progress]]:
        """Those of some changes that bring the solution a stage further, and how far. answers: traced."""
        question = wrong.question
        known = self.bench.stages(question, wrong.world)
        given = [*question.case.inputs.values(), *question.case.weights.values()]
        noted = 0
        for each, _, seen in answers:
            trace = seen.traces.get(RESULT)
            if known is not None and trace is not None and trace.made and each != UNCHANGED:
                noted += len(trace.made)
                if noted > MOST_NOTED:
                    return
                now = progress(known, trace, given)
                if now.found > far.found:
                    yield each, now


def _is_fresh(question: Question) -> bool:
    return not question.case.is_public


def _apart(some: Repairs, line: int) -> int:
    """How far the last of some changes is from a line, as far as that counts; 0 where the line is not known."""
    return abs(some[-1].line - line) // NEAR if line else 0


def _asked_here(some: Repairs, wrong: _Wrong) -> Repairs:
    """Those of some changes that lie in nothing which is asked for by itself, but for what this step asks."""
    elsewhere = asked_elsewhere(wrong.tree, wrong.question)
    return tuple(each for each in some if not any(holds(node, each.line) for node in elsewhere))


def _times(run: Run) -> int:
    """How many times over a run asks what one call would answer."""
    return max((each.times for each in run.actions if isinstance(each, Call)), default=1)
