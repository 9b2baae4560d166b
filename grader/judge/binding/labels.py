"""What slots are called to whom they are told: numbered parts once, and no more than anybody reads."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from grader.judge.binding import paths
from grader.model.observation import Slot
from grader.words import heard, say

# So many characters of names anybody reads.
LONGEST_LIST = 200
# A part of a slot's name that numbers the modules of a list.
NUMBER = re.compile(r"(?<![^.])\d+(?![^.])")


def fused_name(name: str, ours: str) -> str:
    """What a fused projection is called to whom it is told, by the name of a slot of it and of what it holds."""
    return _starred(paths.layer(".".join(paths.path(name))), ours)


def accepted(name: str, slot: Slot, called: str = "") -> list[str]:
    """The note that a slot is called otherwise than the reference's of that name; one for all numbered parts.

    called: what it is to be called, if not by its own name.
    """
    if slot.name == name:
        return []
    theirs, ours = called or slot.name, name
    is_own_bias = name.endswith(".bias") and not slot.name.endswith(".bias")
    if paths.layer(slot.name) != paths.layer(name) and not is_own_bias:
        theirs, ours = paths.layer(theirs), paths.layer(name)
    return [say("judge.name-accepted", theirs=_starred(theirs, ours), ours=_starred(ours, ours))]


def turned(held: Sequence[tuple[Slot, Slot]]) -> list[str]:
    """The notes that bare matrices are kept on their side, once for all of one shape. held: each with what is asked."""
    alike: dict[tuple[tuple[int, ...], tuple[int, ...]], list[str]] = {}
    for slot, want in held:
        is_bare = not slot.name.endswith(".weight") and not want.name.endswith(".weight")
        if is_bare and slot.shape == want.shape[::-1] != want.shape:
            alike.setdefault((slot.shape, want.shape), []).append(slot.name)
    return [
        say("judge.turned-accepted", names=few(names, 8), shape=shape, expected=expected)
        for (shape, expected), names in alike.items()
    ]


def of_all_cases(notes: Sequence[str]) -> list[str]:
    """Notes on several cases, each once: what lies head by head is side by side as well where there is one head."""
    by_head = [found for note in notes if (found := heard("judge.head-by-head", note)) is not None]
    return [note for note in dict.fromkeys(notes) if heard("judge.side-by-side", note) not in by_head]


def taken(name: str, slot: Slot) -> str:
    """The note that a layer of another name must be meant, or a bias that is the module's own."""
    theirs, ours = (slot.name, name) if paths.is_bias(slot.name) else (paths.layer(slot.name), paths.layer(name))
    return say("judge.name-taken", theirs=_starred(theirs, ours), ours=_starred(ours, ours))


def _starred(name: str, ours: str) -> str:
    """A name with `*` for the numbers of its parts, where the reference has numbered parts there too."""
    return NUMBER.sub("*", name) if NUMBER.search(ours) else name


def listing(slots: Sequence[Slot]) -> str:
    """What a module has, in as many words as anybody reads; "" for nothing.

    What numbered parts have alike is told once, with `*` for their numbers.
    """
    alike: dict[str, list[str]] = {}
    for slot in slots:
        alike.setdefault(f"{NUMBER.sub('*', slot.name)} {slot.shape}", []).append(f"{slot.name} {slot.shape}")
    return few([each if len(names) > 1 else names[0] for each, names in alike.items()], 8)


def few(names: Sequence[str], most: int) -> str:
    """As many names as anybody reads: up to a number and a length, whole ones, and one at least."""
    lengths = itertools.accumulate(len(name) + 2 for name in names[:most])
    count = max(1, sum(length <= LONGEST_LIST for length in lengths))
    listed = ", ".join(names[:count])
    return say("judge.and-more", names=listed) if len(names) > count else listed
