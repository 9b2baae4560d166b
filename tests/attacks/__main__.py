"""Prints the table: which attack gets through when one layer is left out, and when all are."""

from __future__ import annotations

import sys

from grader.model.isolation import LAYERS
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins

from .catalogue import FAMILIES
from .grounds import Grounds

ALL = "all layers"
NONE = "none"
COLUMNS: dict[str, frozenset[str]] = {
    ALL: frozenset(),
    **{f"no {layer}": frozenset({layer}) for layer in LAYERS},
    NONE: frozenset(LAYERS),
}


def through(column: str, plugins: Plugins, pack: object) -> dict[str, list[str]]:
    """What each attack gains under a column's layers."""
    grounds = Grounds(plugins, pack, COLUMNS[column])  # type: ignore[arg-type]
    try:
        found = {}
        for attacks in FAMILIES.values():
            for attack in attacks:
                if column == ALL or not attack.hangs:
                    found[attack.name] = grounds.try_out(attack)[0] + grounds.control()
        return found
    finally:
        grounds.close()


def main() -> None:
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    columns = {column: through(column, plugins, pack) for column in COLUMNS}
    width = max(len(attack.name) for attacks in FAMILIES.values() for attack in attacks)
    heads = [column.removeprefix("no ")[:11] for column in COLUMNS]
    print(f"{'without:':<{width + 2}}" + "".join(f"{head:<12}" for head in heads))
    for family, attacks in FAMILIES.items():
        print(family)
        for attack in attacks:
            marks = [
                "·" if attack.name not in found else "THROUGH" if found[attack.name] else "held"
                for found in columns.values()
            ]
            print(f"  {attack.name:<{width}}" + "".join(f"{mark:<12}" for mark in marks))
            if "-v" in sys.argv:
                for column, found in columns.items():
                    if found.get(attack.name):
                        print(f"      {column}: {', '.join(found[attack.name])}")


if __name__ == "__main__":
    main()
