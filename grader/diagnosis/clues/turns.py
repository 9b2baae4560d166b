"""Products of queries and keys in which the wrong one is turned, or one is cut anew, or which are none of matrices."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from grader.diagnosis.places.patterns import ROLES
from grader.diagnosis.places.shares import as_given, is_of_shares, last_given
from grader.diagnosis.places.statements import Told, asked, functions_of, methods
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import unread_in, walk
from grader.model.text import clean
from grader.words import say

# A weight of a projection, as exercises call it.
WEIGHT = re.compile(r"(self\.)?W_?\w+")
TURNING = ("transpose", "t", "swapaxes", "swapdims", "permute")
EXCHANGING = ("transpose", "swapaxes", "swapdims")
CUTTING = ("view", "reshape")
# What torch says where two are put together number by number, of their sizes along one axis.
STRETCHED = re.compile(r"tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)")
NO_SHAPES: Mapping[str, Sequence[int]] = MappingProxyType({})


def turned_wrongly(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first product for scores that compares features, or whose keys are only cut anew."""
    functions = {id(each): each for each in (*asked(tree, of), *methods(tree, of))}
    for function in functions.values():
        idle = unread_in(function)
        for node in (each for each in walk(function) if id(each) not in idle):
            match node:
                case ast.BinOp(left, ast.MatMult(), right) | ast.Call(
                    ast.Attribute(attr="matmul" | "bmm" | "mm"), [left, right]
                ):
                    told = _of_features(node, left, right, function) or _cut_anew(left, right, function)
                    if told := told or _with_itself(right):
                        return told
    return None


def multiplied(
    tree: ast.Module, line: int, shapes: Mapping[str, Sequence[int]] = NO_SHAPES, message: str = ""
) -> Told | None:
    """What to say where a line multiplies number by number, and the shapes fail.

    That is what is turned with what is not, or two that fit as matrices do and are not summed afterwards. shapes: of
    what the line uses. message: torch's, which has the size of what no name is for.
    """
    nodes = walk(tree)
    parts = {id(part) for each in nodes if isinstance(each, ast.Call) for part in walk(each)}
    summed = {id(each) for node in nodes if (each := _summed_by_columns(node)) is not None}
    for node in nodes:
        match node:
            case ast.BinOp(left, ast.Mult(), right) if node.lineno == line:
                plain = [each for each in (left, right) if isinstance(each, ast.Name)]
                wide, high = (shapes.get(written(each), ()) for each in (left, right))
                wide = wide or _last_of(message, high)
                due = clean(written(ast.BinOp(left, ast.MatMult(), right)), 80)
                if id(node) in summed and len(plain) == 2 and len(wide) == 1 and _fit(wide, high):
                    return say("judge.no-product-yet-summed", code=short(node), due=due), line
                is_product = id(node) not in parts and isinstance(right, ast.Name) and _fit(wide, high)
                if is_product or (len(plain) == 1 and (_turned(left) or _turned(right))):
                    return say("judge.not-a-product", code=short(node), due=due), line
    return None


def _fit(wide: Sequence[int], high: Sequence[int]) -> bool:
    """Whether two are multiplied as matrices are, each sequence's with its own."""
    is_of_a_row = len(wide) == 1 and len(high) == 2
    return (is_of_a_row or (len(wide) == len(high) > 1 and wide[:-2] == high[:-2])) and wide[-1] == high[-2]


def _last_of(message: str, high: Sequence[int]) -> Sequence[int]:
    """The last size, in place of all, of what torch could not stretch to a matrix behind it; none for another error."""
    found = STRETCHED.search(message)
    if found is None or len(high) != 2:
        return ()
    size, other, axis = (int(each) for each in found.groups())
    return (size,) if (size, other, axis) == (high[0], high[1], 1) else ()


def _summed_by_columns(node: ast.AST) -> ast.expr | None:
    """What is added up along its first axis."""
    match node:
        case (
            ast.Call(ast.Attribute(ast.BinOp() as each, "sum"), [ast.Constant(0)], [])
            | ast.Call(ast.Attribute(ast.BinOp() as each, "sum"), [], [ast.keyword("dim" | "axis", ast.Constant(0))])
            | ast.Call(ast.Attribute(attr="sum"), [ast.BinOp() as each, ast.Constant(0)], [])
            | ast.Call(ast.Attribute(attr="sum"), [ast.BinOp() as each], [ast.keyword("dim" | "axis", ast.Constant(0))])
        ):
            return each
        case _:
            return None


def unsummed(tree: ast.Module, of: str, line: int, names: Collection[str]) -> Told | None:
    """What to say where a line does not fit scores that are queries times keys number by number, made further up.

    names: of what does not fit.
    """
    for function in (*asked(tree, of), *methods(tree, of)):
        for name in names:
            match last_given(name, function, line):
                case ast.BinOp(ast.Name(left), ast.Mult(), ast.Name(right)) as made if (
                    left != right and function.lineno < line <= (function.end_lineno or line)
                ):
                    if _are_compared(left, right):
                        return say("judge.not-summed", code=short(made)), made.lineno
    return None


