"""A piece of source as Python would write it, so that patterns meet one spelling of a bounded length."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from operator import itemgetter
from weakref import WeakKeyDictionary

from grader.model.text import clean

# What is longer nobody writes, and to search it could take for ever.
LONGEST_STATEMENT = 300
LONGEST_QUOTE = 60
# Python writes 1e9 as 1000000000.0, 1e20 as 1e+20 and 1e-9 as 1e-09; people write none of these.
NOUGHTS = re.compile(r"(?<![\w.])(\d)(0{5,})\.0(?![\w.])")
EXPONENT = re.compile(r"(?<=\de)(?:\+0*|(-)0+)(?=[1-9])")
# And d ** -0.5 as d ** (-0.5).
NEGATIVE = re.compile(r"(?<=\*\* )\((-[\d.]+)\)(?![\w.(\[]| \*\*)")
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
    text = NEGATIVE.sub(r"\1", text)
    return EXPONENT.sub(r"\1", NOUGHTS.sub(lambda found: f"{found[1]}e{len(found[2])}", text))


def short(node: ast.AST, about: str = "") -> str:
    """A piece of source as a sentence quotes it: where it is long, without what the calls deep in it are given.

    about: the part that the sentence is about, which stays wherever it can.
    """
    text = written(node)
    if LONGEST_QUOTE < len(text) < LONGEST_STATEMENT:
        shorter = [(likely, text.replace(whole, less, 1)) for likely, whole, less in _abridged(node)]
        fitting = [(about in each, likely, len(each), each) for likely, each in shorter if len(each) <= LONGEST_QUOTE]
        *_, text = max(fitting, default=(text,), key=itemgetter(slice(-1)))
    return clean(text, LONGEST_QUOTE)


def _abridged(node: ast.AST, depth: int = 0) -> Iterator[tuple[float, str, str]]:
    """The calls in a piece of source, as they are written, and with one, or nothing, of what they are given.

    Before each how likely nobody misses the rest, the more the deeper it lies; what is spoken of is most often the end.
    """
    if isinstance(node, ast.Call):
        function, given = written(node.func), [*map(written, node.args), *map(written, node.keywords)]
        last = len(given) - 1
        for place, each in enumerate(given):
            kept = ", ".join(["…"] * (place > 0) + [each] + ["…"] * (place < last))
            is_end = place == last or (place == 0 and depth > 0)
            yield depth + is_end / 2, written(node), f"{function}({kept})"
        if depth:
            yield depth, written(node), f"{function}(…)"
    for child in ast.iter_child_nodes(node):
        yield from _abridged(child, depth + 1)
