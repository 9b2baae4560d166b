"""Where a solution was when it ran out of time, the loop seen from what was called; and what it never came to."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.model.observation import Frame
from grader.model.syntax import LIBRARIES, functions_around, holds, walk

_LOOPS = (ast.While, ast.For, ast.AsyncFor)


def loop_line(tree: ast.Module, file: str, frames: Sequence[Frame]) -> int:
    """The outermost `while` of the first function on the way that was in a loop, else its outermost `for`; where none
    was, the last line on the way. 0 for none.

    Not the line that was executed just then, which is another one each time. frames: outermost first. tree: of file.
    """
    own = [frame for frame in frames if frame.file == file]
    loops = [node for node in walk(tree) if isinstance(node, _LOOPS)]
    for frame in own:
        around = functions_around(tree, frame.line)
        inside = max(around, key=lambda node: node.lineno, default=None)  # a loop around the function is no loop in it
        found = [loop for loop in loops if holds(loop, frame.line)]
        found = [loop for loop in found if inside is None or loop in walk(inside)]
        if found:
            return min(found, key=lambda loop: (not isinstance(loop, ast.While), loop.lineno)).lineno
    return own[-1].line if own else 0


def is_unreached(tree: ast.Module, raised: int, line: int) -> bool:
    """Whether a line stands below one that raised, in the same function and in no loop with it: it never ran.

    A line of the very expression that raised did, however many it is written over.
    """
    nodes = [node for node in walk(tree) if holds(node, raised)]
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    if line <= raised or not functions or not holds(functions[-1], line):
        return False
    inside = [node for node in nodes if node in walk(functions[-1]) and node is not functions[-1]]
    if any(isinstance(node, ast.expr) and holds(node, line) for node in inside):
        return False
    loops = [node for node in inside if isinstance(node, _LOOPS)]
    return not any(holds(loop, line) for loop in loops)


def is_past(tree: ast.Module, line: int, right: int) -> bool:
    """Whether what nobody keeps of a line cannot have spoilt what comes behind another one, up to which all is right.

    So where that stands further down in the same function, and what the line computes with is not read behind it.
    """
    around = functions_around(tree, line)
    if not line < right or not around or not holds(around[-1], right):
        return False
    if any(isinstance(node, ast.For) and node.lineno == line and holds(node, right) for node in walk(around[-1])):
        return False  # of which the next turn comes behind
    names = [node for node in walk(around[-1]) if isinstance(node, ast.Name)]
    used = {node.id for node in names if node.lineno == line} - LIBRARIES - {"self"}
    return bool(used) and all(node.lineno <= right for node in names if node.id in used)


def never_reached(tree: ast.AST) -> set[int]:
    """The identities of the statements that stand behind a `return` in its own block."""
    found: set[int] = set()
    for node in walk(tree):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                end = next((place for place, each in enumerate(block, 1) if isinstance(each, ast.Return)), len(block))
                found |= {id(each) for each in block[end:]}
    return found
