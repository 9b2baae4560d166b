"""Along which axis heads were joined, by the shape alone of what came of it, whatever its numbers are."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

from grader.diagnosis.evidence import Mistake, placed
from grader.diagnosis.place import speaks_of
from grader.judge.binding.labels import NUMBER
from grader.judge.checks.asking import num_heads
from grader.judge.summaries import parts_of, sizes_of, without_case
from grader.model.check import Question
from grader.words import say

WRONG_AXIS = "heads-wrong-axis"


def along_another_axis(question: Question, summary: str, tree: ast.Module) -> tuple[Mistake, ...]:
    """The mistake of joining the results of a list of heads along another axis than the last, where a shape tells it.

    summary: of what came of the question.
    """
    heads, shapes = num_heads(question), parts_of("judge.shape", without_case(summary))
    if shapes is None or heads < 2 or not any(map(NUMBER.search, question.case.weights)):
        return ()
    got, (*front, width) = sizes_of(shapes["got"]), sizes_of(shapes["expected"]) or [1]
    if width % heads or not _is_of_heads(got, [*front, width // heads], heads):
        return ()
    is_there = speaks_of(tree, question.step.of, WRONG_AXIS)
    return (placed(WRONG_AXIS, tree, question.step.of),) if is_there else ()


def joined_along(question: Question, summary: str, mistakes: Sequence[Mistake]) -> list[str]:
    """What to note of heads that stand behind each other along another axis than the features', by the shape."""
    if all(each.id != WRONG_AXIS for each in mistakes):
        return []
    shapes = parts_of("judge.shape", without_case(summary))
    got, due = (sizes_of(shapes[each]) if shapes is not None else [] for each in ("got", "expected"))
    unlike = [axis for axis, (one, other) in enumerate(zip(got, due, strict=False)) if one != other]
    heads = num_heads(question)
    is_grown = len(got) == len(due) == 3 and len(unlike) == 2 and unlike[1] == 2
    if not is_grown or got[unlike[0]] != due[unlike[0]] * heads or got[2] * heads != due[2]:
        return []
    parts = {"got": got[unlike[0]], "expected": due[unlike[0]]}
    return [say("judge.joined-along-tokens" if unlike[0] else "judge.joined-along-batch", **parts)]


def _is_of_heads(got: list[int], each: list[int], heads: int) -> bool:
    """Whether a shape is that of all heads' results with their number on another axis than the last, or one of its own.

    each: the shape of one head's result.
    """
    grown = [[*each[:axis], each[axis] * heads, *each[axis + 1 :]] for axis in range(len(each) - 1)]
    stacked = [[*each[:axis], heads, *each[axis:]] for axis in range(len(each) + 1)]
    return math.prod(got) == math.prod(each) * heads and got in (*grown, *stacked)
