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

from grader.judge.diagnosis.families import COMPARED, FAMILIES, OPERATORS
from grader.judge.diagnosis.loops import moved
from grader.judge.diagnosis.pieces import FILL, Repair
from grader.judge.diagnosis.places.statements import definitions_of
from grader.judge.diagnosis.places.texts import short
from grader.model.syntax import Definition, arguments_in, dotted, functions_in, stored_in, walk

# Of one definition; the likelier ones come first.
MOST_REPAIRS = 400
# Who writes more than this writes no exercise; each piece is written out anew.
MOST_NODES = 4000
# So many hold what is changed as one piece, and so many all pieces together, each counted once more for each function
# around it: five times and ten times what the longest solutions take.
MOST_OF_A_PIECE, MOST_OF_ALL = 400, 40_000
# Nobody's function is called with more; what is exchanged is written out with all others.
MOST_ARGUMENTS = 8
# As many other names are tried in a name's place.
MOST_NAMES = 4
# What is larger is no bound that is off by one.
LARGEST = 4096
# What is filled in for minus infinity and is too small for it.
SMALL_FILL = 5
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
# What leaves out an axis, or keeps it with one place.
KEEPS = {"sum", "mean", "amax", "amin", "max", "min", "prod", "logsumexp", "norm"}
# What is given a share, of which the rest may be meant.
FILLED = {"full", "full_like", "bernoulli", "bernoulli_"}
SHAPING, LEFT_OVER = {"view", "reshape"}, "-1"
TURNING = {"t", "transpose", "permute", "swapaxes"}
LIBRARIES = ("torch", "F", "math", "nn", "np", "numpy")
# What may have been forgotten of a value before it is kept or handed back.
STEPS = {".mT": 4, ".sum(-1)": 4, ".exp()": 4, ".squeeze(0)": 4, ".sum(0)": 5, ".flatten(-2)": 5}
NUMPYS = ("np", "numpy")
UNSIGNED = {"inf", "nan", "pi", "e"}


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
            yield from ((1, repair) for repair in moved(function))
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
            case ast.While() | ast.Assert() | ast.Raise() | ast.Expr(ast.Constant()):
                found |= {id(inner) for inner in walk(node)}
            case ast.Call(func):
                found.add(id(func))
    return found


def _of_node(node: ast.AST, names: Sequence[str], attributes: Sequence[str]) -> Iterator[tuple[int, Repair]]:
    match node:
        case ast.BinOp():
            pieces = _of_operation(node)
        case ast.Call():
            yield from _of_sizes(node)
            pieces = _of_call(node)
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
            pieces = iter([(1, _safe(value))])
        case ast.Constant():
            pieces = _of_constant(node)
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            pieces = iter([(1, _safe(operand))])
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED:
            others = [ast.Compare(left, [kind()], [right]) for kind in COMPARED[type(op)]]
            pieces = ((1, _safe(other)) for other in others)
        case ast.BoolOp(op, values):
            other = ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            pieces = iter([(2, _safe(other))])
        case ast.IfExp(test, body, orelse):
            pieces = iter([(2, _safe(ast.IfExp(test, orelse, body)))])
        case ast.Subscript(_, ast.Slice() | ast.Tuple() as cut):
            cuts = [each for each in (cut.elts if isinstance(cut, ast.Tuple) else [cut]) if isinstance(each, ast.Slice)]
            yield from ((2, _put(each, text, node)) for each in cuts for text in _slices(each))
            return
        case ast.Subscript(value, ast.Constant(int()), ast.Load()) if not dotted(value).endswith("shape"):
            pieces = iter([(3, _safe(value))])
        case ast.Break() | ast.Continue():
            pieces = iter([(1, "pass")])
        case ast.AugAssign(target, op, value):
            yield from _of_assignment(node, target, op, value)
            return
        case ast.If(test):
            yield LAST, _put(test, f"not ({ast.unparse(test)})", test)
            return
        case ast.Assign([ast.Name()], value) | ast.Return(ast.expr() as value):
            for more, rank in STEPS.items():
                yield rank, replace(_put(value, f"{_safe(value)}{more}", value), is_step=True)
            return
        case _:
            return
    same = ast.unparse(node)
    yield from ((rank, _put(node, text, node)) for rank, text in pieces if text not in (same, f"({same})"))


