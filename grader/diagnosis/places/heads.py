"""Where heads are made, summed and joined."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from grader.diagnosis.places.patterns import SUMMED
from grader.diagnosis.places.scores import values_blended
from grader.diagnosis.places.statements import Statement, bare_name, first, last, methods, outside_init
from grader.model.syntax import walk

# Into four axes, and then moved.
CUT = re.compile(r"(view|reshape)\([^()]*,[^()]*,[^()]*,[^()]*\)")
LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)
MOVED = re.compile(r"transpose|permute|swapaxes|movedim|rearrange")


def summed(statements: Sequence[Statement]) -> Statement | None:
    """A sum behind the blend; else any."""
    own = outside_init(statements)
    blended = values_blended(own)
    after = own[own.index(blended) :] if blended else own
    added = next((f for part in (after, own) if (f := first(part, SUMMED))), None)
    return added or last(own, r"einsum\(")  # a letter that is not in the result is summed over


def looped(tree: ast.Module, of: str) -> int:
    """The line of the one loop of `forward` in which all else that loops there lies; 0 where there is none, or more."""
    nodes = [node for function in methods(tree, of, "forward") for node in walk(function)]
    loops = [node for node in nodes if isinstance(node, LOOPS)]
    inner = {id(each) for loop in loops for each in walk(loop) if each is not loop}
    lines = [loop.lineno for loop in loops if id(loop) not in inner]
    return lines[0] if len(lines) == 1 else 0


def cut(statements: Sequence[Statement]) -> Statement | None:
    """Where heads are cut out and stay, although others are moved in the line that cuts them; else where first."""
    own = outside_init(statements)
    every = [statement for statement in own if CUT.search(statement.text)]
    straight = [statement for statement in every if not MOVED.search(statement.text)]
    left = [each for each in straight if not _is_moved_later(each, own)]
    if straight and len(straight) < len(every):
        return straight[0]
    if 0 < len(left) < len(every):
        return left[0]
    # What comes after the blend joins them again.
    blended = values_blended(own)
    before = own[: own.index(blended) + 1] if blended else own
    return first(before, r"view\(|reshape\(|unflatten\(")


def _is_moved_later(made: Statement, statements: Sequence[Statement]) -> bool:
    """Whether heads that are cut out are moved, and nothing else, in a statement behind that."""
    moved = re.compile(rf"{re.escape(made.target)}\.({MOVED.pattern})|torch\.\w+\({re.escape(made.target)}, ")
    return bool(made.target) and any(moved.match(each.value) for each in statements[statements.index(made) + 1 :])


def all_moved(statements: Sequence[Statement]) -> bool:
    """Whether heads are cut out, and moved wherever they are: in the same statement, or in the one behind it."""
    pairs = [
        (one, other) for one, other in zip(statements, [*statements[1:], None], strict=True) if CUT.search(one.text)
    ]
    return bool(pairs) and all(
        MOVED.search(one.text) or (other and MOVED.search(other.text) and bare_name(one.target) in other.value)
        for one, other in pairs
    )


def joined(statements: Sequence[Statement]) -> Statement | None:
    """Where heads are put into another order, or side by side along an axis that is named; else the last joining."""
    own = outside_init(statements)
    other = first(own, r"reversed\(|\[::-1\]|flip\(") or first(own, r"(cat|concat\w*)\(.*((dim|axis)=|\], )1\b")
    other = other or first(own, r"stack\(.*((dim|axis)=|\], )1\b")
    return other or last(own, r"cat\(|stack\(|flatten\(|view\(|reshape\(")
