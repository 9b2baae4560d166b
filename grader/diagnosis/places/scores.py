"""Where the scores are made, scaled, normalised and used: products, roots and softmax."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from grader.diagnosis.places.patterns import DIVIDING, MASKING, OTHER_AXIS, PRODUCT, ROLES, ROOT, SOFTMAX
from grader.diagnosis.places.statements import (
    Statement,
    bare_name,
    called_by,
    first,
    is_unread,
    last,
    maker_of,
    outside_init,
)
from grader.diagnosis.places.texts import written
from grader.model.syntax import read_in, walk

# What a number is taken to work on: a product or a quotient, but no power.
TAKEN = re.compile(r"(?<!\*)\*(?!\*)|[@/]|mul\(|div\(")
# Weights that are made and used in one statement.
AT_ONCE = re.compile(r"softmax\(.*\) @ |softmax\(.*\)\.(matmul|bmm|mm)\(|(matmul|bmm|mm|einsum)\(.*softmax\(")
# What a scale is called, and the width of a key.
OF_SCALE = re.compile(
    r"(?<=[/*] self\.)\w*(scal|norm|factor|root|sqrt)\w*|(?<=[/*] )\w*(scal|norm|factor|root|sqrt)\w*\b(?!\()"
)
KEY_WIDTH = r"(d_?k|d_?key|key_?dim|dim_?k|d_?head|head_?(dim|size))"
OF_WIDTH = re.compile(
    rf"(?<=sqrt\()(self\.)?{KEY_WIDTH}(?=\))|(?<=tensor\()(self\.)?{KEY_WIDTH}\b|(self\.)?\b{KEY_WIDTH}(?= \*\*)"
)
# An exponent is in the root's own expression.
EXPONENT = re.compile(r"\*\* ?(\([^()]*\)|[-.\w]+)")
DIVIDED = r" / | /= |(?<!mat)(?:div|mul)\w*\("
# The numbers that a weight begins with, whose spread may have a root too.
POWER = r"\* ?\(?[\w.]+ ?\*\* ?\(?-"
# What a method has that says what weights begin with.
STARTING = re.compile(r"\binit\.\w+_\(")
DRAWN = re.compile(r"rand|uniform_?\(|normal_?\(|init\.")


def softmax_at(statements: Sequence[Statement]) -> int:
    """The position of the first softmax, or of the end. A layer that is only made is none yet."""
    positions = (i for i, s in enumerate(statements) if SOFTMAX.search(s.text) and s.function != "__init__")
    return next(positions, len(statements))


def lost_softmax(statements: Sequence[Statement]) -> bool:
    """Whether softmax is there, and nobody reads what it gives but in vain, or to make more of the same name."""
    made = statements[softmax_at(statements) :][:1]
    if not made or not made[0].target.isidentifier():
        return False
    name = re.compile(rf"\b{re.escape(made[0].target)}\b")
    others = (s for s in statements if s.target != made[0].target and (s.target or s.is_return))
    return not any(name.search(s.value) for s in others)


def product_at(statements: Sequence[Statement]) -> int:
    """The position of the statement that multiplies queries and keys: the last product up to softmax, or -1.

    Where there is no softmax, the last product but one. What softmax's own statement multiplies may be the values.
    """
    end = softmax_at(statements)
    products = [i for i, s in enumerate(statements[: end + 1]) if PRODUCT.search(s.text)]
    if products and products[-1] == end and AT_ONCE.search(statements[end].text):
        is_blend = len(PRODUCT.findall(statements[end].text)) == 1 and len(products) > 1
        products = products[:-1] if is_blend else products
    if end == len(statements):
        products = products[:-1] or products
    return products[-1] if products else -1


def scaling(statements: Sequence[Statement]) -> Statement | None:
    """Where the scores are scaled: a root, else a division between product and softmax, else any."""
    starting = {s.function for s in statements if STARTING.search(s.text)} - {"__init__"}
    used = [s for s in statements if not DRAWN.search(s.text) and not is_unread(s, statements)]
    if rooted := first([s for s in used if s.function not in starting], ROOT):
        return rooted
    start, end = max(product_at(statements), 0), softmax_at(statements)
    near = statements[start : end + 1]
    scaled = (
        first(near, r"\b(scale|alpha)=")
        or first(near, DIVIDED)
        or first(called_by(near, statements), DIVIDED)
        or first(statements, rf"{DIVIDED}|scale\b")
        or first(statements, r"scale")
        or first(statements, POWER)
        or first(near, r"\bmean\(")  # which divides by the width
        or first(near, r" \* ")
    )
    return _made(OF_SCALE, scaled, statements)


def scaled_again(statements: Sequence[Statement]) -> Statement | None:
    """Where what was divided by a root, or what is made of it, is divided by one once more."""
    divided = {s: _divided_by_roots(s) for s in outside_init(statements) if s.is_own and not is_unread(s, statements)}
    rooted = [s for s in divided if divided[s] and not DRAWN.search(s.text) and not STARTING.search(s.text)]
    start = product_at(statements)
    for once in (s for s in rooted if 0 <= start <= statements.index(s) and s.target.isidentifier()):
        same = [s for s in divided if s.function == once.function]
        outermost = min(s.node.col_offset for s in same)
        scaled = {once.target} if once.node.col_offset == outermost else set()  # in a branch it may not be
        for each in same[same.index(once) + 1 :]:
            if each in rooted and divided[each] & scaled and each.node.col_offset == outermost:
                return each
            is_more = isinstance(each.node, ast.AugAssign) and each.target in scaled
            is_made_of_it = is_more or read_in(each.node) & scaled
            scaled = scaled | {each.target} if is_made_of_it else scaled - {each.target}
    return None


def _divided_by_roots(statement: Statement) -> set[str]:
    """The names in what a statement divides by a root."""
    found: set[str] = set()
    for node in walk(statement.node):
        match node:
            case ast.BinOp(ast.Constant(), ast.Div()):
                continue
            case ast.BinOp(given, ast.Div(), by) | ast.AugAssign(given, ast.Div(), by):
                pass
            case ast.BinOp(given, ast.Mult(), ast.BinOp(ast.Constant(), ast.Div(), by)):
                pass
            case ast.Call(ast.Attribute(ast.Name("torch"), name), [given, by]) if name in DIVIDING:
                pass
            case ast.Call(ast.Attribute(given, name), [by]) if name in DIVIDING:
                pass
            case _:
                continue
        if ROOT.search(written(by)):
            found |= {each.id for each in walk(given) if isinstance(each, ast.Name)}
    return found


def wrong_width(statements: Sequence[Statement]) -> Statement | None:
    """Where the scores are scaled, or the width of a key is said to be what it is not."""
    return _made(OF_WIDTH, scaling(statements), statements)


def _made(name: re.Pattern[str], scaled: Statement | None, statements: Sequence[Statement]) -> Statement | None:
    """Where that is made which a statement scales by, if it has such a name; else the statement."""
    used = name.search(scaled.value) if scaled is not None else None
    return (used and maker_of(bare_name(used[0]), statements)) or scaled


def inverted(statements: Sequence[Statement]) -> Statement | None:
    """Where the scores grow: where a root is used that was taken before, else where it is taken."""
    scaled = scaling(statements)
    if scaled is None:
        return None
    used = rf"{re.escape(scaled.target or scaled.function)}\b"
    if not scaled.target:
        is_root = scaled.is_return and not TAKEN.search(EXPONENT.sub("", scaled.value))  # that another scales by
        return (first(statements, rf"[*/] ?(self\.)?{used}") if is_root else None) or scaled
    if scaled.function == "__init__":
        return first(outside_init(statements), used) or scaled
    # A root alone does nothing yet.
    later = statements[statements.index(scaled) + 1 :]
    if TAKEN.search(EXPONENT.sub("", scaled.value)):
        return scaled
    return first(later, rf"[*/@] ?{used}|\b{used} ?[*/]|mul.*\b{used}") or scaled


def first_use_of_scores(statements: Sequence[Statement]) -> Statement | None:
    """The statement that takes the scores as they are, but to mask them: after the product, or the product's own."""
    position = product_at(statements)
    if position < 0:
        return first(statements, SOFTMAX) or first(statements, MASKING)
    product = statements[position]
    name = bare_name(product.target)
    if not name or SOFTMAX.search(product.text):
        return product
    later = (s for s in statements[position + 1 :] if re.search(rf"\b{re.escape(name)}\b", s.value))
    return next((s for s in later if not MASKING.search(s.text)), product)


