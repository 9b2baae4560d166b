"""What the source says of a result for which no known mistake is named, and the line that says it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.diagnosis.clues.arguments import misplaced, numbers_given, overwritten, parameter
from grader.diagnosis.clues.batch import blended, counted, first_alone, last_alone, rebound, stacked, written_over
from grader.diagnosis.clues.by_value import by_value
from grader.diagnosis.clues.cut_off import cut_off
from grader.diagnosis.clues.draws import drawn_evenly, drawn_without, of_vectors, seeded
from grader.diagnosis.clues.dropout import ends_dropout, made_otherwise, switched_off
from grader.diagnosis.clues.dtypes import retyped
from grader.diagnosis.clues.factors import by_a_number
from grader.diagnosis.clues.heads import dealt_out, unused
from grader.diagnosis.clues.late_masks import filled_late
from grader.diagnosis.clues.list_of_heads import averaged as averaged_heads
from grader.diagnosis.clues.list_of_heads import chained, cut_across, otherwise
from grader.diagnosis.clues.lost import compared
from grader.diagnosis.clues.mask_cuts import cut_by_sequences
from grader.diagnosis.clues.objects import kept_as_a_local, kept_for_all, refuses_nothing
from grader.diagnosis.clues.printed import uncalled
from grader.diagnosis.clues.reductions import averaged, met_by_columns, not_summed
from grader.diagnosis.clues.scales import floored, halved, late, needless, twice
from grader.diagnosis.clues.shares import shares_spoilt
from grader.diagnosis.clues.spans import left_out, of_one_size, returned_in_a_loop
from grader.diagnosis.clues.turns import turned_wrongly
from grader.diagnosis.clues.unseeing import askew, infinite_product, unseeing
from grader.diagnosis.clues.wrappers import one_too_few, put_in_place, shared_out
from grader.diagnosis.clues.zeros import divided_by_zero
from grader.diagnosis.evidence import is_shorter
from grader.diagnosis.follow import SCALED
from grader.diagnosis.places.dropout import at_a_rate_of_its_own, dropped_joined, in_training_alone
from grader.diagnosis.places.masks import infinite_late
from grader.diagnosis.places.statements import Told, statements_of
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.sizes import readings
from grader.diagnosis.slips.decimals import split
from grader.diagnosis.slips.messages import commas, computed
from grader.judge import compare
from grader.judge.binding.labels import NUMBER
from grader.judge.checks.asking import HEADS, num_heads
from grader.judge.checks.gradients import Gradients
from grader.judge.checks.refuses import Refuses
from grader.judge.summaries import (
    EXCHANGED,
    MISSHAPEN,
    NO_DROPOUT_SEEN,
    is_said,
    parts_of,
    sizes_of,
    without_case,
)
from grader.model.check import Finding, Question
from grader.model.observation import Observation
from grader.model.pack import Definition
from grader.model.text import clean
from grader.words import heard, say

# With what the steps begin that ask for dot products.
OF_DOT_PRODUCTS = (("scores",), ("score",))
# What exercises call the width of a result, or of one of its heads.
OF_WIDTH = "d_out"


def remark(
    question: Question,
    seen: Observation,
    finding: Finding,
    tree: ast.Module,
    definitions: Mapping[str, Definition],
) -> Told | None:
    """What there is to say of a result, and the line that says it, 0 for no single one; None where nothing is certain.

    definitions: what the exercises ask for, by its name.
    """
    if heard("check.shared", finding.summary):
        shared = kept_for_all(tree, question.step.of)
        return (say("judge.kept-for-all", code=short(shared)), shared.lineno) if shared else None
    return (
        split(tree, question.step.of)
        or uncalled(tree, question.step.of, finding.summary)
        or _of_draws(question, finding, tree)
        or _of_check(question, finding, tree)
        or (_of_slot(question, seen, finding.about, tree) if finding.about else None)
        or (_of_head(question, finding, tree) if NUMBER.search(finding.about) else None)
        or misplaced(tree, question.step.of, definitions)
        or _of_arguments(question, tree)
        or (_of_result(question, seen, finding, tree) if seen.returned else None)
    )


def _of_draws(question: Question, finding: Finding, tree: ast.Module) -> Told | None:
    """What there is to say of random numbers that are drawn elsewhere, or are the same each time."""
    of, inputs = question.step.of, [*question.case.template.inputs]
    if finding.draws_from in inputs:
        name = parameter(tree, of, inputs.index(finding.draws_from), finding.draws_from)
        if draw := drawn_without(tree, of, name):
            return say("judge.drawn-without", code=short(draw), generator=clean(name, 60)), draw.lineno
    if (finding.repeats or finding.draws_from) and (seeding := seeded(tree, of)):
        return say("judge.seeded-inside", code=short(seeding)), seeding.lineno
    return None


def _of_check(question: Question, finding: Finding, tree: ast.Module) -> Told | None:
    """What there is to say of what one check alone looks for."""
    if heard("judge.too-few", finding.summary):
        return one_too_few(tree, question.step.of) or put_in_place(tree, question.step.of)
    if question.step.check == Gradients.name and heard("check.otherwise-in-training", finding.summary):
        dropping = in_training_alone(statements_of(tree, question.step.of))
        return (say("judge.dropped-unasked", code=short(dropping.node)), dropping.line) if dropping else None
    if heard("check.dropout-ended", finding.summary) is not None:
        end = ends_dropout(tree, question.step.of)
        return (say("judge.ends-dropout", code=short(end)), end.lineno) if end else None
    if is_said(NO_DROPOUT_SEEN, finding.summary):
        late = dropped_joined(tree, question.step.of)
        return (say("judge.dropped-joined", code=short(late)), late.lineno) if late else None
    if heard("check.learnt-wrong", finding.summary) or heard("check.learnt-broken", finding.summary):
        return None
    if question.step.check == Gradients.name and not heard("check.gradient-not-finite", finding.summary):
        return cut_off(tree, question.step.of)
    if question.step.check == Refuses.name:
        return refuses_nothing(tree, question.step.of)
    summary = without_case(finding.summary)
    if is_said(("judge.float-type",), summary):
        return retyped(tree, question.step.of)
    types = parts_of("judge.dtype", summary)
    return (say("judge.boolean-mask"), 0) if types is not None and types["expected"] == "bool" else None


def _of_slot(question: Question, seen: Observation, about: str, tree: ast.Module) -> Told | None:
    """What there is to say of a slot that is no layer, or that is not there."""
    if told := next((told for name, told in commas(tree, question.step.of) if name in about.split(".")), None):
        return told
    if any(slot.name == about and slot.kind == "loose" for slots in seen.slots.values() for slot in slots):
        return next((told for name, told in computed(tree, question.step.of) if name == about), None)
    is_held = any(slot.name == about for slots in seen.slots.values() for slot in slots)
    kept = None if is_held else kept_as_a_local(tree, question.step.of, about)
    return (say("judge.kept-as-a-local", code=short(kept[0]), name=kept[1]), kept[0].lineno) if kept else None


def _of_head(question: Question, finding: Finding, tree: ast.Module) -> Told | None:
    """What there is to say of a weight of one of several heads, which is too narrow or not there."""
    construct = [*question.case.template.construct]
    if not ({HEADS, OF_WIDTH} <= {*construct} and _is_narrower(finding, num_heads(question))):
        return put_in_place(tree, question.step.of)
    return shared_out(tree, question.step.of, construct.index(OF_WIDTH))


def _is_narrower(finding: Finding, heads: int) -> bool:
    """Whether a parameter has on one axis what is left of its size when that is divided by the number of heads."""
    shapes = parts_of(*MISSHAPEN, finding.summary)
    got, due = (sizes_of(shapes[each]) if shapes is not None else [] for each in ("shape", "expected"))
    unlike = [(one, other) for one, other in zip(got, due, strict=False) if one != other]
    return len(got) == len(due) and len(unlike) == 1 and unlike[0][0] == unlike[0][1] // heads


def _of_arguments(question: Question, tree: ast.Module) -> Told | None:
    """What there is to say of arguments that are not made use of as they are given."""
    of = question.step.of
    if over := overwritten(tree, of):
        return say("judge.overwritten", code=short(over[0]), name=clean(over[1], 60)), over[0].lineno
    if told := returned_in_a_loop(tree, of):
        return told
    if "variances_of" in question.step.options and (draw := drawn_evenly(tree, of)):
        return say("judge.drawn-evenly", code=short(draw)), draw.lineno
    rate = question.step.options.get("rate", "")
    if rate and (switch := switched_off(tree, of)):
        return say("judge.switched-off", code=short(switch)), switch.lineno
    return of_rate(question, tree)


def of_rate(question: Question, tree: ast.Module) -> Told | None:
    """What there is to say of a class that drops at another rate than it is given, and the line."""
    of, rate = question.step.of, question.step.options.get("rate", "")
    construct = [*question.case.template.construct]
    if rate in construct and (made := made_otherwise(tree, of, construct.index(rate))):
        layer, argument = made[0], clean(made[1], 60)
        due = f"{written(layer.func)}({argument})"
        said = say("judge.made-otherwise", code=short(layer), argument=argument, due=clean(due, 120))
        return said, layer.lineno
    if rate in construct and (dropping := at_a_rate_of_its_own(tree, of)):
        return say("judge.rate-of-its-own", code=short(dropping), argument=rate), dropping.lineno
    return None


def _of_result(question: Question, seen: Observation, finding: Finding, tree: ast.Module) -> Told | None:
    """What there is to say of what a call gave, and the line."""
    of = question.step.of
    results = [compare.tensor(seen, name) for name in seen.returned]
    if told := _of_infinity(finding, tree, of):
        return told
    is_nan = any(array is not None and array.dtype.kind == "f" and np.isnan(array).any() for array in results)
    is_of_dropout = is_said(EXCHANGED, finding.summary)  # whatever else makes NaN
    if is_nan and not is_of_dropout and (told := _of_nan(question, tree)):  # of which nothing else makes any
        return told
    is_infinite = any(array is not None and array.dtype.kind == "f" and np.isinf(array).any() for array in results)
    if is_infinite and (told := divided_by_zero(tree, of, numbers_given(question, tree))):
        return told
    if told := compared(tree, of) or _of_batch(question, finding, results, tree) or dealt_out(tree, of):
        return told
    if is_shorter(question.case) and (told := askew(tree, of)):  # else both ends of a mask are one
        return told
    if (
        told := shares_spoilt(tree, of, numbers_given(question, tree))
        or of_rows(question, tree)
        or _of_scale(question, tree)
        or _of_products(question, tree)
        or by_value(question, tree)
    ):
        return told
    if told := left_out(tree, of) or (turned_wrongly(tree, of) if "scores" in question.step.stages else None):
        return told
    if told := of_one_size(
        tree, of, _got(finding), {*readings(question.exercise, question.step, question.case.template)}
    ):
        return told
    construct = [*question.case.template.construct]
    if _is_of_heads(question) and (told := otherwise(tree, of) or chained(tree, of) or cut_across(tree, of)):
        return told
    if _is_one_heads(question, finding) and (told := averaged_heads(tree, of)):
        return told
    if _is_of_heads(question) and (absent := unused(tree, of, construct.index(HEADS))):
        return say("judge.heads-unused", name=clean(absent, 60)), 0
    return None


def _is_one_heads(question: Question, finding: Finding) -> bool:
    """Whether a result is as wide as that of one of several heads, and else as it should be."""
    shapes = parts_of("judge.shape", without_case(finding.summary))
    if shapes is None or not _is_of_heads(question):
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


def _of_nan(question: Question, tree: ast.Module) -> Told | None:
    """What there is to say of a result that has NaN in it, and the line."""
    of = question.step.of
    if product := infinite_product(tree, of):
        return say("judge.zero-times-infinity", code=short(product)), product.lineno
    return unseeing(tree, of) or divided_by_zero(tree, of, numbers_given(question, tree)) or filled_late(tree, of)


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
    is_drawn, is_whole = "variances_of" in step.options, question.exercise.definitions[step.of].is_class
    if is_whole or not (is_drawn or step.stages):
        return None
    arguments = [*question.case.template.inputs]
    widths = [each for each in step.options.get("expect", ()) if each in arguments]
    names = [parameter(tree, step.of, arguments.index(each), each) for each in widths]
    if step.stages[:1] in OF_DOT_PRODUCTS and len(step.stages) == 1 and (plain := not_summed(tree, step.of)):
        return plain
    return averaged(tree, step.of) or (of_vectors(tree, step.of, names) if is_drawn else None)


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
    given = [array.shape for name, array in question.case.inputs.items() if tuple(axes.get(name, ()))[:2] == ("B", "T")]
    is_turned = any(
        array is not None and array.ndim == len(shape) and array.shape[:2] == shape[1::-1] != shape[:2]
        for array in results
        for shape in given
    )
    if is_turned and (stack := stacked(tree, of)):
        return say("judge.stacked-first", code=short(stack)), stack.lineno
    return None


def _lacks_axis(finding: Finding) -> bool:
    """Whether a result has an axis less than it should: that of the loop that made it, whose turns no sum replaces."""
    shapes = heard("judge.shape", finding.summary) or {}
    got, expected = (len(re.findall(r"\d+", shapes.get(each, ""))) for each in ("got", "expected"))
    return got == expected - 1


def _has_its_width(question: Question, results: Sequence[Any]) -> bool:
    """Whether a class's result is as wide as its input, and not as its heads are to be."""
    construct = question.case.template.construct
    width, heads = construct.get(OF_WIDTH), num_heads(question)
    given = {array.shape[-1] for array in question.case.inputs.values() if array.ndim > 1}
    given -= {width, int(width or 0) * heads}
    return width is not None and any(
        array is not None and array.ndim > 0 and array.shape[-1] in given for array in results
    )
