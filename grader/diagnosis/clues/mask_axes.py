"""A mask with axes for sequences and for heads, where the scores are those of one, or that lies on the first axes."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.clues.mask_cuts import OF_MASK
from grader.diagnosis.places.statements import Told, statements_of
from grader.diagnosis.places.texts import short, written
from grader.model.observation import Fault
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

# What torch says of a mask as an index.
INDEXED = "The shape of the mask ["
SHAPING, MAKING = {"view", "reshape", "expand"}, {"ones", "zeros", "full"}
# What takes an axis away again, whichever it is.
TAKEN_AWAY = re.compile(r"(?<!un)squeeze\(|\[0[\],]|\.(view|reshape|flatten)\((?!\(?1, 1, )|select\(")


def with_heads(tree: ast.Module, of: str) -> Told | None:
    """What to say of the place where a mask is given two axes of size 1 in front, and the line.

    Certain only where the result has an axis too many in front.
    """
    statements = statements_of(tree, of)
    if any(TAKEN_AWAY.search(statement.text) for statement in statements):
        return None
    for statement in statements:
        is_of_mask = OF_MASK.search(statement.text) is not None
        for node in walk(statement.node) if is_of_mask else ():
            if _puts_two_in_front(node):
                return say("judge.mask-with-heads", code=short(node)), statement.line
    return None


def _puts_two_in_front(node: ast.AST) -> bool:
    """Whether a piece of source is something with two axes of size 1 in front."""
    match node:
        case ast.Call(ast.Attribute(ast.Call(ast.Attribute(attr="unsqueeze"), [inner]), "unsqueeze"), [outer]):
            return written(inner) == written(outer) == "0"
        case ast.Subscript(_, ast.Tuple([ast.Constant(None), ast.Constant(None), *_])):
            return True
        case ast.Call(ast.Attribute(attr=name), [ast.Tuple(sizes), *_] | sizes) if name in SHAPING | MAKING:
            return len(sizes) == 4 and [written(each) for each in sizes[:2]] == ["1", "1"]
    return False


def from_the_front(fault: Fault, tree: ast.Module, line: int) -> Told | None:
    """What to say where a mask that fits the last axes of a tensor is its index, which meets the first ones."""
    if not fault.message.startswith(INDEXED):
        return None
    shapes = dict(fault.shapes)
    for node in walk(tree):
        match node:
            case ast.Subscript(place, mask) if node.lineno == line:
                whole, part = shapes.get(written(place), ()), shapes.get(written(mask), ())
                if 0 < len(part) < len(whole) and whole[-len(part) :] == part:
                    due = clean(f"{written(place)}[..., {written(mask)}]", 80)
                    return say("judge.mask-from-the-front", code=short(node), due=due), 0
    return None
