"""What the source says of axes: along which it normalises, and whether it turns the weights that come of it.

Where scores are symmetric, weights on their side are the same as softmax along the other axis: only the source knows.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set

from grader.diagnosis.places.patterns import OTHER_AXIS, OTHER_AXIS_OF_TWO, SOFTMAX
from grader.diagnosis.places.scores import product_at, softmax_at
from grader.diagnosis.places.softmaxes import softmaxes
from grader.diagnosis.places.statements import bare_name, functions_of, outside_init, statements_of
from grader.diagnosis.places.texts import written
from grader.model.syntax import walk

# What divides by a sum, or makes one to be divided by.
NORMALISING = re.compile(r" /=? |div\w*\(|^(\w*sum|total|norm)\w* = ")
TURNING = {
    "T", "mT", "H", "mH", "t", "transpose", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "adjoint",
}  # fmt: skip


def names_another_axis(tree: ast.Module, of: str, *, is_flat: bool = False) -> bool:
    """Whether a definition, or what it makes use of, takes softmax or a sum along an axis that is not the last.

    By its own words; or a sum along the last is divided by without being kept beside its row. is_flat: whether there
    are two axes alone, of which 1 is the last.
    """
    words = OTHER_AXIS_OF_TWO if is_flat else OTHER_AXIS
    normalising = [s for s in statements_of(tree, of) if SOFTMAX.search(s.text) or NORMALISING.search(s.text)]
    return any(words.search(s.text) for s in normalising) or any(map(_divides_by_a_row, functions_of(tree, of)))


def goes_one_by_one(tree: ast.Module, of: str) -> bool:
    """Whether a definition, or what it makes use of, may normalise rows or columns one at a time: then axes say little.

    Before that, and behind it, there may be loops: scores that are symmetric are so however they are made, and where
    it is read along which axis they are normalised, it is known whether the weights are turned.
    """
    functions = functions_of(tree, of)
    helpers = {each.name for each in functions if any(SOFTMAX.search(s.text) for s in statements_of(tree, each.name))}
    names = "|".join(map(re.escape, sorted({*softmaxes(tree), *helpers})))
    normalising = re.compile(rf"{SOFTMAX.pattern}|{NORMALISING.pattern}" + (rf"|\b(?:{names})\(" if names else ""))
    for function in functions:
        nodes = walk(function)
        inner = [each for each in nodes if isinstance(each, ast.Lambda | ast.FunctionDef) and each is not function]
        if any(map(_is_mapped, nodes)) or any(normalising.search(written(each)) for each in inner):
            return True
        looped = {id(each) for node in nodes if isinstance(node, ast.For | ast.While) for each in walk(node)}
        for statement in (each for each in _in_order(function.body) if normalising.search(written(each))):
            if id(statement) in looped or any(map(_is_one_of_many, walk(statement))):
                return True
    return False


def _is_one_of_many(node: ast.AST) -> bool:
    return isinstance(node, ast.comprehension) or _is_part(node)


def _is_mapped(node: ast.AST) -> bool:
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name in ("map", "vmap")
        case _:
            return False


def _is_part(node: ast.AST) -> bool:
    """Whether it is a row, a column or an entry of something; a size is none."""
    match node:
        case ast.Subscript(ast.Attribute(attr="shape")):
            return False
        case _:
            return isinstance(node, ast.Subscript)


def turns_weights(tree: ast.Module, of: str) -> bool:
    """Whether something is certainly turned on its side, once, between softmax and the blend of the values."""
    helpers = _with_softmax(tree, of)
    return any(_turns(function, helpers - {function.name}) for function in functions_of(tree, of))


def _turns(function: ast.FunctionDef, helpers: set[str]) -> bool:
    after = list(_after_softmax(function, helpers))
    products = [node for node in after if isinstance(node, ast.Call) and "einsum" in written(node.func)]
    blends = {id(node) for node in after if _is_product(node)}  # what is turned as a whole is the context
    turned = sum(
        isinstance(node, ast.Attribute) and node.attr in TURNING and blends.isdisjoint(map(id, ast.walk(node)))
        for node in after
    )
    return turned == 1 if not products else turned == 0 and all(map(_sums_over_rows, products))


def turns_scores(tree: ast.Module, of: str) -> bool:
    """Whether a definition turns what the product of queries and keys gives on its side, up to softmax."""
    statements = outside_init(statements_of(tree, of))
    start = product_at(statements)
    scores: set[str] = set()
    for statement in statements[max(start, 0) : softmax_at(statements) + 1]:
        turned = [part for part in map(_turned, walk(statement.node)) if part is not None]
        if any(_is_of(part, scores) for part in turned):
            return True
        if _is_of(statement.node, scores):
            scores.add(bare_name(statement.target))
    return False


def _is_of(node: ast.AST, scores: Set[str]) -> bool:
    """Whether a piece of source holds the product, or what has one of these names."""
    return any(_is_product(each) for each in walk(node)) or not scores.isdisjoint(re.findall(r"\w+", written(node)))


def _turned(node: ast.AST) -> ast.expr | None:
    """What a piece of source turns on its side, as `x` in `x.mT` and in `torch.transpose(x, 0, 1)`."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("torch"), attr), [given, *_]) if attr in TURNING:
            return given
        case ast.Attribute(value, attr) if attr in TURNING:
            return value
        case _:
            return None


