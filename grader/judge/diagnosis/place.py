"""The line of a known mistake: the statement a teacher would point at, found in the student's source.

Which mistake it is has been decided by then, by what came back; here the source is only searched for the place. Each
mistake says what its statement looks like; where nothing does, the line is not known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

PRODUCT = re.compile(
    r"@|scaled_dot_product|matmul|einsum|\bbmm|\bmm\(|\.dot\(|\.mv\(|baddbmm|inner\(|tensordot"
    r"|torch\.sum\(.*\*|\(.* \* .*\)\.sum"
)
SOFTMAX = re.compile(r"scaled_dot_product|softmax\(|Softmax\(|\bexp\(|\.exp\(|exp_\(|torch\.exp")
ROOT = re.compile(r"sqrt|\*\* ?-?\(?-?(0?\.5|1 / 2)|math\.pow")
MASKING = re.compile(
    r"masked_fill|where\(|tril|triu|\* .*(mask|allowed|keep|visible|past|causal|simple|bias)|mask.* \*|\[.*\] = "
)
MASK_MADE = re.compile(r"tril|triu|arange|positions?\b.*[<>]|\[.*:.*\] = (True|1)|[<>]=? ")
COMPARED = re.compile(r"[<>]=? |\.(gt|ge|lt|le)\(")
DROPOUT = re.compile(r"drop|bernoulli|rand")
ROLES = {
    "query": re.compile(r"quer|(?<![a-z])q(?![a-z])|_q\b|\bq_|\bQ\b"),
    "key": re.compile(r"key|(?<![a-z])k(?![a-z])|_k\b|\bk_|\bK\b"),
    "value": re.compile(r"val|(?<![a-z])v(?![a-z])|_v\b|\bv_|\bV\b"),
}
IN_PLACE = re.compile(r"\w_\(|\] = ")
# The name at the root of what a method in place, an index or an operator writes to.
WRITTEN_TO = re.compile(
    r"\b(\w+)(?:\.\w+|\[[^\]]*\])*\.\w*[a-z]_\(|^(\w+)(?:\.\w+)*\[.*\] = |^(\w+)\S* [-+*/]= |^(\w+)(?:\.\w+)*\.data = "
)
NOBODYS = {"torch", "nn", "init", "self"}
SUMMED = re.compile(r"(?<!ein)sum\(|mean\(|\+=|reduce\(| \+ ")
# Called, or handed to `partial` or the like.
HEAD_MADE = re.compile(r"^(?!super\().*(Attention|Head)\w*[(,]")


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
    """A simple statement of the source. text: as Python would write it. target: what it is assigned to.

    is_own: whether it stands in the definition that was asked, and not in one that it makes use of.
    """

    line: int
    text: str
    target: str
    function: str
    is_return: bool
    is_own: bool = True

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


def speaks_of(tree: ast.Module, of: str, mistake: str) -> bool:
    """Whether what comes after the blend has the words that a mistake takes, if it takes any of its own."""
    words = WORDS.get(mistake)
    statements = _outside_init(list(_statements(tree, of)))
    blended = _values_blended(statements)
    after = statements[statements.index(blended) :] if blended else statements
    return words is None or _first(after, words) is not None


def _last_line(tree: ast.Module, of: str) -> int:
    """Where a function, or a class's `forward`, ends without handing anything back."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of]
    own = [node for node in (classes[0].body if classes else functions) if isinstance(node, ast.FunctionDef)]
    function = next((node for node in own if node.name in (of, "forward")), None)
    return max((statement.line for statement in _simple(function)), default=0) if function else 0


