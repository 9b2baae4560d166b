"""Where a solution is when its time is up: the parent asks by a signal, and the process says so before it is ended.

Between two steps of Python alone: a call that never returns says nothing. A hint to the student, and nothing more: what
runs here may say what it likes.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Collection
from types import FrameType
from typing import Any

from grader.model.observation import Fault, Frame
from grader.wire.control import WHERE
from grader.worker import faults


def answer_where(send: Callable[[dict[str, Any]], None], files: Collection[str]) -> None:
    """From now on answer the signal. send: one message to the parent. files: the solution's own."""
    if WHERE is not None:
        signal.signal(WHERE, lambda _, frame: send({"fault": Fault("late", frames=_own(frame, files))}))


def _own(frame: FrameType | None, files: Collection[str]) -> tuple[Frame, ...]:
    """The solution's own lines that are being executed, outermost first."""
    own = [faults.frame(each.f_code, each.f_lineno) for each in faults.executing(frame, files)]
    return tuple(own[: -faults.FRAME_LIMIT - 1 : -1])
