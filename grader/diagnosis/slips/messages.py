"""Slips of Python's that its own message tells in words that few beginners know, each with the line that has it."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from grader.diagnosis import evidence
from grader.diagnosis.places.softmaxes import softmaxes
from grader.diagnosis.places.statements import Told, methods, nodes_of_init, outside_init, statements_of
from grader.diagnosis.places.texts import LONGEST_STATEMENT, short, written
from grader.diagnosis.slips import spelling, vocabulary
from grader.diagnosis.source.used import definitions_of, nodes_of
from grader.model.observation import Fault
from grader.model.syntax import dotted, positional, walk
from grader.model.text import clean
from grader.words import say

OF_OBJECT = re.compile(r"^'(\w+)' object has no attribute '(\w+)'")
# A method of a tensor's that is named and not called.
UNCALLED = re.compile(
    r"(?<![\w.])(?!self\.)[\w.]+\.(?:t|size|dim|numel|sum|mean|max|min|exp|sqrt|var|std|softmax|item|contiguous|clone|detach)(?![\w(\[.])"
)
# What Python says of a method, and torch of `zeros(x.size)`.
OF_A_METHOD = re.compile(r"builtin_function_or_method\b|^(zeros|ones|empty|full|rand|randn|eye|arange)\(\) takes 1 ")
# What Python and torch say of a layer that stands where a tensor is due.
OF_A_LAYER = re.compile(
    r"'(Linear)'|must be Tensor, not (Linear|Dropout|Softmax)\b"
    r"|^unsupported operand type\(s\) for [@*]: (?:'Tensor' and '(Dropout|Softmax)'|'(Dropout|Softmax)' and 'Tensor')"
)
OF_A_NUMBER = re.compile(r"cannot be converted to (a )?(Python )?[Ss]calars?|can be converted to Python scalars")
MATH = re.compile(r"(?<![\w.])(?:math\.)?(exp|sqrt|log|sin|cos|tanh|floor|ceil)\(")
# A root of keys or queries as they are, of which the width is meant; of values it may be another one.
ROOT_OF_KEYS = re.compile(r"(?<![\w.])(?:math\.)?sqrt\(((?:self\.)?(?:W_)?(?!qkv|kv)[kq]\w*)\)", re.IGNORECASE)
# A division by the root of something else; by that of a whole tensor nothing is divided in attention.
BY_ROOT = re.compile(r"/ ?(?:math\.)?sqrt\(([\w.]+)\)")
TO_A_NUMBER = re.compile(r"\b(float|int)\(|\.item\(")
OF_AN_EXTREME = re.compile(r"torch\.return_types\.(max|min)\b")
PRODUCTS = ("matmul", "mm", "bmm")
NUMBER_CALLED = re.compile(r"'(float|int)' object is not callable")
MATRIX_CALLED = re.compile(r"'(Parameter|Tensor)' object is not callable")
MATRIX = re.compile(r"Parameter$|^torch\.(rand|randn|zeros|ones|empty|tensor)$")
SHAPE_CALLED = re.compile(r"[\w.]*\.shape\(")
# What numpy has and torch calls the same.
OF_TORCHS_TOO = {"exp", "sqrt", "sum", "mean", "var", "triu", "tril", "where", "stack", "concatenate", "einsum"}
NO_NUMPY = "Can't call numpy() on Tensor that requires grad"
# What `from torch import *` brings in the place of Python's own, by what the call of one says, or of a type.
OF_PYTHONS = re.compile(r"^(abs|all|any|complex|max|min|pow|range|round|sum)\(\)")
PYTHONS_TYPE = re.compile(r"(?<![\w.])(bool|float|int)\(")
NONE = re.compile(r"'NoneType' object (has no attribute|is not subscriptable)")


def slip(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What there is to say of a slip, and its line, 0 for the one that failed. text: of the line that failed."""
    text = text[:LONGEST_STATEMENT]
    return (
        _misspelt(fault, tree, of, text)
        or _brought_in(fault, tree, text)
        or _local(fault, tree)
        or _silent(fault, tree, of)
        or _comma(fault, tree, of, text)
        or _given_back(fault, tree, of, text)
        or _outside(fault, tree, of)
        or _not_called(fault, tree, of, text)
        or _called(fault, tree, of, text)
        or _of_one_number(fault, text)
        or _of_numpys(fault, tree, of, text)
    )


