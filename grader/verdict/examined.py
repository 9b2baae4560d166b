"""What became of a step on one device, and what is said of it where something came back that is not right."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from grader.diagnosis import sentences
from grader.diagnosis.as_written import as_written
from grader.diagnosis.clues.any_axes import counts_on_where_raised
from grader.diagnosis.clues.arguments import misplaced
from grader.diagnosis.clues.turns import neither_turned
from grader.diagnosis.clues.wrappers import one_for_all
from grader.diagnosis.diagnose import Diagnostician
from grader.diagnosis.errors import cause, has_work
from grader.diagnosis.evidence import OF_BIASES, Mistake
from grader.diagnosis.findings import settled
from grader.diagnosis.places.lists import line_of_slot
from grader.diagnosis.places.statements import Told
from grader.diagnosis.remarks import remark
from grader.diagnosis.slips.asserted import led_to
from grader.diagnosis.slips.names import unknown_name
from grader.diagnosis.slips.owners import otherwise_called
from grader.diagnosis.source.definition import defined_at
from grader.diagnosis.source.reached import loop_line
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.workbench import Workbench
from grader.judge.binding.labels import NUMBER
from grader.judge.summaries import MISSHAPEN, TIED, is_said, without_case
from grader.model.case import Case
from grader.model.check import Finding, Question
from grader.model.observation import Fault, Frame, Observation
from grader.model.pack import Definition, Exercise, Step
from grader.model.report import Picture, Shares, Stage, Status
from grader.model.run import World
from grader.model.text import as_sentence, clean, line_at, source_lines
from grader.words import heard, say

# Kinds of faults of which their cause says all: of the others it is told what was raised as well.
TOLD_BY_CAUSE = ("signature", "detached")
# Of these Python counts up to where it stopped, and what is wrong is where the line begins.
OF_INDENTATION = ("IndentationError", "TabError")
# Mistakes in what a class is handed on, as also come of two arguments that are exchanged.
OF_ARGUMENTS = {*OF_BIASES, "dropout-missing", "dropout-in-eval"}


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of a step on one device.

    question: the case it fails on. answers: the solution's to that case. stage: how far it is right there. picture:
    what came of that case, if it is public. shares: what softmax makes of its stages. frames: the way to what was
    raised, outermost first, where nothing but that is known of it. fault: what ended it, of whatever kind. ended: the
    line of the exercise in which that was. credit: points for stages that are right. is_placed: whether the line is one
    that a note speaks of. about: the slot that is wrong, as the module calls it. remark: the note that speaks of it; ""
    for none. besides: what else is wrong in the same answer.
    """

    status: Status
    summary: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    notes: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    question: Question | None = None
    answers: Mapping[Case, Observation] = field(default_factory=dict, repr=False, compare=False)
    stage: Stage | None = None
    picture: Picture | None = None
    shares: Shares | None = None
    frames: tuple[Frame, ...] = ()
    fault: Fault | None = None
    ended: int = 0
    credit: int = 0
    is_placed: bool = False
    about: str = ""
    remark: str = ""
    besides: tuple[str, ...] = ()


def lacks_results(examined: Examined) -> bool:
    """Whether fewer results came back than are asked for."""
    return is_said(("judge.no-tuple",), without_case(examined.summary))


