"""How long `grade run` takes from nothing to a printed result, beside `import torch`, in one run.

Both are whole processes, started in turn, so that whatever else the machine does falls on both alike. The ratio of the
medians is what counts; the seconds only say how it came about.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
ALLOWED_RATIO = 1.4
ALLOWED_PARENT_MEGABYTES = 150
IMPORT = [sys.executable, "-c", "import torch"]
GRADE = [str(Path(sys.executable).with_name("grade")), "run", str(ROOT / "solutions" / "reference"), "--seed", "1"]


def seconds(command: list[str]) -> float:
    """The wall time of one process. Raises CalledProcessError where it fails."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def parent_megabytes(command: list[str]) -> float:
    """The largest resident set of the process itself, children left out."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0

    def watch() -> None:
        nonlocal peak
        while process.poll() is None:
            try:
                status = Path(f"/proc/{process.pid}/status").read_text("ascii")
            except OSError:
                return
            peak = max([peak, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))])
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    process.wait()
    watcher.join()
    return peak / 1024


def main() -> None:
    """Measure, print a line for people and one for machines, and fail where a bound is broken."""
    for command in (IMPORT, GRADE):
        seconds(command)  # fill the page cache
    pairs = [(seconds(IMPORT), seconds(GRADE)) for _ in range(ROUNDS)]
    floor, whole = (statistics.median(column) for column in zip(*pairs, strict=True))
    memory = parent_megabytes(GRADE)
    result = {
        "import_torch_seconds": round(floor, 3),
        "grade_run_seconds": round(whole, 3),
        "ratio": round(whole / floor, 3),
        "allowed_ratio": ALLOWED_RATIO,
        "parent_megabytes": round(memory, 1),
        "allowed_parent_megabytes": ALLOWED_PARENT_MEGABYTES,
        "cpu_seconds_of_children": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, 1),
        "cores": os.cpu_count(),
    }
    print(f"grade run {whole:.2f} s, import torch {floor:.2f} s: {whole / floor:.2f} times; parent {memory:.0f} MB")
    print(json.dumps(result))
    if whole / floor > ALLOWED_RATIO or memory > ALLOWED_PARENT_MEGABYTES:
        sys.exit(f"more than {ALLOWED_RATIO} times, or more than {ALLOWED_PARENT_MEGABYTES} MB")


if __name__ == "__main__":
    main()
