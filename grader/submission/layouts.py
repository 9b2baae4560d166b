"""How platforms lay out a download of many submissions, told by the names in it alone.

Canvas packs flat files, Moodle flat files or folders, Gradescope numbered folders and a list of who is who, GitHub
Classroom a folder a repository. Whatever is none of these is a folder with one entry a student.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from grader.model.handed import Identity
from grader.submission.archive import OTHERS
from grader.submission.files import MODULE, NOTEBOOK, File, Files

# {name}[_LATE]_{user}_{file}_{original}; the name in lower case and without what is no letter or digit. What was typed
# in, or linked to, has no file: add_text_or_url in lib/content_zipper.rb of canvas-lms.
_WORK = r"_(?:(?P<file>\d+)_(?P<orig>.+)|(?P<page>(?:text|link)\.html))"
CANVAS = re.compile(rf"(?P<name>\w*?)(?:_(?P<late>LATE))?_(?P<user>\d+){_WORK}", re.DOTALL)
CANVAS_ANONYMOUS = re.compile(rf"(?:(?P<late>LATE)_)?anon_(?P<anon>[A-Za-z0-9]+){_WORK}", re.DOTALL)
MOODLE = re.compile(
    r"(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_(?P<type>file|onlinetext)(?:_?/|_)(?P<orig>.*)", re.DOTALL
)
GRADESCOPE = re.compile(r"(?P<folder>submission_\d+)/(?P<orig>.*)", re.DOTALL)
GRADESCOPE_OUTER = re.compile(r"assignment_\d+_export")
METADATA = "submission_metadata.yml"
GITHUB_OUTER = re.compile(r"(?P<slug>.+)-submissions")
# What a browser calls a module when it has saved one of that name before.
AGAIN = re.compile(r"(.+?) ?\((\d{1,3})\)\.py", re.DOTALL)
# Longer names are nobody's, and patterns with several repeats take long over them.
LONGEST_NAME = 1_000


@dataclass(slots=True)
class Work:
    """One student's files, their names without what the platform put before them.

    key: what tells students apart. earlier: names of files that later ones took the place of.
    """

    key: str
    identity: Identity
    files: Files = field(default_factory=Files)
    earlier: list[str] = field(default_factory=list)


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


@dataclass(frozen=True, slots=True)
class Layout:
    """A platform's way. said: how it is called in words. works: the students of a listing, empty where it is not such.

    sure: whether a listing is such beyond doubt, so that it is recognised.
    """

    name: str
    said: str
    works: Callable[[Listing], list[Work]]
    sure: Callable[[Listing], bool]


def canvas(listing: Listing) -> list[Work]:
    """Students of a Canvas download. A file handed in again is called `stem-N.ext`; the last one counts."""
    works = _Works()
    matched = []
    for file in listing.files:
        if "/" not in file.name and len(file.name) <= LONGEST_NAME:
            found = CANVAS_ANONYMOUS.fullmatch(file.name) or CANVAS.fullmatch(file.name)
            matched += [(int(found["file"] or 0), file, found.groupdict())] if found else []
    for _, file, parts in sorted(matched, key=lambda each: each[0]):  # Canvas numbers files as they come
        is_late = parts["late"] is not None
        if "anon" in parts:
            key, identity = f"anon_{parts['anon']}", Identity(user_id=parts["anon"], late=is_late)
        else:
            name = parts["name"]
            key, identity = f"{name}_{parts['user']}".lstrip("_"), Identity(name, parts["user"], late=is_late)
        work = works.of(key, identity)
        work.identity = replace(work.identity, late=work.identity.late or is_late)
        work.files.append(File(parts["orig"] or parts["page"], file.read))
    for work in works.all():
        _latest(work)
    return works.all()


def moodle(listing: Listing) -> list[Work]:
    """Students of a Moodle download, be it with a folder for each of them or flat."""
    works = _Works()
    for name, file in _entries(listing):
        found = MOODLE.fullmatch(name) if len(name) <= LONGEST_NAME else None
        if found is None:
            continue
        work = works.of(f"{found['name']}_{found['id']}", Identity(found["name"], found["id"]))
        if file is not None and found["type"] == "file":
            work.files.append(File(found["orig"], file.read))
    return works.all()


def gradescope(listing: Listing) -> list[Work]:
    """Students of a Gradescope export, by the list that comes with it."""
    from grader.submission.submitters import submitters

    listing = _unwrapped(listing, GRADESCOPE_OUTER)
    metadata = next((file for file in listing.files if file.name == METADATA), None)
    known: Mapping[str, Identity] = submitters(metadata) if metadata else {}
    works = _Works()
    for name in known:
        if GRADESCOPE.fullmatch(f"{name}/"):
            works.of(name, known[name])
    for name, file in _entries(listing):
        found = GRADESCOPE.fullmatch(name)
        if found is not None:
            work = works.of(found["folder"], known.get(found["folder"], Identity()))
            if file is not None:
                work.files.append(File(found["orig"], file.read))
    return works.all()


def github(listing: Listing) -> list[Work]:
    """Students of a GitHub Classroom or Classroom 50 download: `{slug}-submissions/{slug}-{user}/`."""
    slug, listing = _slug(listing)
    works = _Works()
    for name, file in _entries(listing):
        folder, slash, inner = name.partition("/")
        user = folder.removeprefix(f"{slug}-")
        if not slash or not user or user == folder:
            continue
        work = works.of(user, Identity(user, user))
        if file is not None:
            work.files.append(File(inner, file.read))
    return works.all()


def folder(listing: Listing, modules: Iterable[str] = ()) -> tuple[list[Work], list[str]]:
    """Whatever lies there, one student each, and the names of files that are nobody's.

    A folder, an archive, a notebook, or modules of one beginning. Beside these any other module is somebody's work too,
    to be refused by name rather than lost. Of a module that a browser saved again the last counts.
    """
    works, ids = _Works(), tuple(modules)
    loose: list[tuple[int, str, File, str]] = []
    others: list[File] = []
    left: list[str] = []
    for name, file in _entries(listing):
        top, slash, inner = name.partition("/")
        if slash:
            work = works.of(top, Identity(top))
            if file is not None:
                work.files.append(File(inner, file.read))
        elif file is not None:
            plain, again = _saved(top)
            if key := _loose(plain, ids):
                loose.append((again, key[0], File(key[1], file.read), top))
            elif plain.endswith(MODULE) and plain.removesuffix(MODULE) not in (*ids, "__init__"):
                others.append(File(plain, file.read))
            elif not top.startswith("."):  # what an operating system puts there
                left.append(top)
    latest: dict[tuple[str, str], str] = {}
    for _, stem, file, top in sorted(loose, key=lambda each: each[0]):
        work = works.of(stem, Identity(stem))
        if before := latest.get((stem, file.name)):
            work.files = Files(each for each in work.files if each.name != file.name)
            work.earlier.append(before)
        latest[stem, file.name] = top
        work.files.append(file)
    if works.all():
        for file in others:
            works.of(file.path.stem, Identity(file.path.stem)).files.append(file)
    return works.all(), left


def _saved(name: str) -> tuple[str, int]:
    """What a module was called before a browser numbered it, and the number: `x (2).py` is (`x.py`, 2)."""
    found = AGAIN.fullmatch(name)
    return (f"{found[1]}{MODULE}", int(found[2])) if found else (name, 0)


def _loose(name: str, modules: tuple[str, ...]) -> tuple[str, str] | None:
    """Whose a single file is and what it is called without that; None where it is nobody's work."""
    if name.endswith(MODULE):
        stem = name.removesuffix(MODULE)
        meant = next((module for module in modules if stem.endswith(module)), "")
        if not meant:
            return None
        return (stem.removesuffix(meant).rstrip("_- ."), f"{meant}{MODULE}") if stem != meant else None
    lower = name.lower()
    for suffix in (NOTEBOOK, ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".zip", *OTHERS):
        if lower.endswith(suffix):
            return name[: -len(suffix)] or "unnamed", name
    return None


