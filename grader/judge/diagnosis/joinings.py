"""Along which axis heads were joined, by the shape alone of what came of it, whatever its numbers are."""

from __future__ import annotations

import ast
import math
import re

from grader.judge.binding.labels import NUMBER
from grader.judge.diagnosis.evidence import Mistake, placed
from grader.judge.diagnosis.place import speaks_of
from grader.judge.summaries import parts_of
from grader.model.check import Question
from grader.words import heard

# What exercises call the number of heads.
OF_HEADS = "num_heads"
WRONG_AXIS = "heads-wrong-axis"


def along_another_axis(question: Question, summary: str, tree: ast.Module) -> tuple[Mistake, ...]:
    """The mistake of joining the results of a list of heads along another axis than the last, where a shape tells it.

    summary: of what came of the question.
    """
    heads = question.case.template.construct.get(OF_HEADS, 1)
    on_case = heard("judge.on-case", summary.removesuffix(".")) or {"said": summary}
    shapes = parts_of("judge.shape", on_case["said"])
    if shapes is None or not isinstance(heads, int) or heads < 2 or not any(map(NUMBER.search, question.case.weights)):
        return ()
    got, (*front, width) = _sizes(shapes["got"]), _sizes(shapes["expected"]) or [1]
    if width % heads or not _is_of_heads(got, [*front, width // heads], heads):
        return ()
    is_there = speaks_of(tree, question.step.of, WRONG_AXIS)
    return (placed(WRONG_AXIS, tree, question.step.of),) if is_there else ()


def _is_of_heads(got: list[int], each: list[int], heads: int) -> bool:
    """Whether a shape is that of all heads' results with their number on another axis than the last, or one of its own.

    each: the shape of one head's result.
    """
    grown = [[*each[:axis], each[axis] * heads, *each[axis + 1 :]] for axis in range(len(each) - 1)]
    stacked = [[*each[:axis], heads, *each[axis:]] for axis in range(len(each) + 1)]
    return math.prod(got) == math.prod(each) * heads and got in (*grown, *stacked)


def _sizes(shape: str) -> list[int]:
    return [int(size) for size in re.findall(r"\d+", shape)]
