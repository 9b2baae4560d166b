"""A whole class, hostile ones among it, on two Dask workers of which one is killed in the middle, beside two jobs here.

Every report must be the one that this machine gives without a cluster; of hostile ones, which may tell the number of
their process or run a race with the grader, the score.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.classroom import classroom
from benchmarks.measurements.cluster import reports
from benchmarks.scale import Scale
from tests.runner.cluster.members import members, wait_for

WORKERS = 2


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Seconds of both, and how many reports there were at the kill. Raises RuntimeError where one differs.

    What a submission takes is told beyond the start: here that of a class of one for each worker, and on a cluster what
    such a class takes once its workers have imported torch.
    """
    everyone = classroom(there / "class", scale.losing)
    one = classroom(there / "one", WORKERS, seed=2).folder
    start = grading.batch(one, there / "one-here", "--jobs", str(WORKERS))
    here = grading.batch(everyone.folder, there / "here", "--jobs", str(WORKERS))
    with members(there / "cluster", *[""] * WORKERS) as cluster:
        cold, warm = (grading.batch(one, there / name, *cluster.options) for name in ("cold", "warm"))
        whole = grading.batch(everyone.folder, there / "whole", *cluster.options)
        killed: list[int] = []

        def lose() -> None:
            wait_for(lambda: grading.results(there / "lost") >= scale.losing // 2, seconds=whole.seconds * 2 + 60)
            killed.append(grading.results(there / "lost"))
            os.kill(cluster.workers()[0], signal.SIGKILL)

        losing = threading.Thread(target=lose)
        losing.start()
        lost = grading.batch(everyone.folder, there / "lost", *cluster.options)
        losing.join()
    if not killed or killed[0] >= scale.losing:
        raise RuntimeError("no worker was killed in the middle")
    hostile = everyone.of("hostile")
    known = _told(there / "here", hostile)
    for other in ("whole", "lost"):
        found = _told(there / other, hostile)
        if differ := sorted(name for name in known.keys() | found.keys() if known.get(name) != found.get(name)):
            raise RuntimeError(f"{other}: {len(differ)} reports are not the same, of {', '.join(differ[:10])}")
    return {
        "submissions": scale.losing, "workers": WORKERS, "kinds": dict(Counter(everyone.kinds.values())),
        "here_seconds": here.seconds, "whole_seconds": whole.seconds, "lost_seconds": lost.seconds,
        "killed_after": killed[0],
        "cold_seconds": cold.seconds,
        "each_here": (here.seconds - start.seconds) / (scale.losing - WORKERS),
        "each_whole": (whole.seconds - warm.seconds) / (scale.losing - WORKERS),
    }  # fmt: skip


def _told(out: Path, hostile: Collection[str]) -> dict[str, str]:
    """What is compared of every report."""
    told = reports(out)
    files = {name: out / "results" / f"{name}.json" for name in told.keys() & {*hostile}}
    return told | {name: str(json.loads(file.read_text("utf-8"))["score"]) for name, file in files.items()}
