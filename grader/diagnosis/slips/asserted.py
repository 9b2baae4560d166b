"""What led to an `assert` that says nothing, or to the student's own `raise`: what was asked, and by which call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.diagnosis.places.texts import short
from grader.model.check import Question
from grader.model.observation import Fault
from grader.model.run import Action, Argument, Call, Make, Value
from grader.model.syntax import holds, walk
from grader.words import say


def led_to(question: Question, fault: Fault, actions: Sequence[Action], tree: ast.Module) -> str:
    """What to say of an assertion without a message, or of what the solution raises by itself; "" of anything else.

    On a case that may be shown. actions: of the run that was asked.
    """
    is_silent = (fault.kind, fault.type, fault.message) == ("exception", "AssertionError", "")
    if not is_silent and not _is_raised(question, fault, tree):
        return ""
    action = actions[fault.action] if fault.action < len(actions) else None
    asked = _asked(question, action, actions) if action is not None else ""
    code = _through(question, fault, tree)
    said = [say("judge.was-called", call=asked)] if asked else []
    if isinstance(action, Call) and asked:
        given = question.case.inputs.items()
        said += [say("judge.shape-of", name=name, shape=array.shape) for name, array in given if array.ndim]
    if test := _raised_if(fault, tree):
        said.insert(0, say("judge.raised-if", code=short(test)))
    return "; ".join([*([", ".join(said)] if said else []), *([say("judge.by-way-of", code=code)] if code else [])])


def _raised_if(fault: Fault, tree: ast.Module) -> ast.expr | None:
    """What is asked right before a `raise`, which is so."""
    line = fault.frames[-1].line if fault.frames else 0
    for node in walk(tree):
        if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise) and holds(node.body[0], line):
            return node.test
    return None


def _is_raised(question: Question, fault: Fault, tree: ast.Module) -> bool:
    """Whether a fault is what a `raise` of the solution's makes, and not that of a stub."""
    if fault.kind != "exception" or fault.type == "NotImplementedError":
        return False
    place = fault.frames[-1] if fault.frames else None
    if place is None or place.file != question.exercise.file:
        return False
    return any(isinstance(node, ast.Raise) and node.exc and holds(node, place.line) for node in walk(tree))


def _asked(question: Question, action: Action, actions: Sequence[Action]) -> str:
    """How one writes the grader's own call; "" where it is of something else than the step asks."""
    of, inputs = question.step.of, [*question.case.template.inputs]
    arguments = question.exercise.definitions[of].arguments
    match action:
        case Make(definition=called, arguments=given) if called == of:
            return f"{of}({_written(given, arguments, named=True)})"
        case Call(definition=called, arguments=given) if called == of:
            return f"{of}({_written(given, arguments)})"
        case Call(of=name, arguments=given) if name:
            made = (_asked(question, each, ()) for each in actions if isinstance(each, Make) and each.name == name)
            constructed = next(made, "")
            return f"{constructed}({_written(given, inputs)})" if constructed else ""
        case _:
            return ""


def _written(given: Sequence[Argument], names: Sequence[str], *, named: bool = False) -> str:
    """Arguments as one writes them: numbers as they are, and all else by its name."""
    pairs = zip(given, names, strict=False)
    written = ((name, f"{each.value}" if isinstance(each, Value) else name) for each, name in pairs)
    return ", ".join(f"{name}={value}" if named else value for name, value in written)


def _through(question: Question, fault: Fault, tree: ast.Module) -> str:
    """The exercise's own call of the function that asserts; "" where the assertion stands in what was asked."""
    if len(fault.frames) < 2 or any(frame.file != question.exercise.file for frame in fault.frames[-2:]):
        return ""
    calling, called = fault.frames[-2:]
    calls = [node for node in walk(tree) if holds(node, calling.line) and _is_call_of(called.function, node)]
    return short(calls[0]) if len(calls) == 1 else ""  # of several in one line it may be any


def _is_call_of(function: str, node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name)):
            return name == function
        case _:
            return False