def failed(
    diagnostician: Diagnostician,
    question: Question,
    seen: Observation,
    finding: Finding,
    notes: Sequence[str],
    world: World,
) -> Examined:
    """What becomes of a step of which one case is found to be wrong. notes: of the cases up to it."""
    exercise, step = question.exercise, question.step
    tree = parsed(diagnostician.bench.source(exercise))
    finding = settled(finding, tree, step.of)
    file, line = _definition(exercise, step, seen, tree, finding.at)
    # Names of types and of weights are the student's own words: they are cleaned here, once for every check.
    summary = clean(as_sentence(finding.summary))
    mistakes = diagnostician.of_finding(exercise, step, finding, world)
    mistakes = _unless_exchanged(mistakes, tree, step.of, diagnostician.bench.definitions)
    is_few = heard("judge.too-few", finding.summary) is not None
    if finding.about and (made := line_of_slot(tree, step.of, finding.about, counting=is_few)):
        file, line = exercise.file, made
    mistakes, more = as_written(mistakes, tree, step.of, question)
    notes = [*notes, *filter(None, [finding.nearly if not mistakes else ""]), *more]
    is_known = any(each.id not in OF_BIASES for each in mistakes) if is_said(MISSHAPEN, summary) else bool(mistakes)
    remarked = None if is_known else remark(question, seen, finding, tree, diagnostician.bench.definitions)
    one = one_for_all(tree, step.of) if is_said(TIED, summary) and NUMBER.search(finding.about) else None
    if one is not None:  # which says of the whole list what the summary says of two of it
        summary, file, line, remarked = as_sentence(one[0]), exercise.file, one[1], None
    if remarked is not None:
        said, at = remarked
        notes, file, line = [*notes, said], exercise.file, at or line
    return Examined(
        Status.FAILED,
        summary,
        file,
        line,
        notes=tuple(dict.fromkeys(notes)),
        mistakes=mistakes,
        question=question,
        answers={question.case: seen},
        picture=finding.picture,
        is_placed=one is not None or (remarked is not None and remarked[1] > 0),
        about=finding.about,
        remark=remarked[0] if remarked is not None and remarked[1] > 0 else "",
        besides=finding.besides,
    )


def not_answered(
    diagnostician: Diagnostician,
    exercise: Exercise,
    step: Step,
    seen: Observation,
    world: World,
    case: Case | None = None,
) -> Examined:
    """What becomes of a step of which a run was not answered whole.

    case: that was asked; None where it only loaded the module.
    """
    bench = diagnostician.bench
    source = bench.source(exercise)
    tree = parsed(source)
    is_fresh = case is not None and not case.is_public  # and so is what no student is to see
    status = sentences.status(exercise, seen)
    assert status is not None
    if seen.fault is not None:
        seen = replace(seen, fault=bench.joined(exercise).seen(seen.fault, exercise.file))
    said = sentences.sentence(exercise, step, seen, bench.seconds, case, tree)
    if status is Status.TIMEOUT:
        frames = seen.fault.frames if seen.fault is not None else ()
        line = loop_line(tree, exercise.file, frames)
        return Examined(status, said, exercise.file if line else "", line)
    if seen.fault is None:  # the process ended
        return Examined(status, said)
    file, line, column = sentences.place(exercise, seen.fault)
    if not line and status is Status.FAILED:
        file, line = _definition(exercise, step, seen, tree)
    own = line if file == exercise.file else 0
    text = line_at(source_lines(source), own)
    if column and own and seen.fault.type in OF_INDENTATION:
        column = len(text) - len(text.lstrip()) + 1
    if status is Status.UNSTARTED and text.lstrip().startswith("raise") and has_work(tree, own):
        return Examined(Status.ERROR, say("judge.still-raises"), file, line)
    examined = Examined(status, said, file, line, column, fault=seen.fault, ended=own)
    named = None if is_fresh else _misnamed(bench, seen.fault, tree, step)
    if named:
        examined = _with_cause(replace(examined, summary=sentences.raised(seen.fault)), exercise, seen.fault, named)
    elif found := cause(seen.fault, tree, step.of, text, is_fresh, bench.definitions, exercise.axes):
        examined = _with_cause(examined, exercise, seen.fault, found)
    elif case is not None and case.is_public:
        question = diagnostician.asker.question(exercise, step, case)
        led = led_to(question, seen.fault, bench.plan(question).actions, tree)
        if led := led or counts_on_where_raised(question, seen.fault, tree):
            examined = replace(examined, summary=say("judge.with-more", said=said, more=led))
        else:
            turned = neither_turned(tree, own, dict(seen.fault.shapes))
            examined = replace(_with_more(examined, turned) if turned else examined, frames=seen.fault.frames)
    is_another = named is not None and heard("judge.own-method", named[0]) is None
    mistakes = () if is_another else diagnostician.of_fault(exercise, step, seen.fault, own, world)
    mistakes = _unless_exchanged(mistakes, tree, step.of, bench.definitions)
    mistakes, more = as_written(mistakes, tree, step.of, question=None)
    frames = () if mistakes else examined.frames
    return replace(examined, mistakes=mistakes, notes=(*examined.notes, *more), frames=frames)


