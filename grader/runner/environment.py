"""What a report says of the machine and of what the grading rests on."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from grader.judge.compare import TOLERANCE_FACTOR
from grader.model.order import Order


def environment(
    order: Order, *, torch: str, devices: Sequence[str], isolation: Sequence[str], fresh: bool
) -> dict[str, Any]:
    """A report's environment. torch: its version. isolation: the layers in force. fresh: whether fresh cases count."""
    return {
        "python": platform.python_version(),
        "torch": torch,
        "devices": list(devices),
        "isolation": list(isolation),
        "seed": order.seed,
        "fresh": fresh,
        "tolerance_factor": TOLERANCE_FACTOR,
        "language": order.language,
        **order.secrecy,
    }
