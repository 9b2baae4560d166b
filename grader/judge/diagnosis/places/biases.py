"""Where layers get a bias that nobody asked for, or lack the one that was asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from grader.judge.diagnosis.places.heads import layer
from grader.judge.diagnosis.places.statements import OUTPUT, Statement, first, methods, outside_init, simple

# A variable that decides of biases, and is given what switches them on.
SWITCHED_ON = re.compile(r"^(\w*bias\w*) = (True|not \w+|.* or True|True or .*)$")


def always(statements: Sequence[Statement]) -> Statement | None:
    """Where layers are made with a bias whatever is asked for."""
    layers = [s for s in statements if not OUTPUT.search(s.target)]  # the one that joins the heads may have one
    return (
        _switched_on(layers)
        or first(layers, r"bias=True|=not \w|Linear\(.*True\)|Attention\(.*True\)")
        or first(layers, r"Linear\((?!.*bias)")
        or layer(layers)
    )


def _switched_on(statements: Sequence[Statement]) -> Statement | None:
    """Where a variable is switched on that decides of biases."""
    for s in statements:
        if switched := SWITCHED_ON.search(s.text):
            taken = re.compile(rf"(Linear|Attention)\(.*\b{switched[1]}\b")
            if any(taken.search(other.text) for other in statements if other.line > s.line):
                return s
    return None


def ignored(statements: Sequence[Statement]) -> Statement | None:
    """Where layers are made, or taken, without the bias that is asked for."""
    return (
        first(statements, r"bias=False|False\)|=not \w")
        or first(outside_init(statements), r"^(?!.*\.bias).*\.weight\b")
        or first(statements, r"^self\.\w+ = (\w+\.)*Parameter\(")
        or layer(statements)
    )


def bias_by_default(tree: ast.Module, of: str) -> int:
    """The line of a class's argument that asks for biases of the projections where nobody does; 0 where it has none."""
    for init in methods(tree, of, "__init__"):
        given = [*init.args.posonlyargs, *init.args.args]
        positional = zip(given[len(given) - len(init.args.defaults) :], init.args.defaults, strict=True)
        for argument, default in [*positional, *zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True)]:
            is_on = isinstance(default, ast.Constant) and default.value is True
            if "bias" in argument.arg and is_on and not _is_of_the_output(argument.arg, init):
                return argument.lineno
    return 0


def _is_of_the_output(argument: str, init: ast.FunctionDef) -> bool:
    """Whether an argument is for the layer alone that joins the heads, which may have a bias."""
    taken = [s.target for s in simple(init) if s.target and re.search(rf"\b{re.escape(argument)}\b", s.value)]
    return bool(taken) and all(OUTPUT.search(target) for target in taken)
