"""Where this Python and its packages lie: all that a worker may read."""

from __future__ import annotations

import sys
import sysconfig

# What a dynamic linker, the C library and torch read at run time.
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")


def readable_paths() -> list[str]:
    """The installation, path by path: an environment may lie in a checkout beside what must not be read."""
    paths = sysconfig.get_paths()
    installed = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    return sorted({*installed, *SYSTEM, f"{sys.base_prefix}/lib"})