def _divides_by_a_row(function: ast.FunctionDef) -> bool:
    nodes = list(walk(function))
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    sums = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_bare_sum(node.value)
    }
    once = {name for name in sums if stored[name] == 1}  # what is stored again may have been given its axis back
    divisors = (node.right for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    return any(_is_bare_sum(by) or (isinstance(by, ast.Name) and by.id in once) for by in divisors)


def _is_bare_sum(node: ast.expr) -> bool:
    """Whether it is a sum along an axis that is named, which does not stay where it was."""
    match node:
        case ast.Call(ast.Attribute(value, "sum"), given, named) if not any(each.arg == "keepdim" for each in named):
            is_torchs = isinstance(value, ast.Name) and value.id in ("torch", "np")
            axes = given[1:] if is_torchs else given
            return len(axes) == 1 or any(each.arg in ("dim", "axis") for each in named)
        case _:
            return False


def _with_softmax(tree: ast.Module, of: str) -> set[str]:
    """The functions that take softmax, of a definition and of what it makes use of, and what is softmax by its name."""
    return {*softmaxes(tree), *(s.function for s in outside_init(statements_of(tree, of)) if SOFTMAX.search(s.text))}


def _after_softmax(definition: ast.FunctionDef, helpers: set[str]) -> Iterator[ast.AST]:
    """The nodes from the statement of softmax on, without what softmax, or a function that takes it, is given."""
    begun = False
    for statement in _in_order(definition.body):
        nodes, softmax = _around_softmax(statement, helpers)
        begun = begun or softmax
        if begun:
            yield from nodes
            if any(_is_product(node) for node in nodes):
                return


def _is_product(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.MatMult()) | ast.Call(ast.Attribute(attr="matmul" | "bmm" | "mm" | "einsum")):
            return True
        case _:
            return False


def _in_order(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        inner = [part for name in ("body", "orelse") for part in getattr(statement, name, [])]
        if inner:
            yield from _in_order(inner)
        else:
            yield statement


def _around_softmax(statement: ast.stmt, helpers: set[str]) -> tuple[list[ast.AST], bool]:
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [statement]
    softmax = False
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and _takes_softmax(node.func, helpers):
            softmax = True
            continue
        found.append(node)
        waiting += ast.iter_child_nodes(node)
    return found, softmax


def _takes_softmax(function: ast.expr, helpers: set[str]) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else written(function)
    return name in helpers or name in ("exp", "exp_") or "softmax" in name.lower()


def _sums_over_rows(einsum: ast.Call) -> bool:
    """Whether an einsum of two matrices sums over the first letter of both, where weights have their columns last."""
    match einsum.args:
        case [ast.Constant(str() as letters), ast.expr(), ast.expr()]:
            left, _, result = letters.replace(" ", "").partition("->")
            first, _, second = left.partition(",")
            return len(first) == len(second) == 2 and first[0] == second[0] and first[0] not in result
        case _:
            return False
