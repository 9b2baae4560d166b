"""Corrections of known mistakes that keep a definition from giving any result, so that what else is wrong is seen."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Collection, Iterator, Mapping

from grader.diagnosis.changes.calls import TURNING
from grader.diagnosis.changes.pieces import Repair, Repairs, behind, put, safe
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.places.layers import layers
from grader.diagnosis.places.statements import asked, methods, nodes_of_init, statements_of
from grader.diagnosis.places.texts import written
from grader.diagnosis.source.used import definitions_of
from grader.model.check import Question
from grader.model.observation import Fault
from grader.model.syntax import called_in, positional, walk

# What is asked of the tokens that is none of their numbers.
SAID_OF = {"shape", "size", "dim", "ndim", "device", "dtype", "is_cuda"}
# What torch says of a layer that takes another width.
UNFIT = "shapes cannot be multiplied"
# No size is a product of more.
MOST_FACTORS = 2


def corrected(mistakes: Collection[Mistake], tree: ast.Module, of: str) -> list[Repairs]:
    """Ways past known mistakes that results show and that raise as well, where these can be made right."""
    found = []
    for each in mistakes:
        if each.id == "heads-not-transposed":
            found.append(turning_heads(tree, of))
        elif each.id == "values-unprojected":
            found.append(projecting_values(tree, of, each.line))
        elif each.id == "heads-summed":
            found.append(joining_heads(tree, of, each.line))
    return [tuple(itertools.chain(*ways))] if (ways := [each for each in found if each]) else []


def turning_heads(tree: ast.Module, of: str) -> Repairs:
    """The way past heads whose axis stays behind that of the tokens: all that is parted into heads is turned."""
    nodes = [node for each in definitions_of(tree, of) for node in walk(each)]
    turned = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr in TURNING}
    parted = [node for node in nodes if isinstance(node, ast.Call) and _parts(node) and id(node) not in turned]
    return tuple(behind(node, ".transpose(1, 2)", node) for node in parted)


def projecting_values(tree: ast.Module, of: str, line: int) -> Repairs:
    """The way past tokens that are taken for values: the one layer that nothing else uses is called with them.

    line: where they are taken.
    """
    functions = [each for each in methods(tree, of) if each.name != "__init__"]
    read = {node.attr for each in functions for node in walk(each) if isinstance(node, ast.Attribute)}
    made = {
        each.name.removeprefix("self.") for each in layers(statements_of(tree, of)) if each.name.startswith("self.")
    }
    unused = [name for name in made if name.isidentifier() and name not in read]
    found: list[Repair] = []
    for function in asked(tree, of) if len(unused) == 1 else ():
        tokens = next(iter(each for each in positional(function) if each != "self"), "")
        nodes = [*walk(function)]
        asides = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr in SAID_OF}
        for node in nodes:
            is_taken = isinstance(node, ast.Name) and node.id == tokens and isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.Name) and is_taken and node.lineno == line and id(node) not in asides:
                found.append(put(node, f"self.{unused[0]}({tokens})", node))
    return tuple(found)


def joining_heads(tree: ast.Module, of: str, line: int) -> Repairs:
    """The way past heads that are added up: they stand side by side. line: where they are added."""
    nodes = [node for each in definitions_of(tree, of) for node in walk(each) if isinstance(node, ast.Call)]
    added = [node for node in nodes if node.lineno == line and called_in(node).rpartition(".")[2] == "sum"]
    for node in added:
        match node:
            case ast.Call(ast.Attribute(ast.Name("torch"), "sum"), [heads, *_]) | ast.Call(ast.Attribute(heads, "sum")):
                return (put(node, f"{safe(heads)}.transpose(1, 2).flatten(2)", node),)
    return ()


def of_widths(fault: Fault, tree: ast.Module, question: Question) -> Repairs:
    """The way past linear layers that are made of other widths than are due: what they take and give is put right.

    By the lesson's names, and by the sizes of a case, in which those that are due are told apart.
    """
    if fault.kind != "weights" and UNFIT not in fault.message:
        return ()
    of = question.step.of
    named = dict(_sizes(tree, question))
    shapes = {name: array.shape for name, array in question.case.weights.items() if array.ndim == 2}
    inits = {id(node) for node in nodes_of_init(tree, of)}
    found: list[Repair] = []
    for layer in layers(statements_of(tree, of)):
        parts = {name: layer.part_of(name) for name in shapes}
        slot = max(parts, key=lambda name: parts[name], default="")
        if not slot or parts[slot] < 0 or id(layer.call) not in inits or not _is_linear(layer.call):
            continue
        for node, size, is_first in zip(layer.call.args[:2], reversed(shapes[slot]), (True, False), strict=True):
            due = named.get((size, is_first), "")
            if due and written(node) != due:
                found.append(put(node, due, node))
    return tuple(found)


def _is_linear(call: ast.Call) -> bool:
    return called_in(call).endswith("Linear") and len(call.args) >= 2


def _sizes(tree: ast.Module, question: Question) -> Iterator[tuple[tuple[int, bool], str]]:
    """What a class is given that has a size, or a product of it, by the size: the first of several, and the last."""
    given: Mapping[str, object] = question.case.template.construct
    names = [positional(init)[1:] for init in methods(tree, question.step.of, "__init__")]
    arguments = question.exercise.definitions[question.step.of].arguments
    for own in names[:1]:
        known = [(name, given[due]) for name, due in zip(own, arguments, strict=False) if due in given]
        whole = [(name, size) for name, size in known if type(size) is int]
        for count in range(MOST_FACTORS, 0, -1):  # a name for itself counts for more than a product
            for some in itertools.combinations(whole, count):
                size, text = math.prod(each for _, each in some), " * ".join(name for name, _ in some)
                yield (size, False), text
        for name, size in reversed(whole):
            yield (size, True), name


def _parts(node: ast.Call) -> bool:
    """Whether a call cuts a tensor's last axis into one more, as into heads."""
    match node:
        case ast.Call(ast.Attribute(attr="view" | "reshape"), [ast.Tuple(sizes)] | sizes):
            return len(sizes) == 4
        case _:
            return called_in(node) == "unflatten"
