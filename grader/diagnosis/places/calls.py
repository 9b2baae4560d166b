"""What functions of a file are called with, by the names of their parameters, and when what they do is done."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from grader.diagnosis.places.texts import written
from grader.model.syntax import walk

T = TypeVar("T")
# Each parameter of a function, `self` aside, with its default as it is written; "" for none.
Signature = Mapping[str, str]
TORCHS: Mapping[str, Signature] = {
    "scaled_dot_product_attention": {"query": "", "key": "", "value": "", "attn_mask": "None", "dropout_p": "0.0"},
}


def signatures(nodes: Iterable[ast.AST]) -> dict[str, Signature]:
    """The functions and methods among some nodes, and the classes, by their constructors."""
    found = {}
    for node in nodes:
        match node:
            case ast.FunctionDef(name, given):
                found[name] = _signature(given)
            case ast.ClassDef(name, body=body) if (init := signatures(body).get("__init__")) is not None:
                found[name] = init
    return found


def _signature(given: ast.arguments) -> Signature:
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    of_the_last = [None] * (len(given.posonlyargs + given.args) - len(given.defaults)) + given.defaults
    defaults = [written(each) if each is not None else "" for each in (*of_the_last, *given.kw_defaults)]
    return {each.arg: default for each, default in zip(every, defaults, strict=True) if each.arg != "self"}


def handed_over(statement: ast.AST, called: Mapping[str, Signature]) -> Iterator[tuple[str, str]]:
    """Each parameter of what a statement calls, with what it is given there, or its default.

    called: functions, methods and classes by their names, and what the class is derived from as `super`.
    """
    for node in walk(statement):
        match node:
            case ast.Call(
                ast.Name(name)
                | ast.Attribute(ast.Name("self"), name)
                | ast.Attribute(ast.Call(ast.Name("super" as name)), "__init__"),
                given,
                named,
            ) if name in called:
                yield from _bound(called[name], given, named)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), given, named) if name in TORCHS:
                yield from _bound(TORCHS[name], given, named)


def _bound(parameters: Signature, given: Sequence[ast.expr], named: Sequence[ast.keyword]) -> Iterator[tuple[str, str]]:
    is_plain = not any(isinstance(each, ast.Starred) for each in given) and all(each.arg for each in named)
    if is_plain and len(given) <= len(parameters):
        by_place = dict(zip(parameters, map(written, given), strict=False))
        yield from {**parameters, **by_place, **{each.arg or "": written(each.value) for each in named}}.items()


def as_they_run(parts: Mapping[str, Sequence[T]], calls: Callable[[T], Sequence[str]]) -> Iterator[T]:
    """What several functions do, in the order in which it is done, wherever each stands.

    parts: what each does, by its name. What one of these calls comes right before it, at the first call; what nobody
    calls is in the order of its names.
    """
    left = dict(parts)
    for name in parts:
        waiting = [(each, False) for each in reversed(left.pop(name, ()))]
        while waiting:
            part, is_next = waiting.pop()
            if is_next:
                yield part
                continue
            waiting.append((part, True))
            called = [each for other in calls(part) for each in left.pop(other, ())]
            waiting += [(each, False) for each in reversed(called)]
