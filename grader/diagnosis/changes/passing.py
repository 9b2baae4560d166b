"""Gets past what kept a solution's definitions from giving any result, and tells what else is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.diagnosis import evidence, sentences
from grader.diagnosis.changes.behind import Behind, Past, is_asked_in, is_guess
from grader.diagnosis.changes.corrections import corrected, of_widths, turning_heads
from grader.diagnosis.changes.mends import mends
from grader.diagnosis.changes.modules import beside
from grader.diagnosis.changes.pieces import Repairs, repaired
from grader.diagnosis.copying import is_copy
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.findings import settled, unopposed
from grader.diagnosis.other_cases import asked_of
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.workbench import Workbench
from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.copied_weights import of_others
from grader.judge.checks.copies import changes_source
from grader.judge.checks.dropout import Dropout
from grader.judge.checks.parameters import Parameters
from grader.model.check import Question
from grader.model.observation import Fault, Observation
from grader.model.pack import Exercise, Step
from grader.model.run import World

# Mistakes of a product's factor, wherever that is made: a product may raise for it, and be put right.
OF_PRODUCTS = {"weights-transposed", "batch-transpose"}
NOT_TURNED = "heads-not-transposed"
NOTHING = Past(())


@dataclass(slots=True)
class Passing:
    """Looks behind what one solution raises. Remembers what it saw there, since several steps ask the same."""

    bench: Workbench
    asker: Asker
    _seen: dict[tuple[object, ...], Past] = field(default_factory=dict)

    def of_fault(self, exercise: Exercise, step: Step, fault: Fault, line: int, world: World) -> tuple[Mistake, ...]:
        """The known mistakes behind an exception in a definition's own line, 0 where it was raised elsewhere."""
        if sentences.runs_when_loaded(fault):
            return ()
        tree = parsed(self.bench.source(exercise))
        case = next((each for each in self.bench.cases(exercise, step, world) if each.is_public), None)
        widths = of_widths(fault, tree, self.asker.question(exercise, step, case)) if case is not None else ()
        past = self._past(exercise, step.of, [widths] if widths else [], world, holds_others=True)
        if past.is_explained:  # else they may be the same in other words
            return past.mistakes
        return self.found(exercise, step.of, mends(fault, tree, step.of, line), world)

    def of_mistakes(
        self, exercise: Exercise, step: Step, some: Sequence[Mistake], fault: Fault | None, line: int, world: World
    ) -> tuple[Mistake, ...]:
        """The known mistakes behind others that were seen in a definition's results, where these raise as well.

        fault: what was raised in a line of the exercise's, 0 for none.
        """
        known, tree = {each.id for each in some}, parsed(self.bench.source(exercise))
        ways = corrected(some, tree, step.of)
        if not ways and OF_PRODUCTS & known and fault is not None:
            ways = mends(fault, tree, step.of, line)
        return tuple(each for each in self.found(exercise, step.of, ways, world) if each.id not in known)

    def of_heads(self, exercise: Exercise, step: Step, fault: Fault, world: World) -> tuple[Mistake, ...]:
        """Heads that are not turned, so that sizes do not fit, with what is behind that; () where it is not certain."""
        if NOT_TURNED not in exercise.mistakes or not sentences.is_of_shapes(fault.type, fault.message):
            return ()
        tree = parsed(self.bench.source(exercise))
        way = turning_heads(tree, step.of)
        past = self._past(exercise, step.of, [way] if way else [], world)
        gives_result = past.is_explained and past.way
        is_certain = gives_result and all(each.id != NOT_TURNED for each in past.mistakes)
        return (evidence.placed(NOT_TURNED, tree, step.of), *past.mistakes) if is_certain else ()

    def found(self, exercise: Exercise, of: str, ways: Sequence[Repairs], world: World) -> tuple[Mistake, ...]:
        """The known mistakes that are seen once a definition gives a result. ways: past what keeps it from that."""
        return self._past(exercise, of, ways, world).mistakes

    def _past(
        self, exercise: Exercise, of: str, ways: Sequence[Repairs], world: World, *, holds_others: bool = False
    ) -> Past:
        """What is behind it. holds_others: whether the ways change what a class holds."""
        key = world, of, *ways
        is_quick = self.bench.device == "cpu"  # where another process is ready at once
        known = self.bench.explanations(exercise, of) if is_quick and ways else None
        if known is not None and key not in self._seen:
            questions = asked_of(self.bench, self.asker, exercise, known, world)
            past = Behind(self.bench, self.asker, known, questions, world, holds_others).found(ways)
            tree = parsed(self.bench.source(exercise))
            is_asked_more = past.way and not holds_others
            names = self._of_calls(exercise, questions[0], past.way, world) if is_asked_more else ()
            more = (evidence.placed(name, tree, of) for name in names)
            every = {(each.id, each.line): each for each in (*past.mistakes, *more)}
            self._seen[key] = replace(past, mistakes=tuple(every.values()))
        return self._seen.get(key, NOTHING)

    def _of_calls(self, exercise: Exercise, question: Question, way: Repairs, world: World) -> Iterator[str]:
        """What no result tells of a definition that is changed so: that it writes into its inputs, and how it drops.

        Of a class that cannot be made as it stands, which parameters it holds as well.
        """
        of = question.step.of
        is_made = not isinstance(self.asker.bound(question, self.bench.plan(question), world), Observation)
        asked_for = (Dropout.name,) if is_made or any(map(is_guess, way)) else (Dropout.name, Parameters.name)
        steps = [e for e in exercise.steps if e.of == of and e.check in asked_for and is_asked_in(e, world)]
        cases = [(each, case) for each in steps for case in self.bench.cases(exercise, each, world)]
        asked = [question, *(self.asker.question(exercise, step, case) for step, case in cases)]
        with beside(self.bench, self.asker, question, [way], world) as changed:
            answers = [(each, *answer) for each in asked for answer in changed.answers(each, [way], is_sent=True)[0]]
        tree = parsed(repaired(self.bench.source(exercise), way))
        for each, _, bound, seen in answers:
            if compare.changed_inputs(seen, each):
                yield "input-mutated"
            if is_copy(self.bench.plan(each)):
                yield from (*of_others(each, seen), *(["input-mutated"] if changes_source(seen) else []))
            if each is not question:
                check = self.bench.checks[each.step.check]
                expected = self.bench.expected(each, world) if check.compares else None
                finding = check.judge(replace(each, loaded=bound.loaded), seen, expected)
                yield from unopposed(settled(finding, tree, of).mistakes, tree, of)
