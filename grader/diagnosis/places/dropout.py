"""Where weights are dropped, or should be, and where what is left of them is kept."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence

from grader.diagnosis.places.patterns import DROPOUT, HEAD_MADE, SOFTMAX
from grader.diagnosis.places.scores import softmax_at, values_blended
from grader.diagnosis.places.shares import is_of_shares
from grader.diagnosis.places.statements import (
    Statement,
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
from grader.model.syntax import read_in, stored_in, walk

NO_SHARE = r"(None|0|0\.0)"
NOUGHT = r"0(\.0*)?"
# A head, whatever module it is in.
A_HEAD = re.compile(r"(Attention|Head)\w*$")
# A layer called dropout that drops nothing, whatever it is made of, and a call that is never in training.
NO_LAYER = r"drop\w* = (\w+\.)*Identity\(|drop\w*\(.*training=False"
DRAWN = r"rand|bernoulli|uniform_"
DROPPING = rf"drop\w*\(|{DRAWN}"
OF_TORCH = r"(?<![\w.])(F|torch|(torch\.)?nn\.functional|functional)\.dropout\("
# Layers of which dropout comes before softmax.
IN_ORDER = r"Sequential\(.*Dropout\(.*Softmax\("
# A method that changes the tensor it belongs to.
IN_PLACE = re.compile(r"\w_\(")
JOINED = re.compile(r"(torch\.)?(cat|concat|concatenate|stack|hstack|dstack)\(")
# A list of heads, by its name and what is done with it: many a class calls their number so, or its way to part them.
OF_HEADS = re.compile(r"(\bin |enumerate\(|map\([^,]+, )self\.\w*heads\b(?!\()|self\.\w*heads\[")
# A loop over one, as it stands among the statements, where it has no target.
LOOPED = re.compile(r" = self\.\w*heads$")
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
    """Where what heads of another file gave is dropped, joined or not; None where weights are made in this one."""
    statements = outside_init(statements_of(tree, of))
    if first(statements, SOFTMAX) is not None:
        return None
    dropping = re.compile("|".join([r"drop\w*\($", *_calls(_layers(statements_of(tree, of)))]))
    of_heads = _of_heads(statements)
    for statement in (s for s in statements if s.is_own):
        for call in (node for node in walk(statement.node) if isinstance(node, ast.Call) and node.args):
            given = call.args[0]
            made = maker_of(given.id, statements) if isinstance(given, ast.Name) else None
            is_joined = JOINED.match(made.value if made else written(given)) or read_in(given) & of_heads
            if dropping.search(f"{written(call.func)}(") and is_joined:
                return call
    return None


def _of_heads(statements: Sequence[Statement]) -> set[str]:
    """The names of what a list of heads gives, and of what is made of that."""
    found: set[str] = set()
    for each in statements:
        is_loop = not each.target and LOOPED.search(each.value) is not None
        if is_loop or OF_HEADS.search(each.value) or read_in(each.node) & found:
            match each.node:
                case ast.Expr(ast.Call(ast.Attribute(ast.Name(name)))):  # a list that it is appended to
                    found.add(name)
                case _:
                    found |= stored_in(each.node) | {bare_name(each.target)}
    return found


def drops_weights_alone(tree: ast.Module, of: str) -> bool:
    """Whether all that a definition, or what it makes use of, drops is what softmax gives there, for certain."""
    statements = outside_init(statements_of(tree, of))
    found = [each for each in calls_that_drop(tree, of) if each[0].args]
    if len(found) != 1 or len([s for s in statements if re.search(_dropping(statements), s.text)]) != 1:
        return False
    (call, function), *_ = found
    return is_of_shares(call.args[0], function, tree, blended=False)


def calls_that_drop(tree: ast.Module, of: str) -> list[tuple[ast.Call, ast.FunctionDef]]:
    """The calls of dropout in what a definition makes use of, outside `__init__`, each with its function."""
    return [
        (call, function)
        for function in nodes_of(tree, of)
        if isinstance(function, ast.FunctionDef) and function.name != "__init__"
        for call in walk(function)
        if isinstance(call, ast.Call) and "drop" in written(call.func)
    ]


def second_that_drops(tree: ast.Module, of: str) -> ast.Call | None:
    """Of two calls of dropout the one that is called last, which may be given the other; None for any other count."""
    calls = [call for call, _ in calls_that_drop(tree, of) if call.args]
    return max(calls, key=lambda call: (call.end_lineno, call.end_col_offset)) if len(calls) == 2 else None


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
    used = used or first(statements, NO_LAYER) or _head_of_no_share(statements)
    return used or values_blended(own) or first(statements, HEAD_MADE) or last_return(statements)


def _head_of_no_share(statements: Sequence[Statement]) -> Statement | None:
    """Where the number stands, or is given a name, that a head is made with in place of what is to be dropped."""
    made = (s for s in statements if HEAD_MADE.search(s.text))
    calls = (node for s in made for node in walk(s.node) if isinstance(node, ast.Call))
    for each in (each for call in calls if any(map(A_HEAD.search, _called(call))) for each in call.args):
        if re.fullmatch(NOUGHT, written(each)):
            return Statement(each.lineno, written(each), "", "", False, ast.copy_location(ast.Expr(each), each))
        given = maker_of(each.id, statements) if isinstance(each, ast.Name) else None
        if given and re.fullmatch(NOUGHT, given.value):
            return given
    return None


def _called(call: ast.Call) -> list[str]:
    """What is called, and what it is handed first, as by `partial`."""
    return [written(each) for each in (call.func, *call.args[:1])]


def dropped_early(statements: Sequence[Statement]) -> Statement | None:
    """The first dropout, or what is said of one; where layers are called one after the other, those."""
    own = outside_init(statements)
    return first(own, _dropping(statements)) or first(statements, IN_ORDER) or first(own, DROPOUT)


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
