"""Where queries, keys and values are taken for one another, and where their layers are made or turned."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.diagnosis.places.layers import tied
from grader.diagnosis.places.patterns import ARGUMENT, PRODUCT, ROLES
from grader.diagnosis.places.scores import product_at, softmax_at, values_blended
from grader.diagnosis.places.statements import Statement, bare_name, first, handing, is_unread, maker_of
from grader.diagnosis.places.texts import written
from grader.model.syntax import walk

WEIGHT_TURNED_BY = re.compile(r"weight(\.data|\.detach\(\))?\.(T\b|t\(|mT\b|transpose)")
# A parameter that is given to `F.linear`, which turns it by itself.
A_WEIGHT = re.compile(r"linear\(\w+, (self\.)?W\w*")
A_WEIGHT_TURNED = re.compile(A_WEIGHT.pattern + r"\.(T\b|t\(|mT\b|transpose)")
# As in `source_v2`, which speaks of no value, in the widths `d_k` and `d_v`, and in what a dictionary is asked for.
OF_NO_ROLE = re.compile(r"(?<=[a-z])_v\d\b|\bd_[qkv]\b|\.(keys|values)\(\)")
# As in `softmax(scores[:, i], dim=0)`, a column where a row is due.
COLUMN = r"softmax\(\w+\[(\.\.\., )?:, \w+\]"
# What says how large a tensor is, and nothing of its numbers; also of one that an expression stands for.
SIZE = re.compile(r"[\w.]+\.(?:shape\b(?:\[[^\]]*\])?|size\([^()]*\)|numel\(\)|\w+_features)|(?<!\w)len\([^()]*\)")
OF_SIZES = re.compile(r"\.shape\b|\.size\(|(?<!\w)len\(|\.numel\(|_features\b")
# A part of something fused, whose order is its own.
A_PART = re.compile(r"chunk|split|unbind|unflatten|view|reshape|\[")
# What turns a matrix, behind its dot.
TURN = r"(?:T\b|mT\b|t\(|transpose\(|swapaxes\()"
# What a copy writes to, and what it reads.
COPIED = re.compile(r"(\S+)\.copy_\((.+)\)")
# As in `self.W_key = self.W_query` and `self.W_query = self.W_key = nn.Linear(3, 2)`.
ONE_LAYER = re.compile(r"(self\.\w+) = (self\.\w+)(?: =|$)")
# As in `w.mT @ values`: what blends lies on its side, whatever it is called.
BLENDING = re.compile(r"^(return )?(?!self\.W)[\w.()]+\.(T|mT|t\(\)|transpose\([-\d, ]+\)) @ [\w.]+$")
# As in `self.W_key = W`.
A_VARIABLE = re.compile(r"(self\.\w+) = ([a-zA-Z_]\w*)$")


def _role(text: str) -> str:
    """The role that a text speaks of, where it speaks of one alone."""
    text = OF_NO_ROLE.sub("", text)
    roles = [role for role, pattern in ROLES.items() if pattern.search(text)]
    return roles[0] if len(roles) == 1 else ""


def _order(text: str) -> list[str]:
    """The roles that a text speaks of, in the order of their first words."""
    text = OF_NO_ROLE.sub("", text)
    found = {role: match.start() for role, pattern in ROLES.items() if (match := pattern.search(text))}
    return sorted(found, key=lambda role: found[role])


def order_by_name(statements: Sequence[Statement]) -> list[str]:
    """The order of the roles in what a call takes apart, as in `k, q, v = self.qkv(x).chunk(3)`; none where it is not.

    Part by part it is that of the statements.
    """
    found: list[str] = []
    for statement in statements:
        if statement.function != "__init__" and A_PART.search(statement.value) and not _order(statement.value):
            order = _order(statement.target)
            if len(order) > 1:
                return order
            found += [role for role in order if role not in found]
    return found


def as_named(text: str, order: Sequence[str]) -> bool:
    """Whether a text speaks of roles in that order."""
    return _order(text) == [*order]


def _other_role(statements: Sequence[Statement]) -> Statement | None:
    """The first statement that makes one role of another's layer, or tensor; a width is neither."""
    given = _given_together(statements)
    for statement in statements:
        together = _order(statement.target)
        named = [given.get(name, "") for name in [*re.findall(r"\w+", statement.value), "forward"]]
        apart = [_order(statement.value)] if _order(statement.value) else map(_order, named)
        if len(together) > 1 and any(together != each and sorted(together) == sorted(each) for each in apart):
            return statement
        if (copied := COPIED.match(statement.text)) and _role(copied[1]) and _role(copied[2]):
            if _role(copied[1]) != _role(copied[2]):
                return statement
            continue
        for made, by, line in _pairs(statement, statements):
            of = SIZE.sub("", by)
            if _role(made) and _role(of) and _role(made) != _role(of) and not OF_SIZES.search(of):
                return replace(statement, line=line)
    return None


