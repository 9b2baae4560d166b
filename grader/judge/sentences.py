"""What went wrong before anything could be compared, each in one sentence with the student's own line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping

from grader.judge import sizes
from grader.judge.diagnosis import evidence
from grader.model.observation import Ending, Fault, Observation
from grader.model.pack import Exercise, Step
from grader.model.report import Status
from grader.model.text import clean

MISSPELT = {"AttributeError": evidence.NO_ATTRIBUTE, "NameError": evidence.UNDEFINED}


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
    own = bool(fault.frames) and fault.frames[-1].file == f"{exercise.id}.py"
    return fault.type == "NotImplementedError" and own


def place(exercise: Exercise, fault: Fault | None) -> tuple[str, int, int]:
    """The student's own file, line and column of a fault: the innermost in this exercise's module, else in any."""
    if fault is None or not fault.frames:
        return "", 0, 0
    own = [frame for frame in fault.frames if frame.file == f"{exercise.id}.py"]
    frame = own[-1] if own else fault.frames[-1]
    return clean(frame.file, 80), frame.line, fault.column


def sentence(exercise: Exercise, step: Step, seen: Observation, seconds: float, *, loading: bool = False) -> str:
    """One sentence for a run that was not answered whole. loading: whether it only loaded the module."""
    what = f"{exercise.id}.py, while it was imported," if loading else f"`{step.of}`"
    if seen.ending is Ending.TIMEOUT:
        return f"{what} was still running after {seconds:g} s and was stopped. Is there a loop without an end?"
    if seen.ending is Ending.CRASHED:
        return f"{what} ended the whole process: {clean(seen.detail, 120)}."
    fault = seen.fault
    if fault is None:
        return ""
    if is_stub(exercise, fault):
        return "Not started yet."
    return _OF_KIND.get(fault.kind, _exception)(exercise, step, fault)


def _exception(exercise: Exercise, step: Step, fault: Fault) -> str:
    message = clean(fault.message, 200)
    said = f"{clean(fault.type, 60)}: {message}" if message else clean(fault.type, 60)
    if bool(fault.frames) and fault.frames[-1].function == "<module>":
        said += " (in a line outside your functions, which runs when the file is loaded)"
    more = _meant(fault) or _read(exercise, step, fault)
    return f"{said.rstrip('.')}; {more}" if more else said


def _read(exercise: Exercise, step: Step, fault: Fault) -> str:
    """What the numbers of an error about shapes are in this exercise."""
    known = sizes.explained(exercise, step, fault.message) if fault.type in ("RuntimeError", "ValueError") else ""
    return f"in this case {known}" if known else ""


def _meant(fault: Fault) -> str:
    """Which of torch's names a misspelt one may have been meant for."""
    found = MISSPELT.get(fault.type)
    misspelt = found.search(fault.message) if found else None
    if misspelt is None or len(misspelt[1]) > evidence.LONGEST_NAME:
        return ""
    nearest = difflib.get_close_matches(misspelt[1], evidence.API, n=1, cutoff=evidence.NEAR_API)
    # An object's `dropout` and a variable `linear` are the student's own; a module's `linear` is torch's.
    is_own = bool(nearest) and nearest[0].lower() == misspelt[1].lower() and not fault.message.startswith("module ")
    return f"did you mean `{nearest[0]}`?" if nearest and nearest[0] != misspelt[1] and not is_own else ""


def _exit(exercise: Exercise, step: Step, fault: Fault) -> str:
    return f"Your code ends the program ({clean(fault.type, 60)}); leave out the call of exit."


def _syntax(exercise: Exercise, step: Step, fault: Fault) -> str:
    file = fault.frames[-1].file if fault.frames else f"{exercise.id}.py"
    where = f" of {clean(file, 80)}, which it imports" if file != f"{exercise.id}.py" else ""
    return f"Python cannot read line {fault.line}{where}: {clean(fault.message, 200)}."


def _missing(exercise: Exercise, step: Step, fault: Fault) -> str:
    if fault.message:
        return f"`{step.of}` must be a function or a class; {clean(fault.message, 100)}."
    nearest = difflib.get_close_matches(step.of, fault.names, n=1, cutoff=0.6)
    hint = f"; did you mean to call `{clean(nearest[0], 60)}` that?" if nearest else "."
    found = ", ".join(f"`{clean(name, 60)}`" for name in fault.names[:6]) or "no functions or classes"
    return f"There is no `{step.of}` in {exercise.id}.py (it has {found}){hint}"


def _signature(exercise: Exercise, step: Step, fault: Fault) -> str:
    definition = exercise.definitions.get(step.of)
    ours = f"`{step.of}{definition.signature}`" if definition else f"`{step.of}`"
    if "forward" in fault.names:
        ours = f"`forward({', '.join(exercise.cases[step.cases[0]].inputs)})`"
    return f"Your signature is `{clean(fault.signature, 160)}`; expected {ours} ({clean(fault.message, 100)})."


def _kind(exercise: Exercise, step: Step, fault: Fault) -> str:
    return f"{clean(fault.message, 160)}; derive the class from torch.nn.Module."


def _weights(exercise: Exercise, step: Step, fault: Fault) -> str:
    return f"The weights cannot be put in: {clean(fault.message, 300)}."


def _detached(exercise: Exercise, step: Step, fault: Fault) -> str:
    return f"No gradient can flow back from what `{step.of}` returns: it is no tensor, or nothing in it is learnt."


_OF_KIND: Mapping[str, Callable[[Exercise, Step, Fault], str]] = {
    "exit": _exit,
    "syntax": _syntax,
    "missing": _missing,
    "signature": _signature,
    "kind": _kind,
    "weights": _weights,
    "detached": _detached,
}
