"""The checks as check50 runs them: one of its checks for each exercise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import check50

from benchmarks.peers.checks import CHECKS, run
from benchmarks.peers.loading import Both


def _of(exercise: str) -> Callable[[], None]:
    def perform() -> None:
        both = Both(Path.cwd())
        for check in CHECKS:
            if check.exercise == exercise:
                try:
                    run(check, both)
                except Exception as error:
                    raise check50.Failure(f"{check.name}: {type(error).__name__}: {error}") from error

    perform.__name__ = exercise
    perform.__doc__ = f"{exercise} is right"
    return check50.check()(perform)


for _exercise in sorted({check.exercise for check in CHECKS}):
    globals()[_exercise] = _of(_exercise)  # check50 finds its checks by their names in the module
