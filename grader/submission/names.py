"""Which exercise a file is meant to be, by a name that is not quite the exercise's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from grader.model.pack import Exercise

# Longer names are nobody's, and patterns take long over them.
LONGEST = 200
ENDING = re.compile(r"(\.py)*(\.txt)?$")
# What browsers, systems and platforms add where a file of that name is there already, and what people do to a last one.
BEFORE = re.compile(r"^(copy of|kopie von|copia de) ")
BEHIND = re.compile(
    r"( -)? \(?(copy|kopie|copia|copie)\)?$| ?\(\d{1,3}\)$|[ -]\d{1,3}$|[_ -](v\d|final|new|solution|mine)$"
)
NUMBER = re.compile(r"[ (-](\d{1,3})\)?(\.\w+)+$")


def meant(name: str, exercises: Iterable[Exercise]) -> str:
    """The exercise that a module's name can only mean, such as `Copy of EX01-scores (2).py.txt`; "" for none."""
    bare = {*_bare(name)}
    return next((each.id for each in exercises if bare & {each.id, each.short}), "")


def like(name: str, exercises: Iterable[Exercise]) -> str:
    """The exercise that a name speaks of, as that of an older module, of somebody's, or of a text does; "" for none."""
    bare = [*_bare(name.removesuffix(".txt") + ".py" if name.endswith(".txt") else name)]
    if not bare or "test" in bare[0].split("_"):
        return ""
    is_text = name.endswith(".txt")
    return next((each.id for each in exercises if each.id in bare[0] or (is_text and each.short in bare)), "")


def number(name: str) -> int:
    """Which of several files of one name a browser made of it last: `x (2).py` is 2."""
    found = NUMBER.search(name)
    return int(found[1]) if found else 0


def _bare(name: str) -> Iterator[str]:
    """A module's name in small letters, then with ever less of what was added; nothing for what is no module's."""
    plain = name.lower()
    if len(name) > LONGEST or not plain.endswith((".py", ".py.txt")):
        return
    shorter = BEFORE.sub("", ENDING.sub("", plain))
    while shorter != plain:
        yield re.sub(r"[^a-z0-9]+", "_", shorter).strip("_")
        plain, shorter = shorter, BEHIND.sub("", shorter)
