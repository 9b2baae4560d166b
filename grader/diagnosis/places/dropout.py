"""Where weights are dropped, or should be, and where what is left of them is kept."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence

from grader.diagnosis.places.patterns import DROPOUT, HEAD_MADE, SOFTMAX
from grader.diagnosis.places.scores import softmax_at, values_blended
from grader.diagnosis.places.shares import is_of_shares
from grader.diagnosis.places.statements import (
    Statement,
    asked,
    bare_name,
    first,
    handing,
    is_unread,
    last,
    last_return,
    maker_of,
    outside_init,
    statements_of,
)
from grader.diagnosis.places.texts import written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import positional, read_in, stored_in, walk

NO_SHARE = r"(None|0|0\.0)"
# A layer called dropout that drops nothing, whatever it is made of, and a call that is never in training.
NO_LAYER = r"drop\w* = (\w+\.)*Identity\(|drop\w*\(.*training=False"
DRAWN = r"rand|bernoulli|uniform_"
COMPARING = {"lt", "le", "gt", "ge", "less", "less_equal", "greater", "greater_equal"}
DROPPING = rf"drop\w*\(|{DRAWN}"
OF_TORCH = r"(?<![\w.])(F|torch|(torch\.)?nn\.functional|functional)\.dropout\("
SCALING = re.compile(r" [*/]=? ")
# A method that changes the tensor it belongs to.
IN_PLACE = re.compile(r"\w_\(")
JOINED = re.compile(r"(torch\.)?(cat|concat|concatenate|stack|hstack)\(")
# What turns around what it stands behind.
IS_NOT = r" (?:==|is) (?:False|0)\b| (?:!=|is not) True\b"
# Dropout of what softmax gives, or of what is blended, in one statement.
WITHIN = r"drop\w*\([^()]*(\([^()]*\)[^()]*)*"
OF_SOFTMAX, OF_PRODUCT = re.compile(rf"{WITHIN}softmax"), re.compile(rf"{WITHIN}(@|matmul|einsum|bmm)")


def drops_weights(tree: ast.Module, of: str) -> bool:
    """Whether a definition, or what it makes use of, drops what softmax gives there, for certain."""
    statements = outside_init(statements_of(tree, of))
    dropping = dropped_early(statements)
    if dropping is None:
        return False
    near = [s for s in statements if (s.is_own, s.function) == (dropping.is_own, dropping.function)]
    at, place = softmax_at(near), near.index(dropping)
    return place > at or (place == at and OF_SOFTMAX.search(dropping.text) is not None)


def dropped_again(tree: ast.Module, of: str) -> Statement | None:
    """Where what comes of weights is dropped once more; None where these are not dropped for certain."""
    statements = outside_init(statements_of(tree, of))
    late, blended = dropped_late(statements), values_blended(statements)
    if late is None or blended is None or late is dropped_early(statements) or not drops_weights(tree, of):
        return None
    near = [s for s in statements if (s.is_own, s.function) == (blended.is_own, blended.function)]
    is_behind = late in near[near.index(blended) + 1 :]
    return late if is_behind or (late is blended and OF_PRODUCT.search(late.text)) else None


def dropped_joined(tree: ast.Module, of: str) -> ast.Call | None:
    """Where what heads of another file gave is dropped once it is joined; None where weights are made in this one."""
    statements = outside_init(statements_of(tree, of))
    if first(statements, SOFTMAX) is not None:
        return None
    dropping = re.compile("|".join([r"drop\w*\($", *_calls(_layers(statements_of(tree, of)))]))
    for statement in (s for s in statements if s.is_own):
        for call in (node for node in walk(statement.node) if isinstance(node, ast.Call) and node.args):
            given = call.args[0]
            made = maker_of(given.id, statements) if isinstance(given, ast.Name) else None
            if dropping.search(f"{written(call.func)}(") and JOINED.match(made.value if made else written(given)):
                return call
    return None


def drops_weights_alone(tree: ast.Module, of: str) -> bool:
    """Whether all that a definition, or what it makes use of, drops is what softmax gives there, for certain."""
    statements = outside_init(statements_of(tree, of))
    found = [
        (call, function)
        for function in nodes_of(tree, of)
        if isinstance(function, ast.FunctionDef) and function.name != "__init__"
        for call in walk(function)
        if isinstance(call, ast.Call) and "drop" in written(call.func) and call.args
    ]
    if len(found) != 1 or len([s for s in statements if re.search(_dropping(statements), s.text)]) != 1:
        return False
    (call, function), *_ = found
    return is_of_shares(call.args[0], function, tree, blended=False)


def survivors(statements: Sequence[Statement]) -> Statement | None:
    """Where what is not dropped is kept: the first use of a mask that was drawn, else the dropout itself."""
    own = outside_init(statements)
    used = first(_from_the_draw(own), r" \* |\*= |where\(|masked_fill|\] = ")
    return used or last(own, r"drop\w*\(") or last(own, DROPOUT)


def decided(statements: Sequence[Statement]) -> Statement | None:
    """Where it is decided which weights are dropped: where a draw is compared, or of a share, else the draw itself.

    Of who has torch draw, where it is handed the rest of a share.
    """
    own = outside_init(statements)
    compared = first(_from_the_draw(own), r" [<>]=? |\b([gl][et]|greater|less)\w*\(|bernoulli")
    return compared or first(own, DRAWN) or first(statements, r"[dD]ropout\(.*\b1(\.0)? - ")


def rescaled(statements: Sequence[Statement]) -> Statement | None:
    """Where what is left is made larger: the last division behind a draw, else what is multiplied by a share."""
    drawn = _made_use_of(_from_the_draw(outside_init(statements)))
    return last(drawn, r" /=? |\bdiv(ide)?_?\(") or last(drawn, r" \*=? \(1(\.0)? - ")


def _from_the_draw(statements: Sequence[Statement]) -> Sequence[Statement]:
    """What comes from the first draw on; nothing where there is none."""
    return [*itertools.dropwhile(lambda each: not re.search(DRAWN, each.text), statements)]


def _made_use_of(statements: Sequence[Statement]) -> list[Statement]:
    """Those of which something is made that is handed back: not what is only counted or printed."""
    found: list[Statement] = []
    read: set[str] = set()
    for each in reversed(statements):
        is_in_place = isinstance(each.node, ast.Expr) and IN_PLACE.search(each.text) is not None
        if each.is_return or is_in_place or "." in each.target or each.target.partition("[")[0] in read:
            found.append(each)
            read |= read_in(each.node)
    return found[::-1]


def at_a_rate_of_its_own(tree: ast.Module, of: str) -> ast.Call | None:
    """Torch's function for dropout, called with a number that stands there, or without any.

    None where it drops nothing so, or something else drops as well: with the rate asked for that would be too much.
    """
    statements = statements_of(tree, of)
    if first([s for s in statements if s.function == "__init__"], HEAD_MADE):  # which may drop themselves
        return None
    dropping = re.compile("|".join([OF_TORCH, *_calls(_layers(statements))]))
    calls = {
        id(node): node
        for statement in outside_init(statements)
        for node in walk(statement.node)
        if isinstance(node, ast.Call) and dropping.match(f"{written(node.func)}(")
    }
    call, *others = [*calls.values(), None]
    if call is None or others != [None] or not re.match(OF_TORCH, f"{written(call.func)}("):
        return None
    given = [*call.args[1:2], *(each.value for each in call.keywords if each.arg in ("p", None))]
    is_whole = any(isinstance(each, ast.Starred) for each in call.args)
    is_idle = any(re.fullmatch(NO_SHARE, written(each)) for each in given) or re.search(NO_LAYER, written(call))
    return None if is_whole or is_idle or not all(isinstance(each, ast.Constant) for each in given) else call


def never_dropped(statements: Sequence[Statement]) -> Statement | None:
    """Where dropout's result is let go, or nothing is to be dropped, or it should be.

    Else where heads are made; else where all is handed back.
    """
    own = outside_init(statements)
    used = first(own, r"^\S*drop\w*\(") or first([s for s in own if is_unread(s, own)], r"drop\w*\(")
    used = used or handing(statements, "drop", NO_SHARE) or first(statements, rf"Dropout\((p=)?{NO_SHARE}\)")
    used = used or first(statements, NO_LAYER)
    return used or values_blended(own) or first(statements, HEAD_MADE) or last_return(statements)


def dropped_early(statements: Sequence[Statement]) -> Statement | None:
    """The first dropout, or what is said of one."""
    own = outside_init(statements)
    return first(own, _dropping(statements)) or first(own, DROPOUT)


def dropped_late(statements: Sequence[Statement]) -> Statement | None:
    """The last dropout of the definition's own; else of all."""
    own = outside_init(statements)
    return last([s for s in own if s.is_own], _dropping(statements)) or last(own, DROPOUT)


