"""The line of a known mistake: the statement a teacher would point at, found in the student's source.

Which mistake it is has been decided by then, by what came back; here the source is only searched for the place. Each
mistake says what its statement looks like; where nothing does, the line is not known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

PRODUCT = re.compile(
    r"@|matmul|einsum|\bbmm|\bmm\(|\.dot\(|\.mv\(|baddbmm|inner\(|tensordot|torch\.sum\(.*\*|\(.* \* .*\)\.sum"
)
SOFTMAX = re.compile(r"softmax\(|Softmax\(|\bexp\(|\.exp\(|exp_\(|torch\.exp")
ROOT = re.compile(r"sqrt|\*\* ?-?\(?(0?\.5|1 / 2)|math\.pow")
MASKING = re.compile(
    r"masked_fill|where\(|tril|triu|\* .*(mask|allowed|keep|visible|past|causal|simple|bias)|mask.* \*|\[.*\] = "
)
MASK_MADE = re.compile(r"tril|triu|arange|positions?\b.*[<>]|\[.*:.*\] = (True|1)|[<>]=? ")
DROPOUT = re.compile(r"drop|bernoulli|rand")
ROLES = {
    "query": re.compile(r"quer|(?<![a-z])q(?![a-z])|_q\b|\bq_|\bQ\b"),
    "key": re.compile(r"key|(?<![a-z])k(?![a-z])|_k\b|\bk_|\bK\b"),
    "value": re.compile(r"val|(?<![a-z])v(?![a-z])|_v\b|\bv_|\bV\b"),
}
IN_PLACE = re.compile(r"\w_\(|\] = ")


# What is longer nobody writes, and to search it could take for ever.
LONGEST_STATEMENT = 300


def written(node: ast.AST) -> str:
    """A piece of source as Python would write it, cut where it is long; nothing where it is nested too deeply."""
    try:
        return ast.unparse(node)[:LONGEST_STATEMENT]
    except (RecursionError, ValueError):
        return ""


@dataclass(frozen=True)
class Statement:
    """A simple statement of the source. text: as Python would write it. target: what it is assigned to."""

    line: int
    text: str
    target: str
    function: str
    is_return: bool

    @cached_property
    def value(self) -> str:
        """The text without the target."""
        return self.text.partition(" = ")[2] if self.target else self.text


def culprit(tree: ast.Module, of: str, mistake: str) -> int:
    """The line of a mistake in a definition; 0 where nothing looks like it."""
    if mistake == "returns-none":
        return _last_line(tree, of)
    finder = FINDERS.get(mistake)
    statements = list(_statements(tree, of))
    found = finder(statements) if finder else None
    return found.line if found else 0


def _last_line(tree: ast.Module, of: str) -> int:
    """Where a function, or a class's `forward`, ends without handing anything back."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of]
    own = [node for node in (classes[0].body if classes else functions) if isinstance(node, ast.FunctionDef)]
    function = next((node for node in own if node.name in (of, "forward")), None)
    return max((statement.line for statement in _simple(function)), default=0) if function else 0


