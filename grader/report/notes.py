"""Which notes of a report are on the machine rather than on the submission: of a class they are said once."""

from __future__ import annotations

from grader.words import heard

OF_MACHINE = ("note.no-device", "note.public-alone", "note.sandbox-lacks")


def is_of_machine(note: str) -> bool:
    """Whether a note is as true of every other submission that was graded there, whatever language it is in."""
    return any(heard(key, note) is not None for key in OF_MACHINE)
