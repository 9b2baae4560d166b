"""How much is measured: a little, to see that everything runs; what a quiet hour allows; or all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How many of what.

    counts: of submissions in a batch. pairs: of batches on one job and on two; pair: submissions of each. growth: of
    those in a small class and in a large one. rounds: how often what is short is repeated, for its median. forks: bare
    ones. peers: submissions that each other tool takes; class_: that the grader takes beside them. saves: at the desk.
    cluster: submissions for each number of workers; losing: those of which half are graded when a worker is lost.
    cases: how many times as many. megabytes: of tensors. soak: submissions with one worker.
    """

    name: str
    counts: tuple[int, ...]
    pairs: int
    pair: int
    growth: tuple[int, int]
    rounds: int
    forks: int
    peers: int
    class_: int
    saves: int
    cluster: int
    losing: int
    cases: tuple[int, ...]
    megabytes: tuple[int, ...]
    soak: int


QUICK = Scale(
    name="quick", counts=(1, 6), pairs=1, pair=6, growth=(3, 6), rounds=2, forks=10, peers=1, class_=8, saves=4,
    cluster=6, losing=6, cases=(1, 3), megabytes=(1, 16), soak=20,
)  # fmt: skip
NORMAL = Scale(
    name="normal", counts=(1, 10, 100), pairs=3, pair=400, growth=(100, 1000), rounds=7, forks=100, peers=6,
    class_=100, saves=50, cluster=40, losing=100, cases=(1, 10), megabytes=(1, 4, 16, 64), soak=200,
)  # fmt: skip
FULL = Scale(
    name="full", counts=(1, 10, 100, 1000, 10_000), pairs=5, pair=1000, growth=(100, 10_000), rounds=9, forks=300,
    peers=12, class_=400, saves=50, cluster=500, losing=500, cases=(1, 10, 100), megabytes=(1, 4, 16, 64), soak=1000,
)  # fmt: skip
SCALES = {scale.name: scale for scale in (QUICK, NORMAL, FULL)}
