"""Says a known mistake of the code that makes it, where its rubric would speak of code that is written otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from grader.diagnosis.evidence import Mistake
from grader.diagnosis.pieces import safe
from grader.diagnosis.places.shares import last_given
from grader.diagnosis.places.statements import Told, functions_of, methods
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.remarks import of_rows
from grader.diagnosis.source.used import nodes_of
from grader.model.check import Question
from grader.model.syntax import dotted, walk
from grader.model.text import clean
from grader.words import say

# torch's own attention, and where what it takes stands among its arguments.
ATTENTION = "scaled_dot_product_attention"
PLACES = {"attn_mask": 3, "dropout_p": 4, "is_causal": 5}
# What the output projection is called.
OUTPUT = re.compile(r"(\w*_)?(out|output|proj|projection)(_\w*)?|W_o(ut)?", re.IGNORECASE)
# What makes a layer that may be one.
LAYER = re.compile(r"(Linear|Sequential)$")
# What hides scores by a mask, and what a triangle is cut out of to be one.
MASKED = re.compile(r"masked_fill|where\(|mask|tril|ones|full|zeros")
MODULES = {"nn.Module", "torch.nn.Module", "Module"}


def as_written(mistake: Mistake, tree: ast.Module, of: str, question: Question | None) -> Mistake:
    """A mistake with what there is to say of the code that makes it; as it is where that is not certain."""
    finder = SAID_OF.get(mistake.id)
    if mistake.said:
        return mistake
    told = finder(tree, of) if finder is not None else None
    if mistake.id == "softmax-wrong-axis" and question is not None:  # no axis is wrong there, but one is lost
        told = of_rows(question, tree) or _summed_along(
            tree, of, is_flat=not question.exercise.definitions[of].is_class
        )
    return replace(mistake, said=told[0], line=told[1] or mistake.line) if told is not None else mistake


def _attending(tree: ast.Module, of: str) -> ast.Call | None:
    """The one call of torch's attention in a definition, of which all arguments can be read."""
    calls = [
        node
        for node in nodes_of(tree, of)
        if isinstance(node, ast.Call) and written(node.func).rpartition(".")[2] == ATTENTION
    ]
    if len(calls) != 1 or any(isinstance(each, ast.Starred) for each in calls[0].args):
        return None
    return calls[0] if all(each.arg for each in calls[0].keywords) else None


def _argument(call: ast.Call, name: str) -> ast.expr | None:
    """What is handed to torch's attention as an argument; None where that is nothing, or as good as nothing."""
    named = next((each.value for each in call.keywords if each.arg == name), None)
    given = named or (call.args[PLACES[name]] if len(call.args) > PLACES[name] else None)
    return None if isinstance(given, ast.Constant) and not given.value else given


def _unmasked(tree: ast.Module, of: str) -> Told | None:
    call = _attending(tree, of)
    if call is None or _argument(call, "attn_mask") or _argument(call, "is_causal"):
        return None
    return say("judge.attention-unmasked", name=ATTENTION), call.lineno


def _dropped_always(tree: ast.Module, of: str) -> Told | None:
    call = _attending(tree, of)
    rate = _argument(call, "dropout_p") if call is not None else None
    if call is None or rate is None or _knows_its_mode(tree, of):
        return None
    while isinstance(rate, ast.IfExp):  # what is asked there, it is no longer
        rate = rate.orelse if isinstance(rate.body, ast.Constant) and not rate.body.value else rate.body
    due = clean(f"dropout_p={safe(rate)} if self.training else 0.0", 120)
    return say("judge.attention-drops", name=ATTENTION, due=due), call.lineno


def _never_dropped(tree: ast.Module, of: str) -> Told | None:
    call = _attending(tree, of)
    if call is None or _argument(call, "dropout_p") is not None or _knows_its_mode(tree, of):
        return None
    due = clean(f"dropout_p={_rate(tree, of)} if self.training else 0.0", 120)
    return say("judge.attention-without-dropout", name=ATTENTION, due=due), call.lineno


def _knows_its_mode(tree: ast.Module, of: str) -> bool:
    """Whether something is made of it, perhaps elsewhere, whether a module is training."""
    return any(isinstance(node, ast.Attribute) and node.attr == "training" for node in nodes_of(tree, of))


def _rate(tree: ast.Module, of: str) -> str:
    """The rate that a class has kept, by a layer or as a number; an ellipsis where it has none."""
    for init in methods(tree, of, "__init__"):
        for node in walk(init):
            match node:
                case ast.Assign([ast.Attribute(ast.Name("self")) as kept], ast.Call(func)) if written(func).endswith(
                    "Dropout"
                ):
                    return f"{written(kept)}.p"
                case ast.Assign([ast.Attribute(ast.Name("self")) as kept], ast.Name(given)) if "drop" in given:
                    return written(kept)
    return "…"


