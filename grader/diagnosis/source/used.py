"""What a definition of a file is, with whatever else of the file it makes use of."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from grader.model.syntax import Definition, read_in, walk


@lru_cache(maxsize=4)
def definitions_of(tree: ast.Module, of: str) -> tuple[Definition, ...]:
    """A definition, then the functions and classes of the file that it makes use of; all where there is none.

    Of a name that is given a lambda or the like, as in `softmax = partial(normalise, dim=-1)`, what that makes use of.
    """
    definitions = {node.name: node for node in tree.body if isinstance(node, Definition)}
    place = {name: number for number, name in enumerate(definitions)}
    if of in definitions:
        waiting = deque([of])
    elif given := [*given_to(tree, of)]:
        named = {name for value in given for name in read_in(value)}
        waiting = deque(sorted(named & definitions.keys(), key=place.__getitem__))
    else:
        waiting = deque(definitions)
    seen: dict[str, Definition] = {}
    while waiting:
        name = waiting.popleft()
        if name not in seen:
            seen[name] = definitions[name]
            used = {node.id for node in walk(definitions[name]) if isinstance(node, ast.Name)}
            waiting += sorted(used & definitions.keys(), key=place.__getitem__)
    return tuple(seen.values())


def nodes_of(tree: ast.Module, of: str) -> Iterator[ast.AST]:
    """All that a definition, and what it makes use of, is written in."""
    for definition in definitions_of(tree, of):
        yield from walk(definition)


def given_to(tree: ast.Module, of: str) -> Iterator[ast.expr]:
    """What a name is given at the top of a file that is neither a function nor a class there.

    Then what the names in that are given.
    """
    definitions = {node.name for node in tree.body if isinstance(node, Definition)}
    given = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    waiting = [] if of in definitions else [of]
    while waiting:
        if (value := given.pop(waiting.pop(0), None)) is not None:
            yield value
            waiting += sorted(read_in(value) & given.keys())
