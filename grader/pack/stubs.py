"""Functions and classes with their signatures, as rubrics state them and as stubs define them; nothing is executed.

Grading goes by the rubric alone: a stub is what students write into, and may be anything.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from grader.model import syntax
from grader.model.errors import PackError
from grader.model.pack import Definition


def parse_signature(name: str, text: str) -> Definition:
    """A definition from a rubric's words: "(queries, keys)", or "class (d_in, d_out, qkv_bias=False)".

    Raises PackError where it is no signature.
    """
    signature = text.removeprefix("class ")
    try:
        (node,) = syntax.parse(f"def {name}{signature}: ...").body
    except (SyntaxError, ValueError):
        raise PackError(f"{text!r} is no signature") from None
    assert isinstance(node, ast.FunctionDef)
    return _definition(name, node.args, is_class=text != signature)


def definitions(path: Path) -> Mapping[str, Definition]:
    """The public functions and classes of a stub module. Raises PackError where it is no UTF-8, or does not parse."""
    try:
        tree = syntax.parse(path.read_text("utf-8"), path.name)
    except SyntaxError as error:
        raise PackError(f"{path.name}:{error.lineno}:{error.offset}: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise PackError(f"{path.name} is not saved as UTF-8 (byte {error.start}): save the stub as that") from None
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = _definition(node.name, node.args, is_class=False)
        elif isinstance(node, ast.ClassDef):
            init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
            if init is not None:
                found[node.name] = _definition(node.name, init.args, is_class=True)
    return found


def _definition(name: str, arguments: ast.arguments, *, is_class: bool) -> Definition:
    """Names, order and defaults; annotations are left out, since no student is asked for them."""
    own = [argument for argument in arguments.args if argument.arg != "self"]
    defaults = [None] * (len(own) - len(arguments.defaults)) + [ast.unparse(d) for d in arguments.defaults]
    shown = [a.arg if d is None else f"{a.arg}={d}" for a, d in zip(own, defaults, strict=True)]
    return Definition(name, f"({', '.join(shown)})", tuple(argument.arg for argument in own), is_class)
