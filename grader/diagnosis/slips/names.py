"""What a name was meant for that Python does not find, where that is neither another's variable nor misspelt."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping

from grader.diagnosis.clues.lost import compared, lost_as
from grader.diagnosis.places.statements import Told, methods, nodes_of_init
from grader.diagnosis.places.texts import written
from grader.diagnosis.slips import spelling, vocabulary
from grader.model.observation import Fault
from grader.model.pack import Definition, short_of
from grader.model.syntax import functions_around, holds, positional, read_in, walk
from grader.model.text import clean
from grader.words import say

# What a notebook calls the tokens that everything is computed of.
GIVEN = {"inputs", "x", "batch"}


def unknown_name(fault: Fault, tree: ast.Module, of: str, definitions: Mapping[str, Definition]) -> Told | None:
    """What there is to say of a name that is not defined, and its line, 0 for the one that failed.

    Where there is something, the name is no known mistake's, but for a method's, which lacks its `self.`.
    definitions: what the exercises ask for, by its name.
    """
    absent = spelling.UNDEFINED.search(fault.message) if fault.type == "NameError" else None
    if absent is None:
        return None
    line = fault.frames[-1].line if fault.frames else 0
    name = clean(absent[1], 60)
    if name == "self" and (function := _outside_classes(tree, line)):
        return say("judge.no-self", of=clean(function, 60)), 0
    if of in definitions and (init := _without(tree, of, name, line, definitions[of])):
        asked = definitions[of].signature.removeprefix("(")
        return say("judge.argument-lacking", name=name, signature=f"__init__(self, {asked}"), init.lineno
    if found := compared(tree, of, name):
        return found
    if _names_a_buffer(tree, of, name):
        return say("judge.name-in-quotes", name=name), 0
    if any(methods(tree, of, name)):
        return say("judge.own-method", name=name), 0
    if another := _of_another(tree, of, name, definitions):
        to_write = f"from exercises.{another.exercise} import {name}"
        return say("judge.of-another", exercise=short_of(another.exercise), line=to_write), 0
    return None if _is_anothers(fault, tree, of, name, definitions) else lost_as(tree, of, name, line)


def of_mistake(mistake: str, fault: Fault, tree: ast.Module, of: str) -> str:
    """What there is to say of a known mistake of a name, beside what is said of all of its kind; "" for nothing."""
    match mistake:
        case "global-variable":
            return without_a_value(fault, tree)
        case "api-misspelt" if any(found := spelling.misspelt(fault, tree, of)):
            name, meant = found
            return say("judge.misspelt", name=clean(name, 60), meant=clean(meant, 60))
        case _:
            return ""


def without_a_value(fault: Fault, tree: ast.Module) -> str:
    """What there is to say of a name that a function reads and never makes; "" where a notebook alone can have made it.

    Such as its tokens, where they are not what the function is given by another name, or what it numbers.
    """
    absent = spelling.UNDEFINED.search(fault.message) if fault.type == "NameError" else None
    if absent is None or spelling.NUMBERED.search(absent[1]):
        return ""
    if absent[1] in GIVEN:
        argument = _unread_argument(fault, tree)
        parts = {"name": clean(absent[1], 60), "argument": clean(argument, 60)}
        return say("judge.argument-otherwise-called", **parts) if argument else ""
    name = clean(absent[1], 60)
    if _is_of_init(absent[1], fault, tree):
        return say("judge.of-init", name=name)
    return say("judge.without-a-value", name=name)


def _is_of_init(name: str, fault: Fault, tree: ast.Module) -> bool:
    """Whether a name is an argument of `__init__` in the class of the method that failed."""
    line = fault.frames[-1].line if fault.frames else 0
    around = [node for node in tree.body if isinstance(node, ast.ClassDef) and line and holds(node, line)]
    inside = functions_around(tree, line) if around else []
    has_self = any(positional(each)[:1] == ["self"] and each.name != "__init__" for each in inside)
    return has_self and any(
        name in positional(init) for each in around for init in methods(tree, each.name, "__init__")
    )


def _unread_argument(fault: Fault, tree: ast.Module) -> str:
    """The only argument of the function that failed, where nothing in it reads that; "" elsewhere."""
    around = functions_around(tree, fault.frames[-1].line) if fault.frames else []
    given = [name for name in positional(around[-1]) if name != "self"] if around else []
    return given[0] if len(given) == 1 and given[0] not in read_in(around[-1]) else ""


def _outside_classes(tree: ast.Module, line: int) -> str:
    """The function that a line lies in, where the file has no class, whose method it may be meant for; "" for none."""
    if any(isinstance(node, ast.ClassDef) for node in walk(tree)):
        return ""
    return next((function.name for function in functions_around(tree, line)), "")


def _of_another(tree: ast.Module, of: str, name: str, definitions: Mapping[str, Definition]) -> Definition | None:
    """What another exercise asks for under a name that is called here as that could be; else it may be a result's.

    Nothing where torch has the name too, such as `softmax`: there it may be torch's, which takes other shapes.
    """
    asked = definitions.get(name) if name not in vocabulary.API else None
    is_own = asked is None or (of in definitions and asked.exercise == definitions[of].exercise)
    if asked is None or is_own or name in spelling.defined(tree) or spelling.of_undefined(name, tree, of):
        return None
    calls = spelling.calls_of(tree, name)
    given = {keyword.arg for call in calls for keyword in call.keywords}
    fits = given <= {*asked.arguments} and all(len(call.args) <= len(asked.arguments) for call in calls)
    return asked if calls and fits else None


def _is_anothers(fault: Fault, tree: ast.Module, of: str, name: str, definitions: Mapping[str, Definition]) -> bool:
    """Whether a name may be anything but a result's: what is given, a library's, a function's, or misspelt."""
    if name in GIVEN or name in vocabulary.IMPORTS or (of in definitions and name in definitions[of].arguments):
        return True
    if spelling.meant(fault) or spelling.meant_of_own(fault, tree, of, definitions) or not name.islower():
        return True
    if spelling.near(name, [*dir(builtins), "true", "false", "none", "null"]):
        return True
    return any(
        isinstance(node, ast.Call | ast.Attribute)
        and written(node.func if isinstance(node, ast.Call) else node.value) == name
        for node in walk(tree)
    )


def _without(tree: ast.Module, of: str, name: str, line: int, asked: Definition) -> ast.FunctionDef | None:
    """A class's `__init__` that has fewer arguments than are asked for, and lacks the one that its line names."""
    for init in methods(tree, of, "__init__"):
        own = [*positional(init), *(each.arg for each in init.args.kwonlyargs)][1:]
        takes_any = init.args.vararg is not None or init.args.kwarg is not None
        is_short = len(own) < len(asked.arguments) and not takes_any
        if is_short and name in asked.arguments and name not in own and holds(init, line):
            return init
    return None


def _names_a_buffer(tree: ast.Module, of: str, name: str) -> bool:
    """Whether a class registers something under a variable that stands for its name, and knows no such variable."""
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr="register_buffer" | "register_parameter"), [ast.Name(given), _, *_]):
                if given == name:
                    return True
    return False
