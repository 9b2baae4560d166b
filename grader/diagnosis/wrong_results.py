"""What the source says of a result that is wrong: of NaN in it, sequences, masks, roots, sizes and heads."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.diagnosis.clues.arguments import numbers_given, parameter
from grader.diagnosis.clues.batch import blended, counted, first_alone, last_alone, rebound, stacked, written_over
from grader.diagnosis.clues.by_value import by_value
from grader.diagnosis.clues.draws import of_vectors
from grader.diagnosis.clues.factors import by_a_number
from grader.diagnosis.clues.heads import dealt_out, unused
from grader.diagnosis.clues.late_masks import filled_late
from grader.diagnosis.clues.list_of_heads import averaged as averaged_heads
from grader.diagnosis.clues.list_of_heads import chained, cut_across, otherwise
from grader.diagnosis.clues.lost import compared
from grader.diagnosis.clues.mask_axes import with_heads
from grader.diagnosis.clues.mask_cuts import cut_by_sequences
from grader.diagnosis.clues.reductions import averaged, met_by_columns, not_summed
from grader.diagnosis.clues.scales import floored, halved, late, needless, twice
from grader.diagnosis.clues.shares import shares_spoilt
from grader.diagnosis.clues.spans import left_out, of_one_size
from grader.diagnosis.clues.turns import turned_wrongly
from grader.diagnosis.clues.unseeing import askew, infinite_product, unseeing
from grader.diagnosis.clues.zeros import divided_by_zero
from grader.diagnosis.evidence import is_shorter
from grader.diagnosis.follow import SCALED
from grader.diagnosis.places.masks import infinite_late
from grader.diagnosis.places.statements import Told, statements_of
from grader.diagnosis.places.texts import short
from grader.diagnosis.sizes import readings
from grader.judge import compare
from grader.judge.checks.asking import HEADS, num_heads
from grader.judge.checks.gradients import Gradients
from grader.judge.summaries import EXCHANGED, is_said, parts_of, sizes_of, without_case
from grader.model.check import Finding, Question
from grader.model.observation import Observation
from grader.model.text import clean
from grader.words import heard, say

# With what the steps begin that ask for dot products.
OF_DOT_PRODUCTS = (("scores",), ("score",))
# What exercises call the width of a result, or of one of its heads.
OF_WIDTH = "d_out"


def of_result(question: Question, seen: Observation, finding: Finding, tree: ast.Module) -> Told | None:
    """What there is to say of what a call gave, and the line; None where nothing is certain."""
    of, given = question.step.of, numbers_given(question, tree)
    results = [compare.tensor(seen, name) for name in seen.returned]
    floats = [array for array in results if array is not None and array.dtype.kind == "f"]
    is_nan = any(np.isnan(array).any() for array in floats)
    is_of_dropout = is_said(EXCHANGED, finding.summary)  # whatever else makes NaN
    return (
        _of_infinity(finding, tree, of)
        or (_of_nan(tree, of, given) if is_nan and not is_of_dropout else None)  # of which nothing else makes any
        or (divided_by_zero(tree, of, given) if any(np.isinf(array).any() for array in floats) else None)
        or compared(tree, of)
        or (with_heads(tree, of) if _has_one_more_in_front(question, results) else None)
        or _of_batch(question, finding, results, tree)
        or dealt_out(tree, of)
        or (askew(tree, of) if is_shorter(question.case) else None)  # else both ends of a mask are one
        or shares_spoilt(tree, of, given)
        or of_rows(question, tree)
        or _of_scale(question, tree)
        or _of_products(question, tree)
        or by_value(question, tree)
        or left_out(tree, of)
        or (turned_wrongly(tree, of) if "scores" in question.step.stages else None)
        or of_one_size(tree, of, _got(finding), {*readings(question.exercise, question.step, question.case.template)})
        or (_of_heads(question, finding, tree) if _is_of_heads(question) else None)
    )


def _of_heads(question: Question, finding: Finding, tree: ast.Module) -> Told | None:
    """What there is to say of several heads: how they are fed and joined, or that they are never made."""
    of = question.step.of
    if told := otherwise(tree, of) or chained(tree, of) or cut_across(tree, of):
        return told
    if _is_one_heads(question, finding) and (told := averaged_heads(tree, of)):
        return told
    absent = unused(tree, of, [*question.case.template.construct].index(HEADS))
    return (say("judge.heads-unused", name=clean(absent, 60)), 0) if absent else None


def _is_one_heads(question: Question, finding: Finding) -> bool:
    """Whether a result is as wide as that of one of several heads, and else as it should be."""
    shapes = parts_of("judge.shape", without_case(finding.summary))
    if shapes is None:
        return False
    (*front, got), (*due, width) = (sizes_of(shapes[each]) or [0] for each in ("got", "expected"))
    return front == due and num_heads(question) > 1 and got * num_heads(question) == width


def _of_infinity(finding: Finding, tree: ast.Module, of: str) -> Told | None:
    """What there is to say of a result that has infinity in it, as shares of softmax never have, and the line."""
    summary = without_case(finding.summary)
    infinity = (heard("judge.infinite", summary) or {"infinity": ""})["infinity"]
    if infinity and (told := filled_late(tree, of)):
        return told
    late = infinite_late(statements_of(tree, of)) if infinity == "-inf" else None
    return (say("judge.masked-late", code=short(late.node)), late.line) if late else None


def _of_nan(tree: ast.Module, of: str, given: Mapping[str, float]) -> Told | None:
    """What there is to say of a result that has NaN in it, and the line. given: the arguments that are numbers."""
    if product := infinite_product(tree, of):
        return say("judge.zero-times-infinity", code=short(product)), product.lineno
    return unseeing(tree, of) or divided_by_zero(tree, of, given) or filled_late(tree, of)


def _got(finding: Finding) -> set[int]:
    """The numbers of a shape that is not the one that is due."""
    summary = without_case(finding.summary)
    return {int(number) for number in re.findall(r"\d+", (heard("judge.shape", summary) or {"got": ""})["got"])}


def _is_of_heads(question: Question) -> bool:
    """Whether what is asked has several heads, whose results or weights come to lie beside each other."""
    return HEADS in question.case.template.construct


def of_rows(question: Question, tree: ast.Module) -> Told | None:
    """What there is to say of a function that takes a number of each row for one of each column, and the line."""
    step, arrays = question.step, question.case.inputs
    if not step.stages or question.exercise.definitions[step.of].is_class:
        return None
    given = enumerate(question.case.template.inputs)
    tables = [
        parameter(tree, step.of, place, name) for place, name in given if name in arrays and arrays[name].ndim == 2
    ]
    return met_by_columns(tree, step.of, tables)


def _of_scale(question: Question, tree: ast.Module) -> Told | None:
    """What there is to say of a root that is not where it should be, and the line."""
    step = question.step
    if SCALED in step.stages:
        told = late(tree, step.of) or twice(tree, step.of) or halved(tree, step.of) or floored(tree, step.of)
        return told or by_a_number(tree, step.of)
    if "power_of" in step.options:
        return halved(tree, step.of) or floored(tree, step.of)
    is_unscaled = step.stages and not any(stage.startswith(SCALED) for stage in step.stages)
    is_whole = question.exercise.definitions[step.of].is_class  # with more in it than its stages
    return needless(tree, step.of) if is_unscaled and not is_whole else None


def _of_products(question: Question, tree: ast.Module) -> Told | None:
    """What there is to say of dot products: of a mean of them, or one vector for all of a step's trials."""
    step = question.step
    trials, is_whole = step.options.get("variances_of", ""), question.exercise.definitions[step.of].is_class
    if is_whole or not (trials or step.stages):
        return None
    arguments = [*question.case.template.inputs]
    widths = [each for each in step.options.get("expect", ()) if each in arguments]
    *names, counted = (
        parameter(tree, step.of, arguments.index(each), each) if each in arguments else "" for each in (*widths, trials)
    )
    if step.stages[:1] in OF_DOT_PRODUCTS and len(step.stages) == 1 and (plain := not_summed(tree, step.of)):
        return plain
    return averaged(tree, step.of) or (of_vectors(tree, step.of, names, counted) if trials else None)


