"""A layer that is taken for a function, a matrix or a list, or a number for a layer, with what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from grader.diagnosis.places.statements import Told, nodes_of_init, statements_of
from grader.diagnosis.places.texts import LONGEST_STATEMENT, short, written
from grader.diagnosis.slips.spelling import defined, imported
from grader.diagnosis.source.used import definitions_of, nodes_of
from grader.model.observation import Fault
from grader.model.syntax import functions_in, walk
from grader.model.text import clean
from grader.words import say

# What comes of a layer made of a tensor, where a number or an axis is due.
OF_A_TENSOR = re.compile(
    r"^Boolean value of Tensor|^Softmax\.__init__\(\) got multiple values|^unsupported operand .*'Softmax'"
)
FUNCTIONS = {"Dropout": "", "Softmax": "torch.softmax"}
UNKNOWN_KEYWORD = re.compile(r"^_?(Linear|Dropout)(?:Nd)?\.__init__\(\) got an unexpected keyword argument '(\w+)'")
KEYWORDS: Mapping[str, Mapping[str, str]] = {
    "Linear": {"qkv_bias": "bias", "use_bias": "bias", "d_in": "in_features", "d_out": "out_features"},
    "Dropout": {"dropout": "p", "rate": "p", "dropout_rate": "p", "prob": "p", "dropout_p": "p"},
}
OF_A_MATRIX = re.compile(r"^'Linear' object has no attribute '(T|t|mT|data|shape|size|transpose|copy_|clone|detach)'")
OF_A_NUMBER = re.compile(
    r"instances of 'Dropout' and|must be float, not Dropout"
    r"|^unsupported operand type\(s\) for [-+*/]: (?:'(?:int|float)' and 'Dropout'|'Dropout' and '(?:int|float)')"
)
NO_TENSOR_TO_JOIN = re.compile(r"^expected Tensor as element \d+ in argument \d+, but got (\w+)")
# What linear layers are called, and no number to multiply by.
OF_A_LINEAR = re.compile(r"proj|^W_|linear")
NO_LAYER = re.compile(r"^'(float|int)' object is not callable")
IN_A_LIST = 'Module [ModuleList] is missing the required "forward"'


def layer(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What there is to say of a layer that is used as none, and its line, 0 for the one that failed.

    text: of the line that failed.
    """
    text = text[:LONGEST_STATEMENT]
    return (
        _made_of_a_tensor(fault, tree, of, text)
        or _otherwise_called(fault, tree, of)
        or _of_its_weight(fault, text)
        or _list_called(fault, tree, of, text)
        or _joined(fault, tree)
        or _for_a_number(fault, tree, of)
    )


def kept_layers(tree: ast.Module, of: str) -> dict[str, str]:
    """The attributes that a class's `__init__` keeps what it makes in, each with what that is, such as Linear."""
    found = {}
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Assign(
                [ast.Attribute(ast.Name("self"), name)], ast.Call(ast.Attribute(attr=made) | ast.Name(made))
            ):
                found[name] = made
    return found


