"""Names what else is wrong behind an exception: what comes once the source gets past it is looked at as any result."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from grader.diagnosis import evidence, sizes
from grader.diagnosis.changed_modules import Repairs, beside
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.explain import Answered, Explanations, have_crashed, smallest
from grader.diagnosis.mends import handing_back, mends
from grader.diagnosis.pieces import Repair, repaired
from grader.diagnosis.signature import signature
from grader.diagnosis.slips import spelling
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.workbench import Workbench
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.model.check import Question
from grader.model.observation import Fault, Observation
from grader.model.run import World
from grader.model.text import line_at, source_lines

# So many exceptions are got past, one behind the other.
MOST_PASSED = 3
# What is certain to be a mistake of its own, whatever was put in further up.
OF_NAMES = ("NameError", "AttributeError")
NO_RESULT = Fault("exception", "TypeError")


@dataclass(frozen=True, slots=True)
class Behind:
    """Looks behind what kept a definition from giving any result.

    known: what known mistakes make of its results. questions: the public cases that they were asked.
    """

    bench: Workbench
    asker: Asker
    known: Explanations
    questions: Sequence[Question]
    world: World

    def found(self, ways: Sequence[Repairs]) -> tuple[tuple[Mistake, ...], Repairs]:
        """The known mistakes that show on every public case once that is out of the way, if it is certain which.

        With the way past it, if one leads to an end.
        ways: past it. Of several that lead to an end the one counts that leaves the least to be explained: where that
        is nothing, it was all. Where each raises once more, that is got past in its turn.
        """
        tree = parsed(self.bench.source(self.questions[0].exercise))
        certain: list[Mistake] = []
        passed: list[Mistake] = []
        for _ in range(MOST_PASSED):
            if not ways:
                break
            with beside(self.bench, self.asker, self.questions[0], ways, self.world) as changed:
                seen = [*zip(*(changed.observed(question, ways)[1] for question in self.questions), strict=False)]
                explained, way = self._explained(ways, seen)
                if way:
                    return (*passed, *explained), way
                ended = [way for way, each in zip(ways, seen, strict=False) if not any(map(_raised, each))]
                fault = _raised(seen[0][0]) if seen else None
                if ended or fault is None:  # what it gives is not known then
                    return tuple(certain), ended[0] if len(ended) == 1 else ()
                mistake, further = self._next(fault, changed.names[ways[0]], tree)
            if mistake.id:
                passed.append(mistake)
                certain += [mistake] if fault.type in OF_NAMES or fault is NO_RESULT else []
            way = ways[0]
            ways = [(*way, *each) for each in further if not any(one.overlaps(other) for one in each for other in way)]
        return tuple(certain), ()

    def _explained(
        self, ways: Sequence[Repairs], seen: Sequence[Sequence[Observation]]
    ) -> tuple[tuple[Mistake, ...], Repairs]:
        """The known mistakes that what came of one way shows, none where that is right, and which way; () for no way.

        seen: what came of each case, for each way.
        """
        fitting: dict[Repairs, Sequence[int]] = {}
        for way, each in zip(ways, seen, strict=False):
            answered = [
                Answered(question, count, signature(one, RESULT, count, question.step.options.get("minus_infinity")))
                for question, count, one in zip(self.questions, self.known.counts, each, strict=True)
            ]
            rows = smallest(self.known, [one.own for one in answered])
            is_no_more = any(map(_raised, each)) and have_crashed(self.known, answered)  # which is to be got past
            if rows and not is_no_more:
                fitting[way] = rows
        fewest = min((self.known.sizes[rows[0]] for rows in fitting.values()), default=0)
        best = [way for way, rows in fitting.items() if self.known.sizes[rows[0]] == fewest]
        if not fewest:
            return (), best[0] if best else ()
        sets = {self.known.ids[row] for way in best for row in fitting[way]}
        first = self.questions[0]
        source = repaired(self.bench.source(first.exercise), best[0])
        found = evidence.certain(sets, source, first.step.of, is_flat=sizes.is_flat(first.exercise))
        guessed = {each.line for each in best[0] if _is_guess(each)}
        return tuple(each for each in found if each.near or each.line not in guessed), best[0]

    def _next(self, fault: Fault, module: str, tree: ast.Module) -> tuple[Mistake, list[Repairs]]:
        """The known mistake that an exception behind another one shows, if it shows one, and ways past it."""
        of = self.questions[0].step.of
        if fault is NO_RESULT:
            return evidence.placed("returns-none", tree, of), handing_back(tree, of)
        line = next((frame.line for frame in reversed(fault.frames) if frame.file == f"{module}.py"), 0)
        text = line_at(source_lines(self.bench.source(self.questions[0].exercise)), line)
        return Mistake(evidence.of_fault(fault, tree, of, text), line), mends(fault, tree, of, line)


def _is_guess(repair: Repair) -> bool:
    """Whether another name stands for one that is not there, which is not spelt like it: what it makes is no mistake."""
    is_name = repair.code.isidentifier() and repair.text.isidentifier()
    return is_name and not spelling.near(repair.code, [repair.text], spelling.NEAR_API)


def _raised(seen: Observation) -> Fault | None:
    """What kept a run from giving a result: an exception, or that nothing is handed back."""
    result = seen.returned.get(RESULT)
    return NO_RESULT if result is not None and result.kind == "none" else seen.fault