def _statements(tree: ast.Module, of: str) -> Iterator[Statement]:
    """The simple statements of a definition, then those of the functions and classes that it makes use of."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    definitions = {node.name: node for node in tree.body if isinstance(node, kinds)}
    waiting, seen = [of] if of in definitions else list(definitions), set[str]()
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        definition = definitions[name]
        functions = [node for node in ast.walk(definition) if isinstance(node, ast.FunctionDef)]
        simple = [statement for function in functions for statement in _simple(function)]
        for statement in sorted(simple, key=lambda statement: statement.line):
            yield replace(statement, is_own=name == of)
        named = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
        waiting += [other for other in definitions if other in named]


def _simple(function: ast.FunctionDef) -> Iterator[Statement]:
    waiting: list[ast.stmt] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        inner = [part for name in ("body", "orelse", "finalbody") for part in getattr(node, name, [])]
        waiting += inner
        is_said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)  # a docstring
        if inner or is_said:
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
    """The position of the first softmax, or of the end. A layer that is only made is none yet."""
    positions = (i for i, s in enumerate(statements) if SOFTMAX.search(s.text) and s.function != "__init__")
    return next(positions, len(statements))


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
    rooted = _first(statements, ROOT)
    if rooted:
        return rooted
    start, end = max(_product(statements), 0), _softmax(statements)
    near = statements[start : end + 1]
    return (
        _first(near, r"scale=")
        or _first(near, r" / | /= |div\(|mul\(")
        or _first(statements, r" / | /= |div\(|scale|mul\(")
        or _first(near, r" \* ")
    )


def _inverted(statements: Sequence[Statement]) -> Statement | None:
    """Where the scores grow: where a root is used that was taken before, else where it is taken."""
    scaling = _scaling(statements)
    if scaling is None or not scaling.target or scaling.function != "__init__":
        return scaling
    return _first(_outside_init(statements), rf"{re.escape(scaling.target)}\b") or scaling


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
    own = [s for s in statements if s.is_own]
    return _first(statements[end + 1 :], PRODUCT) or _last(own, PRODUCT) or _last(statements, PRODUCT)


def _last_return(statements: Sequence[Statement]) -> Statement | None:
    return next((s for s in reversed(statements) if s.is_return and s.is_own), None)


def _end(statements: Sequence[Statement]) -> Statement | None:
    """What `forward` hands back; of a function the last statement."""
    own = [s for s in statements if s.is_own]
    return _last([s for s in own if s.function == "forward" and s.is_return], "") or (own[-1] if own else None)


def _handed_on(statements: Sequence[Statement]) -> Statement | None:
    """What comes before softmax's place, where there is none: the last statement that is no mere return of a name."""
    own = [s for s in statements if s.is_own and not re.fullmatch(r"return \w+", s.text)]
    return own[-1] if own else None


def _wrong_axis(statements: Sequence[Statement]) -> Statement | None:
    """Softmax; by hand it is the sum that has an axis."""
    softmax = _first(statements, SOFTMAX)
    if softmax is None or "softmax" in softmax.text.lower():
        return softmax
    position = statements.index(softmax)
    return _first(statements[position:], r"(?<!ein)sum\(") or softmax


def _second_softmax(statements: Sequence[Statement]) -> Statement | None:
    """A softmax of what is called weights already; else the second of those there are."""
    again = _first(statements, r"(weights|probs?|shares)\.softmax\(|softmax\((\w*_)?(weights|probs?|shares)\b")
    found = [s for s in _outside_init(statements) if re.search(r"softmax\(|Softmax", s.text)]
    if again or len(found) > 1:
        return again or _after_helper(found[0], found[1], statements) or found[1]
    return found[0] if found else _first(statements, SOFTMAX)


def _after_helper(outer: Statement, inner: Statement, statements: Sequence[Statement]) -> Statement | None:
    """The outer of two statements, if the inner one stands in a function whose result the outer one takes."""
    if inner.is_own or not outer.is_own:
        return None
    called = rf"\b{re.escape(inner.function)}\("
    names = [s.target for s in statements if s.function == outer.function and s.target and re.search(called, s.value)]
    is_taken = any(re.search(rf"\b{re.escape(name)}\b", outer.value) for name in names if name != outer.target)
    return outer if is_taken or re.search(called, outer.value) else None


def _role(text: str) -> str:
    """The role that a text speaks of, where it speaks of one alone."""
    roles = [role for role, pattern in ROLES.items() if pattern.search(text)]
    return roles[0] if len(roles) == 1 else ""


def _order(text: str) -> list[str]:
    """The roles that a text speaks of, in the order of their first words."""
    found = {role: match.start() for role, pattern in ROLES.items() if (match := pattern.search(text))}
    return sorted(found, key=lambda role: found[role])