def in_training_alone(statements: Sequence[Statement]) -> Statement | None:
    """The first use of a layer or a function of torch's that drops something in training."""
    layers = [s for s in _layers(statements) if not re.search(rf"Dropout\w*\((p=)?{NO_SHARE}\)", s.text)]
    return first(outside_init(statements), "|".join([OF_TORCH, *_calls(layers)]))


def _dropping(statements: Sequence[Statement]) -> str:
    """What a statement that drops looks like, where layers that do have names of their own."""
    return "|".join([DROPPING, *_calls(_layers(statements))])


def _layers(statements: Sequence[Statement]) -> list[Statement]:
    """Where layers of dropout are made and kept."""
    return [s for s in statements if s.target and re.search(r"= (\w+\.)*Dropout\w*\(", s.text)]


def _calls(made: Sequence[Statement]) -> list[str]:
    """What a call of each of these layers looks like."""
    return [rf"self\.{re.escape(bare_name(s.target))}\(" for s in made]


def chosen_wrongly(tree: ast.Module, of: str) -> int:
    """The line of a choice that drops outside training, or hands all back in it, or that scales outside; 0 for none.

    Or of what drops before any choice is made.
    """
    if early := dropped_unasked(tree, of):
        return early
    for choice, is_outside, is_inside in _choices(tree, of):
        is_dropping = DROPOUT.search(" ".join(map(written, choice.body))) is not None
        if (is_outside and is_dropping) or (is_inside and not is_dropping and isinstance(choice.body[-1], ast.Return)):
            return choice.lineno
        outside = choice.body if is_outside else choice.orelse if is_inside else []
        if scaling := next((each for each in outside if SCALING.search(written(each))), None):
            return scaling.lineno
    return _handed_back_unasked(tree, of)


