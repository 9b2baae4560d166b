"""A session of its own: the child's whole process group can be ended at once, and it ends with the zygote."""

from __future__ import annotations

import os
import signal

from grader.worker.confine import Setting, libc

NAME = "session"


def missing() -> str:
    return ""


def apply(setting: Setting) -> bool:
    """Ask the kernel to end this process when its parent ends, then leave the parent's process group."""
    parent = os.getppid()
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the request took hold
        os._exit(0)
    if os.getsid(0) != os.getpid():  # a fresh process has a session already
        os.setsid()
    return True
