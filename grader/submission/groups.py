"""Which files of what was handed in lie beside each other, and in which order their folders count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.model.pack import Pack
from grader.submission import names
from grader.submission.files import FOLDER, MODULE, NOTEBOOK, Budget, File
from grader.submission.packages import Folders, folders_among


@dataclass(frozen=True, slots=True)
class Group:
    """Files that lie beside each other. label: what their folder is called in a sentence. folders: that modules among
    them may import from.
    """

    label: str
    files: list[File]
    folders: Folders = field(default_factory=dict)

    def within(self, budget: Budget) -> Group:
        """The same, of which no more is read than there is time for."""
        folders = {name: map(budget.of, files) for name, files in self.folders.items()}
        return Group(self.label, [*map(budget.of, self.files)], folders)


def grouped(files: Iterable[File], label: str, pack: Pack) -> list[Group]:
    """The folders among these files that hold exercises or notebooks, the outermost first.

    Where exercises lie in a folder of their own, the one around it counts as well, as it does for a folder on disk.
    """
    files, folders = [*files], dict[str, list[File]]()
    for file in files:
        folders.setdefault(file.folder, []).append(file)
    held = [name for name, some in folders.items() if any(_matters(file, pack) for file in some)]
    held = held or [name for name, some in folders.items() if any(_may_matter(file, pack) for file in some)]
    order = sorted(held, key=lambda name: (_depth(name), _is_exercises(name), name))
    if order:
        home = order[0].removesuffix(FOLDER).rstrip("/") if _is_exercises(order[0]) else order[0]
        inner = f"{home}/{FOLDER}".lstrip("/")
        order = list(dict.fromkeys([*(name for name in (home, inner) if name in folders), *order]))
        beside = folders_among(files, inner) | folders_among(files, home)
    return [
        Group(name.rpartition("/")[2] or label, folders[name], {} if number else beside)
        for number, name in enumerate(order)
    ]


def _matters(file: File, pack: Pack) -> bool:
    path = file.path
    is_module = path.suffix == MODULE and any(path.stem == exercise.id for exercise in pack.exercises)
    return is_module or path.suffix == NOTEBOOK or bool(names.meant(path.name, pack.exercises))


def _may_matter(file: File, pack: Pack) -> bool:
    return file.path.suffix == MODULE or bool(names.like(file.path.name, pack.exercises))


def _is_exercises(folder: str) -> bool:
    return folder.rpartition("/")[2] == FOLDER


def _depth(folder: str) -> int:
    """How deep a folder lies, where `exercises` lies as deep as what is around it."""
    parts = folder.split("/") if folder else []
    return len(parts) - _is_exercises(folder)