def _other_role(statements: Sequence[Statement]) -> Statement | None:
    """The first statement that makes one role of another's layer, or tensor; a width is neither."""
    for statement in statements:
        made, by = _role(statement.target), _role(re.sub(r"\b(x|inputs)\b", "", statement.value))
        together, apart = _order(statement.target), _order(statement.value)
        if len(together) > 1 and together != apart and sorted(together) == sorted(apart):
            return statement
        is_width = re.search(r"\.shape|size\(|len\(", statement.value)
        if made and by and made != by and statement.function != "__init__" and not is_width:
            return statement
    return None


def _exchanged(statements: Sequence[Statement]) -> Statement | None:
    """Where a role is made by another's layer, or they are handed back in another order; else the product."""
    if other := _other_role(statements) or _first(statements, r"^return \(?\w*k(ey)?s?\w*, \w*q"):
        return other
    position = _product(statements)
    return statements[position] if position >= 0 else None


def _reused(statements: Sequence[Statement]) -> Statement | None:
    if other := _other_role(statements):
        return other
    blended = _values_blended(statements)
    if blended is not None and ROLES["key"].search(blended.value) and not ROLES["value"].search(blended.value):
        return blended
    position = _product(statements)
    return statements[position] if position >= 0 else None


def _mask_inverted(statements: Sequence[Statement]) -> Statement | None:
    """Where the mask is used the wrong way round, by what it was made with; else where it is made."""
    made = _mask_made(statements)
    if made is None or not re.search("tril|triu", made.text):
        return made
    infinity = r"(float\('-inf'\)|-\w*\.?inf\b|-1e)"
    # To scaled_dot_product_attention True means visible.
    visible = rf"masked_fill_?\(.* == (1|True)|where\([^()]*(\[.*\])?, {infinity}|attn_mask=~"
    hidden = rf"masked_fill_?\((.* == (0|False)|~)|where\([^()]*(\[.*\])?, \w+, .*{infinity}|attn_mask=(?!~)"
    return _first(statements, visible if "tril" in made.text else hidden) or made


def _mask_made(statements: Sequence[Statement]) -> Statement | None:
    made = _first(statements, r"tril|triu") or _first(statements, MASK_MADE) or _first(statements, MASKING)
    if made is None or "arange" not in made.text or COMPARED.search(made.text):
        return made
    # Positions alone are no mask yet: it is made where they are compared.
    after = statements[statements.index(made) + 1 :]
    return next((s for s in after if COMPARED.search(s.text) and made.target in s.value), made)


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
    drawn = next((i for i, s in enumerate(own) if re.search(r"rand|bernoulli|uniform_", s.text)), len(own))
    return _first(own[drawn:], r" \* |\*= |where\(|masked_fill|\] = ") or _last(own, DROPOUT)


def _never_dropped(statements: Sequence[Statement]) -> Statement | None:
    """Where dropout's result is let go, or it should be; else where heads are made; else where all is handed back."""
    own = _outside_init(statements)
    used = _first(own, r"^\S*drop\w*\(") or _values_blended(own)
    return used or _first(statements, HEAD_MADE) or _last_return(statements)


def _in_evaluation(statements: Sequence[Statement]) -> Statement | None:
    """Where training is switched on, or weights are made smaller for the lack of it; else the dropout itself."""
    own = _outside_init(statements)
    return _first(own, r"\.train\(|training ?= ?True|^return .*\* \(1(\.0)? - ") or _first(own, DROPOUT)


def _summed(statements: Sequence[Statement]) -> Statement | None:
    """A sum behind the blend; else any."""
    own = _outside_init(statements)
    blended = _values_blended(own)
    after = own[own.index(blended) :] if blended else own
    summed = next((f for part in (after, own) if (f := _first(part, SUMMED))), None)
    return summed or _last(own, r"einsum\(")  # a letter that is not in the result is summed over


def _joined(statements: Sequence[Statement]) -> Statement | None:
    """Where heads are put into another order, or side by side along an axis that is named; else the last joining."""
    own = _outside_init(statements)
    other = _first(own, r"reversed\(|\[::-1\]|flip\(") or _first(own, r"(cat|concat\w*)\(.*((dim|axis)=|\], )1\b")
    other = other or _first(own, r"stack\(.*((dim|axis)=|\], )1\b")
    return other or _last(own, r"cat\(|stack\(|flatten\(|view\(|reshape\(")


