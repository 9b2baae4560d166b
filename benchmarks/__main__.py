"""`python -m benchmarks` measures, writes results.json, and makes docs/performance.md of it.

Exits 1 where a goal is not met, 2 where something could not be measured. `--only NAME` measures one thing anew and
keeps what results.json says of the others. `--page` writes the page again and measures nothing.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from benchmarks import figures, page
from benchmarks.goals import goals
from benchmarks.machine import machine
from benchmarks.scale import NORMAL, SCALES, Scale

MEASUREMENTS = (
    "floor", "cold", "desk", "peers", "batch", "jobs", "growth", "cluster", "losing", "cases", "tensors", "confinement",
    "diagnosis", "endurance", "opening",
)  # fmt: skip
RESULTS = Path(__file__).with_name("results.json")


def main(words: list[str] | None = None) -> int:
    """Measure what is asked for. Returns the exit code."""
    asked = _parser().parse_args(words)
    scale = SCALES["quick" if asked.quick else "full" if asked.full else NORMAL.name]
    kept = json.loads(asked.results.read_text("utf-8")) if asked.results.exists() else {}
    chosen = () if asked.page else tuple(asked.only or MEASUREMENTS)
    results: dict[str, Any] = kept if asked.only or asked.page else {}
    failed = [name for name in chosen if not _measured(name, scale, results, asked.results)]
    if results.get("measured"):
        page.write(results, asked.page_to)
    if asked.results == RESULTS and asked.page_to == page.PAGE:
        figures.write(results)
    missed = [goal for goal in goals(results) if goal.is_met is False]
    for goal in missed:
        print(f"NOT MET: {page.goal_line(goal)}", file=sys.stderr)
    if failed:
        print(f"NOT MEASURED: {', '.join(failed)}", file=sys.stderr)
    return 2 if failed else 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="little of everything, to see that it runs")
    size.add_argument("--full", action="store_true", help="up to 10,000 submissions; takes hours")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, help="measure this alone; may be repeated")
    parser.add_argument("--page", action="store_true", help="write the page again from what was measured")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--page-to", type=Path, default=page.PAGE, metavar="FILE")
    return parser


def _measured(name: str, scale: Scale, results: dict[str, Any], file: Path) -> bool:
    """Measure one thing and write it down at once, so that a later failure costs nothing. False where it fails."""
    measure = importlib.import_module(f"benchmarks.measurements.{name}").measure
    on = machine()  # its load is the one before
    started = time.perf_counter()
    print(f"{name} ...", file=sys.stderr, flush=True)
    try:
        with tempfile.TemporaryDirectory() as there:
            found = measure(scale, Path(there))
    except Exception:
        traceback.print_exc()
        results.pop(name, None)  # what was true of an earlier run is not of this one
        results.get("measured", {}).pop(name, None)
        _write(results, file)
        return False
    seconds = time.perf_counter() - started
    results[name] = _rounded(found)  # as the file has it, so that the page of now is the page of any later day
    results.setdefault("measured", {})[name] = {**on, "scale": scale.name, "seconds": round(seconds, 1)}
    _write(results, file)
    print(f"{name}: {seconds:.0f} s", file=sys.stderr, flush=True)
    return True


def _write(results: dict[str, Any], file: Path) -> None:
    file.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def _rounded(value: Any) -> Any:
    """The same to six significant digits, which is more than any of it repeats to."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


if __name__ == "__main__":
    sys.exit(main())
