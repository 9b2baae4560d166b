"""The columns of the table of attacks: which layers are left out, and what gets through then."""

from __future__ import annotations

from grader.model.isolation import LAYERS
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins

from .catalogue import EVERY
from .grounds import Grounds

ALL = "nothing"
NONE = "any"
CONTROL = "honest"
COLUMNS: dict[str, frozenset[str]] = {
    ALL: frozenset(),
    **{f"no {layer}": frozenset({layer}) for layer in LAYERS},
    NONE: frozenset(LAYERS),
}


def through(column: str) -> dict[str, list[str]]:
    """What each attack gains under a column's layers, or takes from whoever is graded next."""
    plugins = Plugins()
    grounds = Grounds(plugins, load_pack(plugins.pack(), plugins.checks), COLUMNS[column])
    try:
        found = {}
        for attack in EVERY:
            if column == ALL or not attack.hangs:
                found[attack.name] = grounds.try_out(attack)[0]
        found[CONTROL] = grounds.control()
        return found
    finally:
        grounds.close()