def _entries(listing: Listing) -> Iterable[tuple[str, File | None]]:
    """Files, and folders with a slash at the end, so that a student who handed in nothing is there too."""
    yield from ((file.name, file) for file in listing.files)
    yield from ((f"{name}/", None) for name in listing.folders)


class _Works:
    """Students by what tells them apart, in the order in which they were met."""

    def __init__(self) -> None:
        self._by_key: dict[str, Work] = {}

    def of(self, key: str, identity: Identity) -> Work:
        return self._by_key.setdefault(key, Work(key, identity))

    def all(self) -> list[Work]:
        return [self._by_key[key] for key in sorted(self._by_key)]


def _latest(work: Work) -> None:
    """Of files that were handed in again keep the last, and give it the name of the first.

    Notebooks of which there is a second and no first are parts, as students number them: all count, the last before.
    """
    numbered: dict[str, list[tuple[int, File]]] = {}
    for file in work.files:
        name, number = _resubmitted(file.name)
        numbered.setdefault(name, []).append((number, file))
    work.files = Files()
    for name, files in numbered.items():
        files.sort(key=lambda each: each[0])
        if name.endswith(NOTEBOOK) and files[0][0] > 0 and len({number for number, _ in files}) == len(files):
            for _, file in reversed(files):
                work.files.append(file)
        else:
            work.files.append(File(name, files[-1][1].read))
            work.earlier += [file.name for _, file in files[:-1]]


