"""Where layers get a bias that nobody asked for, or lack the one that was asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence

from grader.diagnosis.places.layers import OUTPUT, kept, layers
from grader.diagnosis.places.statements import (
    Statement,
    bare_name,
    first,
    handing,
    methods,
    outside_init,
    statements_of,
)
from grader.diagnosis.places.texts import written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import read_in, walk

ASKED = "qkv_bias"
# What decides whether a layer has a bias, the surest first. What is handed on as it comes is decided of elsewhere.
A_SWITCH, ITSELF, ITS_DEFAULT, A_CONDITION, ANOTHER = range(5)
# Nobody hands a switch through more; each is looked for in all statements, and so is what each layer is given.
MOST_NAMES = 5
MOST_LAYERS = 100


def always(tree: ast.Module, of: str, about: str) -> int:
    """The line that gives a layer its bias whatever is asked for; 0 for none. about: the slot of the bias, if known."""
    is_certain, line = _decisive(tree, of, about, on=True)
    asking = _on_by_default(tree, of)
    return line if is_certain else asking.get(ASKED, line)


def ignored(tree: ast.Module, of: str, about: str) -> int:
    """The line where layers are made, or taken, without the bias that is asked for; 0 for none. about: its slot."""
    is_certain, line = _decisive(tree, of, about, on=False)
    statements = statements_of(tree, of)
    taken = first(outside_init(statements), r"^(?!.*\.bias).*\.weight\b")
    found = None if is_certain else taken or first(statements, r"^self\.\w+ = (\w+\.)*Parameter\(")
    return found.line if found else line


def _decisive(tree: ast.Module, of: str, about: str, on: bool) -> tuple[bool, int]:
    """Whether something decides that a layer has a bias, or none, with its line; else the line of a layer, or 0."""
    statements, conditions = statements_of(tree, of), _conditions(tree, of, on)
    every = layers(statements)[:MOST_LAYERS]
    # The layer that joins the heads may have one or not.
    joining = [given for each in every if each.joins and (given := _given(each.call, statements))]
    right = {bare_name(written(given)) for given in joining} - {ASKED}
    asking = {name: line for name, line in _on_by_default(tree, of).items() if on and name not in right}
    others = [each for each in every if not each.joins] or ([] if about else every)
    found = []
    for each in [o for o in others if o.part_of(about) >= 0] or [o for o in others if not o.is_weight]:
        condition = conditions.get(id(each.call))
        given = condition or _given(each.call, statements)
        by, line = ITS_DEFAULT if each.has_bias is on else ANOTHER, each.call.lineno
        if given:
            by, line = _decided(given, statements, right, asking, on)
        by = A_CONDITION if condition and by == ITSELF else by
        found.append(((by == ANOTHER, -each.part_of(about), each.keeps_width, by), line))
    (is_elsewhere, *_), line = min(found, key=lambda each: each[0], default=((True, 0, False, 0), 0))
    calling = [s for s in statements if is_elsewhere and not OUTPUT.search(s.target)]
    handed = handing(calling, "bias", rf"^(?!(\w*bias|{'False|None' if on else 'True'})$).")
    return handed is not None or not is_elsewhere, handed.line if handed else line


def _given(call: ast.Call, statements: Sequence[Statement]) -> ast.expr | None:
    """What a call is given for a bias, be it in a dictionary; None for nothing."""
    for keyword in call.keywords:
        if keyword.arg is not None and "bias" in keyword.arg:
            return keyword.value
        name = re.escape(written(keyword.value))
        if keyword.arg is None and (made := _before(call.lineno, rf"{name}\b.*bias", statements)):
            return next((each for name, each in kept(made.node) if "bias" in name and isinstance(each, ast.expr)), None)
    return next((each for each in call.args if re.search("bias|^(True|False)$", written(each))), None)


def _before(line: int, pattern: str, statements: Sequence[Statement]) -> Statement | None:
    """The last statement before a line that begins with something, and gives a value to it."""
    having = (s for s in statements if s.line < line and isinstance(getattr(s.node, "value", None), ast.expr))
    alike = [s for s in having if re.match(pattern, s.text)]
    return max(alike, key=lambda s: s.line, default=None)


def _decided(
    given: ast.expr, statements: Sequence[Statement], right: Collection[str], asking: Mapping[str, int], on: bool
) -> tuple[int, int]:
    """What decides that a bias is on, or is not, and its line, by what a layer is given.

    right: switches that may be so. asking: arguments that ask for it where nobody does, with their lines.
    """
    by, line = ITSELF, given.lineno
    for _ in range(MOST_NAMES):
        if not isinstance(given, ast.Name | ast.Attribute):
            break
        name = bare_name(written(given))
        made = _before(line, rf"(self\.)?{re.escape(name)}\b[^=(]*= ", statements)
        if name in right and not (made and ASKED in made.value):
            break
        if made is None:
            by = ANOTHER
            break
        by, line, given = A_SWITCH, made.line, getattr(made.node, "value", given)
    if switches := read_in(given) & asking.keys():
        return A_SWITCH, asking[min(switches)]
    is_otherwise = isinstance(given, ast.Constant) and bool(given.value) is not on
    return ANOTHER if is_otherwise else by, line


def _conditions(tree: ast.Module, of: str, on: bool) -> dict[int, ast.expr]:
    """Every piece of source that is there if biases are asked for, or if not, by its id, with the condition."""
    found: dict[int, ast.expr] = {}
    for node in nodes_of(tree, of):
        if isinstance(node, ast.If | ast.IfExp) and "bias" in written(node.test):
            test, is_not = _switch(node.test)
            branch = node.orelse if on is is_not else node.body
            parts = branch if isinstance(branch, list) else [branch]
            found |= {id(inner): test for part in parts for inner in walk(part)}
    return found


def _switch(test: ast.expr) -> tuple[ast.expr, bool]:
    """What a condition is about, and whether it holds where that is off: `not b` and `b == False` do."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner, is_not = _switch(test.operand)
        return inner, not is_not
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant(value=bool() as value)]):
            return left, not value
        case ast.Compare(left=left, ops=[ast.NotEq() | ast.IsNot()], comparators=[ast.Constant(value=bool() as value)]):
            return left, value
        case _:
            return test, False


def _on_by_default(tree: ast.Module, of: str) -> dict[str, int]:
    """The arguments of a class that ask for biases where nobody does, with their lines."""
    found = {}
    for init in methods(tree, of, "__init__"):
        given = [*init.args.posonlyargs, *init.args.args]
        positional = zip(given[len(given) - len(init.args.defaults) :], init.args.defaults, strict=True)
        for argument, default in [*positional, *zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True)]:
            if "bias" in argument.arg and isinstance(default, ast.Constant) and default.value is True:
                found[argument.arg] = argument.lineno
    return found
