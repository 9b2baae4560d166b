"""What a process was asked before anybody wanted to know: which runs, and their answers until somebody does."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.observation import Observation
from grader.model.run import Run

# So long, in all, the parent waits for what was asked ahead, and so many bytes it keeps of it; what takes longer, or is
# more, is asked anew, each run in its own time.
PATIENCE = 3.0
MOST_BYTES = 64 << 20


@dataclass(slots=True)
class Foresight:
    """slow: seconds of one run from which on limits could matter.

    patience: seconds that are left to wait in.
    """

    slow: float = 0.0
    patience: float = field(default_factory=lambda: PATIENCE)
    _due: set[Run] = field(default_factory=set)
    _answers: dict[Run, Observation] = field(default_factory=dict)
    _bytes: int = 0

    @property
    def due(self) -> int:
        """How many runs have no answer yet."""
        return len(self._due)

    def ask(self, run: Run) -> None:
        self._due.add(run)

    def holds(self, run: Run) -> bool:
        """Whether a run was asked ahead, and nobody has taken its answer."""
        return run in self._due or run in self._answers

    def keep(self, run: Run, seen: Observation, took: float) -> bool:
        """Keep an answer until it is taken. False where that is too much, or it took too long. took: seconds."""
        self._due.remove(run)
        self._answers[run] = seen
        self._bytes += _size(seen)
        return took <= self.slow and self._bytes <= MOST_BYTES

    def has(self, run: Run) -> bool:
        return run in self._answers

    def take(self, run: Run) -> Observation:
        seen = self._answers.pop(run)
        self._bytes -= _size(seen)
        return seen


def _size(seen: Observation) -> int:
    return sum(array.nbytes for array in seen.tensors.values())
