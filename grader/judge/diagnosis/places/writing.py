"""Where something is written to that was not made there."""

from __future__ import annotations

from collections.abc import Sequence

from grader.judge.diagnosis.places.patterns import IN_PLACE, WRITTEN_TO
from grader.judge.diagnosis.places.statements import Statement, bare_name, first

NOBODYS = {"torch", "nn", "init", "self"}


def changed(statements: Sequence[Statement]) -> Statement | None:
    """What is written to and was not made in the same function; else anything that is written to."""
    for position, statement in enumerate(statements):
        made = {bare_name(s.target) for s in statements[:position] if s.function == statement.function}
        if any(root and root not in made | NOBODYS for found in WRITTEN_TO.findall(statement.text) for root in found):
            return statement
    return first(statements, IN_PLACE) or first(statements, r"[-+*/]= ")
