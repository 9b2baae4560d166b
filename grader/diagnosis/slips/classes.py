"""How a class is written: what it is derived from, what its `forward` is called, and what its `__init__` returns."""

from __future__ import annotations

import ast
import re

from grader.diagnosis import evidence
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import short
from grader.diagnosis.slips import spelling
from grader.diagnosis.source.definition import returns
from grader.model.observation import Fault
from grader.model.syntax import positional, walk
from grader.model.text import clean
from grader.words import say

GIVEN_ONE_MORE = re.compile(r"^\w+\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) were given")
RETURNING = re.compile(r"^__init__\(\) should return None, not ")
# What a class has from nn.Module, as far as students use it.
OF_MODULES = {
    "register_buffer", "register_parameter", "register_module", "add_module", "training", "parameters",
    "named_parameters", "state_dict", "load_state_dict", "children", "modules", "to", "train", "eval",
}  # fmt: skip
# What other libraries call a module's `forward`.
LIKE_FORWARD = {"call", "run", "apply", "predict"}


def of_class(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """What there is to say of how a class is written, and the line that says it."""
    if RETURNING.search(fault.message) and (returned := _returned(tree, of)):
        return say("judge.init-returns", code=short(returned)), returned.lineno
    if f"[{of}] is {evidence.NO_FORWARD}" in fault.message and (method := _for_forward(tree, of)):
        return say("judge.has-to-be-called", name=clean(method.name, 60), meant="forward"), method.lineno
    if method := _given_itself(fault, tree, of):
        return say("judge.self-first", name=clean(method.name, 60)), method.lineno
    missing = spelling.NO_ATTRIBUTE.search(fault.message) if f"'{of}' object" in fault.message else None
    if missing and missing[1] in OF_MODULES:
        for node in tree.body:
            match node:
                case ast.ClassDef(name, [], []) if name == of:
                    return say("judge.derived-from-nothing", of=of), node.lineno
    return None


def _given_itself(fault: Fault, tree: ast.Module, of: str) -> ast.FunctionDef | None:
    """A method of a class that was given one argument more than it takes, the module itself."""
    given = GIVEN_ONE_MORE.search(fault.message)
    for method in methods(tree, of, given[1]) if given else ():
        takes = positional(method)
        is_one_more = given is not None and (int(given[2]), int(given[3])) == (len(takes), len(takes) + 1)
        if is_one_more and not method.decorator_list and takes[:1] != ["self"]:
            return method
    return None


def _returned(tree: ast.Module, of: str) -> ast.Return | None:
    """Where a class's `__init__` itself hands something back."""
    found = (node for init in methods(tree, of, "__init__") for node in returns(init))
    return next(
        (node for node in found if not isinstance(node.value, ast.Constant) or node.value.value is not None), None
    )


def _for_forward(tree: ast.Module, of: str) -> ast.FunctionDef | None:
    """The method of a class that can only be meant for its `forward`, where the file has none of that name."""
    if any(isinstance(node, ast.FunctionDef) and node.name == "forward" for node in walk(tree)):
        return None
    called = [method for method in methods(tree, of) if not method.name.startswith("_")]
    taking = [method for method in called if len(method.args.args) > 1]
    known = [method for method in taking if method.name in LIKE_FORWARD]
    return (known or taking)[0] if len(known or taking) == 1 else None
