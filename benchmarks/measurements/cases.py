"""What a submission costs where the pack asks 10 or 100 times as many cases, each drawn anew."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from benchmarks import grading
from benchmarks.larger import Kit, repeat_cases
from benchmarks.scale import Scale

COUNT = 5
# A step has a time limit over all of its cases, which is not what is measured.
OPTIONS = ("--jobs", "1", "--timeout", "600")


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """What each submission after the first takes, for each number of times. Raises CannotRun where one is not full."""
    classes = {count: _hand_in(there / f"class-{count}", count) for count in (1, COUNT)}
    rows = []
    for times in scale.cases:
        kit = Kit(there / f"kit-{times}", repeat_cases(times))
        used = {}
        for count, students in classes.items():
            out = there / f"out-{times}-{count}"
            words = ["batch", str(students), "--out", str(out), *grading.OPTIONS, *OPTIONS]
            used[count] = kit.grade(*words, memory=True)
            if grading.counted(out) != {"full": count}:
                raise RuntimeError(f"{times} times as many cases: {grading.counted(out)}")
        each = {
            name: (getattr(used[COUNT], name) - getattr(used[1], name)) / (COUNT - 1) for name in ("seconds", "cpu")
        }
        rows.append({"times": times, "each_seconds": each["seconds"], "each_cpu": each["cpu"],
                     "peak_mb": used[COUNT].peak_mb, "build_seconds": kit.built.seconds})  # fmt: skip
        shutil.rmtree(kit.folder)
    return {"rows": rows, "submissions": COUNT}


def _hand_in(folder: Path, count: int) -> Path:
    for number in range(count):
        (folder / f"{number}").mkdir(parents=True)
        for module in sorted(grading.REFERENCE.glob("ex*.py")):
            text = module.read_text("utf-8")
            (folder / f"{number}" / module.name).write_text(f"{text}\n# {number}\n", "utf-8")
    return folder
