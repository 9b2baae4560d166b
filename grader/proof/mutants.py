"""Small changes of a module, each by itself: what a rubric does not notice, it does not ask for.

Mutation testing, turned from a program's tests to an exercise's cases: DeMillo, Lipton and Sayward, "Hints on Test Data
Selection", 1978. A change that still earns full marks is either the same in other words, which a person has to say, or
a mistake that nobody thought of.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from grader.model import syntax

OPERATORS: Mapping[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("-",), ast.Sub: ("+",), ast.Mult: ("/", "+"), ast.Div: ("*", "-"), ast.MatMult: ("*",), ast.Pow: ("*",),
    ast.Mod: ("//",), ast.FloorDiv: ("*",), ast.BitAnd: ("|",), ast.BitOr: ("&",),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
}  # fmt: skip
# What is easily taken for one another.
SISTERS: Mapping[str, tuple[str, ...]] = {
    "triu": ("tril",), "tril": ("triu",), "ones": ("zeros",), "zeros": ("ones",), "rand": ("randn",),
    "randn": ("rand",), "max": ("min", "mean"), "min": ("max",), "sum": ("mean",), "mean": ("sum",), "var": ("std",),
    "std": ("var",), "exp": ("exp2",), "softmax": ("log_softmax", "sigmoid"), "cat": ("stack",), "stack": ("cat",),
    "masked_fill": ("masked_fill_",), "copy_": ("add_",), "bool": ("float",), "float": ("double",),
}  # fmt: skip
# What may be done to a result once more.
AFTERWARDS = (
    "({}).detach()", "(-({}))", "(({}) * 2)", "(({}) + 1e-3)", "({}).mT", "({}).flip(-1)", "({}).round(decimals=3)",
)  # fmt: skip
# Of what is longer and left as it is nothing is shown.
SHORT = 24
Located = ast.stmt | ast.expr


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change, which begins at a line. was, now: the changed piece."""

    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        was, now = (" ".join(text.split()) for text in (self.was, self.now))
        if len(was) > SHORT and was in now:
            return f"line {self.line}: {was} → {now.replace(was, '…')}"
        shorter = min(len(was), len(now))
        apart = next((at for at in range(shorter) if was[at] != now[at]), shorter)
        word = was.rfind(" ", 0, apart) + 1
        before = "… " if word > SHORT else was[:word]
        return f"line {self.line}: {before}{was[word:]} → {before}{now[word:]}"


def mutants(source: str) -> Iterator[Mutant]:
    """Every change within a module's functions, in the order of its lines, each source once."""
    code, seen, found = _Code(source), {source}, list[tuple[Located, str]]()
    for function in syntax.walk(syntax.parse(source)):
        if isinstance(function, ast.FunctionDef):
            alone = {node.value for node in ast.walk(function) if isinstance(node, ast.Expr)}
            names = sorted((syntax.stored_in(function) | syntax.arguments_in(function.args)) - {"self"})
            found += [
                (node, now)
                for node in _computing(function)
                for now in _changes(node, code.of, names, is_kept=node not in alone)
            ]
    for node, now in sorted(found, key=lambda change: (change[0].lineno, change[0].col_offset)):
        changed = code.with_changed(node, now)
        if changed not in seen and syntax.parse_if_python(changed) is not None:
            seen.add(changed)
            yield Mutant(node.lineno, code.of(node), now, changed)


class _Code:
    """A source by the places of its nodes, which Python counts in bytes."""

    def __init__(self, source: str) -> None:
        self._bytes = source.encode()
        lengths = (len(line) for line in self._bytes.splitlines(keepends=True))
        self._begins = [0, *accumulate(lengths)]

    def of(self, node: Located) -> str:
        begin, end = self._span(node)
        return self._bytes[begin:end].decode()

    def with_changed(self, node: Located, now: str) -> str:
        """The source with something else in the place of a node; the lines below stay where they are."""
        begin, end = self._span(node)
        lines = self._bytes[begin:end].count(b"\n") - now.count("\n")
        return (self._bytes[:begin] + now.encode() + b"\n" * lines + self._bytes[end:]).decode()

    def _span(self, node: Located) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None  # as in everything that was parsed
        return self._begins[node.lineno - 1] + node.col_offset, self._begins[node.end_lineno - 1] + node.end_col_offset


def _computing(function: ast.FunctionDef) -> Iterator[Located]:
    """The statements and expressions of a function that do something: no docstring, no type."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.stmt | ast.expr):
            yield node
        described = {getattr(node, field, None) for field in ("annotation", "returns")}
        waiting += [each for each in ast.iter_child_nodes(node) if each not in described]


def _changes(node: Located, of: Callable[[ast.expr], str], names: Sequence[str], *, is_kept: bool) -> Iterator[str]:
    """What may stand in the place of a node.

    of: the source of an expression. names: of the function's variables. is_kept: whether its result is used.
    """
    match node:
        case ast.Return(value) if value is not None:
            yield of(value)
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            yield from ("pass", of(value))
        case ast.Expr():
            yield "pass"
        case ast.Name(name, ast.Load()) if name in names:
            yield from (other for other in names if other != name)
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value)):
            yield from map(str, (value + 1, value - 1, -value))
        case ast.Constant(float(value)):
            yield from map(repr, (value * 2, -value, 0.0))
        case ast.BinOp(left, operator, right):
            one, other = f"({of(left)})", f"({of(right)})"
            yield from (f"{one} {sign} {other}" for sign in OPERATORS.get(type(operator), ()))
            yield from (one, other)
            yield from _once_more(of(node))
        case ast.Compare(left, [operator], [right]):
            yield from (f"{of(left)} {sign} {of(right)}" for sign in OPERATORS.get(type(operator), ()))
        case ast.UnaryOp(operand=operand):
            yield of(operand)
        case ast.Subscript(value, ctx=ast.Load()):
            yield of(value)
        case ast.Attribute(value, name, ast.Load()):
            yield from (f"{of(value)}.{sister}" for sister in SISTERS.get(name, ()))
            yield from (of(value),) if name in ("T", "mT") else ()
        case ast.Call() if of(node.func) != "super":
            yield from _of_call(node, of)
            yield from _once_more(of(node)) if is_kept else ()


def _of_call(call: ast.Call, of: Callable[[ast.expr], str]) -> Iterator[str]:
    """A call left out, with less, or with its arguments exchanged."""
    given = [of(each) for each in call.args]
    named = [f"{each.arg}={of(each.value)}" if each.arg else f"**{of(each.value)}" for each in call.keywords]
    if isinstance(call.func, ast.Attribute):
        yield of(call.func.value)
    yield from given[:1]
    fewer = [[*given[:-1], *named]] if given else []
    fewer += [[*given, *named[:at], *named[at + 1 :]] for at in range(len(named))]
    fewer += [[*given[:at], given[at + 1], given[at], *given[at + 2 :], *named] for at in range(len(given) - 1)]
    yield from (f"{of(call.func)}({', '.join(each)})" for each in fewer)


def _once_more(code: str) -> Iterator[str]:
    yield from (form.format(code) for form in AFTERWARDS)