def _of_batch(question: Question, finding: Finding, results: Sequence[Any], tree: ast.Module) -> Told | None:
    """What there is to say of sequences or tokens that are lost, or stand in each other's place, and the line."""
    of, axes = question.step.of, question.exercise.axes
    if told := counted(tree, of, axes) or cut_by_sequences(tree, of, axes) or first_alone(tree, of, axes):
        return told
    if told := last_alone(tree, of, lacks_axis=_lacks_axis(finding)):
        return told
    if told := rebound(tree, of) or (written_over(tree, of) if _is_of_heads(question) else None):
        return told
    is_of_gradients = question.step.check == Gradients.name  # which comes of the output, where it is told
    if not is_of_gradients and _has_its_width(question, results) and (product := blended(tree, of)):
        return say("judge.blended", code=short(product), name=short(product.right)), 0  # more may be wrong before it
    is_turned = any(
        array is not None and array.ndim == len(shape) and array.shape[:2] == shape[1::-1] != shape[:2]
        for array in results
        for shape in _of_sequences(question)
    )
    if is_turned and (stack := stacked(tree, of)):
        return say("judge.stacked-first", code=short(stack)), stack.lineno
    return None


def _lacks_axis(finding: Finding) -> bool:
    """Whether a result has an axis less than it should: that of the loop that made it, whose turns no sum replaces."""
    shapes = heard("judge.shape", finding.summary) or {}
    got, expected = (len(re.findall(r"\d+", shapes.get(each, ""))) for each in ("got", "expected"))
    return got == expected - 1


def _has_one_more_in_front(question: Question, results: Sequence[Any]) -> bool:
    """Whether a result has an axis of size 1 in front of its sequences and tokens, where nothing has several heads."""
    given = _of_sequences(question) if not _is_of_heads(question) else []
    shapes = [array.shape for array in results if array is not None and array.ndim == 4]
    return any(got[:3] == (1, *shape[:2]) for got in shapes for shape in given)


def _of_sequences(question: Question) -> list[tuple[int, ...]]:
    """The shapes of the inputs that are a batch of sequences."""
    axes, inputs = question.exercise.axes, question.case.inputs
    return [array.shape for name, array in inputs.items() if tuple(axes.get(name, ()))[:2] == ("B", "T")]


def _has_its_width(question: Question, results: Sequence[Any]) -> bool:
    """Whether a class's result is as wide as its input, and not as its heads are to be."""
    construct = question.case.template.construct
    width, heads = construct.get(OF_WIDTH), num_heads(question)
    given = {array.shape[-1] for array in question.case.inputs.values() if array.ndim > 1}
    given -= {width, int(width or 0) * heads}
    return width is not None and any(
        array is not None and array.ndim > 0 and array.shape[-1] in given for array in results
    )
