"""What went wrong before anything could be compared, each in one sentence with the student's own line."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Callable, Iterator, Mapping

from grader.diagnosis import evidence, sizes
from grader.diagnosis.parser_said import in_words
from grader.diagnosis.slips import spelling
from grader.diagnosis.source.tree import parsed
from grader.model.case import Case
from grader.model.observation import Ending, Fault, Frame, Observation
from grader.model.pack import Exercise, Step
from grader.model.report import Status
from grader.model.text import clean, line_at, source_lines
from grader.words import say

# So much is told of what a statement outside functions raised, its type and its message.
LONGEST_RAISED = 100
# Torch raises NotImplementedError too: of a container that was called, of a type that an operation does not take, of a
# mode that one knows nothing of.
TORCHS = re.compile(
    f"{re.escape(evidence.NO_FORWARD)}|not implemented for|does not support|Could not run|no rule registered"
)
OF_SHAPES = ("RuntimeError", "ValueError", "IndexError")
ABOUT_SHAPES = re.compile(r"\b(shapes?|sizes?|dim(ension)?s?|[1-4]D|axis|indices)\b", re.IGNORECASE)
OF_TYPES = "tensors used as indices must be"
FLOAT, WHOLE = re.compile(r"\bfloat\b"), re.compile(r"\bint(s|egers?)?\b")
# Torch's advice to whoever gives a tensor to numpy, which costs the gradients.
TO_DETACH = " Use tensor.detach().numpy() instead."
# And to whoever cuts numbers that do not lie in order, which mixes them where axes were to be moved.
TO_RESHAPE = " Use .reshape(...) instead."


def status(exercise: Exercise, seen: Observation) -> Status | None:
    """The status of a run that was not answered whole; None where it was."""
    if seen.ending is Ending.TIMEOUT:
        return Status.TIMEOUT
    if seen.ending is Ending.CRASHED:
        return Status.CRASHED
    if seen.fault is None:
        return None
    if is_stub(exercise, seen.fault):
        return Status.UNSTARTED
    return Status.ERROR if seen.fault.kind in ("exception", "exit", "syntax") else Status.FAILED


def is_stub(exercise: Exercise, fault: Fault) -> bool:
    """Whether this is the stub's own NotImplementedError, raised in this exercise's module."""
    own = bool(fault.frames) and fault.frames[-1].file == exercise.file and not runs_when_loaded(fault)
    return own and is_of_a_stub(fault)


def is_of_a_stub(fault: Fault) -> bool:
    """Whether this is a NotImplementedError as stubs raise it, in whatever module, and none of torch's."""
    return fault.type == "NotImplementedError" and TORCHS.search(fault.message) is None


def runs_when_loaded(fault: Fault) -> bool:
    """Whether it was raised while a module was loaded, by what stands outside its functions or what that calls."""
    return bool(fault.frames) and fault.frames[0].function == "<module>"


def place(exercise: Exercise, fault: Fault | None) -> tuple[str, int, int]:
    """The student's own file, line and column of a fault: the innermost in this exercise's module, else in any."""
    if fault is None or not fault.frames:
        return "", 0, 0
    frame = _frame(exercise, fault)
    return clean(frame.file, 80), frame.line, fault.column


def _frame(exercise: Exercise, fault: Fault) -> Frame:
    own = [frame for frame in fault.frames if frame.file == exercise.file]
    if runs_when_loaded(fault) and own[:1] == [fault.frames[0]]:
        return own[0]  # rather than what the demo calls, which may be right
    return own[-1] if own else fault.frames[-1]


def sentence(
    exercise: Exercise, step: Step, seen: Observation, seconds: float, case: Case | None, tree: ast.Module
) -> str:
    """One sentence for a run that was not answered whole. case: that was asked; None where a module was only loaded."""
    what = f"`{step.of}`" if case is not None else say("judge.while-imported", file=exercise.file)
    if seen.ending is Ending.TIMEOUT:
        return say("judge.timeout", what=what, seconds=f"{seconds:g}")
    if seen.ending is Ending.CRASHED:
        return say("judge.crashed", what=what, why=clean(seen.detail, 120))
    fault = seen.fault
    if fault is None:
        return ""
    if is_stub(exercise, fault):
        return say("judge.not-started")
    if case is not None and not case.is_public:  # whatever its kind is: code that is hostile can write any text there
        return _withheld(fault)
    of_kind = _OF_KIND.get(fault.kind)
    return of_kind(exercise, step, fault) if of_kind else _exception(exercise, step, fault, case, tree)


def stumbled(exercise: Exercise, fault: Fault, source: str) -> str:
    """Which code of a module, outside its functions, raised what, and what becomes of the rest."""
    own = [frame.line for frame in fault.frames if frame.file == exercise.file and frame.function == "<module>"]
    said = clean(f"{fault.type}: {fault.message}".removesuffix(": "), LONGEST_RAISED).rstrip(".")
    code = clean(line_at(source_lines(source), own[0]).strip(), 60) if own else ""
    if not code:  # such as what cannot be read of another module, which has no frame here
        file, line, _ = place(exercise, fault)
        is_anothers = file not in ("", exercise.file)
        return say("judge.ended-somewhere", said=f"{said} ({file}:{line})" if is_anothers else said)
    if fault.kind == "exit":
        return say("judge.ended-early", code=code, said=said)
    is_last = _ends_with(parsed(source), own[0])
    return say("judge.passed-over-at-the-end" if is_last else "judge.passed-over", code=code, said=said)


