"""Where `torch.where` hides what the mask's own values say is to be seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from grader.diagnosis.places.statements import Statement, bare_name, outside_init
from grader.diagnosis.places.texts import written
from grader.model.syntax import walk

# So often a mask may get another name.
MOST_NAMES = 4
INFINITE = re.compile(r"-\s*[\w.]*inf\b|float\(['\"]-inf|-\s*(1e|\d{4})|\b(neg|minus)_?inf|finfo")
# What leaves a mask's values as they are: a cut, another type, a comparison with what is true.
AS_IT_IS = re.compile(r"\[[^\[\]]*\]|\.(bool|to|view|unsqueeze)\([^()]*\)| (==|>) (1|True|0\.5)$")
# Masks that are true in the future, and those that are true of what may be seen.
OF_FUTURE = re.compile(r"triu\(.*(?<!-)1\)|^causal_mask\(")
OF_PAST = re.compile(r"tril\((?!.*-1\))")
TURNED = re.compile(r"~|\bnot_?\b|logical_not|bitwise_not|1(\.0)? - | == (0|False)\b|< (1|0\.5)")
FORBIDDEN = re.compile(r"^(?!not|un|in).*(mask|hid|forb|block|future|later)")
VISIBLE = re.compile(r"^(?!not|un|in|dis).*(allow|visib|keep|past|seen|valid)")


def exchanged(statements: Sequence[Statement]) -> tuple[Statement, ast.Call, str] | None:
    """The call of `where` whose two branches stand the wrong way round, with its statement, and what to write."""
    for statement in outside_init(statements):
        for call, condition, then, otherwise in _choices(statement.node):
            hides = [bool(INFINITE.search(written(branch))) for branch in (then, otherwise)]
            is_hidden = _says_hidden(condition, statements)
            if is_hidden is not None and hides[0] != hides[1] and hides[0] != is_hidden:
                return statement, call, _due(call, condition, then, otherwise)
    return None


def _choices(node: ast.AST) -> Iterator[tuple[ast.Call, ast.expr, ast.expr, ast.expr]]:
    for each in walk(node):
        match each:
            case ast.Call(ast.Attribute(attr="where") | ast.Name("where"), [condition, then, otherwise]):
                yield each, condition, then, otherwise
            case ast.Call(ast.Attribute(then, "where"), [condition, otherwise]):
                yield each, condition, then, otherwise


def _due(call: ast.Call, condition: ast.expr, then: ast.expr, otherwise: ast.expr) -> str:
    if len(call.args) == 3:
        return f"{written(call.func)}({written(condition)}, {written(otherwise)}, {written(then)})"
    return f"{written(call.func)}({written(ast.UnaryOp(ast.Invert(), condition))}, {written(otherwise)})"


def _says_hidden(condition: ast.expr, statements: Sequence[Statement]) -> bool | None:
    """Whether a mask is true where nothing is to be seen, by what it was made with, else is called; None if unknown.

    Where the whole takes effect the wrong way round, what is kept is the future: one that is called a mask is right.
    """
    texts = _made_with(condition, statements)
    if any(map(TURNED.search, texts)):
        return None
    is_of_future, is_of_past = (bool(pattern.search(texts[-1])) for pattern in (OF_FUTURE, OF_PAST))
    if is_of_future != is_of_past:
        return is_of_future
    name = bare_name(texts[0])
    if not name.isidentifier():
        return None
    if VISIBLE.search(name):
        return False
    return True if FORBIDDEN.search(name) else None


def _made_with(condition: ast.expr, statements: Sequence[Statement]) -> list[str]:
    """A mask, and what it was made with, by one name after the other."""
    texts = [_as_it_is(written(condition))]
    for _ in range(MOST_NAMES):
        name = bare_name(_as_it_is(texts[-1]))
        registered = re.compile(rf"register_buffer\(['\"]{re.escape(name)}['\"], (.*)")
        made = [s.value for s in statements if bare_name(s.target) == name]
        made += [found[1] for s in statements if (found := registered.search(s.text))]
        if not name.isidentifier() or len(made) != 1:
            break
        texts.append(made[0])
    return texts


def _as_it_is(text: str) -> str:
    while (bare := AS_IT_IS.sub("", text)) != text:
        text = bare
    return text
