"""What a class calls the layer that is asked of it under another name, as by a copy that was written for `W_query`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from grader.diagnosis.places.patterns import ROLES
from grader.diagnosis.places.statements import Told, nodes_of_init
from grader.diagnosis.slips.spelling import AN_OBJECTS, NO_ATTRIBUTE, near
from grader.model.observation import Fault
from grader.model.syntax import dotted
from grader.model.text import clean
from grader.words import say

# What makes a layer, a weight of one's own, or what holds several.
MADE = ("Linear", "Parameter", "Conv1d", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList")
# So many names are read at a glance.
MOST = 6


def otherwise_called(fault: Fault, trees: Callable[[str], ast.Module | None]) -> Told | None:
    """What the layers of a class are called of which one is asked that it has not, and 0 for the line that failed.

    trees: the source that a class of some name stands in.
    """
    owner, absent = AN_OBJECTS.match(fault.message), NO_ATTRIBUTE.search(fault.message)
    if fault.type != "AttributeError" or owner is None or absent is None:
        return None
    tree = trees(owner[1])
    layers = dict.fromkeys(_layers(tree, owner[1])) if tree is not None else {}
    if not layers or absent[1] in layers:
        return None
    if meant := near(absent[1], layers):
        return say("judge.did-you-mean", name=clean(meant, 60)), 0
    role = next((looks for looks in ROLES.values() if looks.search(absent[1])), None)
    alike = [name for name in layers if role is not None and role.search(name)]
    if role is None:
        return None
    if len(alike) == 1:
        return say("judge.called-there", owner=clean(owner[1], 60), name=clean(alike[0], 60)), 0
    names = ", ".join(f"`{clean(name, 60)}`" for name in [*layers][:MOST])
    return say("judge.layers-there", owner=clean(owner[1], 60), names=names), 0


def _layers(tree: ast.Module, of: str) -> Iterator[str]:
    """The attributes under which a class's `__init__` keeps layers, or weights that are to be learnt."""
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Call(made) as call):
                if dotted(made).endswith(MADE) and not _is_fixed(call):
                    yield name


def _is_fixed(call: ast.Call) -> bool:
    """Whether what a call makes is a parameter that is not to be learnt."""
    given = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "requires_grad")]
    return dotted(call.func).endswith("Parameter") and any(ast.unparse(each) == "False" for each in given)
