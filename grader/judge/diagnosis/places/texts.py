"""A piece of source as Python would write it, so that patterns meet one spelling of a bounded length."""

from __future__ import annotations

import ast
import re
from weakref import WeakKeyDictionary

from grader.model.text import clean

# What is longer nobody writes, and to search it could take for ever.
LONGEST_STATEMENT = 300
# Python writes 1e9 as 1000000000.0, 1e20 as 1e+20 and 1e-9 as 1e-09; people write none of these.
NOUGHTS = re.compile(r"(?<![\w.])(\d)(0{5,})\.0(?![\w.])")
EXPONENT = re.compile(r"(?<=\de)(?:\+0*|(-)0+)(?=[1-9])")
# What each node was written as; it goes with the node. Each finder has the same ones written.
_WRITTEN: WeakKeyDictionary[ast.AST, str] = WeakKeyDictionary()


def written(node: ast.AST) -> str:
    """A piece of source that nobody changes any more, cut where it is long; nothing where it is nested too deeply."""
    text = _WRITTEN.get(node)
    if text is None:
        text = _WRITTEN[node] = _unparsed(node)
    return text


def _unparsed(node: ast.AST) -> str:
    try:
        text = ast.unparse(node)[:LONGEST_STATEMENT]
    except (RecursionError, ValueError):
        return ""
    return EXPONENT.sub(r"\1", NOUGHTS.sub(lambda found: f"{found[1]}e{len(found[2])}", text))


def short(node: ast.AST) -> str:
    """A piece of source as a sentence quotes it."""
    return clean(written(node), 60)
