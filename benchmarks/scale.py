"""How much is measured: a little, to see that everything runs; what a quiet hour allows; or all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """How many of what.

    counts: of submissions in a batch. rounds: how often what is short is repeated, for its median. forks: bare ones.
    peers: submissions that each other tool takes; class_: that the grader takes beside them. saves: at the desk.
    cluster: submissions for each number of workers. cases: how many times as many. megabytes: of tensors. soak:
    submissions with one worker.
    """

    name: str
    counts: tuple[int, ...]
    rounds: int
    forks: int
    peers: int
    class_: int
    saves: int
    cluster: int
    cases: tuple[int, ...]
    megabytes: tuple[int, ...]
    soak: int


QUICK = Scale("quick", (1, 6), 2, 10, 1, 8, 4, 6, (1, 3), (1, 16), 20)
NORMAL = Scale("normal", (1, 10, 100), 7, 100, 6, 100, 50, 40, (1, 10), (1, 4, 16, 64), 200)
FULL = Scale("full", (1, 10, 100, 1000, 10_000), 9, 300, 12, 400, 50, 500, (1, 10, 100), (1, 4, 16, 64), 1000)
SCALES = {scale.name: scale for scale in (QUICK, NORMAL, FULL)}
