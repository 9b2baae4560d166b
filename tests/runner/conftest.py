"""Solvers that are closed when their test ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver

Ask = Callable[..., Solver]


@pytest.fixture
def solve(zygote: Zygote) -> Iterator[Ask]:
    """Makes a solver of a submission's modules."""
    solvers: list[Solver] = []

    def make(modules: Mapping[str, bytes], stand_ins: Mapping[str, bytes] | None = None, **settings: Any) -> Solver:
        solvers.append(Solver(zygote, modules, stand_ins or {}, **settings))
        return solvers[-1]

    yield make
    for solver in solvers:
        solver.close()
