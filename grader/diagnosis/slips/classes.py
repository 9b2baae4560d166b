"""How a class is written: what it is derived from, what its methods are called, take and call, and where they stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from grader.diagnosis import evidence
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.slips import spelling
from grader.diagnosis.source.definition import returns
from grader.model.observation import Fault
from grader.model.syntax import arguments_in, positional, read_in, stored_in, walk
from grader.model.text import clean
from grader.words import say

GIVEN_ONE_MORE = re.compile(r"^\w+\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) were given")
RETURNING = re.compile(r"^__init__\(\) should return None, not ")
NO_SUPER = re.compile(
    r"before Module.__init__\(\) call|descriptor '__init__' of 'super' object needs"
    r"|Module.__init__\(\) missing 1 required positional argument: 'self'"
    r"|object has no attribute '_(modules|parameters|buffers|\w+_hooks|compiled_call_impl)'"
)
# What a class has from nn.Module, as far as students use it.
OF_MODULES = {
    "register_buffer", "register_parameter", "register_module", "add_module", "training", "parameters",
    "named_parameters", "state_dict", "load_state_dict", "children", "modules", "to", "train", "eval",
}  # fmt: skip
# What other libraries call a module's `forward`.
LIKE_FORWARD = {"call", "run", "apply", "predict"}


def of_class(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """What there is to say of how a class, or a function, is written, and the line that says it."""
    if fault.kind == "missing" and not fault.type and (found := _method_for_function(tree, of)):
        return say("judge.is-a-method", of=of, owner=clean(found.name, 60)), found.lineno
    if fault.kind == "missing" and not fault.type and (told := _inside(tree.body, of)):
        return told
    if evidence.NOTHING_TAKEN in fault.message and (spelt := spelling.misspelt_init(tree, of)):
        return say("judge.has-to-be-called", name=clean(spelt.name, 60), meant="__init__"), spelt.lineno
    if (fault.kind == "signature" or fault.type == "TypeError") and (method := _without_self(tree, of)):
        return say("judge.self-first", name=method.name), method.lineno
    if evidence.NO_FORWARD in fault.message and (method := spelling.misspelt_method(tree, of)):
        return say("judge.has-to-be-called", name=clean(method.name, 60), meant="forward"), method.lineno
    if evidence.NO_FORWARD in fault.message and (told := _inside(methods(tree, of, "__init__"), "forward")):
        return told
    if NO_SUPER.search(fault.message) and (line := _without_super(tree, of)):
        return say("judge.super-missing"), line
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


def _method_for_function(tree: ast.Module, of: str) -> ast.ClassDef | None:
    """The class that holds as a method what the file does not define as a function."""
    definitions = [node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    classes = [node for node in definitions if isinstance(node, ast.ClassDef)]
    owners = [node for node in classes if any(methods(tree, node.name, of))]
    if not owners or any(node.name == of for node in definitions):
        return None
    return owners[0]


def _inside(some: Iterable[ast.AST], of: str) -> Told | None:
    """What to say where a function or an `if` among these holds a definition that is looked for beside it."""
    for node in (node for node in some if isinstance(node, ast.FunctionDef | ast.If)):
        for part in walk(node)[1:]:
            if isinstance(part, ast.FunctionDef | ast.ClassDef) and part.name == of:
                outer = node.name if isinstance(node, ast.FunctionDef) else f"if {written(node.test)}"
                return say("judge.stands-inside", name=of, outer=clean(outer, 60)), part.lineno
    return None


def _without_self(tree: ast.Module, of: str) -> ast.FunctionDef | None:
    """A class's `__init__` or `forward` that speaks of `self` and does not take it."""
    for name in ("__init__", "forward"):
        for method in methods(tree, of, name):
            is_bound = "self" in arguments_in(method) | stored_in(method) or method.args.vararg
            if "self" in read_in(method) and not is_bound:
                return method
    return None


def _without_super(tree: ast.Module, of: str) -> int:
    """The line of a class's `super` that is no call or comes late, or of its `__init__` that has none.

    0 where another class of the file calls no parent's either, and so may be the one.
    """
    others = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name != of and node.bases]
    if any(not _calls_parents(init) for other in others for init in methods(tree, other.name, "__init__")):
        return 0
    for init in methods(tree, of, "__init__"):
        names = [node.lineno for node in walk(init) if isinstance(node, ast.Name) and node.id == "super"]
        names += [node.lineno for node in walk(init) if isinstance(node, ast.Attribute) and node.attr == "__init__"]
        if not _calls_parents(init):
            return min(names, default=init.lineno)
        return min(names) if names and min(names) > _first_kept(init) else 0
    return 0


def _first_kept(init: ast.FunctionDef) -> int:
    """The line where something is first kept in `self`, or the last of all."""
    stored = [node for node in walk(init) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return min((node.lineno for node in stored), default=init.end_lineno or init.lineno)


def _calls_parents(init: ast.FunctionDef) -> bool:
    for node in walk(init):
        match node:
            case ast.Call(ast.Attribute(ast.Name("super") | ast.Call(ast.Name("super"), [_]), "__init__")):
                continue  # of `super` itself, also where it is given a class alone
            case ast.Call(ast.Attribute(ast.Name("Module") | ast.Attribute(_, "Module"), "__init__"), []):
                continue  # of a class, which has to be given the object
            case ast.Call(ast.Attribute(_, "__init__")):
                return True
    return False
