"""Changes of one small piece of a source, each of which may be all that it lacks.

They undo what people get wrong by one word: an operator, an axis, a bound, a name, a function of the same family, a
step that is missing or one too many. Nothing is executed here: whether a change makes anything right, a run shows.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.diagnosis.changes.calls import LEFT_OVER, LIBRARIES, is_blank, of_call, of_sizes
from grader.diagnosis.changes.families import COMPARED, OPERATORS
from grader.diagnosis.changes.loops import of_loops
from grader.diagnosis.changes.pieces import FILL, SMALL_FILL, Repair, put, safe
from grader.diagnosis.places.texts import short
from grader.diagnosis.source.used import definitions_of
from grader.model.syntax import Definition, arguments_in, dotted, functions_in, read_in, stored_in, walk

# Of one definition; the likelier ones come first.
MOST_REPAIRS = 400
# Who writes more than this writes no exercise; each piece is written out anew.
MOST_NODES = 4000
# So many hold what is changed as one piece, and so many all pieces together, each counted once more for each function
# around it: five times and ten times what the longest solutions take.
MOST_OF_A_PIECE, MOST_OF_ALL = 400, 40_000
# As many other names are tried in a name's place.
MOST_NAMES = 4
# What is larger is no bound that is off by one.
LARGEST = 4096
# So many axes anything has that is computed here.
MOST_AXES = 4
OWN = re.compile(r"self\.\w+")
# Of einsum, whose letters may have changed places.
EQUATION = re.compile(r"[a-zA-Z., ]{1,20}->[a-zA-Z. ]{0,10}")
# More axes no result has.
MOST_LETTERS = 5
# What chooses between two ways, and the parts of its question that decide: numbers and names there may only turn one
# way off. A choice that is the wrong way round is the last thing to be thought of.
CHOOSING, DECIDING, LAST = (ast.If, ast.IfExp), (ast.Compare, ast.BoolOp, ast.UnaryOp), 9
# What may have been forgotten of a value before it is kept or handed back.
STEPS = {".mT": 4, ".sum(-1)": 4, ".exp()": 4, ".squeeze(0)": 4, ".sum(0)": 5, ".flatten(-2)": 5}
UNSIGNED = {"inf", "nan", "pi", "e"}
# What may be done with a value that is right already.
SURPLUS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def repairs(tree: ast.Module, of: str, raised: int = 0) -> list[Repair]:
    """Changes of what a definition is written in and of what it makes use of, the likelier ones first.

    raised: the line of an exception, if there was one: what changes that comes before all others. None where that is
    far more than anybody writes for an exercise.
    """
    definitions = definitions_of(tree, of)
    if sum(len(walk(each)) for each in definitions) > MOST_NODES:
        return []
    found: dict[Repair, None] = {}
    ranked = sorted(_ranked(definitions), key=lambda pair: (raised > 0 and pair[1].line != raised, pair[0]))
    for _, repair in itertools.islice(ranked, 2 * MOST_REPAIRS):
        found.setdefault(repair)
    # What is left over makes up for a size that is wrong where it is made.
    return sorted([*found][:MOST_REPAIRS], key=lambda repair: repair.text == LEFT_OVER)


def _ranked(definitions: Sequence[Definition]) -> Iterator[tuple[int, Repair]]:
    read = 0
    for definition in definitions:
        expressions = [node for node in walk(definition) if isinstance(node, ast.Attribute)]
        attributes = sorted({name for node in expressions if OWN.fullmatch(name := dotted(node))})
        for function in functions_in(definition):
            names = sorted((stored_in(function) | arguments_in(function)) - {"self", "cls"})
            left = _left_as_it_is(function)
            tests = {id(inner) for each in walk(function) if isinstance(each, CHOOSING) for inner in walk(each.test)}
            yield from of_loops(function)
            around = {id(child): node for node in walk(function) for child in ast.iter_child_nodes(node)}
            for node in walk(function):
                if id(node) in left or (id(node) in tests and not isinstance(node, DECIDING)):
                    continue
                piece = len(walk(node.test if isinstance(node, ast.If) else node))
                if piece > MOST_OF_A_PIECE:
                    continue
                read += piece
                if read > MOST_OF_ALL:
                    return
                for rank, repair in _of_node(node, names, attributes):
                    yield LAST if id(node) in tests else rank, _quoted(repair, node, around)


def _left_as_it_is(function: ast.FunctionDef) -> set[int]:
    """What is not to be changed: loops whose end that could take away, what is only said, and what is called."""
    found: set[int] = set()
    for node in walk(function):
        match node:
            case ast.Assign([ast.Attribute(attr=name)], ast.Name(given)) if name == given:  # kept as it is called
                found |= {id(inner) for inner in walk(node)}
            case ast.While() | ast.Assert() | ast.Raise() | ast.Expr(ast.Constant()):
                found |= {id(inner) for inner in walk(node)}
            case ast.Call(func):
                found.add(id(func))
    return found | _adding_infinity(function)


def _adding_infinity(function: ast.FunctionDef) -> set[int]:
    """Sums with infinity that lacks its sign: that is what is wrong, and a difference would only make up for it."""
    names = set[str]()
    given = [node for node in walk(function) if isinstance(node, ast.Assign)]
    for each in sorted(given, key=lambda each: each.lineno):
        if _is_infinite(each.value) or (names & read_in(each.value) and not _is_signed(each.value)):
            names |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    found = set[int]()
    for node in walk(function):
        match node:
            case ast.BinOp(one, ast.Add(), other) if any(
                side.id in names if isinstance(side, ast.Name) else _is_infinite(side) for side in (one, other)
            ):
                found.add(id(node))
            case ast.AugAssign(_, ast.Add(), ast.Name(name)) if name in names:
                found.add(id(node))
    return found


def _is_infinite(value: ast.expr) -> bool:
    """Whether infinity stands in what is computed, and nothing there gives it a sign."""
    return not _is_signed(value) and any(
        (isinstance(node, ast.Constant) and node.value == "inf")
        or (isinstance(node, ast.Attribute) and dotted(node).endswith(".inf"))
        for node in walk(value)
    )


def _is_signed(value: ast.expr) -> bool:
    return any(isinstance(node, ast.USub | ast.Sub) for node in walk(value))


def _of_node(node: ast.AST, names: Sequence[str], attributes: Sequence[str]) -> Iterator[tuple[int, Repair]]:
    match node:
        case ast.BinOp():
            pieces = _of_operation(node)
        case ast.Call():
            yield from of_sizes(node)
            pieces = of_call(node)
        case ast.Tuple([_, ast.Slice()] | [ast.Slice(), _]):  # which may stand in square brackets alone
            return
        case ast.Tuple([one, other], ast.Load()) | ast.List([one, other], ast.Load()):
            pieces = iter([(2, ast.unparse(type(node)([other, one], ast.Load())))])
        case ast.Name(name, ast.Load()) if name in names:
            pieces = ((5, other) for other in _near(name, names))
        case ast.Attribute(ast.Name(owner), name) if owner in LIBRARIES and name in UNSIGNED:
            pieces = iter([(1, f"(-{dotted(node)})")])
        case ast.Attribute(ctx=ast.Load()) if dotted(node) in attributes:
            pieces = ((5, other) for other in _near(dotted(node), attributes))
        case ast.Attribute(value, "T" | "mT"):
            pieces = iter([(1, safe(value))])
        case ast.Constant():
            pieces = _of_constant(node)
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            pieces = iter([(1, safe(operand))])
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED:
            others = [ast.Compare(left, [kind()], [right]) for kind in COMPARED[type(op)]]
            pieces = ((1, safe(other)) for other in others)
        case ast.BoolOp(op, values):
            other = ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            pieces = iter([(2, safe(other))])
        case ast.IfExp(test, body, orelse):
            pieces = iter([(2, safe(ast.IfExp(test, orelse, body)))])
        case ast.Subscript(_, ast.Tuple([ast.Slice(None, None, None) as whole, ast.Name() | ast.UnaryOp()])):
            yield 2, put(whole, "...", node)  # the last axis, of however many
            return
        case ast.Subscript(_, ast.Slice() | ast.Tuple() as cut):
            cuts = [each for each in (cut.elts if isinstance(cut, ast.Tuple) else [cut]) if isinstance(each, ast.Slice)]
            yield from ((2, put(each, text, node)) for each in cuts for text in _slices(each))
            return
        case ast.Subscript(value, ast.Constant(int()), ast.Load()) if not dotted(value).endswith("shape"):
            pieces = iter([(3, safe(value))])
        case ast.Break() | ast.Continue():
            pieces = iter([(1, "pass")])
        case ast.AugAssign(target, op, value):
            yield from _of_assignment(node, target, op, value)
            return
        case ast.If(test):
            yield LAST, put(test, f"not ({ast.unparse(test)})", test)
            return
        case ast.Assign([ast.Name()], value) | ast.Return(ast.expr() as value):
            for more, rank in STEPS.items() if not is_blank(value) else ():
                yield rank, replace(put(value, f"{safe(value)}{more}", value), is_step=True)
            return
        case _:
            return
    same = ast.unparse(node)
    changes = ((rank, put(node, text, node)) for rank, text in pieces if text not in (same, f"({same})"))
    for rank, each in changes:
        match node:
            case ast.BinOp():
                yield rank, _surplus(each, node)
            case ast.Call():
                yield rank, _surplus_call(each, node)
            case _:
                yield rank, each


def _of_operation(node: ast.BinOp) -> Iterator[tuple[int, str]]:
    left, op, right = node.left, node.op, node.right
    # First: what is added to all scores alike in its place softmax does not see, and by 1 nothing changes either.
    is_by_a_number = isinstance(right, ast.Constant) and isinstance(op, SURPLUS)
    if is_by_a_number:
        yield 0, safe(left)
    for kind in OPERATORS.get(type(op), ()):
        yield 0, safe(ast.BinOp(left, kind(), right))
    if isinstance(op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
        yield 1, safe(ast.BinOp(right, op, left))
    match node:  # of which Python takes the power first
        case ast.BinOp(ast.BinOp(power, ast.Pow(), ast.Constant(1)), ast.Div() | ast.FloorDiv(), ast.Constant(2)):
            yield 0, safe(ast.BinOp(power, ast.Pow(), ast.Constant(0.5)))
        case ast.BinOp(
            ast.BinOp(some, ast.Mult() | ast.Div() as by, ast.BinOp(power, ast.Pow(), ast.Constant(1))),
            ast.Div() | ast.FloorDiv(),
            ast.Constant(2),
        ):
            yield 0, safe(ast.BinOp(some, by, ast.BinOp(power, ast.Pow(), ast.Constant(0.5))))
    if isinstance(op, ast.MatMult):
        yield 1, f"({safe(left)} @ {safe(right)}.mT)"
        yield 1, f"({safe(left)}.mT @ {safe(right)})"
    if isinstance(op, ast.Pow) and isinstance(right, ast.Constant | ast.UnaryOp):
        yield 1, safe(ast.BinOp(left, op, ast.Constant(0.5)))
        if isinstance(right, ast.UnaryOp):
            yield 1, safe(ast.BinOp(left, op, ast.Constant(-0.5)))
    if isinstance(left, ast.Call) and left.args and isinstance(op, ast.Mult | ast.Div | ast.Pow):
        within = ast.BinOp(left.args[0], ast.Mult() if isinstance(op, ast.Pow) else op, right)
        yield 3, ast.unparse(ast.Call(left.func, [within, *left.args[1:]], left.keywords))
    if isinstance(op, ast.Div | ast.Mult):
        yield 2, f"({safe(left)} {'/' if isinstance(op, ast.Div) else '*'} {safe(right)} ** 0.5)"
    if not is_by_a_number:
        yield 2, safe(left)
    yield 3, safe(right)
    if isinstance(op, ast.Div):  # behind no division at all, which before softmax is the same
        yield 3, safe(ast.BinOp(left, ast.Sub(), right))


def _surplus(repair: Repair, node: ast.BinOp) -> Repair:
    """With what an operation does too much quoted by itself, within the whole of it."""
    whole, left = short(node), ast.unparse(node.left)
    left = left if whole.startswith(f"{left} ") else f"({left})"
    if repair.text != safe(node.left) or not isinstance(node.op, SURPLUS) or not whole.startswith(f"{left} "):
        return repair
    return replace(repair, code=whole.removeprefix(left).strip(), within=whole)


def _surplus_call(repair: Repair, node: ast.Call) -> Repair:
    """With a call that is one too many behind another, or around a computation, quoted by itself."""
    whole = short(node)
    match node:
        case ast.Call(ast.Attribute(ast.Call() | ast.BinOp() as owner)) if repair.text == safe(owner):
            behind = whole.removeprefix(safe(owner))
            return replace(repair, code=behind, within=whole) if behind != whole else repair
        case ast.Call(func, [ast.Call() | ast.BinOp() as inner, *_]) if repair.text == safe(inner):
            return replace(repair, code=short(func), within=whole)
        case _:
            return repair


def _of_constant(node: ast.Constant) -> Iterator[tuple[int, str]]:
    value = node.value
    if isinstance(value, bool):
        yield 1, str(not value)
    elif isinstance(value, int) and abs(value) <= LARGEST:
        near = {value + 1, value - 1, *((-1, 0, 1) if abs(value) <= MOST_AXES else ())} - {value}
        for other in sorted(near, key=lambda each: (abs(each - value), each)):
            yield 1, _number(other)
        if abs(value) >= SMALL_FILL:
            yield 3, FILL
    elif isinstance(value, float):
        yield 3, FILL
        for other in (-value, 0.0 if value else 1.0, *((1.0, 0.5) if value else ())):
            if other != value:
                yield 1, _number(other)
    elif value in ("inf", "-inf"):
        yield 1, repr("-inf" if value == "inf" else "inf")
    elif isinstance(value, str) and EQUATION.fullmatch(value):
        yield from ((1, repr(text)) for text in _einsums(value))


def _of_assignment(
    node: ast.AugAssign, target: ast.Name | ast.Attribute | ast.Subscript, op: ast.operator, value: ast.expr
) -> Iterator[tuple[int, Repair]]:
    pairs = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
    if (other := pairs.get(type(op))) is not None:
        yield 0, put(node, ast.unparse(ast.AugAssign(target, other(), value)), node)
    yield 2, put(node, f"{ast.unparse(target)} = {ast.unparse(value)}", node)


def _einsums(equation: str) -> Iterator[str]:
    """The equation with two letters exchanged in one of its terms, or a letter more or another in its result."""
    terms, _, result = equation.partition("->")
    inside = sorted({letter for letter in terms if letter.isalpha()})
    for place in range(len(result) + 1) if result.isalpha() and len(result) < MOST_LETTERS else ():
        for letter in (each for each in inside if each not in result):
            yield f"{terms}->{result[:place]}{letter}{result[place:]}"
            if place < len(result):
                yield f"{terms}->{result[:place]}{letter}{result[place + 1 :]}"
    letters = [place for place, letter in enumerate(equation) if letter.isalpha()]
    for one, other in itertools.combinations(letters, 2):
        if not any(mark in equation[one:other] for mark in ",>") and equation[one] != equation[other]:
            exchanged = [*equation]
            exchanged[one], exchanged[other] = equation[other], equation[one]
            yield "".join(exchanged)


def _slices(cut: ast.Slice) -> Iterator[str]:
    lower, upper = (ast.unparse(each) if each is not None else "" for each in (cut.lower, cut.upper))
    if lower:
        yield f":{upper}"
    if upper:
        yield f"{lower}:"
        yield f"{lower}:{upper} + 1"
    if lower:
        yield f"{lower} + 1:{upper}"
    match cut.upper:
        case ast.BinOp(left, ast.Add(), width) if lower and ast.unparse(left) == lower:  # one piece after the other
            yield f"({lower}) * {safe(width)}:({lower} + 1) * {safe(width)}"


def _quoted(repair: Repair, node: ast.AST, around: Mapping[int, ast.AST]) -> Repair:
    """With what a number or a name is a part of: an argument that has a name, or else an expression."""
    is_small = isinstance(node, ast.Constant | ast.Name) or OWN.fullmatch(short(node)) is not None
    is_small = is_small or isinstance(getattr(node, "operand", None), ast.Constant)
    outer = around.get(id(node))
    if isinstance(node, ast.Constant) and isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.USub):
        repair = replace(repair, code=short(outer))  # a number has its sign
    while isinstance(outer, ast.Slice | ast.UnaryOp):  # which say no more by themselves
        outer = around.get(id(outer))
    if not is_small or outer is None:
        return repair
    if isinstance(outer, ast.keyword):
        return replace(repair, code=short(outer))
    if isinstance(outer, ast.Assign) and isinstance(outer.targets[0], ast.Subscript):
        return replace(repair, within=short(outer, short(node)))
    return replace(repair, within=short(outer, short(node))) if isinstance(outer, ast.expr) else repair


def _near(name: str, names: Sequence[str]) -> list[str]:
    """Other names, those like it first."""
    others = [each for each in names if each != name]
    return sorted(others, key=lambda each: (each[0] != name[0], abs(len(each) - len(name))))[:MOST_NAMES]


def _number(value: float) -> str:
    return f"({value})" if value < 0 else str(value)
