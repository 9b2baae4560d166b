"""Changes of a source with which it gets past what has another kind than is due, such as a method for what it gives."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from grader.diagnosis.changes.pieces import Repairs, behind, put, safe
from grader.model.observation import Fault
from grader.model.syntax import Definition, called_in, dotted, holds, walk

# What is not imported, as what is there all the same, and no line moves.
IMPORTED = {
    "math": '__import__("math")',
    "sqrt": '__import__("math").sqrt',
    "inf": '__import__("math").inf',
    "np": '__import__("numpy")',
    "numpy": '__import__("numpy")',
    "torch": '__import__("torch")',
    "nn": '__import__("torch").nn',
    "F": '__import__("torch").nn.functional',
}
# What Python says of a method that is not called, torch of a root of a plain number, and of a mask of numbers.
UNCALLED = re.compile(r"builtin_function_or_method|'method'")
OF_A_NUMBER = re.compile(r"sqrt\(\): argument 'input'.* must be Tensor, not (int|float)")
OF_NUMBERS = "boolean"
# And of an axis that there is none of.
OUT_OF_RANGE = "Dimension out of range"
# Methods that take nothing, of which each gives a tensor or a number.
METHODS = {"sum", "max", "min", "mean", "exp", "t", "size", "dim", "numel", "item", "sqrt", "var", "std"}


def of_kinds(fault: Fault, definitions: Collection[Definition], line: int) -> Iterator[Repairs]:
    """Ways past what has another kind than is due, in the line that raised: each does what was most likely meant."""
    nodes = [node for each in definitions for node in walk(each) if isinstance(node, ast.expr) and holds(node, line)]
    if UNCALLED.search(fault.message):
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        bare = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in METHODS]
        yield tuple(behind(node, "()", node) for node in bare if id(node) not in called and not _is_own(node))
    if OF_A_NUMBER.search(fault.message):
        for node in nodes:
            match node:
                case ast.Call(_, [number]) if called_in(node).rpartition(".")[2] == "sqrt":
                    yield (put(node, f"({safe(number)} ** 0.5)", node),)
    if OF_NUMBERS in fault.message:
        for node in nodes:
            match node:
                case ast.Call(ast.Attribute(attr="masked_fill" | "masked_fill_"), [mask, _]):
                    yield (put(mask, f"{safe(mask)}.bool()", mask),)
                case ast.Call(_, [mask, _, _]) if dotted(node.func) == "torch.where":
                    yield (put(mask, f"{safe(mask)}.bool()", mask),)
    if fault.type == "IndexError" and OUT_OF_RANGE in fault.message:
        for node in nodes:
            match node:
                case ast.Call(ast.Attribute(turned, "transpose" | "swapaxes"), [_, _]):
                    yield (put(node, f"{safe(turned)}.mT", node),)
                case ast.Call(keywords=[ast.keyword("dim" | "axis", axis), *_]):
                    yield (put(axis, "-1", node),)


def _is_own(node: ast.Attribute) -> bool:
    """Whether something is kept under such a name, or is given it here."""
    is_kept = isinstance(node.value, ast.Name) and node.value.id == "self"
    return is_kept or not isinstance(node.ctx, ast.Load)
