"""Where a result gets another floating-point type than its inputs have."""

from __future__ import annotations

import ast
import re

from grader.diagnosis.places.statements import Told
from grader.diagnosis.places.texts import short, written
from grader.diagnosis.source.used import nodes_of
from grader.model.syntax import walk
from grader.words import say

TYPE = r"(torch\.)?(b?float(16|32|64)?|half|double)"
CHANGING = re.compile(
    rf"\.(double|half|bfloat16|float)\(\)$|\.(to|type)\((dtype=)?{TYPE}\)$|\bdtype=(torch\.)?{TYPE}\)$"
)


def retyped(tree: ast.Module, of: str) -> Told | None:
    """What to say of the only call that may give another type, and its line; None where there are several."""
    found = [node for node in nodes_of(tree, of) if isinstance(node, ast.Call) and CHANGING.search(written(node))]
    inner = {id(each) for node in found for each in walk(node) if each is not node}
    found = [node for node in found if id(node) not in inner]
    return (say("judge.retyped", code=short(found[0])), found[0].lineno) if len(found) == 1 else None
