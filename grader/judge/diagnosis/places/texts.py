"""A piece of source as Python would write it, so that patterns meet one spelling of a bounded length."""

from __future__ import annotations

import ast

from grader.model.text import clean

# What is longer nobody writes, and to search it could take for ever.
LONGEST_STATEMENT = 300


def written(node: ast.AST) -> str:
    """A piece of source, cut where it is long; nothing where it is nested too deeply."""
    try:
        return ast.unparse(node)[:LONGEST_STATEMENT]
    except (RecursionError, ValueError):
        return ""


def short(node: ast.AST) -> str:
    """A piece of source as a sentence quotes it."""
    return clean(written(node), 60)
