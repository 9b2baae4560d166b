"""How fast `grade batch` grades a class, beside a loop of one `pytest` process a submission, and in how much memory.

Both in one run on the same two cores, the loop before and behind the batch, so that what else the machine does falls on
both. Speed is that of a class's honest submissions, right and wrong (`classroom`); one that hangs would measure its own
time limit. Then the whole class is graded, and the memory of all processes together is looked at twice a second: the
proportional set size, in which a page that several share is counted once.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.classroom import HONEST, ROOT, Classroom, classroom
from tests.runner.processes.looking import descendants

COUNT, LOOP = 500, 12
CORES = 2
ALLOWED_RATIO, ALLOWED_MEGABYTES, ALLOWED_GROWTH = 40.0, 1536.0, 0.10
OPTIONS = ("--jobs", str(CORES), "--device", "cpu", "--seed", "1", "--timeout", "2")
EDGE = 100
PERIOD = 0.5


@dataclass
class Memory:
    """What was seen of a run's processes. samples: how many results there were, and megabytes."""

    samples: list[tuple[int, float]] = field(default_factory=list)

    @property
    def peak(self) -> float:
        return max(megabytes for _, megabytes in self.samples)

    def between(self, first: int, last: int) -> float:
        """The median while there were so many results; of the whole run where it was never looked at then."""
        some = [megabytes for done, megabytes in self.samples if first <= done <= last]
        return statistics.median(some or [megabytes for _, megabytes in self.samples])


def main() -> None:
    """Measure, print a line for people and one for machines, and fail where a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=COUNT, help="how many submissions")
    parser.add_argument("--loop", type=int, default=LOOP, help="how many of them the loop of pytest takes")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with tempfile.TemporaryDirectory() as there:
        result = measured(Path(there), asked.count, asked.loop)
    print(
        f"{result['honest']} honest submissions {result['batch_per_second']:.2f} a second, pytest "
        f"{result['pytest_per_second']:.3f}: {result['ratio']:.1f} times as fast; {result['count']} of all kinds in "
        f"{result['seconds']:.0f} s and at most {result['peak_mb']:.0f} MB, first {result['edge']} "
        f"{result['first_mb']:.0f} MB, last {result['last_mb']:.0f} MB: {result['growth']:+.1%}; "
        f"{result['lost']} right ones lost points"
    )
    print(json.dumps(result))
    broken = [
        f"less than {ALLOWED_RATIO:g} times as fast" * (result["ratio"] < ALLOWED_RATIO),
        f"more than {ALLOWED_MEGABYTES:g} MB" * (result["peak_mb"] > ALLOWED_MEGABYTES),
        f"memory grows by more than {ALLOWED_GROWTH:.0%}" * (result["growth"] > ALLOWED_GROWTH),
        "right submissions lost points" * (result["lost"] > 0),
    ]
    if any(broken):
        sys.exit("; ".join(filter(None, broken)))


def measured(there: Path, count: int, loop: int) -> dict[str, float]:
    """All figures of one run."""
    whole = classroom(there / "class", count)
    honest = whole.of(*HONEST)
    (there / "honest").mkdir()
    for name in honest:
        shutil.copytree(whole.folder / name, there / "honest" / name)
    some = random.Random(count).sample(honest, min(loop, len(honest)))
    before = [seconds_of_pytest(whole.folder / name) for name in some[::2]]
    honest_seconds = seconds_of_batch(there / "honest", there / "out-honest")
    after = [seconds_of_pytest(whole.folder / name) for name in some[1::2]]
    each = statistics.mean([*before, *after])
    memory = Memory()
    seconds = seconds_of_batch(whole.folder, there / "out", memory)
    edge = min(EDGE, count // 5)
    first, last = memory.between(1, edge), memory.between(count - edge, count - 1)
    return {
        "count": count,
        "honest": len(honest),
        "batch_per_second": round(len(honest) / honest_seconds, 3),
        "pytest_per_second": round(1 / each, 3),
        "ratio": round(len(honest) / honest_seconds * each, 2),
        "allowed_ratio": ALLOWED_RATIO,
        "seconds": round(seconds, 1),
        "peak_mb": round(memory.peak, 1),
        "allowed_mb": ALLOWED_MEGABYTES,
        "edge": edge,
        "first_mb": round(first, 1),
        "last_mb": round(last, 1),
        "growth": round(last / first - 1, 4),
        "allowed_growth": ALLOWED_GROWTH,
        "lost": lost(whole, there / "out"),
        "looked": len(memory.samples),
    }


def seconds_of_pytest(submission: Path) -> float:
    """The wall time of one whole process. What it finds wrong is its result; that it cannot run is an error."""
    environment = {
        **os.environ, "SUBMISSION": str(submission), "FRESH": "7", "OMP_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }  # fmt: skip
    command = [
        sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir",
        str(submission), str(ROOT / "benchmarks" / "plain_pytest.py"),
    ]  # fmt: skip
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1) or " passed" not in done.stdout:
        sys.exit(f"pytest could not run: {done.stdout}")
    return time.perf_counter() - started


def seconds_of_batch(folder: Path, out: Path, memory: Memory | None = None) -> float:
    """The wall time of `grade batch` as a process. memory: where to write down what its processes take."""
    command = [str(Path(sys.executable).with_name("grade")), "batch", str(folder), "--out", str(out), *OPTIONS]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if memory is not None:
        looking = threading.Thread(target=look, args=[process, out / "results", memory])
        looking.start()
    _, errors = process.communicate()
    if process.returncode:
        sys.exit(f"grade batch ended with {process.returncode}: {errors[-2000:]}")
    return time.perf_counter() - started


def look(process: subprocess.Popen[str], results: Path, memory: Memory) -> None:
    """Look at the memory of a process and of all that it started, until it ends."""
    ended = threading.Event()
    while process.poll() is None:
        done = len(list(results.glob("[!.]*"))) if results.is_dir() else 0
        megabytes = sum(map(proportional, [process.pid, *descendants(process.pid)])) / 1024
        if done and megabytes:
            memory.samples.append((done, megabytes))
        ended.wait(PERIOD)


def proportional(pid: int) -> float:
    """The proportional set size of a process in kilobytes; its resident set where that may not be read; 0 once gone."""
    for name, key in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/{name}").read_text("ascii", "replace").splitlines()
            return float(next((line.split()[1] for line in lines if line.startswith(key)), 0))
    return 0.0


def lost(whole: Classroom, out: Path) -> int:
    """How many of the right submissions did not get full marks."""
    with contextlib.closing(sqlite3.connect(out / "results.sqlite")) as database:
        outcomes = dict(database.execute("SELECT id, outcome FROM results"))
    found = [name for name in whole.of("right") if outcomes[name] != "full"]
    for name in found:
        print(f"{name}: {outcomes[name]}")
    return len(found)


if __name__ == "__main__":
    main()