def _given_together(statements: Sequence[Statement]) -> dict[str, str]:
    """What speaks of several roles, by the name of the variable, or of the function or the module, that gives it."""
    found: dict[str, str] = {}
    for statement in statements:
        name = statement.function if statement.is_return else bare_name(statement.target)
        if len(_order(statement.value)) > 1 and not (statement.is_own and name == "forward"):
            found.setdefault(name, statement.value)
    return found


def _pairs(statement: Statement, statements: Sequence[Statement]) -> Iterator[tuple[str, str, int]]:
    """What a statement makes, each with what of, and its line: several at once, and a dictionary's as well."""
    pairs: list[tuple[str, ast.expr]] = []
    match statement.node:
        case ast.Assign([ast.Tuple(targets)], value):
            values = _one_by_one(value, statements)
            pairs = [*zip(map(written, targets), values, strict=True)] if len(values) == len(targets) else []
        case _ if statement.function != "__init__":
            yield statement.target, statement.value, statement.line
    for node in walk(statement.node):
        match node:
            case ast.Dict(keys, values):
                pairs += [(written(key), value) for key, value in zip(keys, values, strict=True) if key]
            case ast.Call(ast.Name("dict"), keywords=keywords):
                pairs += [(each.arg, each.value) for each in keywords if each.arg]
    is_using = statement.function != "__init__"
    # What makes a layer speaks of widths alone.
    used = [(name, value) for name, value in pairs if is_using or not isinstance(value, ast.Call)]
    yield from ((name, written(value), value.lineno) for name, value in used)


def _one_by_one(value: ast.expr, statements: Sequence[Statement]) -> list[ast.expr]:
    """What each of several targets is made of: by itself, or as one of those that a comprehension or a call takes."""
    match value:
        case ast.Tuple(values) | ast.List(values):
            return values
        case (
            ast.ListComp(generators=[ast.comprehension(iter=taken)])
            | ast.GeneratorExp(generators=[ast.comprehension(iter=taken)])
            | ast.Call(ast.Name("map"), [_, taken])
            | ast.Call(args=[ast.Tuple() | ast.List() as taken, *_])
        ):
            return _one_by_one(_kept(taken, statements), statements)
        case _:
            return []


def _kept(taken: ast.expr, statements: Sequence[Statement]) -> ast.expr:
    """What a name stands for that is given a tuple or a list; else the expression itself."""
    made = maker_of(taken.id, statements) if isinstance(taken, ast.Name) else None
    match made.node if made is not None else None:
        case ast.Assign(value=ast.Tuple() | ast.List() as kept):
            return kept
        case _:
            return taken


def _returned_otherwise(statements: Sequence[Statement]) -> Statement | None:
    """Where the three roles are handed back in another order, or one of them in another's place."""
    for statement in statements:
        roles = [_role(part) for part in statement.text.split(",")]
        is_of_all = len(roles) == len(ROLES) and all(roles)
        if statement.is_own and statement.is_return and is_of_all and roles != [*ROLES]:
            return statement
    return None


def exchanged(statements: Sequence[Statement]) -> Statement | None:
    """Where a role is made by another's layer, or they are handed back in another order; else the product."""
    if other := _other_role(statements) or _returned_otherwise(statements) or _handed_on_otherwise(statements):
        return other
    position = product_at(statements)
    product = statements[position] if position >= 0 else None
    is_right = product is None or _order(product.value)[:1] != ["key"]
    column = first(statements, COLUMN) if is_right else None
    turned = _turned_behind(statements, position) if product is not None and is_right else None
    return column or (_taken_otherwise(statements) if is_right else None) or turned or product


