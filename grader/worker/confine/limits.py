"""Resource limits: a submission that allocates, writes or opens without end fails by itself."""

from __future__ import annotations

import resource
from pathlib import Path

from grader.worker.confine import Setting

NAME = "rlimits"
GIGABYTE = 1 << 30
# Address space beside what is taken already: half a gigabyte, or three where torch was built for CUDA. On a GPU more
# is reserved than is ever used, so there it cannot be bounded.
ADDRESS_SPACE = 4 * GIGABYTE
FILE_BYTES = 64 << 20
OPEN_FILES = 64
CPU_SECONDS = 600


def missing() -> str:
    return ""


def apply(setting: Setting) -> bool:
    """Set the soft and the hard limit of each resource, so that it cannot be raised again."""
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CPU: CPU_SECONDS,
    }
    if setting.device == "cpu":
        bounds[resource.RLIMIT_AS] = _taken() + ADDRESS_SPACE
    else:
        del bounds[resource.RLIMIT_NOFILE]
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (value, value))
    return True


def _taken() -> int:
    """The bytes of address space that this process has; 0 where the system does not say."""
    try:
        pages, *_ = Path("/proc/self/statm").read_text("ascii").split()
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()
