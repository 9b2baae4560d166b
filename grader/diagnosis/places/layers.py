"""The layers that a definition makes, and what it keeps each of them as."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.diagnosis.places.statements import Statement
from grader.diagnosis.places.texts import written
from grader.judge.binding import paths
from grader.model.syntax import walk

# What makes a layer, or a parameter: called itself, or handed to `partial`.
MAKES = re.compile(r"(Linear|Conv1[dD]|Attention|Head)\w*$|Parameter$")
BIASED = re.compile(r"(Linear|Conv1[dD])\w*$")
# What the layer that joins the heads is kept as: an attribute, a key or a variable.
OUTPUT = re.compile(
    r"(^|self\.|')\w*out\w*\W*$|(self\.|')(([oc]_|final_|last_)?(proj|projection)|([wW]_?)?[oO]|merge\w*|mix\w*)\W*$"
)


@dataclass(frozen=True)
class Layer:
    """A call that makes a layer, or several alike. name: what is kept of it, "" for nothing."""

    name: str
    call: ast.Call

    @property
    def joins(self) -> bool:
        """Whether it joins the heads, and is not one of several."""
        return OUTPUT.search(self.name) is not None and not self.name.startswith("(")

    @property
    def keeps_width(self) -> bool:
        """Whether it gives as many features as it takes, as the one that joins the heads does by any name."""
        widths = [written(each) for each in self.call.args[:2]]
        return len(widths) > len({*widths})

    @property
    def has_bias(self) -> bool:
        """Whether it has a bias, or is one, where nothing is said of it."""
        return any(map(BIASED.search, _made(self.call))) or "bias" in self.name

    @property
    def is_weight(self) -> bool:
        """Whether it may be a weight by itself."""
        return written(self.call.func).endswith("Parameter") and "bias" not in self.name

    def part_of(self, slot: str) -> int:
        """Which part of a slot's name it is kept as, the last there is; -1 for none."""
        parts = paths.parts(paths.layer(slot))
        named = (i for i, part in enumerate(parts) if part and re.search(rf"\b{re.escape(part)}\b", self.name))
        return max(named, default=-1)


def layers(statements: Sequence[Statement]) -> list[Layer]:
    """All that some statements make layers with. A variable that is kept by another name is called by that."""
    pieces = [(statement.function, *piece) for statement in statements for piece in kept(statement.node)]
    # What has the same name in another function, as a loop's variable has, is something else.
    others = {(place, node.id): name for place, name, node in pieces if isinstance(node, ast.Name) and name}
    calls = [(others.get((place, name), name), node) for place, name, node in pieces if isinstance(node, ast.Call)]
    return [Layer(name, call) for name, call in calls if any(map(MAKES.search, _made(call)))]


def _made(call: ast.Call) -> list[str]:
    """What a call may make: what is called, or handed over first."""
    names = [written(each) for each in (call.func, *call.args[:1])]
    return names if names[0] != "super" else []


def kept(statement: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    """Each piece of a statement, with the target, key or keyword that it belongs to, the nearest around it."""
    names = {id(statement): ""}
    for node in walk(statement):  # what lies around a piece comes before it
        yield names[id(node)], node
        around = ((names[id(node)], part) for part in ast.iter_child_nodes(node))
        for name, part in (*_named(node), *around):
            names.setdefault(id(part), name)


def _named(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The pieces of a node that belong to a name of their own."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values) | ast.List(values)) if len(targets) == len(values):
            yield from zip(map(written, targets), values, strict=True)
        case ast.Assign([target, *_], value) | ast.AnnAssign(target, value=ast.expr() as value):
            yield written(target), value
        case ast.Dict(keys, values):
            yield from ((written(key), value) for key, value in zip(keys, values, strict=True) if key)
        case ast.Call(args=[*_, ast.Constant(str()) as key, value]) | ast.Tuple([ast.Constant(str()) as key, value]):
            yield written(key), value
        case ast.keyword(str(name), value):
            yield name, value


def tied(statements: Sequence[Statement]) -> Statement | None:
    """The first statement of `__init__` that makes one layer, or parameter, several: by its name, or in a list."""
    begun = [each for each in statements if each.function == "__init__"]
    made = {name for each in layers(begun) if (name := each.name)}
    for statement in begun:
        match statement.node:
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values) > 1:
                kept = [written(each) for each in values if not isinstance(each, ast.Call)]
                again = {each for each in kept if kept.count(each) > 1}
                if any(each.partition("[")[0] in made or "[" in each for each in again):
                    return statement
        for node in walk(statement.node):
            match node:
                case ast.BinOp(ast.List([ast.Call() as call]), ast.Mult()) if any(map(MAKES.search, _made(call))):
                    return statement
    return None