def values_blended(statements: Sequence[Statement]) -> Statement | None:
    """Where the values are blended: the first product after softmax, in the function that has it where there is one.

    Softmax and product may be one statement; and softmax may have a function to itself. Else it is the last product.
    """
    end = softmax_at(statements)
    own, later = [s for s in statements if s.is_own], statements[end + 1 :]
    found = None
    if end < len(statements):
        softmax = statements[end]
        near = [s for s in later if (s.is_own, s.function) == (softmax.is_own, softmax.function)]
        found = first(near, PRODUCT) or (softmax if AT_ONCE.search(softmax.text) else None)
        found = found or last([s for s in own if s.function != softmax.function], PRODUCT)
    return found or first(later, PRODUCT) or last(own, PRODUCT) or last(statements, PRODUCT)


def scores_blended(statements: Sequence[Statement]) -> Statement | None:
    """Where scores blend the values, or are handed to a function that only blends."""
    own = [s for s in statements if s.is_own]
    blends = [s for s in statements if PRODUCT.search(s.text) and ROLES["value"].search(s.value)]
    blends = [s for s in blends if not ROLES["value"].search(s.target)]  # which only makes the values
    is_bare = softmax_at(statements) == len(statements) and blends
    blended = max(blends, key=lambda s: (s.is_own, s.line)) if is_bare else values_blended(statements)
    if blended is None:
        return None
    if blended.is_own:
        return _blended_by_a_helper(blended, statements) or blended
    helping = [s for s in statements if s.function == blended.function and PRODUCT.search(s.text)]
    called = first(own, rf"\b{blended.function}\(") if len(helping) == 1 else None
    return called or blended


