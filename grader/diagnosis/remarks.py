"""What the source says where a check is not right and no known mistake is named, and the line that says it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from grader.diagnosis.clues.any_axes import counts_on
from grader.diagnosis.clues.arguments import misplaced, overwritten, parameter
from grader.diagnosis.clues.cut_off import cut_off
from grader.diagnosis.clues.draws import drawn_evenly, drawn_without, seeded
from grader.diagnosis.clues.dropout import ends_dropout, made_otherwise, switched_off
from grader.diagnosis.clues.dtypes import retyped
from grader.diagnosis.clues.objects import kept_as_a_local, kept_for_all, refuses_nothing
from grader.diagnosis.clues.printed import uncalled
from grader.diagnosis.clues.spans import returned_in_a_loop
from grader.diagnosis.clues.wrappers import one_too_few, put_in_place, shared_out
from grader.diagnosis.places.dropout import (
    at_a_rate_of_its_own,
    in_training_alone,
    second_that_drops,
)
from grader.diagnosis.places.statements import Told, statements_of
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.slips.decimals import split
from grader.diagnosis.slips.messages import commas, computed
from grader.diagnosis.wrong_results import OF_WIDTH, of_result
from grader.judge.binding.labels import NUMBER
from grader.judge.checks.asking import HEADS, num_heads
from grader.judge.checks.gradients import Gradients
from grader.judge.checks.refuses import Refuses
from grader.judge.summaries import MISSHAPEN, is_said, parts_of, sizes_of, without_case
from grader.model.check import Finding, Question
from grader.model.observation import Observation
from grader.model.pack import Definition
from grader.model.text import clean
from grader.words import heard, say


def remark(
    question: Question,
    seen: Observation,
    finding: Finding,
    tree: ast.Module,
    definitions: Mapping[str, Definition],
) -> Told | None:
    """What there is to say of a finding, and the line that says it, 0 for no single one; None where nothing is certain.

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
        or (of_result(question, seen, finding, tree) if seen.returned else None)
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
    if heard("check.dropped-twice", finding.summary):
        again = second_that_drops(tree, question.step.of)
        return (say("judge.dropped-again", code=short(again)), again.lineno) if again else None
    if is_said(("check.dropped-together",), finding.summary):
        return counts_on(question, tree)
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
