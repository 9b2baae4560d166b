"""What a download holds, and whose it is: what every platform's layout begins with, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.model.handed import Identity
from grader.submission.files import File, Files


@dataclass(slots=True)
class Work:
    """One student's files, their names without what the platform put before them.

    key: what tells students apart. earlier: names of files that later ones took the place of.
    """

    key: str
    identity: Identity
    files: Files = field(default_factory=Files)
    earlier: list[str] = field(default_factory=list)

    def take(self, name: str, file: File | None) -> None:
        """Add a file, by the name that the student gave it; None is of a folder, in which nothing may lie."""
        if file is not None:
            self.files.append(File(name, file.read))


@dataclass(frozen=True, slots=True)
class Students:
    """Whose everything in a listing is. left: what lies outermost and is nobody's work, by name.

    nameless: why nobody's name is known, where a platform's list of them should say.
    """

    works: list[Work]
    left: list[str]
    nameless: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything in a download. name: what the download is called; folders: those that hold nothing, too."""

    name: str
    files: list[File]
    folders: list[str]

    @property
    def tops(self) -> set[str]:
        """What lies outermost."""
        return {name.split("/", 1)[0] for name in (*(file.name for file in self.files), *self.folders)}

    def inside(self, folder: str) -> Listing:
        """What lies in a folder, as a listing of its own."""
        head = f"{folder}/"
        files = [File(file.name.removeprefix(head), file.read) for file in self.files if file.name.startswith(head)]
        return Listing(folder, files, [name.removeprefix(head) for name in self.folders if name.startswith(head)])

    def entries(self) -> Iterator[tuple[str, File | None]]:
        """Files, and folders with a slash at the end, so that a student who handed in nothing is there too."""
        yield from ((file.name, file) for file in self.files)
        yield from ((f"{name}/", None) for name in self.folders)


class Works:
    """Students by what tells them apart, and what is nobody's, in the order in which they were met."""

    def __init__(self) -> None:
        self._by_key: dict[str, Work] = {}
        self._left: dict[str, None] = {}

    def of(self, key: str, identity: Identity) -> Work:
        return self._by_key.setdefault(key, Work(key, identity))

    def leave(self, name: str) -> None:
        """Take a file, or all of its outermost folder, for nobody's work."""
        top = name.split("/", 1)[0]
        if not top.startswith(".") or top == "..":  # what an operating system puts there is passed over
            self._left[top] = None

    def all(self) -> list[Work]:
        return [self._by_key[key] for key in sorted(self._by_key)]

    def students(self, nameless: str = "") -> Students:
        return Students(self.all(), [*self._left], nameless)
