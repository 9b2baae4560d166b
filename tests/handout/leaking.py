"""Which lines of the reference are in what is handed out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.end_to_end.submissions import REFERENCE, ROOT

# What any program may have: these lines are no part of a solution.
ANYBODYS = {"with torch.no_grad():", "return scaled", "return output", ")"}


def told_lines(source: str) -> set[str]:
    """The lines of a reference's functions that solve something: not their heads and what these say."""
    lines = source.splitlines()
    told: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        # A stand-in has to have the constructor that the exercise names, weight by weight.
        if not isinstance(node, ast.FunctionDef) or node.name == "__init__":
            continue
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        told |= {line.strip() for line in lines[body[0].lineno - 1 : node.end_lineno]}
    return told - ANYBODYS - {""}


def leaked(folder: Path) -> dict[str, list[str]]:
    """Of each exercise the telling lines of the reference that no stub has and a folder's files have."""
    stubs = {
        line.strip() for name in REFERENCE for line in (ROOT / f"fixtures/stubs/{name}.py").read_text().splitlines()
    }
    texts = [path.read_text("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
    theirs = {line.strip() for text in texts for line in text.splitlines()}
    closed_up = "\n".join(_closed_up(text) for text in texts)
    found = {}
    for name, source in REFERENCE.items():
        telling = told_lines(source) - stubs
        assert len(telling) >= 2, name
        # Nor is one within a longer line, such as a hint's, unless it is as short as any hint may be.
        within = {line for line in telling if len(line) >= 25 and _closed_up(line) in closed_up}
        if lines := telling & theirs | within:
            found[name] = sorted(lines)
    return found


def _closed_up(text: str) -> str:
    return re.sub(r"[ \t]+", "", text)
