"""What is asked of the grader: which exercises, where, with which seed, within what time."""

from __future__ import annotations

from dataclasses import dataclass

# Every step of the pack takes milliseconds; ten seconds leave room for a slow machine and a slow student's loop.
STEP_SECONDS = 10.0
# A student is graded in float32; other types are the pack's own proof.
STUDENT_DTYPE = "float32"


@dataclass(frozen=True, slots=True)
class Order:
    """How submissions are to be graded.

    exercises: ids of those chosen, all where empty. device: cpu, cuda, or all that there are. seed: of the fresh
    cases. seconds: the wall-clock limit of a step. requires_sandbox: refuse to grade where a layer is missing.
    without: layers to leave out, and dtype: the floating-point type to grade in, which only tests ask for.
    """

    exercises: tuple[str, ...] = ()
    device: str = "all"
    seed: int = 0
    seconds: float = STEP_SECONDS
    requires_sandbox: bool = False
    without: frozenset[str] = frozenset()
    dtype: str = STUDENT_DTYPE
