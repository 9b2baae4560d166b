"""Reads in a solution what a definition calls, what runs then, where it reads what was made, and others' names."""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence

from grader.diagnosis.source.used import nodes_of
from grader.model.pack import Exercise
from grader.model.syntax import Definition, dotted, holds, walk


def called(tree: ast.Module, of: str) -> set[str]:
    """What a definition calls, by itself or through the module's own functions and classes, as it is written there."""
    if all(node.name != of for node in tree.body if isinstance(node, Definition)):
        return set()
    return {dotted(node.func) for node in nodes_of(tree, of) if isinstance(node, ast.Call)} - {""}


def imported(tree: ast.Module, exercises: Mapping[str, Exercise]) -> Iterator[tuple[str, str, str]]:
    """The definitions that come from other exercises: what each is called here, its exercise's id, and its name there.

    exercises: by id. A name that means something else anywhere in the file is left out; after a star import any may,
    but for those that it brings itself.
    """
    given = meanings(tree)
    if given["*"]:
        yield from _brought_by_star(tree, exercises, given)
        return
    for node in tree.body:
        for here, module, there in _brought(node, exercises):
            if given[here.partition(".")[0]] == 1:
                yield here, module, there


def _brought_by_star(
    tree: ast.Module, exercises: Mapping[str, Exercise], given: Counter[str]
) -> Iterator[tuple[str, str, str]]:
    """What the only star import of a file brings, where that is of another exercise; of several each may hide it."""
    stars = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    origin = (stars[0].module or "").rpartition(".")[2] if len(stars) == given["*"] == 1 else ""
    if origin in exercises:
        yield from ((name, origin, name) for name in exercises[origin].definitions if not given[name])


def meanings(tree: ast.Module) -> Counter[str]:
    """How often each name is given a meaning in a file; a star import has one of its own."""
    found: Counter[str] = Counter()
    for node in walk(tree):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                found[name] += 1
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name) | ast.MatchAs(name=str(name)):
                found[name] += 1
            case ast.alias(name, other):
                found[other or name.partition(".")[0]] += 1
    return found


def _brought(node: ast.stmt, exercises: Mapping[str, Exercise]) -> Iterator[tuple[str, str, str]]:
    """What one import brings of other exercises, in those three words."""
    for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
        module, here = alias.name.rpartition(".")[2], alias.asname or alias.name
        origin = (node.module or "").rpartition(".")[2] if isinstance(node, ast.ImportFrom) else ""
        if origin in exercises:
            yield here, origin, alias.name
        elif module in exercises:
            yield from ((f"{here}.{name}", module, name) for name in exercises[module].definitions)


def when_called(tree: ast.Module, of: str) -> Iterator[ast.AST]:
    """All of a function, or a class's `forward`, and of those of the file that these name; not what makes an object."""
    every = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of)]
    nodes = (node for some in every for node in walk(some))  # last the methods of its own
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    waiting, seen = deque([of if of in functions else "forward"]), {"__init__"}
    while waiting:
        name = waiting.popleft()
        if name in functions and name not in seen:
            seen.add(name)
            yield from walk(functions[name])
            for node in walk(functions[name]):
                match node:
                    case ast.Name(other) | ast.Attribute(attr=other):
                        waiting.append(other)


def lines_reading(own: Sequence[ast.AST], making: set[int]) -> set[int]:
    """The lines that read a name which is given a value in some lines of a definition."""
    names = [node for each in own for node in walk(each) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store) and node.lineno in making}
    return {node.lineno for node in names if isinstance(node.ctx, ast.Load) and node.id in made}


def lines_reading_kept(own: Sequence[ast.AST], making: set[int]) -> set[int]:
    """The lines that read an attribute in which some lines of a definition keep what they make, such as heads."""
    nodes = [node for each in own for node in walk(each)]
    given = [node for node in nodes if isinstance(node, ast.Assign) and any(holds(node, line) for line in making)]
    kept = {dotted(target) for node in given for target in node.targets if isinstance(target, ast.Attribute)}
    attributes = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
    return {node.lineno for node in attributes if dotted(node) in kept - {""}}
