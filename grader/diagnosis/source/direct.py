"""A source in its direct form: what only hands on is read as what it hands on to, wherever that stands in the file.

A class may have its methods of a base or a mixin of the same file, and a function return what another makes of its own
arguments: one in it, or a method. That is style, so whoever looks for a statement finds it as in a source without.
Every statement keeps its line.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence

from grader.model.syntax import Definition, only_says

# So often is looked for one more that hands on, each time by what the last one handed on to.
MOST_IN_A_ROW = 4
# What makes a function something else than its body.
OF_GENERATORS = (ast.Yield, ast.YieldFrom, ast.Await)
STATIC = "staticmethod"


def made_direct(tree: ast.Module) -> None:
    """Give a tree that nobody has read yet its direct form."""
    named = _times_named(tree)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in classes.values():
        for base in [each.id for each in node.bases if isinstance(each, ast.Name)]:
            given = classes.get(base)
            if given is not None and given is not node and named[base] == 1 and not given.decorator_list:
                _take_over(node, given)
    for _ in range(MOST_IN_A_ROW):
        for definition in [*tree.body]:
            if isinstance(definition, ast.ClassDef):
                for method in [*definition.body]:
                    if method in definition.body:  # and not taken over meanwhile
                        _hand_on(method, tree.body, definition.body, named)
            elif definition in tree.body:
                _hand_on(definition, tree.body, [], named)


def _times_named(tree: ast.AST) -> Mapping[str, int]:
    """How often a source calls something by each name, as a variable, an attribute or in a text."""
    times = Counter[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Name(name) | ast.Attribute(attr=name) | ast.Constant(str(name)):
                times[name] += 1
    return times


def _take_over(node: ast.ClassDef, given: ast.ClassDef) -> None:
    """Move to a class what it has of a base that no other has. What asks for its own parent stays, or all comes."""
    nothing = ast.copy_location(ast.Pass(), given)
    is_bare = all(isinstance(each, ast.Pass) or only_says(each) for each in node.body)
    if is_bare and given.bases and len(node.bases) == 1:
        node.body, node.bases, node.keywords, given.body = given.body, given.bases, given.keywords, [nothing]
        return
    own = {each.name for each in node.body if isinstance(each, Definition)}
    own |= {name for each in node.body if not isinstance(each, Definition) for name in _names_in(each)}
    moved = [
        each
        for each in given.body
        if isinstance(each, ast.FunctionDef)
        and each.name not in own
        and not (each.name.startswith("__") or each.decorator_list or "super" in _names_in(each))
    ]
    if moved:
        node.body = [*node.body, *moved]
        given.body = [each for each in given.body if each not in moved] or [nothing]


def _hand_on(function: ast.stmt, beside: list[ast.stmt], methods: list[ast.stmt], named: Mapping[str, int]) -> None:
    """Give a function the body of the one to which it does nothing but hand on its arguments.

    That stands in it, or among the methods beside it, or beside them all under a name of the file's own.
    """
    if not isinstance(function, ast.FunctionDef):
        return
    begins = next((at for at, each in enumerate(function.body) if not only_says(each)), 0)
    said, body = function.body[:begins], function.body[begins:]
    own = [each.arg for each in function.args.args]
    bound: list[str] = []
    match body:
        case [ast.FunctionDef(inner) as other, ast.Return(ast.Call(ast.Name(name), given, []))] if inner == name:
            others, among, named = [other], [], _times_named(function)
        case [ast.Return(ast.Call(ast.Name(name), given, []))] if name.startswith("_"):
            others, among = _called(name, beside), beside
        case [ast.Return(ast.Call(ast.Attribute(ast.Name(root), name), given, []))] if [root] == own[:1]:
            others, among, bound = _called(name, methods), methods, [root]
        case _:
            return
    if len(others) != 1 or named[name] != 1 or not all(isinstance(each, ast.Name) for each in given):
        return
    other = others[0]
    if other.decorator_list and among is methods and [ast.unparse(each) for each in other.decorator_list] == [STATIC]:
        bound = []
    elif other.decorator_list:
        return
    handed = [*bound, *(each.id for each in given if isinstance(each, ast.Name))]
    if other is function or not _takes(other, handed, own):
        return
    renamed = dict(zip(handed, (each.arg for each in other.args.args), strict=True))
    for each in function.args.args:
        each.arg = renamed.get(each.arg, each.arg)
    function.body = [*said, *other.body]
    if other in among:
        among.remove(other)


def _called(name: str, some: Sequence[ast.stmt]) -> list[ast.FunctionDef]:
    return [each for each in some if isinstance(each, ast.FunctionDef) and each.name == name]


def _takes(other: ast.FunctionDef, handed: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a function is handed some of another's arguments, each once, and could have that one's place."""
    arguments = other.args
    takes = [each.arg for each in arguments.args]
    is_plain = not (arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)
    if not is_plain or len(takes) != len(handed) or len({*handed}) < len(handed) or not {*handed} <= {*own}:
        return False
    # A name that stands for another thing there, or would stand for two.
    pairs = zip(handed, takes, strict=True)
    is_mixed = any(one != another and (another in own or one in _names_in(other)) for one, another in pairs)
    return not is_mixed and {*takes}.isdisjoint({*own} - {*handed}) and not _is_generator(other)


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, OF_GENERATORS) for each in ast.walk(function))


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
