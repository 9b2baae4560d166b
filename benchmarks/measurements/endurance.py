"""A thousand submissions in a row with one worker, every tenth hostile: nobody loses a point and nothing grows.

Memory is the resident set of the parent and of the zygote, the first tenth of the submissions against the last. Hostile
ones are the attack suite's, but those that only wait for their time limit.
"""

from __future__ import annotations

import contextlib
import gc
import os
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.processes import family
from benchmarks.scale import Scale
from grader.model.order import Order
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.bubblewrap import SCRATCH
from grader.runner.session import Session
from grader.submission.read import read_submission
from tests.attacks.catalogue import EVERY
from tests.attacks.grounds import ROOT, Grounds

HOSTILE = 10  # one in so many


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """growth: of the parent's and the zygote's memory. lost: how many honest ones did not get full marks.

    gained: the attacks that did not leave everything as it was. left: whether anything is there that was not before.
    """
    count = scale.soak
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    grounds = Grounds(plugins, pack)
    attacks = [attack for attack in EVERY if not attack.hangs]
    honest = read_submission(ROOT / "solutions" / "reference", pack)
    session = Session(plugins, pack, Order(device="cpu", seed=3), grounds.worker)
    memory: list[tuple[int, int]] = []
    lost, gained = 0, set[str]()
    started = time.perf_counter()
    try:
        grade_submission(session, honest)  # the reference's answers are asked for once
        grounds.settle()
        before = _left(grounds.worker.scratch)
        for number in range(count):
            if number % HOSTILE == HOSTILE - 1:
                attack = attacks[number // HOSTILE % len(attacks)]
                gains, _ = grounds.try_out(attack)
                gained |= {attack.name} if gains else set()
            else:
                lost += not grade_submission(session, honest).is_full
            gc.collect()
            memory.append((_resident(os.getpid()), _resident(_zygote())))
        after = _left(grounds.worker.scratch)
    finally:
        session.close()
        grounds.close()
    tenth = count // 10
    growth = {}
    for name, values in zip(("parent", "zygote"), zip(*memory, strict=True), strict=True):
        first, last = statistics.median(values[:tenth]), statistics.median(values[-tenth:])
        megabytes = {"first_mb": round(first / 2**20, 1), "last_mb": round(last / 2**20, 1)}
        growth[name] = {**megabytes, "growth": round(last / first - 1, 4)}
    seconds = time.perf_counter() - started
    return {
        "count": count, "hostile": count // HOSTILE, "seconds": seconds, "lost": lost, "gained": sorted(gained),
        **growth, "left": before != after,
    }  # fmt: skip


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _zygote() -> int:
    """The Python process among this one's descendants that no other worker started."""
    return min(pid for pid in family(os.getpid())[1:] if _name(pid).startswith("python"))


def _left(scratch: Path) -> dict[str, int]:
    """What could be left over: this process's descriptors, its descendants, and scratch folders."""
    return {
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "processes": len(family(os.getpid())) - 1,
        "folders": sum(path.is_dir() for path in scratch.glob("*"))
        + sum(path.is_dir() for path in Path(f"/proc/{_zygote()}/root{SCRATCH}").iterdir()),
    }


def _name(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text("ascii", "replace")
    return ""