def dropped_unasked(tree: ast.Module, of: str) -> int:
    """The line where a function drops from its argument, in place or by that name, before it asks if it is training.

    0 for none, and where something else may stand for what it asks, or keeps what the argument was.
    """
    for function in asked(tree, of):
        given, drawn, deciding = positional(function), set[str](), set[str]()
        for statement in function.body if "training" in given else ():
            if "training" in read_in(statement):
                return 0
            value, target = _left_of(statement)
            if value is not None and target in given and _decides(value, drawn, deciding):
                return statement.lineno
            match statement:
                case ast.Assign([ast.Name(name)], made):
                    if _is_kept(made, given):
                        return 0
                    is_drawn, is_deciding = _is_drawn(made, drawn), _decides(made, drawn, deciding)
                    drawn = drawn | {name} if is_drawn else drawn - {name}
                    deciding = deciding | {name} if is_deciding else deciding - {name}
                case _:
                    drawn, deciding = drawn - stored_in(statement), deciding - stored_in(statement)
    return 0


def _is_kept(made: ast.expr, given: Sequence[str]) -> bool:
    """Whether an argument is kept by another name, as it is or as a copy."""
    match made:
        case ast.Name(name) | ast.Call(ast.Attribute(ast.Name(name), "clone")):
            return name in given
        case ast.Call(ast.Attribute(_, "clone"), [ast.Name(name)]):
            return name in given
        case _:
            return False


