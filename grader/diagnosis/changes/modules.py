"""A solution with changes of its source beside it, each a module of its own, and what these answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from grader.diagnosis.changes.pieces import Repairs, repaired
from grader.diagnosis.runs import of_another, sending, traced, up_to_result
from grader.diagnosis.workbench import Ask, Workbench
from grader.judge.ask import Asker, Bound, plainly
from grader.judge.checks.asking import RESULT
from grader.judge.checks.output import result
from grader.judge.packing import is_repeated
from grader.model.check import Question
from grader.model.observation import Observation
from grader.model.run import World

Answers = list[tuple[Repairs, Bound, Observation]]


@contextmanager
def beside(
    bench: Workbench,
    asker: Asker,
    question: Question,
    some: Sequence[Repairs],
    world: World,
    *,
    holds_others: bool = False,
) -> Iterator[Changed]:
    """The solution with a module more for each of some changes of the one that a question asks.

    holds_others: whether they change what a class holds, so that weights have another place than before.
    """
    source = bench.source(question.exercise)
    names = {each: f"{question.exercise.id} {number}" for number, each in enumerate(some)}
    sources = {name: repaired(source, each).encode() for each, name in names.items()}
    with bench.beside(sources, world) as ask:
        yield Changed(asker, world, ask, names, holds_others)


@dataclass(frozen=True, slots=True)
class Changed:
    """A solution's changed modules while they can be asked. names: what they are called, by the changes."""

    asker: Asker
    world: World
    ask: Ask
    names: Mapping[Repairs, str]
    holds_others: bool = False

    def answers(
        self,
        question: Question,
        some: Sequence[Repairs],
        *,
        is_traced: bool = False,
        is_sent: bool = False,
        brief: bool = False,
    ) -> tuple[Answers, bool]:
        """What comes whole of some changes on a case, and whether all were tried: they end with the first that crashes.

        Where weights lie together they are in the likeliest order: what is right in any is right. is_sent: whether the
        inputs are sent back. brief: as far as the result alone.
        """
        way, answers = self.observed(question, some, is_traced=is_traced, is_sent=is_sent, brief=brief)
        if way is None:
            return [], False
        whole = [(each, way, seen) for each, seen in zip(some, answers, strict=False) if seen.is_whole]
        return whole, len(answers) == len(some)

    def observed(
        self,
        question: Question,
        some: Sequence[Repairs],
        *,
        is_traced: bool = False,
        is_sent: bool = False,
        brief: bool = False,
    ) -> tuple[Bound | None, list[Observation]]:
        """How some changes are asked a case, and what comes of each, to the first that crashes; None and nothing where
        the weights have no place.

        A class that cannot be made as it stands, or holds something else with them, is asked as if it held the lesson's
        names.
        """
        plan, module = self.asker.bench.plan(question), question.exercise.id
        ways = self.asker.bound(question, plan, self.world, trusting=True)
        if self.holds_others:
            way = plainly(question, plan)
        elif not isinstance(ways, Observation):
            way = ways[0]
        elif ways.fault is not None and ways.fault.kind == "exception":
            way = plainly(question, plan)
        else:
            return None, []
        run = up_to_result(way.run) if brief else way.run
        run = traced(run) if is_traced else run
        run = sending(run, question.case) if is_sent else run
        return way, self.ask([of_another(run, module, self.names[each], self.world) for each in some])

    def is_right(self, question: Question, way: Bound, seen: Observation, *, brief: bool = False) -> bool:
        """Whether a check finds an answer right.

        A list of nothing but whole results is no repair of a list of rows, though the first of it would do. brief: an
        answer that was asked as far as the result alone.
        """
        check = self.asker.bench.checks[question.step.check]
        expected = self.asker.bench.expected(question, self.world) if check.compares else None
        got = seen.returned.get(RESULT)
        want = expected.observation.returned.get(RESULT) if expected is not None else None
        if got is not None and want is not None and is_repeated(got, want):
            return False
        question = replace(question, loaded=way.loaded) if way.loaded else question
        return (result(question, seen, expected) if brief else check.judge(question, seen, expected)).right

    def right_for(self, questions: Iterable[Question], some: list[Repairs]) -> list[Repairs]:
        """Those of some changes with which all comes right that is asked."""
        for question in questions if some else ():
            answers, _ = self.answers(question, some)
            some = [each for each, way, seen in answers if self.is_right(question, way, seen)]
        return some
