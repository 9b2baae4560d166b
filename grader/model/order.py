"""What is asked of the grader: which exercises, where, with which seed, within what time."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from grader.words import ENGLISH

# Every step of the pack takes milliseconds; ten seconds leave room for a slow machine and a slow student's loop.
STEP_SECONDS = 10.0
# A student is graded in float32; other types are the pack's own proof.
STUDENT_DTYPE = "float32"
# A platform's secret: taken from this variable of the environment, a seed is shown to no student.
SECRET_SEED = "GRADE_SEED"


@dataclass(frozen=True, slots=True)
class Order:
    """How submissions are to be graded.

    exercises: ids of those chosen, all where empty. device: cpu, cuda, or all that there are. seed: of the fresh
    cases; seed_is_secret: no student is to see or to compute it. seconds: the wall-clock limit of a step.
    language: the code of the one that students are told in.
    requires_sandbox: refuse to grade where a layer is missing. spared: layers whose absence is no reason to refuse,
    because a container stands around the whole. device_is_asked: somebody named the device, and is to hear of one that
    is not here. salt: what a secret seed is mixed with, so that what is graded has cases of its own. tries: try small
    changes of what is wrong, so that a student is told more of it; no verdict rests on them.
    without: layers to leave out, and dtype: the floating-point type to grade in, which only tests ask for.
    """

    exercises: tuple[str, ...] = ()
    device: str = "all"
    seed: int = 0
    seconds: float = STEP_SECONDS
    requires_sandbox: bool = False
    without: frozenset[str] = frozenset()
    dtype: str = STUDENT_DTYPE
    seed_is_secret: bool = False
    spared: frozenset[str] = frozenset()
    device_is_asked: bool = False
    language: str = ENGLISH
    salt: str = ""
    tries: bool = False

    @property
    def cases_seed(self) -> int:
        """What fresh cases are drawn from: a secret seed says nothing by them, nor of the cases of another salt."""
        if not self.seed_is_secret:
            return self.seed
        return int.from_bytes(hashlib.sha256(f"{self.seed} {self.salt}".encode()).digest())

    @property
    def secrecy(self) -> Mapping[str, bool]:
        """What a report's environment says of the seed, where there is something to say."""
        return {"seed_is_secret": True} if self.seed_is_secret else {}
