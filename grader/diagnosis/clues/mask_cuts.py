"""A mask that is cut to the number of sequences, where both of its axes are tokens."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from grader.diagnosis.clues.batch import Axes, axes_given
from grader.diagnosis.places.shapes import first_size, whole_shape
from grader.diagnosis.places.statements import Told, asked, methods, own_nodes
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

# With what a mask is made, or called.
OF_MASK = re.compile(r"mask|tri[ul]|causal", re.IGNORECASE)


def cut_by_sequences(tree: ast.Module, of: str, axes: Axes) -> Told | None:
    """What to say of a class's own mask of which an axis is cut to the number of sequences, and the line."""
    known = {name: own for name, own in axes_given(tree, of, axes).items() if own[:1] == ("B",) and "T" in own}
    nodes = [node for function in asked(tree, of) for node in own_nodes(function)]
    names = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    once = {name for name, count in Counter(names).items() if count == 1}
    named = (pair for node in nodes for pair in _sequences_named(node))
    sequences = {name: given for name, given in named if name in once and given in known}
    masks = _masks(tree, of)
    for node in nodes:
        match node:
            case ast.Subscript(
                ast.Attribute(ast.Name("self"), attr)
                | ast.Call(ast.Attribute(ast.Attribute(ast.Name("self"), attr), "bool")) as mask,
                ast.Tuple([ast.Slice(None, ast.expr() as one, None), ast.Slice(None, ast.expr() as other, None)]),
            ) if attr in masks:
                counted = {written(end): sequences.get(written(end), "") or first_size(end) for end in (one, other)}
                if name := next((given for given in counted.values() if given in known), ""):
                    tokens = f"{name}.shape[{known[name].index('T')}]"
                    end = next((end for end, given in counted.items() if given not in known), tokens)
                    due = clean(f"{written(mask)}[:{end}, :{end}]", 80)
                    return say("judge.cut-by-sequences", code=short(node), due=due), node.lineno
    return None


def cut_before(line: int, tree: ast.Module, of: str, axes: Axes) -> Told | None:
    """What to say of a mask that is cut in a line that failed, or before; what fails before that has another cause."""
    found = cut_by_sequences(tree, of, axes)
    return found if found is not None and found[1] <= line else None


def _sequences_named(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a statement gives to the number of sequences, each with that of what has them."""
    match node:
        case ast.Assign([ast.Name(target)], value) if name := first_size(value):
            yield target, name
        case ast.Assign([ast.Tuple([ast.Name(target), _, *_])], ast.Subscript(value, ast.Slice(None)) | value):
            if name := whole_shape(value):
                yield target, name


def _masks(tree: ast.Module, of: str) -> set[str]:
    """What a class keeps that is made, or called, as a mask is, by its name."""
    found = set[str]()
    for node in (node for init in methods(tree, of, "__init__") for node in walk(init)):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)]) if OF_MASK.search(written(node)):
                found.add(name)
            case ast.Call(ast.Attribute(attr="register_buffer"), [ast.Constant(str(name)), *_]):
                found |= {name} if OF_MASK.search(written(node)) else set()
    return found
