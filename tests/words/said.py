"""Every place in the source, and in the templates of pages, where a text of the catalogue is said."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from jinja2 import Environment, nodes

from tests.end_to_end.submissions import ROOT

GRADER = ROOT / "grader"
SAY = {"say", "saying", "heard"}
KEY = re.compile(r"[a-z]+(\.[a-z-]+)+")


@dataclass(frozen=True)
class Said:
    """key: or the beginning of several, where a part of it is not known before it is said. fields: None for `heard` and
    where they cannot be read off the source."""

    where: str
    key: str
    is_prefix: bool
    fields: frozenset[str] | None


def everything() -> Iterator[Said]:
    """All that the grader says."""
    for file in sorted(GRADER.rglob("*.py")):
        if file.parent.name != "words" or file.parent.parent != GRADER:
            yield from _of_source(file)
    for file in sorted(GRADER.rglob("*.j2")):
        yield from _of_template(file)


def fields_of(text: str) -> list[str]:
    """The fields of a text, as often as they stand there."""
    return sorted(field for _, field, _, _ in Formatter().parse(text) if field is not None)


def _of_source(file: Path) -> Iterator[Said]:
    tree = ast.parse(file.read_text("utf-8"))
    listed = _listed(tree)
    for call, scope in _calls(tree, tree):
        yield from _of_call(call, _dictionaries(scope), listed, f"{file.relative_to(ROOT)}:{call.lineno}")


def _calls(node: ast.AST, scope: ast.AST) -> Iterator[tuple[ast.Call, ast.AST]]:
    """Each call that says something, and the function, or the module, that it stands in."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAY:
        yield node, scope
    inside = node if isinstance(node, ast.FunctionDef) else scope
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, inside)


def _dictionaries(scope: ast.AST) -> Mapping[str, set[str]]:
    """The keys of dictionaries that are written out, by the names of the variables that hold them."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            keys = {str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)}
            found |= {target.id: keys for target in node.targets if isinstance(target, ast.Name)}
    return found


def _listed(tree: ast.Module) -> list[str]:
    """The keys in tuples and in the places of dictionaries that hold nothing but keys, which are gone through."""
    rows = [
        node.elts if isinstance(node, ast.Tuple) else node.keys
        for node in ast.walk(tree)
        if isinstance(node, ast.Tuple | ast.Dict)
    ]
    tuples = [[getattr(each, "value", "") for each in row] for row in rows]
    return [key for keys in tuples if all(KEY.fullmatch(str(key)) for key in keys) for key in keys]


def _of_call(call: ast.Call, known: Mapping[str, set[str]], listed: list[str], where: str) -> Iterator[Said]:
    fields: set[str] | None = set()
    for keyword in call.keywords:
        if keyword.arg is not None:
            fields = fields if fields is None else fields | {keyword.arg}
        else:
            more = known.get(keyword.value.id) if isinstance(keyword.value, ast.Name) else None
            fields = None if fields is None or more is None else fields | more
    assert isinstance(call.func, ast.Name)
    is_heard = call.func.id == "heard"
    for key, is_prefix in _keys(call.args[0], listed, where):
        yield Said(where, key, is_prefix, None if is_heard or fields is None else frozenset(fields))


def _keys(key: ast.expr, listed: list[str], where: str) -> Iterator[tuple[str, bool]]:
    match key:
        case ast.Constant(value=str(text)):
            yield text, False
        case ast.IfExp(body=one, orelse=other):
            yield from _keys(one, listed, where)
            yield from _keys(other, listed, where)
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), ast.FormattedValue()]) if text.endswith("."):
            yield text, True
        case ast.Name() if listed:  # a loop over keys
            yield from ((text, False) for text in listed)
        case _:
            raise AssertionError(f"{where}: a key has to be written out, so that it can be looked for")


def _of_template(file: Path) -> Iterator[Said]:
    for call in Environment().parse(file.read_text("utf-8")).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "say":
            key, where = call.args[0], f"{file.relative_to(ROOT)}:{call.lineno}"
            first = key.nodes[0] if isinstance(key, nodes.Concat) else key
            assert isinstance(first, nodes.Const), where
            fields = frozenset(keyword.key for keyword in call.kwargs)
            yield Said(where, str(first.value), isinstance(key, nodes.Concat), fields)


def pieces_of(text: str) -> list[str]:
    """What a text has between its fields."""
    return [literal for literal, _, _, _ in Formatter().parse(text) if literal]
