"""Prints the table: which attack gets through without one layer, and without any. -v says what it gains."""

from __future__ import annotations

import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor

from grader.model.isolation import LAYERS

from .catalogue import EVERY, FAMILIES
from .columns import ALL, COLUMNS, CONTROL, NONE, through


def main() -> None:
    # Each column in a process of its own, which imports nothing of this one's.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        columns = dict(zip(COLUMNS, pool.map(through, COLUMNS), strict=True))
    width = max(len(attack.name) for attack in EVERY)
    heads = [column.removeprefix("no ")[:8] for column in COLUMNS]
    print(f"{'without:':<{width + 2}} " + "".join(f"{head:<9}" for head in heads))
    for family, attacks in {**FAMILIES, "an honest submission, afterwards": ()}.items():
        print(family)
        for name in [attack.name for attack in attacks] or [CONTROL]:
            marks = ["–" if name not in found else "THROUGH" if found[name] else "held" for found in columns.values()]
            print(f"  {name:<{width}} " + "".join(f"{mark:<9}" for mark in marks))
            for column, found in columns.items() if "-v" in sys.argv else ():
                if found.get(name):
                    print(f"      {column}: {', '.join(found[name])[:150]}")
    tried = len(EVERY)
    got = sum(bool(found) for found in columns[ALL].values())
    print(f"\n{tried} attacks; with all layers {got} got through")
    for layer in LAYERS:
        alone = [name for name, gains in columns[f"no {layer}"].items() if gains and not columns[ALL].get(name)]
        print(f"held by {layer} alone: {', '.join(alone) or 'none'}")
    open_ = [name for name, gains in columns[NONE].items() if gains]
    print(f"without any layer {len(open_)} get through; the judge alone holds the other {tried - len(open_)}")
    sys.exit(1 if got else 0)


if __name__ == "__main__":
    main()