def _resubmitted(name: str) -> tuple[str, int]:
    """A file's first name and the number of its resubmission: `lab-2.ipynb` is (`lab.ipynb`, 2)."""
    found = re.fullmatch(r"(?P<stem>.+)-(?P<number>\d{1,4})(?P<ext>(?:\.tar)?\.\w+)", name, re.DOTALL)
    return (found["stem"] + found["ext"], int(found["number"])) if found else (name, 0)


def _unwrapped(listing: Listing, outer: re.Pattern[str]) -> Listing:
    """The listing without one folder around everything, where that is called so."""
    tops = listing.tops
    only = next(iter(tops)) if len(tops) == 1 else ""
    return listing.inside(only) if only and outer.fullmatch(only) else listing


def _slug(listing: Listing) -> tuple[str, Listing]:
    """The assignment's short name, and what lies in its folder; "" where no folder is called so."""
    inner = _unwrapped(listing, GITHUB_OUTER)
    found = GITHUB_OUTER.fullmatch(inner.name)
    return (found["slug"] if found else "", inner)


def _share(listing: Listing, belongs: Callable[[str], object]) -> float:
    """How many of the outermost entries belong, of 1."""
    tops = {name for name in listing.tops if len(name) <= LONGEST_NAME and name != METADATA}
    return sum(bool(belongs(name)) for name in tops) / len(tops) if tops else 0.0


def _is_canvas(listing: Listing) -> bool:
    flat = Listing(listing.name, [file for file in listing.files if "/" not in file.name], [])
    share = _share(flat, lambda name: CANVAS_ANONYMOUS.fullmatch(name) or CANVAS.fullmatch(name))
    return share > 0.5 and len(flat.tops) * 2 > len(listing.tops)


def _is_moodle(listing: Listing) -> bool:
    return _share(listing, lambda name: re.search(r"_\d+_assignsubmission_(?:file|onlinetext)(?:_|$)", name)) > 0.5


def _is_gradescope(listing: Listing) -> bool:
    inner = _unwrapped(listing, GRADESCOPE_OUTER)
    if any(file.name == METADATA for file in inner.files):
        return True
    return inner is not listing and _share(inner, lambda name: re.fullmatch(r"submission_\d+", name)) > 0.5


def _is_github(listing: Listing) -> bool:
    slug, inner = _slug(listing)
    return bool(slug) and _share(inner, lambda name: name.startswith(f"{slug}-")) > 0.5


# In the order in which they are tried.
PLATFORMS: tuple[Layout, ...] = (
    Layout("gradescope", "a Gradescope export", gradescope, _is_gradescope),
    Layout("moodle", "a Moodle download", moodle, _is_moodle),
    Layout("github", "a GitHub Classroom download", github, _is_github),
    Layout("canvas", "a Canvas download", canvas, _is_canvas),
)
