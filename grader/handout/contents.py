"""What a workspace holds: the exercises, the public cases, the grader, and what `grader/workspace` adds; no solutions.

Beside it stands a list of what was handed out, so that an update can tell a student's work from ours.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader import __version__
from grader.model.pack import Exercise, Pack
from grader.model.write import write_whole
from grader.pack.fixtures import Fixtures
from grader.pack.outline import CHOSEN_FILE

ENGINE = Path(__file__).resolve().parents[1]
TEMPLATES = ENGINE / "workspace"
# What is somebody's own or a machine's: caches, samples, what a student has seen and passed, files half written, and
# work that was put aside for a stub, which may be a solution.
LEFT_OUT = ("__pycache__", "*.pyc", "submissions", ".grade-*", ".*.half", "*.py.[0-9]*", "*.py.new")
# Under their own names these files would work on the kit.
NAMED = {
    "gitignore": ".gitignore",
    "gitattributes": ".gitattributes",
    "vscode-settings.json": ".vscode/settings.json",
    "vscode-tasks.json": ".vscode/tasks.json",
}
LIST = ".handed-out.json"
SIGNS = ("exercises/__init__.py", "fixtures/manifest.json", "grader/cli/main.py")


@dataclass(frozen=True, slots=True)
class HandedOut:
    """What a workspace was given. files: sha256 by path, of those files alone of which that is known."""

    version: str
    files: Mapping[str, str]


def contents(pack: Pack, exercises: Iterable[Exercise] = ()) -> dict[str, Path]:
    """Every file of a workspace: its path there, with slashes, to where this kit has it.

    exercises: whose stubs are handed out, all where empty. Each is the stub that the fixtures hold: the one in
    `exercises/` may have been worked on. Raises FixtureError where a stub is missing or altered there.
    """
    chosen = {exercise.id for exercise in exercises or pack.exercises}
    fixtures = Fixtures(pack)
    found: dict[str, Path] = {}
    for source, name in ((pack.source.exercises, "exercises"), (pack.source.fixtures, "fixtures"), (ENGINE, "grader")):
        found |= {f"{name}/{path.relative_to(source).as_posix()}": path for path in _files(source)}
    for exercise in pack.exercises:
        name = f"exercises/{exercise.file}"
        found.pop(name, None)
        if exercise.id in chosen:
            found[name] = fixtures.stub_file(exercise)
    return found | {NAMED.get(path.name, path.name): path for path in sorted(TEMPLATES.iterdir()) if path.is_file()}


def write(pack: Pack, folder: Path, exercises: Iterable[Exercise] = ()) -> None:
    """Make a workspace in a folder. exercises: those that it is for, all where empty.

    Raises OSError, NotWritten and FixtureError.
    """
    chosen = tuple(exercises)
    files = contents(pack, chosen)
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / name)
    if chosen:
        write_whole(folder / "exercises" / CHOSEN_FILE, "".join(f"{exercise.id}\n" for exercise in chosen))
    note(folder, files)


def is_workspace(folder: Path) -> bool:
    """Whether a folder is a workspace or a clone of the kit: it has exercises, public cases and a grader."""
    return all((folder / part).is_file() for part in SIGNS)


def enclosing(folder: Path) -> Path | None:
    """The workspace or clone of the kit that a folder would lie in; None where it lies in none."""
    return next((parent for parent in folder.resolve().parents if is_workspace(parent)), None)


def digest(file: Path) -> str:
    """sha256 of a file; "" where it is not there. Raises OSError: what cannot be read is somebody's all the same."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""


def note(folder: Path, files: Mapping[str, Path]) -> None:
    """Write down what a workspace was given. Raises NotWritten."""
    known = {"kit": __version__, "files": {name: digest(source) for name, source in sorted(files.items())}}
    write_whole(folder / LIST, f"{json.dumps(known, indent=1)}\n")


def note_pages(folder: Path, names: Iterable[str]) -> None:
    """Write down that files were given as they are in the folder now, rather than as the kit has them."""
    before = handed_out(folder)
    files = {**before.files, **{name: digest(folder / name) for name in names}}
    write_whole(folder / LIST, f"{json.dumps({'kit': before.version, 'files': files}, indent=1)}\n")


def handed_out(folder: Path) -> HandedOut:
    """What a workspace was given; of one without a list, such as those of version 0.1, its stubs alone."""
    listed = _json(folder / LIST)
    files = listed.get("files")
    if isinstance(files, dict):
        return HandedOut(str(listed.get("kit", "")), {str(name): str(sha) for name, sha in files.items()})
    stubs = _json(folder / "fixtures/manifest.json").get("stubs")
    known = stubs.items() if isinstance(stubs, dict) else ()
    return HandedOut("", {f"exercises/{name}.py": str(sha) for name, sha in known})


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if any(fnmatch.fnmatch(path.name, pattern) for pattern in LEFT_OUT):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _json(file: Path) -> dict[str, object]:
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