def _is_drawn(node: ast.expr, drawn: set[str]) -> bool:
    """Whether an expression is numbers between 0 and 1 that are drawn. drawn: the names of such."""
    match node:
        case ast.Name(name):
            return name in drawn
        case ast.Call(ast.Attribute(attr="rand" | "rand_like" | "uniform_")):
            return True
        case ast.Call(ast.Attribute(value, "to" | "type_as" | "float" | "double")):
            return _is_drawn(value, drawn)
        case _:
            return False


def _decides(node: ast.expr, drawn: set[str], deciding: set[str]) -> bool:
    """Whether an expression is 0, or true, by a draw: one that is compared, or of zeros and ones, scaled or turned."""
    match node:
        case ast.Name(name):
            return name in deciding
        case ast.Compare(left, [_], [right]):
            return any(_is_drawn(side, drawn) or _decides(side, drawn, deciding) for side in (left, right))
        case ast.Call(ast.Attribute(attr="bernoulli" | "bernoulli_")):
            return True
        case ast.Call(ast.Attribute(value, name)) if name in COMPARING:
            return _is_drawn(value, drawn)
        case ast.Call(ast.Attribute(value, "to" | "type_as" | "float" | "double" | "bool" | "int" | "logical_not")):
            return _decides(value, drawn, deciding)
        case ast.UnaryOp(ast.Invert() | ast.Not(), value) | ast.BinOp(ast.Constant(), ast.Sub(), value):
            return _decides(value, drawn, deciding)
        case ast.BinOp(left, ast.Mult() | ast.Div(), right):
            return _decides(left, drawn, deciding) or _decides(right, drawn, deciding)
        case _:
            return False


def _left_of(statement: ast.stmt) -> tuple[ast.expr | None, str]:
    """What decides what a statement leaves of a variable, and that variable; None where it drops nothing."""
    match statement:
        case ast.AugAssign(ast.Name(name), ast.Mult(), value):
            return value, name
        case ast.Assign([ast.Subscript(ast.Name(name), place)], ast.Constant(0)):
            return place, name
        case ast.Assign([ast.Name(name)], ast.BinOp(_, ast.Mult()) as value) if name in read_in(value):
            return value, name
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "mul_" | "masked_fill_"), [value, *_])):
            return value, name
        case _:
            return None, ""


def _handed_back_unasked(tree: ast.Module, of: str) -> int:
    """The line of a choice that hands an argument back as it is, in a function that never asks if it is training."""
    for function in asked(tree, of):
        given = positional(function)
        for node in walk(function) if "training" in given and "training" not in read_in(function) else ():
            match node:
                case ast.If(body=[ast.Return(ast.Name(name))]) if name in given:
                    return node.lineno
    return 0


def only_outside(tree: ast.Module, of: str) -> ast.If | None:
    """The choice that calls dropout outside training, where a definition calls it nowhere else."""
    choice = next((each for each, is_outside, _ in _choices(tree, of) if is_outside), None)
    if choice is None:
        return None
    within = {id(inner) for part in choice.body for inner in walk(part)}
    dropping = [s for s in outside_init(statements_of(tree, of)) if DROPOUT.search(s.text)]
    return choice if dropping and all(id(s.node) in within for s in dropping) else None


def _choices(tree: ast.Module, of: str) -> Iterator[tuple[ast.If, bool, bool]]:
    """Every choice that begins with whether it is training; whether its body runs outside training, and in it."""
    for choice in (node for function in asked(tree, of) for node in walk(function) if isinstance(node, ast.If)):
        is_outside = asks_outside(choice.test)
        yield choice, is_outside is True, is_outside is False


def asks_outside(test: ast.expr) -> bool | None:
    """Whether a question is so outside training; None where it begins with something else."""
    found = re.match(rf"(not )?(self\.)?training\b({IS_NOT})?", written(test))
    return bool(found[1]) != bool(found[3]) if found is not None else None


def in_evaluation(statements: Sequence[Statement]) -> Statement | None:
    """Where training is switched on, or asked for, or weights are made smaller without it; else the dropout itself."""
    own = outside_init(statements)
    words = r"\.train\(|training ?= ?True|training else |\bDropout\(|^return .*\* \(1(\.0)? - "
    return first(own, words) or first(own, DROPOUT) or first(statements, OF_TORCH)  # in a lambda that is kept