def _of_operation(node: ast.BinOp) -> Iterator[tuple[int, str]]:
    left, op, right = node.left, node.op, node.right
    for kind in OPERATORS.get(type(op), ()):
        yield 0, _safe(ast.BinOp(left, kind(), right))
    if isinstance(op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
        yield 1, _safe(ast.BinOp(right, op, left))
    if isinstance(op, ast.MatMult):
        yield 1, f"({_safe(left)} @ {_safe(right)}.mT)"
        yield 1, f"({_safe(left)}.mT @ {_safe(right)})"
    if isinstance(op, ast.Pow) and isinstance(right, ast.Constant | ast.UnaryOp):
        yield 1, _safe(ast.BinOp(left, op, ast.Constant(0.5)))
    if isinstance(left, ast.Call) and left.args and isinstance(op, ast.Mult | ast.Div | ast.Pow):
        within = ast.BinOp(left.args[0], ast.Mult() if isinstance(op, ast.Pow) else op, right)
        yield 3, ast.unparse(ast.Call(left.func, [within, *left.args[1:]], left.keywords))
    if isinstance(op, ast.Div | ast.Mult):
        yield 2, f"({_safe(left)} {'/' if isinstance(op, ast.Div) else '*'} {_safe(right)} ** 0.5)"
    yield 2, _safe(left)
    yield 3, _safe(right)


def _of_call(node: ast.Call) -> Iterator[tuple[int, str]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
    for family in FAMILIES:
        for other in family if name in family else ():
            if other != name:
                yield 0, _with_function(node, other)
    args, named = node.args, {each.arg for each in node.keywords}
    if isinstance(node.func, ast.Attribute) and dotted(node.func.value) in NUMPYS:
        yield 0, ast.unparse(ast.Call(ast.Attribute(ast.Name("torch"), node.func.attr), args, node.keywords))
    if "dtype" in named:
        yield 1, ast.unparse(ast.Call(node.func, args, [each for each in node.keywords if each.arg != "dtype"]))
    if name in FILLED and args and not isinstance(args[-1], ast.Constant):
        rest = ast.BinOp(ast.Constant(1), ast.Sub(), args[-1])
        yield 1, ast.unparse(ast.Call(node.func, [*args[:-1], rest], node.keywords))
    if name in KEEPS:
        if "keepdim" in named:
            yield 1, ast.unparse(ast.Call(node.func, args, [each for each in node.keywords if each.arg != "keepdim"]))
        elif not named and not args:
            yield 1, ast.unparse(ast.Call(node.func, [ast.Constant(-1), ast.Constant(True)], []))
        elif named & {"dim", "axis"} or args:
            kept = [*node.keywords, ast.keyword("keepdim", ast.Constant(True))]
            yield 1, ast.unparse(ast.Call(node.func, args, kept))
    is_range = dotted(node.func) == "range"
    if is_range and len(args) == 2:
        yield 0, f"range({ast.unparse(args[1])})"
    if name == "sum" and len(args) == 1 and isinstance(node.func, ast.Name):
        yield 1, f"torch.cat([*{_safe(args[0])}])"
    if is_range and len(args) == 1 and not isinstance(args[0], ast.Constant):
        yield 1, _safe(args[0])
    if 2 <= len(args) <= MOST_ARGUMENTS and not is_range and not any(isinstance(each, ast.Starred) for each in args):
        for place in range(len(args) - 1):
            turned = [*args[:place], args[place + 1], args[place], *args[place + 2 :]]
            yield 2, ast.unparse(ast.Call(node.func, turned, node.keywords))
    owner = dotted(node.func).partition(".")[0]
    if isinstance(node.func, ast.Attribute) and name in (*SHAPING, "flatten") and owner not in LIBRARIES:
        joined = "flatten" if name == "flatten" else "reshape"
        turned_first = ast.Attribute(ast.Name(f"{_safe(node.func.value)}.transpose(1, 2)"), joined)
        yield 2, ast.unparse(ast.Call(turned_first, args, node.keywords))
    if isinstance(node.func, ast.Attribute) and owner not in LIBRARIES and dotted(node.func.value) != "self":
        yield 1 if name in TURNING else 2, _safe(node.func.value)
    elif args and not is_range:
        yield 2, _safe(args[0])


def _of_sizes(node: ast.Call) -> Iterator[tuple[int, Repair]]:
    """Each size of a view with what is left over in its place."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in SHAPING:
        for size in node.args if len(node.args) > 1 else ():
            if not isinstance(size, ast.Constant | ast.UnaryOp | ast.Starred):
                yield 3, replace(_put(size, LEFT_OVER, size), within=short(node))


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
        if abs(value) >= SMALL_FILL:
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
        yield 0, _put(node, ast.unparse(ast.AugAssign(target, other(), value)), node)
    yield 2, _put(node, f"{ast.unparse(target)} = {ast.unparse(value)}", node)


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
            yield f"({lower}) * {_safe(width)}:({lower} + 1) * {_safe(width)}"


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


def _with_function(node: ast.Call, name: str) -> str:
    func = node.func
    other = ast.Attribute(func.value, name) if isinstance(func, ast.Attribute) else ast.Name(name)
    return ast.unparse(ast.Call(other, node.args, node.keywords))


def _number(value: float) -> str:
    return f"({value})" if value < 0 else str(value)


def _safe(node: ast.expr) -> str:
    """An expression that may stand within any other one."""
    text = ast.unparse(node)
    return text if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant) else f"({text})"


def _put(node: ast.expr | ast.stmt | ast.Slice, text: str, quoted: ast.AST) -> Repair:
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Repair((node.lineno, node.col_offset), end, text, short(quoted))