def _statements(tree: ast.Module, of: str) -> Iterator[Statement]:
    """The simple statements of a definition, then those of the module's other functions and classes."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    definitions = [node for node in tree.body if isinstance(node, kinds)]
    for definition in sorted(definitions, key=lambda node: node.name != of):
        functions = [node for node in ast.walk(definition) if isinstance(node, ast.FunctionDef)]
        for function in sorted(functions, key=lambda node: node.lineno):
            yield from sorted(_simple(function), key=lambda statement: statement.line)
        if definition.name == of and isinstance(definition, ast.FunctionDef):
            others = {node.name for node in definitions} & {
                node.id for node in ast.walk(definition) if isinstance(node, ast.Name)
            }
            if not others:
                return


def _simple(function: ast.FunctionDef) -> Iterator[Statement]:
    waiting: list[ast.stmt] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        inner = [part for name in ("body", "orelse", "finalbody") for part in getattr(node, name, [])]
        waiting += inner
        if inner:
            continue
        target = ""
        if isinstance(node, ast.Assign):
            target = written(node.targets[0])
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            target = written(node.target)
        yield Statement(node.lineno, written(node), target, function.name, isinstance(node, ast.Return))


Finder = Callable[[Sequence[Statement]], Statement | None]


def _first(statements: Sequence[Statement], pattern: re.Pattern[str] | str) -> Statement | None:
    return next((s for s in statements if re.search(pattern, s.text)), None)


def _last(statements: Sequence[Statement], pattern: re.Pattern[str] | str) -> Statement | None:
    return _first(list(reversed(statements)), pattern)


def _softmax(statements: Sequence[Statement]) -> int:
    """The position of the first softmax, or of the end."""
    return next((i for i, s in enumerate(statements) if SOFTMAX.search(s.text)), len(statements))


def _product(statements: Sequence[Statement]) -> int:
    """The position of the statement that multiplies queries and keys: the last product up to softmax, or -1.

    Where there is no softmax, the last product but one.
    """
    end = _softmax(statements)
    products = [i for i, s in enumerate(statements[: end + 1]) if PRODUCT.search(s.text)]
    if end == len(statements):
        products = products[:-1] or products
    return products[-1] if products else -1


def _name(target: str) -> str:
    return target.split("[")[0].removeprefix("self.")


def _scaling(statements: Sequence[Statement]) -> Statement | None:
    """Where the scores are scaled: a root, else a division between product and softmax, else any."""
    rooted = [s for s in statements if ROOT.search(s.text)]
    if rooted:
        return rooted[0]
    start, end = max(_product(statements), 0), _softmax(statements)
    near = statements[start : end + 1]
    return (
        _first(near, r" / | /= |div\(|mul\(")
        or _first(statements, r" / | /= |div\(|scale|mul\(")
        or _first(near, r" \* ")
    )


def _first_use_of_scores(statements: Sequence[Statement]) -> Statement | None:
    """The statement that takes the scores as they are: after the product, or the product's own."""
    position = _product(statements)
    if position < 0:
        return _first(statements, SOFTMAX) or _first(statements, MASKING)
    product = statements[position]
    name = _name(product.target)
    if not name or SOFTMAX.search(product.text):
        return product
    return next((s for s in statements[position + 1 :] if re.search(rf"\b{re.escape(name)}\b", s.value)), product)


def _values_blended(statements: Sequence[Statement]) -> Statement | None:
    """Where the values are blended: the first product after softmax, else the last."""
    end = _softmax(statements)
    return _first(statements[end + 1 :], PRODUCT) or _last(statements, PRODUCT)


def _second_softmax(statements: Sequence[Statement]) -> Statement | None:
    found = [s for s in statements if re.search(r"softmax\(|Softmax", s.text)]
    if len(found) > 1:
        return found[1]
    return found[0] if found else _first(statements, SOFTMAX)


def _role(text: str) -> str:
    """The role that a text speaks of, where it speaks of one alone."""
    roles = [role for role, pattern in ROLES.items() if pattern.search(text)]
    return roles[0] if len(roles) == 1 else ""


def _exchanged(statements: Sequence[Statement]) -> Statement | None:
    """The first statement that makes one role by another's layer; else the product of queries and keys."""
    for statement in statements:
        made, by = _role(statement.target), _role(re.sub(r"\b(x|inputs)\b", "", statement.value))
        if made and by and made != by and statement.function != "__init__":
            return statement
    position = _product(statements)
    return statements[position] if position >= 0 else None


def _reused(statements: Sequence[Statement]) -> Statement | None:
    for statement in statements:
        made, by = _role(statement.target), _role(re.sub(r"\b(x|inputs)\b", "", statement.value))
        if made and by and made != by and statement.function != "__init__":
            return statement
    blended = _values_blended(statements)
    if blended is not None and ROLES["key"].search(blended.value) and not ROLES["value"].search(blended.value):
        return blended
    position = _product(statements)
    return statements[position] if position >= 0 else None


