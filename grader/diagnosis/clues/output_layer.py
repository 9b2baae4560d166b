"""The layer behind the heads, which is made and not called, or called and not made."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.places.statements import Told, methods
from grader.diagnosis.places.texts import written
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

# What it is called.
OUTPUT = re.compile(r"(\w*_)?(out|output|proj|projection)(_\w*)?|W_o(ut)?", re.IGNORECASE)
# What makes a layer that may be one.
LAYER = re.compile(r"(Linear|Sequential)$")
# A class that is made of nothing else has nothing from elsewhere.
MODULES = {"nn.Module", "torch.nn.Module", "Module"}


def output_layer(tree: ast.Module, of: str) -> Told | None:
    """What to say of the layer, and the line that calls it; 0 where none does."""
    owner = next((node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of), None)
    if owner is None or not {written(base) for base in owner.bases} <= MODULES:
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
