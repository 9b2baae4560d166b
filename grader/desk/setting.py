"""What a desk is set up with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.model.order import Order
from grader.model.pack import Exercise


@dataclass(frozen=True, slots=True)
class Setting:
    """path: of what is graded. start: the exercise to begin with, None to go on. polls: why to poll, or ""."""

    path: Path
    order: Order
    start: Exercise | None = None
    polls: str = ""