def _mask_made(statements: Sequence[Statement]) -> Statement | None:
    return _first(statements, r"tril|triu") or _first(statements, MASK_MADE) or _first(statements, MASKING)


def _after_softmax(statements: Sequence[Statement]) -> Statement | None:
    end = _softmax(statements)
    return _first(statements[end + 1 :], MASKING) or _first(statements[end:], MASKING)


def _zero_filled(statements: Sequence[Statement]) -> Statement | None:
    within = statements[max(_product(statements), 0) : _softmax(statements) + 1]
    return (
        _first(within, r"masked_fill|where\(") or _first(within, r"tril\(|triu\(| \* | \*= ") or _first(within, MASKING)
    )


def _survivors(statements: Sequence[Statement]) -> Statement | None:
    """Where what is not dropped is kept: the first use of a mask that was drawn, else the dropout itself."""
    own = _outside_init(statements)
    drawn = next((i for i, s in enumerate(own) if re.search(r"rand|bernoulli", s.text)), len(own))
    return _first(own[drawn:], r" \* |\*= |where\(|masked_fill|\] = ") or _last(own, DROPOUT)


def _layer(statements: Sequence[Statement]) -> Statement | None:
    """Where the first layer, or head, is made."""
    return _first(statements, r"Linear\(") or _first(statements, r"Attention\w*\(|Head\w*\(")


def _outside_init(statements: Sequence[Statement]) -> list[Statement]:
    return [s for s in statements if s.function != "__init__"]


FINDERS: Mapping[str, Finder] = {
    "scale-missing": _first_use_of_scores,
    "scale-no-sqrt": _scaling,
    "scale-wrong-width": _scaling,
    "scale-inverted": _scaling,
    "softmax-missing": lambda s: _values_blended(s),
    "softmax-wrong-axis": lambda s: _first(s, SOFTMAX),
    "softmax-twice": _second_softmax,
    "mask-missing": lambda s: _first(s, SOFTMAX),
    "mask-inverted": _mask_made,
    "mask-diagonal": _mask_made,
    "mask-after-softmax": _after_softmax,
    "mask-zero-fill": _zero_filled,
    "query-key-swapped": _exchanged,
    "projection-reused": _reused,
    "values-unprojected": lambda s: _values_blended(s),
    "weights-transposed": lambda s: _first(s, r"\.T\b|\.t\(\)|\.mT|transpose|weight"),
    "heads-not-transposed": lambda s: _first(_outside_init(s), r"view\(|reshape\(|unflatten\("),
    "merge-not-transposed": lambda s: _last(_outside_init(s), r"view\(|reshape\(|flatten\("),
    "heads-summed": lambda s: _first(_outside_init(s), r"sum\(|mean\(|\+=|reduce\(| \+ "),
    "heads-wrong-axis": lambda s: _last(_outside_init(s), r"cat\(|stack\(|flatten\(|view\(|reshape\("),
    "heads-unregistered": lambda s: _first(s, r"^self\.\w+ = \w*(\[|heads|list|layers)") or _first(s, r"heads?\w* = "),
    "out-proj-missing": lambda s: next((x for x in reversed(s) if x.is_return and x.function == "forward"), None),
    "dropout-missing": lambda s: _first(_outside_init(s), r"^\S*drop\w*\(") or _values_blended(_outside_init(s)),
    "dropout-on-scores": lambda s: _first(_outside_init(s), DROPOUT),
    "dropout-on-context": lambda s: _last(_outside_init(s), DROPOUT),
    "dropout-in-eval": lambda s: _first(_outside_init(s), DROPOUT),
    "dropout-unscaled": _survivors,
    "bias-ignored": lambda s: _first(s, r"bias=False|False\)") or _first(_outside_init(s), r"\.weight\b") or _layer(s),
    "bias-always": lambda s: _first(s, r"bias=True|Linear\(.*True\)|Attention\(.*True\)") or _layer(s),
    "out-proj-wrong-width": lambda s: _first(s, r"proj\w* = .*Linear"),
    "input-mutated": lambda s: _first(s, IN_PLACE) or _first(s, r"[-+*/]= "),
}
