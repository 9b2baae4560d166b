"""Text that student code can influence, made harmless and short before anyone is shown it."""

from __future__ import annotations

import difflib
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence

# Controls, format characters (bidi overrides among them), surrogates and private use: none belongs in a sentence.
_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_MARKS = {"Mn", "Me"}
# More marks on one character than any language puts there cover the lines above and below.
MOST_MARKS = 4
# A CI runner obeys ##[command] wherever it stands in a line, and ::command:: at the beginning of one.
_COMMAND, _NO_COMMAND = "##[", "## ["
# Of a line of source so much is searched for what it says of a mistake: a pattern may take the square of its length.
LONGEST_LINE = 400
# Far more than any text of ours has: a report that others wrote may say anything.
LONGEST_TEXT = 2000
_LINE_END = re.compile(r"\r\n|\r|\n")
# What no word has in it, but a name of somebody's, a number, or the heading of what follows.
NAME = re.compile(r"[\d_.()\[\]=*/\\`<>:]")
# Stands in front of a question's first letter.
OPENING = ("¿", "¡")


def clean(text: str, limit: int = 400) -> str:
    """One printable line of at most `limit` characters."""
    head = text[: limit * 4]
    # What is printable is as it may be: Python counts every unwanted character, and every space but " ", as not.
    if not head.isprintable():
        head = "".join(" " if c.isspace() else c for c in head if c.isspace() or not _unwanted(c))
    line = _unpiled(" ".join(head.split())).replace(_COMMAND, _NO_COMMAND)
    return line if len(line) <= limit and len(text) <= limit * 4 else line[: limit - 1] + "…"


def as_sentence(text: str) -> str:
    """A fragment as a sentence: with a full stop, and with a capital unless it begins with a name or a heading.

    Nothing stays nothing.
    """
    first = text.split(maxsplit=1)[0].rstrip(",;.?!") if text.strip() else ""
    begun = text if NAME.search(first) else text[:1].upper() + text[1:]
    if begun[:1] in OPENING:
        begun = begun[0] + begun[1:2].upper() + begun[2:]
    return begun + ("" if text.endswith(("?", "!", ".")) or not text else ".")


def short(text: str) -> str:
    """A text of our own, cut where it is far longer than any that we write."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def clean_line(text: str, limit: int = 160) -> str:
    """A line of source with its indentation kept."""
    return printable(text.rstrip().expandtabs(4)[:limit])


def printable(text: str) -> str:
    """The text without what a terminal, a browser or a CI runner might obey."""
    kept = text if text.isprintable() else "".join(c for c in text if not _unwanted(c))
    return _unpiled(kept).replace(_COMMAND, _NO_COMMAND)


def printable_line(text: str) -> str:
    """The same for a whole line, which may not begin with a command: a long message decides where its lines begin."""
    line = printable(text).rstrip()
    return line.replace("::", ": :", 1) if line.lstrip().startswith("::") else line


def source_lines(source: str) -> list[str]:
    """The lines of a source as Python counts them; str.splitlines breaks at more."""
    return _LINE_END.split(source)


def line_at(lines: Sequence[str], number: int) -> str:
    """A line by its number, as far as it is searched; nothing for 0."""
    return lines[number - 1][:LONGEST_LINE] if 0 < number <= len(lines) else ""


def some(names: Sequence[str], most: int = 20) -> str:
    """Names in a list for those who teach, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(clean(name, 60) for name in names[:most])}{more}"


def nearest(name: str, known: Iterable[str], *, likeness: float = 0.6) -> str:
    """The one of these that a mistyped name may have been meant for; "" where none is as like as that, from 0 to 1."""
    near = difflib.get_close_matches(name, list(known), cutoff=likeness)
    exchanged = (each for each in near if sorted(each) == sorted(name))  # two letters typed in the wrong order
    return next(itertools.chain(exchanged, near), "")


def plural(count: int, word: str) -> str:
    """ "1 element", "2 elements"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def points(value: float) -> str:
    """Points without a needless ".0": 3, 61.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _unwanted(character: str) -> bool:
    if character.isascii():
        return character < " " or character == "\x7f"
    return unicodedata.category(character) in _UNWANTED


def _unpiled(text: str) -> str:
    """The text with at most so many marks on a character."""
    if text.isascii():
        return text
    marks, kept = 0, []
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in _MARKS else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)