def _misspelt(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What an argument of torch's was meant for, or a class that is called by the name of the module that it is in."""
    calls = [each for each in nodes_of(tree, of) if isinstance(each, ast.Call) and f"{dotted(each.func)}(" in text]
    name = spelling.misspelt_keyword(fault, calls) or spelling.misspelt_class(fault, calls)
    return (say("judge.did-you-mean", name=clean(name, 60)), 0) if name else None


def _brought_in(fault: Fault, tree: ast.Module, text: str) -> Told | None:
    """What there is to say where a function of torch's is called that a star brought in the place of Python's."""
    is_type = fault.message == "'torch.dtype' object is not callable"
    found = PYTHONS_TYPE.search(text) if is_type else OF_PYTHONS.match(fault.message)
    if found is None or fault.type != "TypeError" or not re.search(rf"(?<![\w.]){found[1]}\(", text):
        return None
    is_torchs = False
    for node in tree.body:
        match node:
            case ast.ImportFrom("torch", [ast.alias("*")]):
                is_torchs = True
            case ast.FunctionDef(name) | ast.Assign([ast.Name(name)]) if name == found[1]:
                is_torchs = False  # but of the file's own
    return (say("judge.brought-in", name=found[1]), 0) if is_torchs else None


def kept_locally(tree: ast.Module, owner: str, name: str) -> ast.stmt | None:
    """Where a class's `__init__` gives a variable the name of an attribute that the class never has.

    Nothing where it is kept under another name.
    """
    nodes = [node for each in tree.body if isinstance(each, ast.ClassDef) and each.name == owner for node in walk(each)]
    if any(_keeps(node, name) for node in nodes):
        return None
    for node in nodes_of_init(tree, owner):
        match node:
            case ast.Assign([ast.Name(given)]) | ast.AnnAssign(ast.Name(given)) if given == name:
                return node
    return None


def _keeps(node: ast.AST, name: str) -> bool:
    """Whether a piece of a class sets an attribute of that name, or keeps the variable of that name in another one."""
    match node:
        case ast.Attribute(attr=attribute, ctx=ast.Store()):
            return attribute == name
        case ast.Assign([ast.Attribute()], ast.Name(kept)):
            return kept == name
        case ast.Call(ast.Attribute(attr=method), args) if method.startswith("register_"):
            return any(isinstance(each, ast.Name) and each.id == name for each in args)
        case _:
            return False


def _local(fault: Fault, tree: ast.Module) -> Told | None:
    missing = OF_OBJECT.search(fault.message) if fault.type == "AttributeError" else None
    kept = kept_locally(tree, missing[1], missing[2]) if missing else None
    if missing is None or kept is None or _has_its_use(tree, missing[1], missing[2]):
        return None
    return say("judge.kept-as-a-local", code=short(kept), name=missing[2]), kept.lineno


def _has_its_use(tree: ast.Module, owner: str, name: str) -> bool:
    """Whether a variable of `__init__` is made use of there, and an attribute is there that was meant by its name."""
    names = (node for node in nodes_of_init(tree, owner) if isinstance(node, ast.Name) and node.id == name)
    is_read = any(isinstance(node.ctx, ast.Load) for node in names)
    return is_read and spelling.near(name, spelling.own_attributes(tree) - {name}) != ""


def _silent(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """Where a function whose result is used ends, and hands nothing back."""
    if "NoneType" not in fault.message:
        return None
    silent = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef) and _hands_nothing_back(node)}
    nodes = [*nodes_of(tree, of)]
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(ast.Name("self"), name)) if name in silent:
                if id(node) not in alone:
                    return say("judge.hands-nothing-back", name=clean(name, 60)), silent[name].body[-1].lineno
    return None


def _hands_nothing_back(function: ast.FunctionDef) -> bool:
    return not any(isinstance(node, ast.Return | ast.Yield) and node.value is not None for node in walk(function))