def _blended_by_a_helper(product: Statement, statements: Sequence[Statement]) -> Statement | None:
    """Where a function is called that blends, behind the only product that a definition has of its own."""
    own = [s for s in statements if s.is_own]
    helping = {s.function for s in statements if not s.is_own and PRODUCT.search(s.text)}
    if not helping or [s for s in own if PRODUCT.search(s.text)] != [product]:
        return None
    return first(own[own.index(product) + 1 :], rf"\b(?:{'|'.join(map(re.escape, sorted(helping)))})\(")


def handed_on(statements: Sequence[Statement]) -> Statement | None:
    """What comes before softmax's place, where there is none: the last statement that is no mere return of a name."""
    own = [s for s in statements if s.is_own and not re.fullmatch(r"return \w+", s.text)]
    return own[-1] if own else None


def wrong_axis(statements: Sequence[Statement]) -> Statement | None:
    """Softmax; by hand it is the sum that has an axis, also in a function of one's own by that name."""
    softmax = first(statements, SOFTMAX) or first(statements, r"partial\([\w.]*softmax\b")
    if softmax is None:
        return None
    if not OTHER_AXIS.search(softmax.text):
        others = [s for s in statements if SOFTMAX.search(s.text) and OTHER_AXIS.search(s.text)]
        softmax = others[0] if others else softmax
    if "softmax" not in softmax.text.lower():
        return first(statements[statements.index(softmax) :], r"(?<!ein)sum\(") or softmax
    if OTHER_AXIS.search(softmax.text) or re.search(r"\[| for ", softmax.text):  # it is called with a column at a time
        return softmax
    return first(called_by([softmax], statements), r"(?<!ein)sum\(.*(dim|axis)=") or softmax


def second_softmax(statements: Sequence[Statement]) -> Statement | None:
    """A softmax of what is called weights already; else the second of those there are."""
    again = first(statements, r"(weights|probs?|shares)\.softmax\(|softmax\((\w*_)?(weights|probs?|shares)\b")
    found = [s for s in outside_init(statements) if re.search(r"softmax\(|Softmax", s.text)]
    if again or len(found) > 1:
        return again or _after_helper(found[0], found[1], statements) or found[1]
    # By hand the one that comes last is the second.
    only = found[0] if found else last([s for s in statements if s.is_own], SOFTMAX) or first(statements, SOFTMAX)
    if only is None or only.is_own:
        return only
    called = [s for s in statements if s.is_own for _ in re.findall(rf"\b{only.function}\(", s.text)]
    return called[1] if len(called) > 1 else only


def _after_helper(outer: Statement, inner: Statement, statements: Sequence[Statement]) -> Statement | None:
    """The outer of two statements, if the inner one stands in a function whose result the outer one takes."""
    if inner.is_own or not outer.is_own:
        return None
    called = rf"\b{re.escape(inner.function)}\("
    names = [s.target for s in statements if s.function == outer.function and s.target and re.search(called, s.value)]
    is_taken = any(re.search(rf"\b{re.escape(name)}\b", outer.value) for name in names if name != outer.target)
    return outer if is_taken or re.search(called, outer.value) else None