def _misnamed(bench: Workbench, fault: Fault, tree: ast.Module, step: Step) -> Told | None:
    """What there is to say of a name that nothing has, or that what it is asked of calls otherwise."""
    named = unknown_name(fault, tree, step.of, bench.definitions)
    return named or otherwise_called(fault, partial(_class_in, bench, tree))


def _with_cause(examined: Examined, exercise: Exercise, fault: Fault, found: Told) -> Examined:
    """With what an exception came of, and at the line that says so, if one does."""
    more, at = found
    if fault.kind in TOLD_BY_CAUSE:
        examined = replace(examined, summary=as_sentence(more))
    elif fault.kind == "weights" and at:  # of a line that another step may have told of
        examined = replace(examined, notes=(more,), is_placed=True, remark=more)
    else:
        examined = _with_more(examined, more)
    return replace(examined, file=exercise.file, line=at, column=0) if at else examined


def _with_more(examined: Examined, more: str) -> Examined:
    return replace(examined, summary=say("judge.with-more", said=examined.summary.rstrip("."), more=more))


def by_way_of(examined: Examined, right: Collection[str], has_shape: Callable[[str], bool]) -> Examined:
    """With the line that calls what raised, where that is right by itself: what it was given may not be.

    right: the functions of the exercise that passed. has_shape: whether another one gives what has the right shape,
    whatever its numbers, which is enough where sizes do not fit; it is asked no more than has to be known.
    """
    frames = examined.frames
    is_own = all(frame.file == examined.file for frame in frames)
    is_there = is_own and bool(frames) and frames[-1].line == examined.line
    if examined.status is not Status.ERROR or examined.mistakes or not is_there:
        return examined
    is_of_shapes = sentences.tells_of_shapes(examined.summary)
    inner = itertools.dropwhile(
        lambda frame: frame.function in right or (is_of_shapes and has_shape(frame.function)), reversed(frames)
    )
    calling = next(inner, frames[-1])
    if calling is frames[-1]:
        return examined
    called = frames[frames.index(calling) + 1].function
    passed = say("judge.raised-inside", called=called)
    more = passed if called in right else say("judge.raised-inside-of-shape", called=called)
    return replace(_with_more(examined, more), line=calling.line, column=0)


def _unless_exchanged(
    mistakes: tuple[Mistake, ...], tree: ast.Module, of: str, definitions: Mapping[str, Definition]
) -> tuple[Mistake, ...]:
    """None of them where all may come of arguments that stand in each other's place, which is what is told then."""
    if not {each.id for each in mistakes} <= OF_ARGUMENTS or misplaced(tree, of, definitions) is None:
        return mistakes
    return ()


def _definition(exercise: Exercise, step: Step, seen: Observation, tree: ast.Module, at: str = "") -> tuple[str, int]:
    """Where what was asked begins, in the exercise's own file: the action's, the function's, or the last method's."""
    file = exercise.file
    own = [frame for frame in seen.lines.values() if frame.file == file]
    named = [frame for name, frame in seen.lines.items() if name == at and frame in own]
    named = named or [frame for frame in own if frame.function == step.of]
    return (file, defined_at(tree, (named or own)[-1].line)) if own else ("", 0)


def _class_in(bench: Workbench, tree: ast.Module, name: str) -> ast.Module | None:
    """The source that holds a class: the exercise's own, or that of the one that asks for it."""
    if any(isinstance(node, ast.ClassDef) and node.name == name for node in tree.body):
        return tree
    asked = bench.definitions.get(name)
    return parsed(bench.module(asked.exercise)) if asked is not None else None
