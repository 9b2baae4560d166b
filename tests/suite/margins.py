"""How much of the tolerance right solutions use: `python -m tests.suite.margins` prints the table of docs/numerics.md.

Each error is counted in noise floors; four are allowed. Left out are cases with a tolerance of their own, which have no
floor to count in, and the lesson's, whose numbers tell two orders of a fused projection apart in longer types only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np

from grader.judge import compare
from grader.model.check import Finding, Question
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from tests.end_to_end.submissions import REFERENCE, Marking

from .reading import TYPES, Right, right

SEEDS = (7, 8, 9)
Error = tuple[float, str, str]


def main() -> None:
    """Grade every right solution in every type and print, for each type, the largest error and whose it is."""
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    print("| type | solutions | values compared | largest error, in floors | where | 99 % lie below |")
    print("|---|---:|---:|---:|---|---:|")
    with closing(Zygote()) as zygote, closing(Marking(plugins, pack, zygote)) as mark:
        for dtype in TYPES:
            asked = [solution for solution in right() if dtype in solution.types]
            errors = [error for seed in SEEDS for solution in asked for error in _errors(mark, solution, dtype, seed)]
            worst, step, name = max(errors)
            most = np.quantile([error for error, _, _ in errors], 0.99)
            print(f"| {dtype} | {len(asked)} | {len(errors):,} | {worst:.2f} | `{step}`, {name} | {most:.2f} |")
            sys.stdout.flush()


def _errors(mark: Marking, solution: Right, dtype: str, seed: int) -> Sequence[Error]:
    modules = {**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}
    with _listening() as heard:
        mark(modules, solution.exercise, seed=seed, dtype=dtype)
    return [(floors, step, solution.name) for floors, step in heard]


@contextmanager
def _listening() -> Iterator[list[tuple[float, str]]]:
    """Every comparison of values that comes out right while this lasts: its error in floors, and its step."""
    heard: list[tuple[float, str]] = []
    judge = compare.values

    def listen(question: Question, got: Any, expected: Any, floor: float = 0.0, label: str = "") -> Finding:
        finding = judge(question, got, expected, floor, label)
        template = question.case.template
        counted = expected.dtype.kind == "f" and template.relative is None and template.figure is None
        if finding.right and counted and expected.size:
            finite = np.isfinite(expected)
            error = np.abs(np.asarray(got, np.float64)[finite] - expected[finite]).max(initial=0.0)
            allowed = compare.tolerance(question, np.asarray(expected, np.float64), floor)
            heard.append((compare.TOLERANCE_FACTOR * float(error) / allowed, question.step.id))
        return finding

    compare.values = listen
    try:
        yield heard
    finally:
        compare.values = judge


if __name__ == "__main__":
    main()