def _turned(statements: Sequence[Statement]) -> Statement | None:
    weight = r"@ self\.\w+\.weight\b(?!\.)|weight\.(T\b|t\(|mT\b|transpose|reshape|view)"
    words = r"\.T\b|\.t\(\)|\.mT|transpose|\.weight"
    own = [s for s in statements if s.is_own]
    # In einsum nothing is said of turning: then it is where the weights are used.
    return _first(statements, weight) or _first(own, words) or _values_blended(own) or _first(statements, words)


def _output_layer(statements: Sequence[Statement]) -> Statement | None:
    """A layer that is none of the three roles', nor all of them."""
    layers = [s for s in statements if re.search(r"proj\w* = .*Linear|= .*Linear", s.text)]
    others = [s for s in layers if not any(p.search(s.target) for p in ROLES.values()) and "qkv" not in s.target]
    return _first(others, "") or _first(layers, r"proj\w* = ")


def _changed(statements: Sequence[Statement]) -> Statement | None:
    """What is written to and was not made in the same function; else anything that is written to."""
    for position, statement in enumerate(statements):
        made = {_name(s.target) for s in statements[:position] if s.function == statement.function}
        if any(root and root not in made | NOBODYS for found in WRITTEN_TO.findall(statement.text) for root in found):
            return statement
    return _first(statements, IN_PLACE) or _first(statements, r"[-+*/]= ")


def _layer(statements: Sequence[Statement]) -> Statement | None:
    """Where the first layer, or head, is made."""
    return _first(statements, r"Linear\(") or _first(statements, HEAD_MADE)


def _outside_init(statements: Sequence[Statement]) -> list[Statement]:
    return [s for s in statements if s.function != "__init__"]


# What has to stand in the source where all that is known of a mistake is a crash.
WORDS: Mapping[str, str] = {
    "heads-summed": r"(?<!ein)sum\(|\+=",
    "heads-wrong-axis": r"cat\w*\(|stack\(|flatten\(|reshape\(|view\(",
}
FINDERS: Mapping[str, Finder] = {
    "scale-missing": _first_use_of_scores,
    "scale-no-sqrt": _scaling,
    "scale-wrong-width": _scaling,
    "scale-inverted": _inverted,
    "softmax-missing": lambda s: _values_blended(s) or _last_return(s),
    "softmax-wrong-axis": _wrong_axis,
    "softmax-twice": _second_softmax,
    "mask-missing": lambda s: _first(s, SOFTMAX) or _handed_on(s),
    "mask-inverted": _mask_inverted,
    "mask-diagonal": _mask_made,
    "mask-after-softmax": _after_softmax,
    "mask-zero-fill": _zero_filled,
    "query-key-swapped": _exchanged,
    "projection-reused": _reused,
    "values-unprojected": lambda s: _values_blended(s),
    "weights-transposed": _turned,
    "heads-not-transposed": lambda s: _first(_outside_init(s), r"view\(|reshape\(|unflatten\("),
    "merge-not-transposed": lambda s: _last(_outside_init(s), r"view\(|reshape\(|flatten\("),
    "heads-summed": _summed,
    "heads-wrong-axis": _joined,
    "heads-unregistered": lambda s: _first(s, r"^self\.\w+ = \w*(\[|heads|list|layers)") or _first(s, r"heads?\w* = "),
    "out-proj-missing": _end,
    "dropout-missing": _never_dropped,
    "dropout-on-scores": lambda s: _first(_outside_init(s), DROPOUT),
    "dropout-on-context": lambda s: _last(_outside_init(s), DROPOUT),
    "dropout-in-eval": _in_evaluation,
    "dropout-unscaled": _survivors,
    "bias-ignored": lambda s: _first(s, r"bias=False|False\)") or _first(_outside_init(s), r"\.weight\b") or _layer(s),
    "bias-always": lambda s: (
        _first(s, r"bias=True|Linear\(.*True\)|Attention\(.*True\)") or _first(s, r"Linear\((?!.*bias)") or _layer(s)
    ),
    "out-proj-wrong-width": _output_layer,
    "input-mutated": _changed,
}
