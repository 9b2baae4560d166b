"""Notes on a whole report: as sentences, and which are on the machine rather than on the submission."""

from __future__ import annotations

import re

from grader.model.text import as_sentence
from grader.words import heard

OF_MACHINE = ("note.no-device", "note.public-alone", "note.sandbox-lacks")

# A file's name, which is written as it is. It may have blanks in it where the sentence goes on to say something of it.
BEGINS_WITH_A_FILE = re.compile(r"[^\s;:,`]*\w\.\w{2,5}\b(?![.\w])|[^;:,`]*?\w\.\w{2,5}(?= \w)")


def sentence_of(note: str) -> str:
    """A note as a sentence."""
    told = as_sentence(note)
    return note[:1] + told[1:] if BEGINS_WITH_A_FILE.match(note) else told


def is_of_machine(note: str) -> bool:
    """Whether a note is as true of every other submission that was graded there, whatever language it is in."""
    return any(heard(key, note) is not None for key in OF_MACHINE)
