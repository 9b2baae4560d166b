"""What an archive of whatever kind holds, looked at before a byte of it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

# zipfile and tarfile raise whatever comes of what they read: BadZipFile, IndexError, struct.error, RecursionError, …
BROKEN = Exception


@dataclass(frozen=True, slots=True)
class Member:
    """One member. packed: how many bytes it takes in the archive. refused: why its kind is not taken, "" if it is."""

    name: str
    size: int
    packed: int
    refused: str
    read: Callable[[int], bytes]
