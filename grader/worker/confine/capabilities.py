"""Capabilities: whoever grades as root gives none of root's powers to a submission.

A limit could be raised again by CAP_SYS_RESOURCE, another process read by CAP_SYS_PTRACE, any file by CAP_DAC_OVERRIDE.
https://man7.org/linux/man-pages/man7/capabilities.7.html
"""

from __future__ import annotations

import platform
import struct

from grader.worker.confine import Setting, libc

NAME = "capabilities"
CAPSET = {"x86_64": 126, "aarch64": 91}
VERSION_3 = 0x20080522
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4


def missing() -> str:
    return "" if platform.machine() in CAPSET else f"not known for {platform.machine()}"


def apply(setting: Setting) -> bool:
    """Give up every capability, and what setuid programs could bring back."""
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    libc.syscall(CAPSET[platform.machine()], struct.pack("=Ii", VERSION_3, 0), bytes(24))
    return True
