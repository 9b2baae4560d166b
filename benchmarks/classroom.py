"""A class for benchmarks, in a folder: right, wrong, hanging, crashing and hostile submissions in stated shares.

All are whole submissions of thirteen modules. Right and wrong modules are those of tests/suite, hostile ones the attack
catalogue's; the same count and seed give the same class.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from tests.attacks.attack import MODULE, Attack
from tests.attacks.catalogue import FAMILIES
from tests.suite.reading import Right, Wrong, right, wrong

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "solutions" / "reference").glob("ex*.py"))}
FIRST_ATTEMPT = ROOT / "fixtures" / "submissions" / "first_attempt"
# Of a hundred. One in ten hostile is what tests hold a worker to; a course that has more of them has other troubles.
SHARES: Mapping[str, int] = {"right": 50, "wrong": 30, "hanging": 2, "crashing": 8, "hostile": 10}
HONEST = ("right", "wrong")
# Right too, but with another student's module wherever there is one: what a class takes in which nobody writes alike.
VARIED = "varied"
# Of a hundred honest ones.
OF_HONEST: Mapping[str, int] = {"right": 62, "wrong": 38}
# Modules whose weights another exercise of the same student copies by name: other names beside the reference's copy
# would be a mistake.
COPIED = ("ex06", "ex10", "ex11", "ex12")
CRASHES = (
    "import os\nos._exit(3)\n",
    "import ctypes\nctypes.string_at(0)\n",
    "raise SystemExit\n",
    "def deeper(n): return deeper(n + 1)\ndeeper(0)\n",
    "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "import torch\nheld = torch.ones(1 << 34)\n",
)
# What attacks are told of their targets. None is there: that they gain nothing is for tests/attacks to show.
TARGETS = "; ".join(
    f"{name} = {value!r}"
    for name, value in {
        "ROOT": "/nowhere", "SECRET_FILE": "/nowhere/secret", "BAIT": "/nowhere/bait", "PARENT": 2**22, "VICTIM": 2**22,
        "TCP": 9, "UDP": 9, "UNIX": "/nowhere/unix", "ABSTRACT": "nowhere", "OUTSIDE": "/nowhere/outside",
        "CLAIM": "claim",
    }.items()
)  # fmt: skip


@dataclass(frozen=True)
class Classroom:
    """What was written. kinds: of each submission by its name."""

    folder: Path
    kinds: Mapping[str, str]

    def of(self, *kinds: str) -> list[str]:
        """The names of those of some kinds."""
        return [name for name, kind in self.kinds.items() if kind in kinds]


def classroom(folder: Path, count: int, seed: int = 1, shares: Mapping[str, int] = SHARES) -> Classroom:
    """Write a class of so many, in an order that mixes them. shares: how many of a hundred are of each kind."""
    drawn = random.Random(seed)
    kinds = [kind for kind, share in shares.items() for _ in range(round(count * share / 100))]
    kinds += [next(iter(shares))] * (count - len(kinds))
    drawn.shuffle(kinds)
    materials = _Materials(drawn)
    named = {f"{number:05}-{kind}": kind for number, kind in enumerate(kinds[:count])}
    for name, kind in named.items():
        (folder / name).mkdir(parents=True)
        for module, source in {**REFERENCE, **materials.modules(kind)}.items():
            (folder / name / f"{module}.py").write_text(f"{source}\n# {name}\n", "utf-8")
        if kind == "hostile":
            attack = materials.attack()
            attack.write(folder / name, attack.source, TARGETS)
    return Classroom(folder, named)


class _Materials:
    """What submissions are put together from; each kind is gone through in a drawn order, over and over."""

    def __init__(self, drawn: random.Random) -> None:
        self._drawn = drawn
        # Not those that wait for their time limit, since `hanging` has its own share, nor those that exhaust memory:
        # each may take the 2 GiB that the watch allows, and the limit would be measured.
        some = [each for family, attacks in FAMILIES.items() for each in attacks if family != "exhaust"]
        attacks = [each for each in some if each.source and not each.files and not each.hands and not each.hangs]
        self._attacks = cycle(drawn.sample(attacks, len(attacks)))
        rights = [each for each in right() if each.device == "all" and not each.exercise.startswith(COPIED)]
        self._right = cycle(drawn.sample(rights, len(rights)))
        self._rights = {
            module: cycle([each for each in drawn.sample(rights, len(rights)) if each.exercise == module])
            for module in sorted({each.exercise for each in rights})
        }
        wrongs = wrong()
        self._wrong = cycle(drawn.sample(wrongs, len(wrongs)))
        self._crashes = cycle(CRASHES)

    def modules(self, kind: str) -> dict[str, str]:
        """The modules that are not the reference's, and their sources."""
        if kind == "right":
            return _sources([next(self._right)])
        if kind == VARIED:
            return _sources([next(some) for some in self._rights.values()])
        if kind == "wrong" and self._drawn.random() < 0.1:
            return {path.stem: path.read_text("utf-8") for path in FIRST_ATTEMPT.glob("ex*.py")}
        if kind == "wrong":  # one to three mistakes
            return _sources([next(self._wrong) for _ in range(self._drawn.randint(1, 3))])
        if kind == "hanging":
            return {MODULE: REFERENCE[MODULE].replace("scores = inputs @ query", "while True: pass")}
        if kind == "crashing":
            return {self._drawn.choice(list(REFERENCE)): next(self._crashes)}
        return {}

    def attack(self) -> Attack:
        """The next attack."""
        return next(self._attacks)


def _sources(some: Sequence[Right | Wrong]) -> dict[str, str]:
    return {each.exercise: each.path.read_text("utf-8") for each in some}