def _turned_behind(statements: Sequence[Statement], position: int) -> Statement | None:
    """Where scores whose product is the right way round are turned behind it, before softmax or with it."""
    product, *behind = statements[position : softmax_at(statements) + 1]
    if _order(product.value)[:1] != ["query"]:
        return None
    own = [each for each in (product, *behind) if each.function == product.function]
    names = "|".join(re.escape(each.target) for each in own if each.target.isidentifier())
    return first(own[1:], rf"\b(?:{names})\.{TURN}|\btranspose\((?:{names}),") if names else None


def _taken_otherwise(statements: Sequence[Statement]) -> Statement | None:
    """Where all three roles are taken at once in another order than theirs, of what says nothing of it."""
    for s in statements:
        names = s.target if s.function != "__init__" else ""
        is_of_all = len(order := _order(names)) == len(ROLES) and not _order(s.value)
        if is_of_all and order != [*ROLES] and not A_PART.search(s.value):
            return s
    return None


def _handed_on_otherwise(statements: Sequence[Statement]) -> Statement | None:
    """Where a function is handed one role for another, or, if it stands in another file, keys before queries."""
    for statement in statements:
        roles = [(_role(parameter), _role(given)) for parameter, given in statement.handed]
        if any(due and role and due != role for due, role in roles):
            return statement
    unknown = [statement for statement in statements if not statement.handed]
    own = [statement for statement in unknown if statement.is_own]
    exchanged = r"(?<![.\w])(?:self\.)?(?!einsum)\w+\((self\.)?(\w*keys?|k|K)\b[^,()]*, ?(\w*quer(y|ies)|q|Q)\b"
    return first(own, exchanged) or first(unknown, exchanged)


def unprojected(statements: Sequence[Statement]) -> Statement | None:
    """Where the input itself gets the values' name, or is handed on by it; else where it is blended."""
    return input_as_values(statements) or values_blended(statements)


def input_as_values(statements: Sequence[Statement]) -> Statement | None:
    """Where the input itself gets the values' name, is handed on by it, or is what is blended."""
    for s in statements:
        for made, by, line in _pairs(s, statements):
            if _role(made) == "value" and re.match(r"(x|inputs?)\b(?!.*[@*])", by):
                return replace(s, line=line)
    blended = values_blended(statements)
    handed = handing(statements, r"^val|^[vV]$", r"^(x|inputs?)$")
    return handed or (blended if blended and re.search(r"(@|,) (x|inputs?)\b(?! @)", blended.value) else None)


def _called_twice(statements: Sequence[Statement]) -> Statement | None:
    """Where one layer gets the names of two roles, be it by way of a variable."""
    kept: dict[str, str] = {}
    for statement in statements:
        found = ONE_LAYER.match(statement.text)
        if found and (one := _role(found[1])) and (other := _role(found[2])) and one != other:
            return statement
        by_name = A_VARIABLE.match(statement.text) if statement.function == "__init__" else None
        if by_name and (role := _role(by_name[1])) and kept.setdefault(by_name[2], role) != role:
            return statement
    return None


def _listed_twice(statements: Sequence[Statement]) -> Statement | None:
    """Where three layers or tensors stand in a row, each of one role, and two of one."""
    for statement in statements:
        rows = [node.elts for node in walk(statement.node) if isinstance(node, ast.Tuple | ast.List)]
        for roles in ([_role(written(each)) for each in row] for row in rows if len(row) == len(ROLES)):
            if all(roles) and len({*roles}) < len(roles):
                return statement
    return None


def reused(statements: Sequence[Statement]) -> Statement | None:
    """Where a role is made by another's layer, or is that layer, or another is blended for values; else the product."""
    other = _called_twice(statements) or _other_role(statements) or _returned_otherwise(statements)
    if other := other or _handed_on_otherwise(statements) or _listed_twice(statements):
        return other
    read = [s for s in statements if not is_unread(s, statements)]
    blends = [values_blended(read), *(s for s in read[softmax_at(read) + 1 :] if PRODUCT.search(s.text))]
    if blended := next((s for s in blends if s is not None and _role(s.value) in ("query", "key")), None):
        return blended
    position = product_at(statements)
    product = statements[position] if position >= 0 else None
    blended = values_blended(read)
    within, behind = (_products(each.node) if each is not None else [] for each in (product, blended))
    found = _otherwise(within[-1], ("query", "key"), statements) if within else None
    if found is None and behind and (blended is not product or len(behind) > 1):
        found = _otherwise(behind[0], ("", "value"), statements)
    return found or tied(statements) or product


