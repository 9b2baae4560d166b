"""What processes answer, read once: whoever computes the same sends the same bytes, and most of a class does."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from grader.model.observation import Observation
from grader.model.profile import phase
from grader.model.run import Run
from grader.runner.processes.channel import unpacked
from grader.wire.observations import Slip, check_complete, read_observation

# In all, and of one answer: the right ones of a class are some hundred of a few kilobytes, and a few of dropout's law.
# Frames are counted; what is read of one that was made for it takes up to ten times as much.
MOST_BYTES = 4 << 20
LARGEST = 256 << 10
DIGEST_BYTES = 32


class Answers:
    """The last answers to what everybody is asked, up to so many bytes of them. Safe to use from threads."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._lock = Lock()
        self._kept = OrderedDict[tuple[Run, bytes], tuple[Observation, int]]()

    @phase("wire")
    def read(self, run: Run, slip: Slip, frame: bytes, *, keep: bool = True) -> Observation:
        """What a frame and its slip say was seen in a run. Raises MalformedFrame for what cannot be believed.

        keep: whether others are asked the very same run.
        """
        if not keep or len(frame) > LARGEST:
            return _beside(_read(run, frame), slip)
        digest = hashlib.blake2b(frame, digest_size=DIGEST_BYTES).digest()
        with self._lock:
            kept, _ = self._kept.get((run, digest), (None, 0))
        seen = _beside(kept or replace(_read(run, frame), digest=digest), slip)
        with self._lock:
            _, before = self._kept.pop((run, digest), (None, 0))
            self._kept[run, digest] = seen, len(frame)  # behind all others, which are let go first
            self._bytes += len(frame) - before
            while self._bytes > self._most:
                _, (_, least) = self._kept.popitem(last=False)
                self._bytes -= least
        return seen


def _read(run: Run, frame: bytes) -> Observation:
    seen = read_observation(*unpacked(frame))
    check_complete(run.actions, seen)
    return seen


def _beside(seen: Observation, slip: Slip) -> Observation:
    """What was seen, with what its slip says of this process."""
    is_said = seen.lines is slip.lines and seen.printed == slip.printed
    return seen if is_said else replace(seen, lines=slip.lines, printed=slip.printed)
