"""Names what else is wrong behind an exception: what comes once the source gets past it is looked at as any result."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.diagnosis import evidence, sizes
from grader.diagnosis.changes.mends import handing_back, mends
from grader.diagnosis.changes.modules import Changed, beside
from grader.diagnosis.changes.pieces import Repair, Repairs, line_before, repaired
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.explain import Answered, Explanations, have_crashed, smallest
from grader.diagnosis.orders import likeliest
from grader.diagnosis.signature import signature
from grader.diagnosis.slips import spelling
from grader.diagnosis.slips.names import of_mistake
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.whole_masks import uncut
from grader.diagnosis.workbench import Workbench
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.model.check import Question
from grader.model.observation import Fault, Observation
from grader.model.pack import Step, short_of
from grader.model.run import World
from grader.model.text import line_at, source_lines

# So many exceptions are got past, one behind the other.
MOST_PASSED = 6
# Each order of what is fused takes a twentieth of a second.
MOST_ORDERS = 24
# What is certain to be a mistake of its own, whatever was put in further up.
OF_NAMES = ("NameError", "AttributeError")
NO_RESULT = Fault("exception", "TypeError")


@dataclass(frozen=True, slots=True)
class Past:
    """The known mistakes behind an exception.

    way: what gets past it to an end that says more of the definition; () for none. is_explained: whether they are all.
    layout: how weights that lie together were put in.
    """

    mistakes: tuple[Mistake, ...]
    way: Repairs = ()
    is_explained: bool = False
    layout: str = ""


@dataclass(frozen=True, slots=True)
class Behind:
    """Looks behind what kept a definition from giving any result.

    known: what known mistakes make of its results. questions: the public cases that they were asked. holds_others:
    whether the ways past it change what a class holds.
    """

    bench: Workbench
    asker: Asker
    known: Explanations
    questions: Sequence[Question]
    world: World
    holds_others: bool = False

    def found(self, ways: Sequence[Repairs]) -> Past:
        """What shows on every public case once that is out of the way, if it is certain what.

        Where something is fused, in the order in which its parts are named, else in the one that leaves the least to be
        explained: an order of its own is no mistake. ways: past it.
        """
        first = self.questions[0]
        named, others = likeliest(self.bench, self.asker, first, self.world)
        is_fused = len(named) + len(others) > 1
        tried: list[Past] = []
        for group in (named, others if len(others) <= MOST_ORDERS else []):
            for layout in group:
                if is_fused:
                    self.asker.prefer(self.bench.plan(first), layout, self.world)
                tried.append(replace(self._found(ways), layout=layout))
                if tried[-1].is_explained and not tried[-1].mistakes:
                    return tried[-1]
            if explained := [past for past in tried if past.is_explained]:
                past = _fewest(explained)
                if is_fused and past.way:  # which is asked more, in its own order
                    self.asker.prefer(self.bench.plan(first), past.layout, self.world)
                return past
        return replace(tried[0], way=() if is_fused else tried[0].way) if tried else Past(())

    def _found(self, ways: Sequence[Repairs]) -> Past:
        """What shows with the weights as they are put in now.

        Of several ways that lead to an end the one counts that leaves the least to be explained: where that is nothing,
        it was all. Where each raises once more, that is got past in its turn.
        """
        tree = parsed(self.bench.source(self.questions[0].exercise))
        certain: list[Mistake] = []
        passed: list[Mistake] = []
        for _ in range(MOST_PASSED):
            if not ways:
                break
            first = self.questions[0]
            others = self.holds_others
            with beside(self.bench, self.asker, first, ways, self.world, holds_others=others) as changed:
                seen = [changed.observed(question, ways)[1] for question in self.questions]
                explained, way = self._explained(changed, ways, seen)
                if way:
                    return Past((*passed, *explained), self._sure(way, is_all=not explained), is_explained=True)
                raised = [*map(_raised, seen[0])]
                if None in raised or not raised:  # what it gives is not known then
                    ended = [(way, one) for way, one in zip(ways, seen[0], strict=False) if _raised(one) is None]
                    is_sure = len(ended) == 1 and self._is_of_its_shape(ended[0][1])
                    return Past(tuple(certain), self._sure(ended[0][0]) if is_sure else ())
                faults = [fault for fault in raised if fault is not None]
                fault, way = max(zip(faults, ways, strict=False), key=lambda each: _how_far(each[0], changed, each[1]))
                mistake, further = self._next(fault, _line(fault, changed, way), tree)
                if not mistake.id and (raising := self._by_crashes(changed, ways, seen)):
                    return Past((*passed, *raising), is_explained=True)
            shown = [mistake] if mistake.id else []
            if fault.type == "RuntimeError" and any(each.line == mistake.line for each in way):
                shown = []  # which the change may have made
            elif fault.type != "NameError" and fault is not NO_RESULT:
                shown = [*_not_of_guesses(shown, way)]
            passed += shown
            certain += shown if fault.type in OF_NAMES or fault is NO_RESULT else []
            ways = [(*way, *each) for each in further if not any(one.overlaps(other) for one in each for other in way)]
        return Past(tuple(certain))

    def _sure(self, way: Repairs, *, is_all: bool = False) -> Repairs:
        """A way of which further calls say more; () for one with a guess that did not make right what had raised.

        is_all: whether nothing is wrong with it that is looked at here.
        """
        if not any(map(is_guess, way)):
            return way
        has_raised = any(self.asker.answer(each, self.world).fault is not None for each in self.questions)
        return way if is_all and has_raised else ()

    def _is_of_its_shape(self, seen: Observation) -> bool:
        """Whether what came of the first case is as large as it should be, so that it may be what was meant."""
        if not is_asked_in(self.questions[0].step, self.world):
            return False
        due = self.bench.expected(self.questions[0], self.world).observation.returned.get(RESULT)
        got = seen.returned.get(RESULT)
        return got is not None and due is not None and (got.kind, got.shape) == (due.kind, due.shape)

    def _explained(
        self, changed: Changed, ways: Sequence[Repairs], seen: Sequence[Sequence[Observation]]
    ) -> tuple[tuple[Mistake, ...], Repairs]:
        """The known mistakes that what came of one way shows, none where that is right, and which way; () for no way.

        seen: what came of each way, for each case; nothing for a case that could not be asked.
        """
        first = self.questions[0]
        source, of = self.bench.source(first.exercise), first.step.of
        fitting: dict[Repairs, Sequence[int]] = {}
        whole: dict[Repairs, tuple[Mistake, ...]] = {}
        for number, way in enumerate(ways):
            answered, others, is_crash = self._answers(changed, way, number, seen)
            rows = smallest(self.known, [one.own for one in answered])
            if rows and not is_crash:  # which is to be got past
                fitting[way], whole[way] = rows, others
        fewest = min((self.known.sizes[rows[0]] for rows in fitting.values()), default=0)
        best = [way for way, rows in fitting.items() if self.known.sizes[rows[0]] == fewest]
        if not best:
            return (), ()
        way = best[0]
        if not fewest:
            return whole[way], way
        sets = {self.known.ids[row] for each in best for row in fitting[each]}
        found = _as_written(
            evidence.certain(sets, repaired(source, way), of, is_flat=sizes.is_flat(first.exercise)), way
        )
        return (*whole[way], *_not_of_guesses(found, way)), way

    def _answers(
        self, changed: Changed, way: Repairs, number: int, seen: Sequence[Sequence[Observation]]
    ) -> tuple[Sequence[Answered], tuple[Mistake, ...], bool]:
        """What came of one way, the mistake of a mask taken whole, and whether nothing but an exception was seen."""
        source = self.bench.source(self.questions[0].exercise)
        each = [one[number] if number < len(one) else None for one in seen]
        answered = [*map(_answered, self.questions, self.known.counts, each)]
        faults = [_raised(one) if one is not None else None for one in each]
        lines = [_line(fault, changed, way) if fault is not None else 0 for fault in faults]
        answered, whole = uncut(answered, [*zip(faults, lines, strict=True)], parsed(source), source_lines(source))
        has_raised = any(fault is not None and one.own is not None for fault, one in zip(faults, answered, strict=True))
        return answered, whole, has_raised and have_crashed(self.known, answered)

    def _by_crashes(
        self, changed: Changed, ways: Sequence[Repairs], seen: Sequence[Sequence[Observation]]
    ) -> tuple[Mistake, ...]:
        """The known mistake that raises just so on every case, where the source has its words; () where none does."""
        first = self.questions[0]
        before = self.asker.answer(first, self.world).fault
        found = set()
        for number, way in enumerate(ways):
            raised = _raised(seen[0][number]) if number < len(seen[0]) else None
            if before is not None and raised is not None and raised.message == before.message:  # it is not past it
                continue
            answered, _, is_crash = self._answers(changed, way, number, seen)
            rows = smallest(self.known, [one.own for one in answered]) if is_crash else []
            source, sets = repaired(self.bench.source(first.exercise), way), {self.known.ids[row] for row in rows}
            is_flat = sizes.is_flat(first.exercise)
            certain = evidence.certain(sets, source, first.step.of, is_flat=is_flat, crashed=True)
            found.add(_not_of_guesses(_as_written(certain, way), way))
        found.discard(())
        return found.pop() if len(found) == 1 else ()

    def _next(self, fault: Fault, line: int, tree: ast.Module) -> tuple[Mistake, list[Repairs]]:
        """The known mistake that an exception behind another one shows, if it shows one, and ways past it."""
        of = self.questions[0].step.of
        if fault is NO_RESULT:
            return evidence.placed("returns-none", tree, of), handing_back(tree, of)
        text = line_at(source_lines(self.bench.source(self.questions[0].exercise)), line)
        name = evidence.of_fault(fault, tree, of, text)
        return Mistake(name, line, of_mistake(name, fault, tree, of)), mends(fault, tree, of, line)


def _fewest(some: Sequence[Past]) -> Past:
    """Of several that explain all, the one with the fewest mistakes, or what those have alike that have as few."""
    fewest = min(len(past.mistakes) for past in some)
    best = [past for past in some if len(past.mistakes) == fewest]
    in_all = [each for each in best[0].mistakes if all(each in past.mistakes for past in best)]
    return best[0] if len(best) == 1 else Past(tuple(in_all))


def _answered(question: Question, count: int, seen: Observation | None) -> Answered:
    if seen is None or (seen.fault is not None and seen.fault.kind != "exception"):  # it could not even be asked
        return Answered(question, count, None)
    return Answered(question, count, signature(seen, RESULT, count, question.step.options.get("minus_infinity")))


def _line(fault: Fault, changed: Changed, way: Repairs) -> int:
    """The innermost line that an exception went through, as it was before the changes; 0 for none of the module's."""
    file = f"{changed.names[way]}.py"
    return next((line_before(frame.line, way) for frame in reversed(fault.frames) if frame.file == file), 0)


