"""What one student handed in, as a download of many holds it."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.submission import Submission

TOGETHER = ", "


@dataclass(frozen=True, slots=True)
class Identity:
    """Who handed it in, as far as the platform's download says: text of others, for tables and never for paths.

    user_id: on the platform that the download is of. email: of a group all, with TOGETHER between them, and nothing for
    whoever has none. handed_in: when, by ISO 8601; empty where the download does not say.
    """

    name: str = ""
    user_id: str = ""
    email: str = ""
    late: bool = False
    handed_in: str = ""

    @property
    def emails(self) -> tuple[str, ...]:
        """The address of each who handed it in; empty for whoever has none."""
        return tuple(self.email.split(TOGETHER))


@dataclass(frozen=True, slots=True)
class Handed:
    """One student's work.

    id: unique in its download, and safe as a file's name. submission: None where there is nothing to grade, and then
    refused says why in a sentence. earlier: the files that a later one took the place of. notes: what else there is to
    say of the files.
    """

    id: str
    identity: Identity = field(default_factory=Identity)
    submission: Submission | None = None
    refused: str = ""
    earlier: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
