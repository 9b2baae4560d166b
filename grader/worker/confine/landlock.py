"""Landlock: the child sees the Python installation and its own scratch folder, and no other file; it has no TCP.

Solutions, fixtures and other people's work lie under none of the paths that it may read. Linux 5.13 and later; newer
kernels add more. https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
import sysconfig

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
PATH_BENEATH = 1
PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
READ = EXECUTE | READ_FILE | READ_DIR
# Which rights each version of the interface knows; a kernel refuses those that it does not.
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
ALL_TCP = 0b11  # bind and connect, from version 4
ALL_SCOPES = 0b11  # abstract sockets and signals to processes outside, from version 6
NETWORK_VERSION, SCOPE_VERSION = 4, 6
# What a dynamic linker, the C library and torch read at run time.
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def apply(device: str) -> list[str]:
    """Restrict this process for good. Nothing on other systems, on older kernels, or where CUDA needs its devices."""
    if sys.platform != "linux" or device != "cpu":
        return []
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), CREATE_RULESET_VERSION)
    if version < 1:
        return []
    every_file_right = (1 << FILE_RIGHTS[min(version, max(FILE_RIGHTS))]) - 1
    handled = struct.pack(
        "QQQ",
        every_file_right,
        ALL_TCP if version >= NETWORK_VERSION else 0,
        ALL_SCOPES if version >= SCOPE_VERSION else 0,
    )
    size = 8 if version < NETWORK_VERSION else 16 if version < SCOPE_VERSION else 24
    ruleset = libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return []
    for path in _readable():
        _allow(libc, ruleset, path, READ)
    for path in DEVICES:
        _allow(libc, ruleset, path, READ_FILE | WRITE_FILE)
    _allow(libc, ruleset, os.environ["TMPDIR"], every_file_right & ~EXECUTE)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    restricted = libc.syscall(RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return ["landlock"] if restricted else []


def _readable() -> set[str]:
    """The Python installation, path by path: an environment may lie in a checkout beside what must not be read."""
    paths = sysconfig.get_paths()
    installed = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    return {*installed, *SYSTEM, f"{sys.base_prefix}/lib"}


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Grant rights below a path; a path that is not there grants nothing. A file takes no rights of folders."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        is_folder = os.path.isdir(path)  # noqa: PTH112 - pathlib is not worth importing for one question
        rule = struct.pack("=Qi", rights if is_folder else rights & (EXECUTE | READ_FILE | WRITE_FILE), descriptor)
        libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
        os.close(descriptor)
