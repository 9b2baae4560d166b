"""What was found right before: who gives the same bytes in answer to the same run is right for the same reasons.

A check rests on nothing but its question, the right answer, and what the same bytes say. Most of a class computes the
same, bit by bit, so most of what it answers was judged before; what is wrong is judged each time.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from grader.model.check import Finding, Question
from grader.model.observation import Observation
from grader.model.run import Run, World
from grader.words import language

# Of each run, by whom it is asked and what came back.
MOST_KEPT = 8
Key = tuple[str, str, str, World, str, bytes]
_RIGHT: WeakKeyDictionary[Run, dict[Key, Finding]] = WeakKeyDictionary()


def found(question: Question, run: Run, seen: Observation, world: World, judge: Callable[[], Finding]) -> Finding:
    """What a check finds in an answer. run: as the solution was asked it; how it was bound follows from it."""
    if not seen.digest:
        return judge()
    kept = _RIGHT.setdefault(run, {})
    key = question.step.id, question.device, question.dtype, world, language(), seen.digest
    finding = kept.get(key)
    if finding is None:
        finding = judge()
        if finding.right:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[key] = finding
    return finding