def _how_far(fault: Fault, changed: Changed, way: Repairs) -> float:
    """How far a definition came: the line of its own that an exception went through, or to its end, with nothing."""
    file = f"{changed.names[way]}.py"
    return math.inf if fault is NO_RESULT else next((each.line for each in fault.frames if each.file == file), 0)


def is_asked_in(step: Step, world: World) -> bool:
    """Whether a step may be asked with these stand-ins, so that it is known what is right: not where it uses none."""
    relied = {each.partition(".")[0] for each in step.relies_on}
    return all(short_of(name) in relied for name in world.stand_ins)


def is_guess(repair: Repair) -> bool:
    """Whether another name, not spelt like it, stands for one that is not there: what it makes is no mistake."""
    is_name = repair.code.isidentifier() and repair.text.isidentifier()
    return is_name and not spelling.near(repair.code, [repair.text], spelling.NEAR_API)


def _as_written(mistakes: Sequence[Mistake], way: Repairs) -> tuple[Mistake, ...]:
    """Mistakes that were found in the changed source, at their lines of the one that was handed in."""
    return tuple(replace(each, line=line_before(each.line, way)) for each in mistakes)


def _not_of_guesses(mistakes: Sequence[Mistake], way: Repairs) -> tuple[Mistake, ...]:
    """Those that are not in a line where a name was guessed, which may have made them."""
    guessed = {each.line for each in way if is_guess(each)}
    return tuple(each for each in mistakes if each.near or each.line not in guessed)


def _raised(seen: Observation) -> Fault | None:
    """What kept a run from giving a result: an exception, or that nothing is handed back."""
    result = seen.returned.get(RESULT)
    return NO_RESULT if result is not None and result.kind == "none" else seen.fault
