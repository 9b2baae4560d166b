"""The same submissions on this machine and on a cluster on it, one worker killed in the middle: the same results.

What the cluster costs is told per submission: the wall-clock time of each way beyond the first results, with as many at
once, so that the start of processes counts in neither. The cluster speaks TLS and grades with two workers.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.runner.cluster.members import ROOT, members

COUNT = 500
JOBS = 2
OPTIONS = ("--exercise", "ex01", "--exercise", "ex02", "--exercise", "ex03", "--device", "cpu", "--seed", "3")
# Every fourth submission is wrong, so that there is something to compare.
WRONG = ("ex02_softmax_weights", "dim=-1", "dim=0")
GRADE = Path(sys.executable).with_name("grade")
# So many results of each way are its start: torch's import above all.
WARM = 4


def main(count: int = COUNT) -> None:
    """Measure, print a line for people and one for machines, and fail where the results are not the same."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        hand_in(folder / "class", count)
        local = graded(folder, "local", "--jobs", str(JOBS))
        with members(folder / "cluster", *[""] * JOBS) as cluster:
            options = cluster.options
            calm = graded(folder, "calm", *options)
            killed = graded(folder, "killed", *options, disturb=lambda: os.kill(cluster.workers()[0], signal.SIGKILL))
        same = reports(folder / "local") == reports(folder / "calm") == reports(folder / "killed")
    overhead = (calm - local) * JOBS
    print(
        f"{count} submissions, {JOBS} at once: {local * 1000:.0f} ms each here, {calm * 1000:.0f} ms on a cluster "
        f"({calm / local:.2f} times; {overhead * 1000:+.0f} ms of a worker for each), {killed * 1000:.0f} ms with one "
        f"killed; results {'the same' if same else 'DIFFER'}"
    )
    print(json.dumps({"count": count, "local": local, "cluster": calm, "killed": killed, "same": same}))
    if not same:
        sys.exit("the results are not the same")


def hand_in(folder: Path, count: int) -> None:
    """A class: each with a comment of their own, so that none is another's copy."""
    module, right, wrong = WRONG
    for number in range(count):
        student = folder / f"student-{number:04}"
        student.mkdir(parents=True)
        for source in sorted((ROOT / "solutions" / "reference").glob("ex0[123]*.py")):
            text = source.read_text("utf-8")
            if number % 4 == 3 and source.stem == module:
                text = text.replace(right, wrong)
            (student / source.name).write_text(f"{text}\n# {number}\n", "utf-8")


def graded(folder: Path, name: str, *options: str, disturb: Callable[[], object] | None = None) -> float:
    """Seconds for each submission after the first few. disturb: what happens when a third is done."""
    out = folder / name
    total = len(list((folder / "class").iterdir()))
    command = [GRADE, "batch", folder / "class", "--out", out, *OPTIONS, *options]
    batch = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    pause, begun, done = threading.Event(), 0.0, 0
    while batch.poll() is None:
        done = stored(out)
        if not begun and done >= WARM:
            begun, first = time.perf_counter(), done
        if disturb is not None and done >= total // 3:
            disturb()
            disturb = None
        if done >= total:
            break
        pause.wait(0.02)
    ended = time.perf_counter()
    _, errors = batch.communicate()
    if batch.returncode:
        sys.exit(errors)
    return (ended - begun) / (total - first)


def stored(out: Path) -> int:
    """How many results there are so far."""
    try:
        database = sqlite3.connect(f"file:{out}/results.sqlite?mode=ro", uri=True)
    except sqlite3.Error:
        return 0
    try:
        count: int = database.execute("SELECT count(*) FROM results").fetchone()[0]
        return count
    except sqlite3.Error:
        return 0
    finally:
        database.close()


def reports(out: Path) -> dict[str, str]:
    """Every report's text, without its time."""
    files = (out / "results").glob("*.json")
    return {file.stem: re.sub(r'"seconds": [0-9.e-]+', "", file.read_text("utf-8")) for file in files}


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
