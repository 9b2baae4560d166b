"""torch's own attention, called without what it has to be told: what hides the future, and when to drop."""

from __future__ import annotations

import ast

from grader.diagnosis.changes.pieces import safe
from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

NAME = "scaled_dot_product_attention"
# Where what it takes stands among its arguments.
PLACES = {"attn_mask": 3, "dropout_p": 4, "is_causal": 5}


def _attending(tree: ast.Module, of: str) -> ast.Call | None:
    """The one call of torch's attention in a definition, of which all arguments can be read."""
    calls = [
        node
        for node in nodes_of(tree, of)
        if isinstance(node, ast.Call) and written(node.func).rpartition(".")[2] == NAME
    ]
    if len(calls) != 1 or any(isinstance(each, ast.Starred) for each in calls[0].args):
        return None
    return calls[0] if all(each.arg for each in calls[0].keywords) else None


def _argument(call: ast.Call, name: str) -> ast.expr | None:
    """What is handed to torch's attention as an argument; None where that is nothing, or as good as nothing."""
    named = next((each.value for each in call.keywords if each.arg == name), None)
    given = named or (call.args[PLACES[name]] if len(call.args) > PLACES[name] else None)
    return None if isinstance(given, ast.Constant) and not given.value else given


def unmasked(tree: ast.Module, of: str) -> Told | None:
    call = _attending(tree, of)
    if call is None or _argument(call, "attn_mask") or _argument(call, "is_causal"):
        return None
    return say("judge.attention-unmasked", name=NAME), call.lineno


def dropped_always(tree: ast.Module, of: str) -> Told | None:
    call = _attending(tree, of)
    rate = _argument(call, "dropout_p") if call is not None else None
    if call is None or rate is None or _knows_its_mode(tree, of):
        return None
    while isinstance(rate, ast.IfExp):  # what is asked there, it is no longer
        rate = rate.orelse if isinstance(rate.body, ast.Constant) and not rate.body.value else rate.body
    due = clean(f"dropout_p={safe(rate)} if self.training else 0.0", 120)
    return say("judge.attention-drops", name=NAME, due=due), call.lineno


def never_dropped(tree: ast.Module, of: str) -> Told | None:
    call = _attending(tree, of)
    if call is None or _argument(call, "dropout_p") is not None or _knows_its_mode(tree, of):
        return None
    due = clean(f"dropout_p={_rate(tree, of)} if self.training else 0.0", 120)
    return say("judge.attention-without-dropout", name=NAME, due=due), call.lineno


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
