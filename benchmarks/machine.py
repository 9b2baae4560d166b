"""On what something was measured."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from pathlib import Path

from grader import __version__


def machine() -> dict[str, object]:
    """The processor, the cores that may be used, the system, and the versions that matter. load: how busy it is."""
    cpu = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), ""
    )
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "grader": __version__,
        "cpu": cpu or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "torch": importlib.metadata.version("torch"),
        "load": round(os.getloadavg()[0], 2),
    }


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