def _ends_with(tree: ast.Module, line: int) -> bool:
    """Whether a line is one of the last statement's, with what decorates it."""
    last = tree.body[-1:]
    return any(part.lineno <= line for each in last for part in (each, *getattr(each, "decorator_list", ())))


def _withheld(fault: Fault) -> str:
    """An exception of a fresh case: its message, and even its type's name, can be made of the inputs."""
    known = getattr(builtins, fault.type, None)
    name = fault.type if isinstance(known, type) and issubclass(known, BaseException) else say("judge.an-exception")
    return say("judge.withheld", exception=name)


def raised(fault: Fault) -> str:
    """What was raised, in Python's own words, without advice that would only make another mistake of it."""
    message = clean(fault.message.removesuffix(TO_DETACH).removesuffix(TO_RESHAPE), 200)
    said = f"{clean(fault.type, 60)}: {message}" if message else clean(fault.type, 60)
    return say("judge.outside-functions", said=said) if runs_when_loaded(fault) else said


def _exception(exercise: Exercise, step: Step, fault: Fault, case: Case | None, tree: ast.Module) -> str:
    said = raised(fault)
    name = spelling.meant(fault, spelling.own_names(fault, tree, step.of))
    for more in [name] if name else _read(exercise, step, fault, case):
        said = say("judge.with-more", said=said.rstrip("."), more=more)
    return said


def wants_whole_number(fault: Fault) -> bool:
    """Whether a float was given where only a whole number will do."""
    is_of_a_type = (fault.kind, fault.type) == ("exception", "TypeError")
    return is_of_a_type and bool(FLOAT.search(fault.message) and WHOLE.search(fault.message))


def is_of_shapes(name: str, message: str) -> bool:
    """Whether an exception of that name and message says that sizes do not fit."""
    return name in OF_SHAPES and ABOUT_SHAPES.search(message) is not None and OF_TYPES not in message


def tells_of_shapes(summary: str) -> bool:
    """Whether what is told of an exception is that sizes do not fit."""
    name, _, told = summary.partition(": ")
    return is_of_shapes(name, told.partition(";")[0])  # behind which stands what the grader says of it


def _read(exercise: Exercise, step: Step, fault: Fault, case: Case | None) -> Iterator[str]:
    """The shapes that an error about shapes is about, and what its numbers are in the case that was asked."""
    if not is_of_shapes(fault.type, fault.message):
        return
    named = [name for name, _ in fault.shapes]
    if fault.shapes and fault.frames[-1:] == (_frame(exercise, fault),):  # and not of a line that is not shown
        shapes = (say("judge.shape-of", name=clean(name, 60), shape=shape) for name, shape in fault.shapes)
        yield say("judge.shapes", shapes=", ".join(shapes))
    if case is not None and (known := sizes.explained(exercise, step, case.template, fault.message, named)):
        yield say("judge.sizes", sizes=known)


def _syntax(exercise: Exercise, step: Step, fault: Fault) -> str:
    file = fault.frames[-1].file if fault.frames else exercise.file
    message = in_words(clean(fault.message, 200).rstrip("?."))
    if "null bytes" in message:
        message = say("judge.no-utf8")
    if not fault.line:  # of a file as a whole, such as one in an encoding that there is none of
        return say("judge.cannot-read", place=clean(file, 80), message=message)
    place = say("judge.line", line=fault.line)
    if file != exercise.file:
        return say("judge.cannot-read-imported", place=place, file=clean(file, 80), message=message)
    return say("judge.cannot-read", place=place, message=message)


def _missing(exercise: Exercise, step: Step, fault: Fault) -> str:
    if fault.type:
        return say("judge.no-definition", of=step.of, type=clean(fault.type, 60))
    others = [name for name in fault.names if name not in exercise.definitions]  # which have names of their own
    nearest = difflib.get_close_matches(step.of, others, n=1, cutoff=0.6)
    if not fault.names:
        return say("judge.nothing-defined", of=step.of, file=exercise.file)
    found = ", ".join(f"`{clean(name, 60)}`" for name in fault.names[:6])
    if nearest:
        name = clean(nearest[0], 60)
        return say("judge.otherwise-called", of=step.of, file=exercise.file, found=found, name=name)
    return say("judge.not-there", of=step.of, file=exercise.file, found=found)


def _signature(exercise: Exercise, step: Step, fault: Fault) -> str:
    definition = exercise.definitions.get(step.of)
    ours = f"`{step.of}{definition.signature}`" if definition else f"`{step.of}`"
    if "forward" in fault.names:
        ours = f"`forward({', '.join(exercise.cases[step.cases[0]].inputs)})`"
    signature, message = clean(fault.signature, 160), clean(fault.message, 100)
    return say("judge.signature", signature=signature, expected=ours, message=message)


def _kind(exercise: Exercise, step: Step, fault: Fault) -> str:
    made = clean(next(iter(fault.names), step.of), 80)
    return say("judge.no-module", of=made, type=clean(fault.type, 60))


def _detached(_: Exercise, step: Step, fault: Fault) -> str:
    if fault.type:
        return say("judge.detached-no-tensor", of=step.of, type=clean(fault.type, 60))
    return say("judge.detached", of=step.of)


_OF_KIND: Mapping[str, Callable[[Exercise, Step, Fault], str]] = {
    "exit": lambda _, __, fault: say("judge.exits", exception=clean(fault.type, 60)),
    "syntax": _syntax,
    "missing": _missing,
    "signature": _signature,
    "kind": _kind,
    # Two lists, neither of which is cut in a name.
    "weights": lambda _, __, fault: say("judge.weights", why=clean(fault.message, 600)),
    "detached": _detached,
}
