"""Says of a step that fails whether an earlier one is its cause, and so what to look at first."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from grader.diagnosis.clues.zeros import is_divided_by_zero
from grader.diagnosis.evidence import OF_BIASES
from grader.diagnosis.sentences import tells_of_shapes
from grader.diagnosis.source.called import called, imported, lines_reading, lines_reading_kept
from grader.diagnosis.source.tree import parsed
from grader.judge.checks.dropout import Dropout
from grader.judge.checks.gradients import Gradients
from grader.judge.checks.parameters import Parameters
from grader.judge.checks.refuses import Refuses
from grader.judge.checks.state import State
from grader.judge.summaries import (
    ALL_DROPPED,
    EXCHANGED,
    EXCHANGED_AT_ZERO,
    LIFELESS,
    NO_PART,
    NOT_FINITE,
    OF_DROPOUT,
    OF_NUMBERS,
    SEES_FUTURE,
    TIED,
    UNCLEAR,
    is_said,
    parts_of,
    without_case,
)
from grader.model.pack import Exercise, Step, Visibility
from grader.model.report import Cause, Status, Verdict
from grader.model.syntax import Definition
from grader.model.text import line_at, source_lines
from grader.verdict.spoilt import BY_RESULT, is_scaled_there, is_void, makes_up
from grader.words import heard, say

WRONG = (Status.FAILED, Status.PARTIAL, Status.ERROR, Status.TIMEOUT, Status.CRASHED)
# What no result of another function is to blame for: a name that is not there.
OF_NAMES = ("NameError", "UnboundLocalError")
# What is said where nothing was called, by the name that it has or by what it takes: whoever reads it is told all.
UNCALLED = (
    "judge.signature",
    "judge.self-first",
    "judge.no-definition",
    "judge.nothing-defined",
    "judge.otherwise-called",
    "judge.not-there",
)
# Nor a layer that stands where a tensor is due.
OF_LAYERS = re.compile(r"TypeError: unsupported operand .*'(?:Softmax|Dropout|Linear|Identity|ModuleList)'")
# What is noted of random numbers that come from elsewhere, begin anew each time, or are drawn at another rate.
DRAWN = ("judge.drawn-without", "judge.seeded-inside", "judge.made-otherwise", "judge.rate-of-its-own")
# What is said of gradients to keep them away, by itself.
KEEPING_AWAY = ("judge.under-no-grad", "judge.made-anew", "judge.no-gradient-through")
# Checks of what a module holds, which is as it is whatever comes out.
HELD = (Parameters.name, State.name)
# The mistake that nothing is dropped, of which nothing comes but that.
OF_NO_DROPOUT = {"dropout-missing"}
# What is said where another share is dropped than should be.
OF_SHARE = (*EXCHANGED, "check.share-dropped")
# The mistake that two parameters of different roles are one.
OF_TIED = {"projection-reused"}


def cause_of(
    exercises: Sequence[Exercise],
    exercise: Exercise,
    step: Step,
    decided: Verdict,
    before: Mapping[str, Verdict],
    source: str,
) -> Cause | None:
    """The earlier step that a failure may come of; None where nothing speaks for one.

    exercises: all of the pack, since a solution may use what it wrote for another. before: verdicts by step. A hidden
    step is nobody's cause: students would hear of it.
    """
    is_elsewhere = decided.summary.startswith(OF_NAMES) or OF_LAYERS.match(decided.summary) is not None
    is_crash = decided.status is Status.ERROR and not decided.diagnosis and not is_elsewhere
    if decided.status not in BY_RESULT and not is_crash:
        return None

    def is_wrong(each: Step) -> bool:
        return each.id in before and before[each.id].status in WRONG and each.visibility is Visibility.VISIBLE

    earlier = [each for each in exercise.steps[: exercise.steps.index(step)] if is_wrong(each)]
    if step.check == Refuses.name:  # no result that is wrong keeps anything from being refused
        earlier = [each for each in earlier if before[each.id].status is Status.ERROR]
    if is_crash:  # a crash has its own traceback, unless it is of what another function gives
        earlier = [each for each in earlier if before[each.id].status in BY_RESULT]
        if tells_of_shapes(decided.summary):  # no number is to blame for a size
            earlier = [each for each in earlier if not _is_of_numbers(before[each.id].summary)]
    tree = parsed(source)
    calls = called(tree, step.of)
    # What computes rightly gives right results, if not for all that it may be asked.
    own = _computing(exercise).items()
    used = [(name, each) for name, each in own if name in calls - {step.of} and each in earlier]
    used += [(name, each) for name, each in called_of_others(exercises, step, tree) if is_wrong(each)]
    if _is_of_shape(decided.summary) and not (decided.stage and decided.stage.line):
        used = [(name, each) for name, each in used if not _is_of_numbers(before[each.id].summary)]
    for name, each in used:
        may_come_of = makes_up(decided) or _may_come_of(name, each, step.of, tree, decided, source)
        if may_come_of or is_scaled_there(before[each.id], decided):
            return Cause(each.id, say("judge.cause-called", of=step.of, called=name, step=each.id))
    of_the_same = [each for each in earlier if each.of == step.of]
    # Beside a mistake it is not what is told, and nothing but dropout changes a result from call to call.
    is_anothers = decided.diagnosis or is_said(("check.dropped-at-zero",), decided.summary)
    is_asked = decided.remark and not is_anothers
    told = [each for each in of_the_same if is_asked and _is_told_alike(before[each.id], decided)]
    if step.check == Gradients.name and any(heard(key, decided.remark or "") is not None for key in KEEPING_AWAY):
        return None
    found = told[0] if told else _cause_among(of_the_same, exercise, step, decided, before, is_crash=is_crash)
    if found is None:
        return None
    # What that one comes of in its turn is where to begin.
    return before[found.id].cause or Cause(found.id, say("judge.cause-earlier", step=found.id))


def _cause_among(
    earlier: Sequence[Step],
    exercise: Exercise,
    step: Step,
    decided: Verdict,
    before: Mapping[str, Verdict],
    *,
    is_crash: bool,
) -> Step | None:
    """Of earlier steps that ask the same definition, and are wrong, the one that a failure may come of."""

    def first_said(keys: Sequence[str]) -> Step | None:
        return next((each for each in earlier if is_said(keys, before[each.id].summary)), None)

    is_of_itself = is_crash or _is_of_itself(step, decided)
    # Two parameters that are one spoil numbers, and no shape.
    is_of_shape = any(_is_of_shape(said) for said in (decided.summary, *(before[each.id].summary for each in earlier)))
    is_as_of_tied = {found.id for found in decided.diagnosis} <= OF_TIED and not is_of_shape
    if not is_of_itself and is_as_of_tied and (tied := first_said(TIED) or _first_noted(TIED, earlier, before)):
        return tied
    if not decided.diagnosis and is_said(NO_PART, decided.summary) and (empty := first_said(ALL_DROPPED)):
        return empty
    if is_of_itself or decided.diagnosis:
        return None
    if (empty := first_said(EXCHANGED_AT_ZERO)) and _is_given(exercise, empty, "rate", 0, decided.summary):
        return empty
    share = first_said(OF_SHARE) or _first_noted(OF_SHARE, earlier, before)
    if share and _is_of_numbers(decided.summary) and _is_given(exercise, share, "rate", 1, decided.summary):
        return share  # where all is to be dropped, and something is left
    if any(_is_of_training(exercise, each, decided, before[each.id]) for each in earlier):
        return None
    is_of_held = _is_of_held(step, decided)
    cut_off = parts_of("check.no-gradient", decided.summary)
    if not is_of_held or (cut_off and not cut_off["name"].endswith("bias")):
        earlier = [each for each in earlier if not _is_alone(before[each.id], OF_BIASES)]
    earlier = [each for each in earlier if not _is_alone(before[each.id], OF_NO_DROPOUT)]
    clear = [each for each in earlier if is_of_held and not is_said(UNCLEAR, before[each.id].summary)]
    held = {each.id for each in clear if each.check in HELD}
    if {*step.cases} <= _computed_right(exercise, step, before):  # on other cases alone something is wrong
        earlier = [each for each in earlier if {*step.cases} & {*each.cases}]
    likeliest = sorted(earlier, key=lambda each: (each.id not in held, not each.stages))
    return next(
        (each for each in likeliest if each.id in held or _is_placed(each, step, decided, before[each.id])), None
    )


def _first_noted(keys: Sequence[str], earlier: Sequence[Step], before: Mapping[str, Verdict]) -> Step | None:
    """The first step of which one of these is noted beside what else is wrong."""

    def is_noted(note: str) -> bool:
        parts = heard("judge.besides", note) or heard("judge.besides-at", note)
        return parts is not None and is_said(keys, parts["said"])

    return next((each for each in earlier if any(map(is_noted, before[each.id].notes))), None)


def _is_of_itself(step: Step, decided: Verdict) -> bool:
    """Whether a failure has a place of its own, whatever else is wrong with the definition."""
    is_uncalled = _is_uncalled(decided.summary)
    is_drawn = is_said(OF_DROPOUT, decided.summary) or any(heard(key, each) for key in DRAWN for each in decided.notes)
    # Where no weights could be put in, nothing is known of what it holds.
    is_held = step.check in HELD and not is_said(NOT_FINITE, decided.summary) and not _is_unasked(decided)
    return is_uncalled or is_drawn or is_held or is_divided_by_zero(decided.notes)


def _is_uncalled(summary: str) -> bool:
    """Whether nothing was called; some of these texts have a full stop of their own."""
    return is_said(UNCALLED, summary) or any(heard(key, summary) is not None for key in UNCALLED)


def _is_of_held(step: Step, decided: Verdict) -> bool:
    """Whether a failure comes of what a module holds, if of anything: all else comes of a wrong result rather.

    A gradient is missing for what is no parameter, and weights have no place where there is none.
    """
    return (step.check == Gradients.name and not is_said(NOT_FINITE, decided.summary)) or _is_unasked(decided)


def _is_unasked(decided: Verdict) -> bool:
    return heard("judge.weights", decided.summary) is not None


def _is_of_training(exercise: Exercise, its: Step, decided: Verdict, wrong: Verdict) -> bool:
    """Whether a step finds dropout wrong in training alone, and a failure is outside it."""
    if its.check != Dropout.name or not _is_given(exercise, its, "training", False, decided.summary):
        return False
    is_outside = any(found.id == "dropout-in-eval" for found in wrong.diagnosis)
    return not is_outside and not is_said(("check.dropout-stays-on",), wrong.summary)


def _is_given(exercise: Exercise, its: Step, option: str, value: float, summary: str) -> bool:
    """Whether a summary is of a case that gives this value to the argument which an option of a step names."""
    named = exercise.cases.get((heard("judge.on-case", summary.removesuffix(".")) or {"case": ""})["case"])
    return named is not None and named.inputs.get(its.options.get(option, "")) == value


def _is_told_alike(its: Verdict, decided: Verdict) -> bool:
    """Whether the same was to be said of a line for an earlier step, also where its cause is told instead."""
    known = heard("judge.cause-called", its.cause.message) if its.cause is not None else None
    return its.remark == decided.remark or (known is not None and is_void(decided, str(known["called"])))


def called_of_others(exercises: Sequence[Exercise], step: Step, tree: ast.Module) -> Iterator[tuple[str, Step]]:
    """What is called of the solution's other exercises, as it is called here, and the step that asks what it computes.

    Not what a stand-in replaces; and of a step without stages nothing, since only a result can come of another's.
    """
    calls = called(tree, step.of) if step.stages else set()
    known = {
        each.id: each
        for each in exercises
        if each.id != step.exercise and not {its.id for its in each.steps} & {*step.relies_on}
    }
    for here, module, there in imported(tree, known):
        asked = _computing(known[module]).get(there)
        if here in calls and asked is not None:
            yield here, asked


def _is_alone(its: Verdict, mistakes: Collection[str]) -> bool:
    """Whether a verdict names mistakes, and none but some."""
    ids = {found.id for found in its.diagnosis}
    return bool(ids) and ids <= {*mistakes}


def _is_placed(each: Step, step: Step, decided: Verdict, its: Verdict) -> bool:
    """Whether it is known where an earlier step goes wrong; near where, if so much is known of the failing one."""
    if decided.stage is not None and decided.stage.line:  # nearly one: the first of such is enough
        return its.stage is not None and not its.diagnosis
    is_unsaid = step.check == Dropout.name or is_said((*NOT_FINITE, *LIFELESS), decided.summary)
    if is_said(SEES_FUTURE, decided.summary) and its.stage is not None and its.stage.line:  # it has no line of its own
        return True
    is_output = is_unsaid and bool(each.stages)  # which it can say nothing of
    if is_said(("check.no-gradient",), decided.summary) and its.remark and not decided.remark:  # which speaks of a line
        return True
    return is_output or any(found.line and not found.near for found in its.diagnosis)


def _is_of_numbers(summary: str) -> bool:
    """Whether a summary says of a result that it is wrong in its numbers alone, or in their type."""
    return is_said(OF_NUMBERS, without_case(summary))


def has_its_shape(its: Verdict) -> bool:
    """Whether what a step asks for is right, or wrong in its numbers alone."""
    return its.status is Status.PASSED or (its.status in BY_RESULT and _is_of_numbers(its.summary))


def _is_of_shape(summary: str) -> bool:
    return is_said(("judge.shape",), without_case(summary))


def _computed_right(exercise: Exercise, step: Step, before: Mapping[str, Verdict]) -> set[str]:
    """The cases on which earlier steps found all that a definition computes right."""
    computing = (each for each in exercise.steps if each.of == step.of and each.stages and each.id in before)
    return {case for each in computing if before[each.id].status is Status.PASSED for case in each.cases}


def _computing(exercise: Exercise) -> dict[str, Step]:
    """For each definition, in the rubric's order, the first step that asks what it computes, else its first one."""
    steps: dict[str, Step] = {}
    for each in exercise.steps:
        if each.of not in steps or (each.stages and not steps[each.of].stages):
            steps[each.of] = each
    return steps


def _may_come_of(name: str, its: Step, of: str, tree: ast.Module, decided: Verdict, source: str) -> bool:
    """Whether a call can be what is wrong: not where that is known to be in another line of the definition itself.

    its: the step of what is called.
    """
    places = {found.line for found in decided.diagnosis if found.line and not found.near}
    own = [node for node in tree.body if isinstance(node, Definition) and node.name == of]
    inside = {line for node in own for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)}
    lines = source_lines(source)
    calling = {line for line in inside if f"{name}(" in line_at(lines, line)}
    stage = decided.stage  # if its own, of which a note speaks: else made there, as row by row, and here put together
    is_own = stage is not None and bool(stage.right or stage.wrong not in its.stages or decided.remark)
    past = stage.line if stage is not None and is_own and stage.line > max(calling, default=0) else 0
    # What was called was right by then; but what is no stage is seen to be wrong only where it is read.
    if (
        past
        and past not in lines_reading_kept(own, calling)
        and (its.stages or past not in lines_reading(own, calling))
    ):
        places.add(past)
    return places & inside <= calling