def _products(statement: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """What each product of two matrices in a statement multiplies, the outermost first."""
    found = []
    for node in walk(statement):
        match node:
            case (
                ast.BinOp(left, ast.MatMult(), right)
                | ast.Call(ast.Attribute(ast.Name("torch"), "matmul" | "bmm" | "mm"), [left, right])
                | ast.Call(ast.Attribute(left, "matmul" | "bmm" | "mm"), [right])
                | ast.Call(ast.Attribute(ast.Name("torch"), "einsum"), [ast.Constant(str()), left, right])
            ):
                found.append((left, right))
    return found


def _otherwise(
    product: tuple[ast.expr, ast.expr], due: Sequence[str], statements: Sequence[Statement]
) -> Statement | None:
    """Where that is made of another's layer, under a name of no role, which a product takes for those that are due."""
    names = [_root(each) for each in product]
    for role, name in zip(due, names, strict=True) if names[0] != names[1] else ():
        for made, by, line, statement in _made(name, statements) if role else ():
            if _role(by) not in ("", role) and not _role(made):
                return replace(statement, line=line)
    return None


def _made(name: str, statements: Sequence[Statement]) -> Iterator[tuple[str, str, int, Statement]]:
    """What gives a variable its value: its name, the value, the line and the statement."""
    pairs = ((*pair, statement) for statement in statements for pair in _pairs(statement, statements))
    yield from (each for each in pairs if each[0] == name)


def _root(value: ast.expr) -> str:
    """The variable that an expression turns, cuts or takes as it is; "" for any other expression."""
    while isinstance(value, ast.Call | ast.Attribute | ast.Subscript):
        value = value.func if isinstance(value, ast.Call) else value.value
    return value.id if isinstance(value, ast.Name) else ""


def turned(statements: Sequence[Statement]) -> Statement | None:
    """Where a weight, or all weights of attention, are used as their transpose."""
    sideways = r"\.(T\b|t\(|mT\b|transpose)"
    attention = rf"\b\w*(weights|probs|shares){sideways}"
    weight = rf"@ self\.\w+\.weight\b(?!\.)|weight({sideways}|\.reshape|\.view)|self\.W\w*{sideways}"
    words = r"\.T\b|\.t\(\)|\.mT|transpose|\.weight"
    own = [s for s in statements if s.is_own]
    if other := _unlike_the_others(own):
        return other
    blended = values_blended(own)
    if blended and BLENDING.search(blended.value):
        return blended
    later = own[softmax_at(own) + 1 :]
    softmax = rf"softmax\({ARGUMENT}(, ?[^()]*)?\){sideways}"
    # In einsum nothing is said of turning: then it is where the weights are used.
    return (
        first(own, rf"{attention}|{softmax}")
        or first(statements, weight)
        or first(later, words)
        or first(later, r"einsum\(")
        or first(own, words)
        or blended
        or first(statements, words)
    )


def _unlike_the_others(statements: Sequence[Statement]) -> Statement | None:
    """Of several weights that are copied, or given to `F.linear`, the first that is not turned where most are."""
    copies = [s for s in statements if re.search(r"copy_\(.*weight|(data|W_\w+) = .*weight", s.text)]
    given = [s for s in statements if A_WEIGHT.search(s.text)]
    for alike, looks in ((copies, WEIGHT_TURNED_BY), (given, A_WEIGHT_TURNED)):
        straight = [s for s in alike if not looks.search(s.text)]
        if 0 < len(straight) < len(alike) - len(straight):
            return straight[0]
    return None


def output_layer(statements: Sequence[Statement]) -> Statement | None:
    """A layer that is none of the three roles', nor all of them."""
    layers = [s for s in statements if re.search(r"proj\w* = .*Linear|= .*Linear", s.text)]
    others = [s for s in layers if not any(p.search(s.target) for p in ROLES.values()) and "qkv" not in s.target]
    return first(others, "") or first(layers, r"proj\w* = ")
