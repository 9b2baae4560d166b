"""What to do where torch's own message says what cannot be done, in words that few beginners know."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from grader.diagnosis import sentences
from grader.diagnosis.clues.scales import floored, halved
from grader.diagnosis.places.copies import written_back
from grader.diagnosis.places.statements import asked, methods
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.slips import spelling
from grader.diagnosis.source.used import nodes_of
from grader.model.observation import Fault
from grader.model.text import clean
from grader.words import say

ANY = re.compile("")
# What to do, by what a message says and what the line that failed looks like then.
TOLD: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "judge.without-grad": (
        re.compile(r"a (view of a )?leaf Variable that requires grad"),
        re.compile(r"\.(weight|bias)\b|W_\w+|param"),  # which writes to weights
    ),
    "judge.stack-tensors": (
        re.compile(r"only one element tensors can be converted"),
        re.compile(r"torch\.(as_)?tensor\(|\bTensor\("),
    ),
    "judge.plain-number": (
        re.compile(r"^sqrt\(\): argument 'input' \(position 1\) must be Tensor, not (int|float)"),
        ANY,
    ),
    "judge.boolean-mask": (
        re.compile(
            r"only supports boolean masks|expected (condition|mask|self) to be a boolean|to be boolean, but got"
        ),
        ANY,
    ),
    "judge.lazy": (re.compile(r"shape of an uninitialized parameter"), ANY),
}
INDEXED_BY_A_MASK = re.compile(r"\[[^\]]*mask")
APART = re.compile(r"on the same device\b")
ASSIGNED = re.compile(r"^cannot assign '.*' as (parameter|child module) '(\w+)'")
BY_PLACE = "received an invalid combination of arguments"
# What torch says where types do not meet, and its own names for float32 and float64.
UNLIKE, FLOATS = re.compile(r"same dtype, but |expected scalar type "), ("float", "double")


# What is done with a list of tensors, and is no method of it.
JOINING = {"stack", "cat", "concat", "concatenate"}


def advice(fault: Fault, tree: ast.Module, of: str, text: str) -> str:
    """What to do about what torch says; "" where that is not certain. text: of the line that failed."""
    for key, (message, line) in TOLD.items():
        if message.search(fault.message) and line.search(text):
            return say(key)
    if sentences.OF_TYPES in fault.message and INDEXED_BY_A_MASK.search(text):
        return say("judge.boolean-mask")
    if UNLIKE.search(fault.message) and {*FLOATS} <= {*re.findall(r"\w+", fault.message.lower())}:
        return say("judge.two-float-types")
    if APART.search(fault.message):
        return _where_to_make(tree, of)
    if assigned := ASSIGNED.search(fault.message):
        if re.search(rf"\bself\.{assigned[2]}\b *=", text):
            return say("judge.layer-replaced", code=f"self.{clean(assigned[2], 60)}")
        if back := written_back(tree, of):  # which is the other thing to say
            return say("judge.copied-back", code=short(back))
        return say("judge.parameter-replaced") if assigned[1] == "parameter" else ""
    if "aten::floor_divide" in fault.message and (told := floored(tree, of) or halved(tree, of)):
        return told[0]
    if BY_PLACE in fault.message and (name := _generator_by_place(tree, of, text)):
        return say("judge.generator-by-name", name=clean(name, 60))
    if kind := spelling.of_pythons(fault):
        if kind == "NoneType" and (appended := _appended(fault, tree, of)):
            return say("judge.append-gives-none", code=short(appended))
        if kind == "list" and (due := _joined(fault, tree, of, text)):
            return say("judge.list-joined", due=clean(due, 80), name=due.partition("(")[0].removeprefix("torch."))
        return say("judge.none-here") if kind == "NoneType" else say("judge.no-tensor-here", type=kind)
    if fault.message.startswith("'builtin_function_or_method' object") and re.search(r"\binput\b", text):
        given = {node.arg for node in nodes_of(tree, of) if isinstance(node, ast.arg)}
        if "inputs" in given and "input" not in given:
            return say("judge.did-you-mean", name="inputs")
    return ""


def _joined(fault: Fault, tree: ast.Module, of: str, text: str) -> str:
    """How torch joins a list that was asked to join itself, with what it was given; "" where it was asked for more."""
    absent = spelling.NO_ATTRIBUTE.search(fault.message)
    joining = absent[1] if absent is not None and absent[1] in JOINING else ""
    for node in nodes_of(tree, of) if joining else ():
        match node:
            case ast.Call(ast.Attribute(ast.Name(name) as some, called), args, keywords) if called == joining:
                if f"{name}.{joining}(" in text and name not in spelling.imported(tree):
                    return written(ast.Call(ast.Attribute(ast.Name("torch"), joining), [some, *args], keywords))
    return ""


def _failed(fault: Fault) -> int:
    return fault.frames[-1].line if fault.frames else 0


def _appended(fault: Fault, tree: ast.Module, of: str) -> ast.Call | None:
    """The call that puts into a list, whose result is taken for the list, in the line that failed or above it."""
    for node in nodes_of(tree, of):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name(filled), "append" | "extend")) as call):
                if name == filled and node.lineno <= _failed(fault):
                    return call
    return None


def _where_to_make(tree: ast.Module, of: str) -> str:
    """What to do where something that code makes lies on another device than what it is given; "" for no such code."""
    given = [each.arg for function in asked(tree, of) for each in function.args.args if each.arg != "self"]
    if not given:
        return ""
    name = clean(given[0], 60)
    return say("judge.made-apart-in-class" if any(methods(tree, of)) else "judge.made-apart", given=name)


def _generator_by_place(tree: ast.Module, of: str, text: str) -> str:
    """A generator that is handed behind other arguments, without its name, in the line that failed; "" for none."""
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(ast.Attribute() as called, [_, *behind]) if f"{written(called)}(" in text:
                names = (each.id for each in behind if isinstance(each, ast.Name) and each.id.startswith("gen"))
                if name := next(names, ""):
                    return name
    return ""