def _kept_above(tree: ast.Module, of: str) -> Told | None:
    """Where no mask is made, and a triangle is cut out of exponentials themselves."""
    for function in functions_of(tree, of):
        found = [node for node in walk(function) if isinstance(node, ast.Call) and _name(node) in ("triu", "triu_")]
        if len(found) != 1 or MASKED.search(written(function)):
            continue
        given, is_function = [*found[0].args], dotted(found[0].func).partition(".")[0] in ("torch", "triu")
        whole = given.pop(0) if is_function and given else getattr(found[0].func, "value", None)
        given += [each.value for each in found[0].keywords]
        if isinstance(whole, ast.Name):
            whole = last_given(whole.id, function, found[0].lineno)
        # Of another diagonal neither what is said nor what is to be written would be true.
        keeps_diagonal = all(written(each) == "0" for each in given)
        if keeps_diagonal and isinstance(whole, ast.Call) and _name(whole) in ("exp", "softmax"):
            return say("judge.kept-above", code=short(found[0])), found[0].lineno
    return None


def _summed_along(tree: ast.Module, of: str, *, is_flat: bool) -> Told | None:
    """Where no function of torch's makes the shares, and what they are divided by is a sum along the queries' axis.

    is_flat: whether that is the first one, since no batch stands before it.
    """
    nodes = [*nodes_of(tree, of)]
    if any(isinstance(node, ast.Call) and "softmax" in _name(node) for node in nodes):
        return None
    sums = [node for node in nodes if isinstance(node, ast.Call) and _name(node) == "sum"]
    match sums:
        case [ast.Call(ast.Attribute(ast.Name("torch")) as func, [whole, *rest], keywords)]:
            before = [written(whole)]
        case [ast.Call(ast.Attribute(whole) as func, rest, keywords)]:
            before = []
        case _:
            return None
    if not any(_is_divided(whole, sums[0], function) for function in functions_of(tree, of)):
        return None
    axes = [written(each) for each in (*rest[:1], *(each.value for each in keywords if each.arg in ("dim", "axis")))]
    if len(axes) != 1 or axes[0] not in (("0", "-2") if is_flat else ("-2",)):
        return None
    due = clean(f"{written(func)}({', '.join([*before, 'dim=-1', 'keepdim=True'])})", 120)
    return say("judge.summed-along", code=short(sums[0]), due=due), sums[0].lineno


def _is_divided(whole: ast.expr, total: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether a function divides something by its sum, as it is, or by the name that is given to it."""
    for node in walk(function):
        match node:
            case ast.BinOp(some, ast.Div(), by) | ast.AugAssign(some, ast.Div(), by):
                same = written(_meant(some, function, node.lineno)) == written(_meant(whole, function, whole.lineno))
                if same and _meant(by, function, node.lineno) is total:
                    return True
    return False


def _meant(node: ast.expr, function: ast.FunctionDef, line: int) -> ast.expr:
    """What a name was given last before a line; anything else, and a name that was given nothing, as it is."""
    return (isinstance(node, ast.Name) and last_given(node.id, function, line)) or node


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)


def _output_layer(tree: ast.Module, of: str) -> Told | None:
    """Whether the layer that is missing is made and not called, or called and not made."""
    owner = next((node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of), None)
    if owner is None or not {written(base) for base in owner.bases} <= MODULES:  # it may have it from elsewhere
        return None
    made, named, called = set[str](), list[str](), dict[str, int]()
    held = {node.id for each in owner.body for node in _bound_by(each)} | {each.name for each in methods(tree, of)}
    for method in methods(tree, of):
        for node in walk(method):
            match node:
                case ast.Name("getattr" | "setattr") | ast.Attribute(attr="add_module" | "register_module"):
                    return None
                case ast.Attribute(ast.Name("self"), name, ctx):
                    named.append(name)
                    held |= {name} if isinstance(ctx, ast.Store) else set()
                case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Call(func)) | ast.AnnAssign(
                    ast.Attribute(ast.Name("self"), name), value=ast.Call(func)
                ) if method.name == "__init__" and OUTPUT.fullmatch(name) and LAYER.search(written(func)):
                    made.add(name)
                case ast.Call(ast.Attribute(ast.Name("self"), name)) if OUTPUT.fullmatch(name):
                    called.setdefault(name, node.lineno)
    if len(made) == 1 and not called and named.count(*made) == 1:
        return say("judge.output-not-called", name=clean(f"self.{made.pop()}", 60)), 0
    if len(called) == 1 and not made and held.isdisjoint(called):
        name, line = called.popitem()
        return say("judge.output-not-made", name=clean(f"self.{name}", 60)), line
    return None


def _bound_by(statement: ast.stmt) -> list[ast.Name]:
    """The names that a statement in a class's body, but a method, gives something to."""
    nodes = walk(statement) if not isinstance(statement, ast.FunctionDef) else ()
    return [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


SAID_OF: Mapping[str, Callable[[ast.Module, str], Told | None]] = {
    "dropout-in-eval": _dropped_always,
    "dropout-missing": _never_dropped,
    "mask-inverted": _kept_above,
    "mask-missing": _unmasked,
    "out-proj-missing": _output_layer,
}