def weights_behind(tree: ast.Module, of: str, line: int) -> Told | None:
    """What to say where a line multiplies something by shares of softmax behind it, and the shapes fail."""
    for function in functions_of(tree, of):
        for node in walk(function):
            match node:
                case ast.BinOp(ast.Name() as left, ast.MatMult(), right) | ast.Call(
                    ast.Attribute(ast.Name("torch"), "matmul" | "bmm" | "mm"), [ast.Name() as left, right]
                ) if node.lineno == line and is_of_shares(right, function, tree, blended=False):
                    if not is_of_shares(left, function, tree, blended=False):
                        due = clean(f"{written(right)} @ {written(left)}", 80)
                        return say("judge.weights-behind", due=due), line
    return None


def weight_in_front(tree: ast.Module, line: int, shapes: Mapping[str, Sequence[int]]) -> Told | None:
    """What to say where a line multiplies a weight by what it is to project, and the other order would fit."""
    for node in walk(tree):
        match node:
            case ast.BinOp(weight, ast.MatMult(), given) | ast.Call(
                ast.Attribute(ast.Name("torch"), "matmul" | "mm"), [weight, given]
            ) if node.lineno == line and WEIGHT.fullmatch(written(weight)) and not WEIGHT.fullmatch(written(given)):
                first, second = (shapes.get(written(each), ()) for each in (weight, given))
                if len(first) == 2 <= len(second) and second[-1] == first[0] and first[1] != second[-2]:
                    return say("judge.weight-in-front", due=clean(f"{written(given)} @ {written(weight)}", 80)), line
    return None


def neither_turned(tree: ast.Module, line: int, shapes: Mapping[str, Sequence[int]]) -> str:
    """What to say where a line multiplies two of one shape that do not fit so; "" for any other one."""
    for node in walk(tree):
        match node:
            case ast.BinOp(left, ast.MatMult(), right) | ast.Call(
                ast.Attribute(ast.Name("torch"), "matmul" | "mm" | "bmm"), [left, right]
            ) if node.lineno == line and isinstance(right, ast.Name | ast.Attribute):
                first, second = (tuple(shapes.get(written(each), ())) for each in (left, right))
                if first == second and len(first) > 1 and first[-1] != first[-2]:
                    how = ".T" if len(first) == 2 else ".transpose(-2, -1)"
                    return say("judge.neither-turned", due=clean(f"{written(left)} @ {written(right)}{how}", 80))
    return ""


def _of_features(product: ast.expr, left: ast.expr, right: ast.expr, function: ast.FunctionDef) -> Told | None:
    turned = _turned(left)
    if (
        turned is None
        or _stands_on_its_side(turned[0], function, product.lineno)
        or not isinstance(right, ast.Name | ast.Attribute)
        or _turned(right) is not None
    ):
        return None
    name, how = turned
    if not _are_compared(name, written(right)):
        return None
    first, second = (written(right), name) if _is(written(right), "query") else (name, written(right))
    return say("judge.features-multiplied", code=short(product), due=clean(f"{first} @ {second}{how}", 80)), (
        product.lineno
    )


def _stands_on_its_side(name: str, function: ast.FunctionDef, line: int) -> bool:
    """Whether a variable may hold the tokens in its columns, as of what is turned, or multiplied with what is."""
    made = last_given(name, function, line)
    nodes = walk(made) if made is not None else ()
    return any(_turns(node) for node in nodes)


def _turns(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr="T" | "mT") | ast.Call(ast.Attribute(attr="einsum")):
            return True
        case ast.Call(ast.Attribute(attr=how)):
            return how in TURNING
        case _:
            return False


def _turned(node: ast.expr) -> tuple[str, str] | None:
    """What an expression turns, and how it is written behind that; None where it turns nothing."""
    match node:
        case ast.Attribute(ast.Name(name), "T" | "mT" as how):
            return name, f".{how}"
        case ast.Call(ast.Attribute(ast.Name(name), how), args) if how in TURNING:
            return name, f".{how}({', '.join(map(written, args))})"
        case _:
            return None


def _cut_anew(left: ast.expr, right: ast.expr, function: ast.FunctionDef) -> Told | None:
    match as_given(right, function, right.lineno):
        case ast.Call(ast.Attribute(ast.Name(name), method), [_, _, *_]) as cut if method in CUTTING:
            if isinstance(left, ast.Name) and _are_compared(left.id, name):
                due = clean(f"{name}.transpose(-2, -1)", 80)
                return say("judge.cut-anew", code=short(cut), due=due), cut.lineno
    return None


def _with_itself(right: ast.expr) -> Told | None:
    match right:
        case ast.Call(ast.Attribute(attr=how), [*_, one, other]) if how in EXCHANGING and _number(one) is not None:
            if _number(one) == _number(other):
                return say("judge.axis-with-itself", code=short(right)), right.lineno
    return None


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(int(number)):
            return number
        case ast.UnaryOp(ast.USub(), ast.Constant(int(number))):
            return -number
        case _:
            return None


def _are_compared(one: str, other: str) -> bool:
    """Whether two tensors are the same, or queries and keys, in whatever order."""
    return one == other or any(_is(one, a) and _is(other, b) for a, b in (("query", "key"), ("key", "query")))


def _is(name: str, role: str) -> bool:
    return ROLES[role].search(name) is not None
