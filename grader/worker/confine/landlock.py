"""Landlock: the child sees the Python installation and its own scratch folder, and no other file; it has no TCP.

Solutions, fixtures and other people's work lie under none of the paths that it may read. Linux 5.13 and later; newer
kernels add more. https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from functools import cache

from grader.model.installation import readable_paths
from grader.worker.confine import Setting, libc

NAME = "landlock"
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
READ = EXECUTE | READ_FILE | READ_DIR
# Which rights each version of the interface knows; a kernel refuses those that it does not.
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
ALL_TCP = 0b11  # bind and connect, from version 4
ALL_SCOPES = 0b11  # abstract sockets and signals to processes outside, from version 6
NETWORK_VERSION, SCOPE_VERSION = 4, 6
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def missing() -> str:
    return "" if _version() else "Linux 5.13 or newer has it, unless it was left out of the kernel or its `lsm=` list"


def apply(setting: Setting) -> bool:
    """Restrict this process to what it may read and write. Not for CUDA, which needs devices, /proc and /sys."""
    if setting.device != "cpu":
        return False
    version = _version()
    every_file_right = (1 << FILE_RIGHTS[min(version, max(FILE_RIGHTS))]) - 1
    ruleset = libc.syscall(CREATE_RULESET, *_handled(version, every_file_right), 0)
    for path in readable_paths():
        _allow(ruleset, path, READ)
    for path in DEVICES:
        _allow(ruleset, path, READ_FILE | WRITE_FILE)
    _allow(ruleset, os.environ["TMPDIR"], every_file_right & ~EXECUTE)
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    libc.syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return True


@cache
def _version() -> int:
    """The version of the kernel's interface; 0 where there is none."""
    with contextlib.suppress(OSError):
        return libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), CREATE_RULESET_VERSION)
    return 0


def _handled(version: int, file_rights: int) -> tuple[bytes, ctypes.c_size_t]:
    """Every right that is to be asked for, as this version of the interface takes it, and its size."""
    handled = struct.pack(
        "QQQ",
        file_rights,
        ALL_TCP if version >= NETWORK_VERSION else 0,
        ALL_SCOPES if version >= SCOPE_VERSION else 0,
    )
    return handled, ctypes.c_size_t(8 if version < NETWORK_VERSION else 16 if version < SCOPE_VERSION else 24)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Grant rights below a path; a path that is not there grants nothing. A file takes no rights of folders."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        is_folder = os.path.isdir(path)  # noqa: PTH112 - pathlib is not worth importing for one question
        rule = struct.pack("=Qi", rights if is_folder else rights & (EXECUTE | READ_FILE | WRITE_FILE), descriptor)
        libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
        os.close(descriptor)