def _comma(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    if not fault.message.startswith("'tuple' object is not callable"):
        return None
    return next((told for name, told in commas(tree, of) if f"self.{name}(" in text), None)


def commas(tree: ast.Module, of: str) -> Iterator[tuple[str, Told]]:
    """The attributes that a class's `__init__` makes tuples of one by a comma, with what to say and the line."""
    for name, node, value in _kept(tree, of):
        match value:
            case ast.Tuple([ast.Call() as only]) if value.col_offset == only.col_offset:  # without brackets
                yield name, (say("judge.comma", code=f"self.{clean(name, 60)}"), node.lineno)


def computed(tree: ast.Module, of: str) -> Iterator[tuple[str, Told]]:
    """The attributes that a class's `__init__` computes from a new parameter, with what to say and the line."""
    for name, node, value in _kept(tree, of):
        match value:
            case (
                ast.Attribute(ast.Call(made))
                | ast.Call(ast.Attribute(ast.Call(made)))
                | ast.BinOp(ast.Call(made))
                | ast.BinOp(_, _, ast.Call(made))
            ) if written(made).rpartition(".")[2] == "Parameter":
                yield name, (say("judge.computed-from", code=short(value)), node.lineno)


def _given_back(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    if not NONE.search(fault.message):
        return None
    for name, node, value in _kept(tree, of):
        match value:
            case ast.Call(ast.Attribute(attr="register_buffer")) if re.search(rf"\bself\.{name}\b", text):
                return say("judge.gives-nothing-back", code=short(node), call="register_buffer"), node.lineno
    return None


def _outside(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    if evidence.NO_FORWARD not in fault.message or any(methods(tree, of, "forward")):
        return None
    for node in tree.body:
        match node:
            case ast.FunctionDef("forward", ast.arguments(args=[ast.arg("self"), *_])):
                return say("judge.stands-outside", name="forward", of=of), node.lineno
    return None


def _not_called(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    if fault.type != "TypeError":
        return None
    if OF_A_METHOD.search(fault.message):
        if method := UNCALLED.search(text):
            return say("judge.not-called", code=clean(method[0], 60)), 0
        for node in nodes_of(tree, of):
            match node:
                case ast.Assign([ast.Name(name)], ast.Attribute(attr="size") as size) if name in text:
                    return say("judge.not-called", code=short(size)), node.lineno
    return _layer_not_called(fault, tree, of, text)


def _layer_not_called(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    meant = OF_A_LAYER.search(fault.message)
    if meant is None:
        return None
    made = next(filter(None, meant.groups()))
    layers = {name for name, _, value in _kept(tree, of) if written(value).partition("(")[0].endswith(made)}
    uncalled = {name: (line, other) for name, line, other in _uncalled(tree, of) if name in layers}
    failed = {name: each for name, each in uncalled.items() if re.search(rf"\bself\.{name}\b(?![.(\[])", text)}
    found = failed or uncalled
    if len(found) != 1:
        return None
    ((name, (line, other)),) = found.items()
    code = f"self.{clean(name, 60)}"
    given = _input(tree, of, made, code, other)
    return say("judge.layer-not-called", code=code, due=f"{code}({given})"), line


def _input(tree: ast.Module, of: str, made: str, layer: str, other: ast.expr | None) -> str:
    """What a layer is to be handed, where that is what it was multiplied with: an input, or weights to be dropped."""
    if made == "Linear":
        forward = {name for each in methods(tree, of, "forward") for name in positional(each)}
        return short(other) if isinstance(other, ast.Name) and other.id in forward else "x" if other is None else "…"
    given = [other]
    if isinstance(other, ast.Name):
        stated = [s for s in outside_init(statements_of(tree, of)) if s.target == other.id and layer not in s.text]
        given = [getattr(s.node, "value", None) for s in stated]
    is_weights = bool(given) and all(_is_of_softmax(each, tree) for each in given)
    return short(other) if other is not None and made == "Dropout" and is_weights else "…"


def _is_of_softmax(value: ast.expr | None, tree: ast.Module) -> bool:
    names = {"softmax", *softmaxes(tree)}
    return isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in names


def _uncalled(tree: ast.Module, of: str) -> Iterator[tuple[str, int, ast.expr | None]]:
    """The attributes that a class's `forward` multiplies by, or gives another name, as they are.

    Each with its line, and with what it is multiplied by.
    """
    for node in (node for forward in methods(tree, of, "forward") for node in walk(forward)):
        used: list[tuple[ast.expr, ast.expr | None]]
        match node:
            case ast.BinOp(left, ast.MatMult() | ast.Mult(), right):
                used = [(left, right), (right, left)]
            case ast.Call(ast.Attribute(attr=name), [left, right]) if name in PRODUCTS:
                used = [(left, right), (right, left)]
            case ast.Assign(_, ast.Tuple(several)):
                used = [(each, None) for each in several]
            case ast.Assign(_, value):
                used = [(value, None)]
            case _:
                continue
        for each, other in used:
            match each:
                case ast.Attribute(ast.Name("self"), name):
                    yield name, each.lineno, other


def _called(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    if fault.message.startswith("'torch.Size' object is not callable") and (shape := SHAPE_CALLED.search(text)):
        return say("judge.no-function", code=clean(shape[0][:-1], 60)), 0
    if NUMBER_CALLED.match(fault.message):
        known = spelling.defined(tree) | {*dir(builtins)}
        calls = [each for each in nodes_of(tree, of) if isinstance(each, ast.Call) and dotted(each.func) not in known]
        own = [each for each in calls if re.fullmatch(r"(self\.)?\w+", dotted(each.func))]
        match [each for each in own if f"{dotted(each.func)}(" in text]:
            case [ast.Call(number, [given], [])]:
                return say("judge.number-called", due=clean(f"{written(number)} * ({written(given)})", 80)), 0
    if MATRIX_CALLED.match(fault.message):
        for name, _, value in _kept(tree, of):
            if MATRIX.search(written(value).partition("(")[0]) and re.search(rf"\bself\.{name}\(", text):
                return say("judge.no-layer-but-matrix", code=f"self.{clean(name, 60)}"), 0
    return None


def _of_one_number(fault: Fault, text: str) -> Told | None:
    if OF_AN_EXTREME.search(fault.message):
        return say("judge.two-tensors"), 0
    if not OF_A_NUMBER.search(fault.message) or TO_A_NUMBER.search(text):
        return None
    rooted = ROOT_OF_KEYS.search(text)
    if rooted and rooted[1] in dict(fault.shapes):
        return say("judge.root-of-width", name=clean(rooted[1], 60)), 0
    divided = BY_ROOT.search(text)
    if divided and divided[1] in dict(fault.shapes):
        return say("judge.root-of-a-tensor", name=clean(divided[1], 60)), 0
    function = MATH.search(text)
    return (say("judge.of-one-number", name=function[1]), 0) if function else None


def _of_numpys(fault: Fault, tree: ast.Module, of: str, text: str) -> Told | None:
    """What there is to say of numpy where it costs the gradients, or where nobody imported it."""
    absent = spelling.UNDEFINED.search(fault.message) if fault.type == "NameError" else None
    is_absent = absent is not None and absent[1] in vocabulary.NUMPYS
    if not is_absent and not fault.message.startswith(NO_NUMPY):
        return None
    due = _in_torch(tree, of, text)
    if is_absent:
        is_known = due and due != "torch.sqrt"  # which takes no root of a plain number
        return say("judge.numpy-not-needed-for", due=due) if is_known else say("judge.numpy-not-needed"), 0
    return say("judge.stay-with-torch", due=due) if due else say("judge.no-numpy"), 0


def _in_torch(tree: ast.Module, of: str, text: str) -> str:
    """What does in torch what a line asks of numpy; "" where that is not certain."""
    for node in nodes_of(tree, of):
        match node:
            case ast.Call(ast.Attribute(ast.Name(owner), name), args) if owner in vocabulary.NUMPYS:
                if f"{owner}.{name}(" not in text:
                    continue
                if name in ("matmul", "dot") and len(args) == 2:
                    return " @ ".join(map(short, args))
                if name in OF_TORCHS_TOO:
                    return f"torch.{name}"
    return ""


def _kept(tree: ast.Module, of: str) -> Iterator[tuple[str, ast.stmt, ast.expr]]:
    """What a class's `__init__`, and those of what it makes use of, keep in `self`: name, statement and value."""
    for definition in definitions_of(tree, of):
        for node in nodes_of_init(tree, definition.name):
            match node:
                case ast.Assign([ast.Attribute(ast.Name("self"), name)], value):
                    yield name, node, value