def _made_of_a_tensor(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    if not OF_A_TENSOR.search(fault.message):
        return None
    for owner, name, call in _made_when_called(tree, of):
        code = written(call)
        names = [name for name in _named(tree, call) if re.search(rf"\b{re.escape(name)}\b", text)]
        if f"{written(call.func)}(" not in text and not names:
            continue
        given = short(call.args[0])
        kept = [attribute for attribute, made in kept_layers(tree, owner).items() if made == name]
        if kept:
            due = f"self.{clean(kept[0], 60)}({given})"
        elif FUNCTIONS[name]:
            due = f"{FUNCTIONS[name]}({given}, dim=-1)"
        else:
            return say("judge.layer-made-here", code=clean(code, 60)), call.lineno
        return say("judge.layer-made", code=clean(code, 60), due=due), call.lineno
    return None


def _named(tree: ast.Module, call: ast.Call) -> list[str]:
    """The variables that are given what a call makes."""
    given = [node for node in walk(tree) if isinstance(node, ast.Assign) and node.value is call]
    return [target.id for node in given for target in node.targets if isinstance(target, ast.Name)]


def _made_when_called(tree: ast.Module, of: str) -> Iterator[tuple[str, str, ast.Call]]:
    """The calls, outside `__init__`, that make a layer of something other than a number, and do not call it.

    Each with the definition that it stands in, and what the layer is called.
    """
    for definition in definitions_of(tree, of):
        functions = [function for function in functions_in(definition) if function.name != "__init__"]
        nodes = [node for function in functions for node in walk(function)]
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        for node in nodes:
            match node:
                case ast.Call(ast.Attribute(attr=name) | ast.Name(name), [given, *_]) if name in FUNCTIONS:
                    if id(node) not in called and not isinstance(given, ast.Constant | ast.Starred):
                        yield definition.name, name, node


def _otherwise_called(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    unknown = UNKNOWN_KEYWORD.search(fault.message)
    due = KEYWORDS[unknown[1]].get(unknown[2]) if unknown else None
    if unknown is None or due is None:
        return None
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(ast.Attribute(attr=name) | ast.Name(name), _, keywords) if name == unknown[1]:
                for given in keywords:
                    if given.arg == unknown[2]:
                        code = f"{due}={short(given.value)}"
                        return say("judge.keyword", layer=f"nn.{name}", code=code), given.lineno
    return None


def _of_its_weight(fault: Fault, text: str) -> Told | None:
    missing = OF_A_MATRIX.search(fault.message)
    if missing is None:
        return None
    owners = {*re.findall(rf"([\w.]+)\.{missing[1]}\b", text)}
    layers = [owner for owner in owners if owner.rpartition(".")[2] not in ("weight", "bias")]
    if len(layers) != 1:
        return None
    return say("judge.of-its-weight", code=clean(layers[0], 60), name=missing[1]), 0


def _list_called(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    if not fault.message.startswith(IN_A_LIST):
        return None
    for name, made in kept_layers(tree, of).items():
        if made == "ModuleList" and re.search(rf"\bself\.{name}\(", text):
            return say("judge.list-of-layers", code=f"self.{clean(name, 60)}"), 0
    return None


def _joined(fault: Fault, tree: ast.Module) -> Told | None:
    joined = NO_TENSOR_TO_JOIN.search(fault.message)
    if joined is None or joined[1] not in defined(tree) | imported(tree):
        return None
    return say("judge.modules-joined", type=clean(joined[1], 60)), 0


def _for_a_number(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    kept = [name for name, made in kept_layers(tree, of).items() if made == "Dropout"]
    if len(kept) != 1 or not OF_A_NUMBER.search(fault.message):
        return None
    return say("judge.layer-for-a-number", code=f"self.{clean(kept[0], 60)}"), 0


def makes_layers_aside(tree: ast.Module, of: str) -> bool:
    """Whether a definition makes a layer that its module does not hold: in a variable, in a call, or in a tuple."""
    making = (statement for statement in statements_of(tree, of) if re.search(r"\bLinear\(", statement.text))
    return any(not each.target.startswith("self.") or each.value.startswith("(") for each in making)


def kept_number(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What to say where a class keeps the share to drop, and the line that failed calls it. text: of that line."""
    for node in nodes_of_init(tree, of) if NO_LAYER.search(fault.message) else ():
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Name(given)) if "drop" in name + given:
                if re.search(rf"\bself\.{name}\(", text):
                    return say("judge.no-layer", code=short(node), number=clean(given, 60)), node.lineno
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Name() | ast.Constant() | ast.BinOp()) if (
                OF_A_LINEAR.search(name)
            ):
                if re.search(rf"\bself\.{name}\(", text):
                    return say("judge.no-linear", code=short(node)), node.lineno
    return None
