"""How platforms lay out a download of many submissions, told by the names in it alone.

Canvas packs flat files, Moodle flat files or folders, Gradescope numbered folders and a list of who is who, GitHub
Classroom a folder a repository. Whatever is none of these is a folder with one entry a student.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from grader.model.handed import Identity
from grader.submission.archive import OTHERS
from grader.submission.files import MODULE, NOTEBOOK, File, Files
from grader.submission.works import Listing, Students, Work, Works

# {name}[_LATE]_{user}_{file}_{original}; the name in lower case and without what is no letter or digit. What was typed
# in, or linked to, has no file: add_text_or_url in lib/content_zipper.rb of canvas-lms.
# Numbers as platforms write them: others would be another student's to whoever imports them, such as 012 for 12.
_NUMBER = "[1-9][0-9]*"
_WORK = rf"_(?:(?P<file>{_NUMBER})_(?P<orig>.+)|(?P<page>(?:text|link)\.html))"
# Canvas' word characters: to Ruby the vowel signs of Hindi or Thai are such, and accents written apart; to Python not.
_WORD = r"[\w\x80-\U0010ffff]"
CANVAS = re.compile(rf"(?P<name>{_WORD}*?)(?:_(?P<late>LATE))?_(?P<user>{_NUMBER}){_WORK}", re.DOTALL)
# Whoever is called `ada_12` there hands in what looks like the 12th user's.
CANVAS_OTHERWISE = re.compile(rf"(?P<name>{_WORD}*?_\d+)(?:_(?P<late>LATE))?_(?P<user>{_NUMBER}){_WORK}", re.DOTALL)
CANVAS_ANONYMOUS = re.compile(rf"(?:(?P<late>LATE)_)?anon_(?P<anon>[A-Za-z0-9]+){_WORK}", re.DOTALL)
_HANDED_IN = rf"_(?P<user>{_NUMBER})_assignsubmission_(?:file|onlinetext)(?:_?/|_)"
MOODLE = re.compile(rf"(?P<name>[^/]+?){_HANDED_IN}(?P<orig>.*)", re.DOTALL)
MOODLE_OTHERWISE = re.compile(rf"(?P<name>[^/]+?_assignsubmission_[^/]*){_HANDED_IN}(?P<orig>.*)", re.DOTALL)
GRADESCOPE = re.compile(r"(?P<folder>submission_[0-9]+)/(?P<orig>.*)", re.DOTALL)
GRADESCOPE_OUTER = re.compile(r"assignment_\d+_export")
METADATA = "submission_metadata.yml"
GITHUB_OUTER = re.compile(r"(?P<slug>.+)-submissions")
# What a browser calls a module when it has saved one of that name before.
AGAIN = re.compile(r"(.+?) ?\((\d{1,3})\)\.py", re.DOTALL)
# Longer names are nobody's, and patterns with several repeats take long over them.
LONGEST_NAME = 1_000


@dataclass(frozen=True, slots=True)
class Layout:
    """A platform's way. said: how it is called in words. students: those of a listing, none where it is not such.

    sure: whether a listing is such beyond doubt, so that it is recognised.
    """

    name: str
    said: str
    students: Callable[[Listing], Students]
    sure: Callable[[Listing], bool]


# How a name can be read: as most are, and otherwise, if it can.
_Ways = tuple[re.Match[str], re.Match[str] | None]
_File = TypeVar("_File", File, File | None)


def _settled(matched: Iterable[tuple[_File, _Ways]]) -> Iterator[tuple[_File, re.Match[str]]]:
    """Each file with the one way in which its name is read.

    People choose what they are called, and so could hand in under another's number: where that number is somebody's
    whose name can only be read in one way, what others are called ends behind it.
    """
    matched = list(matched)
    sure = {first["user"]: first["name"] for _, (first, other) in matched if other is None}
    for file, (first, other) in matched:
        is_anothers = sure.get(first["user"], first["name"]) != first["name"]
        yield file, other if other is not None and is_anothers else first


def canvas(listing: Listing) -> Students:
    """Students of a Canvas download. A file handed in again is called `stem-N.ext`; the last one counts."""
    works = Works()
    matched: list[tuple[File, re.Match[str]]] = []
    of_names: list[tuple[File, _Ways]] = []
    for name, file in listing.entries():
        is_short = file is not None and "/" not in name and len(name) <= LONGEST_NAME
        if file is not None and is_short and (found := CANVAS_ANONYMOUS.fullmatch(name)):
            matched.append((file, found))
        elif file is not None and is_short and (found := CANVAS.fullmatch(name)):
            of_names.append((file, (found, CANVAS_OTHERWISE.fullmatch(name))))
        else:
            works.leave(name)
    matched += _settled(of_names)
    for file, found in sorted(matched, key=lambda each: int(each[1]["file"] or 0)):  # they are numbered as they come
        parts = found.groupdict()
        is_late = parts["late"] is not None
        if "anon" in parts:
            key, identity = f"anon_{parts['anon']}", Identity(late=is_late)
        else:
            name = parts["name"]
            key, identity = f"{name}_{parts['user']}".lstrip("_"), Identity(name, parts["user"], late=is_late)
        work = works.of(key, identity)
        work.identity = replace(work.identity, late=work.identity.late or is_late)
        work.take(parts["orig"] or parts["page"], file)
    for work in works.all():
        _latest(work)
    return works.students()


def moodle(listing: Listing) -> Students:
    """Students of a Moodle download, be it with a folder for each of them or flat."""
    works = Works()
    matched: list[tuple[File | None, _Ways]] = []
    for name, file in listing.entries():
        found = MOODLE.fullmatch(name) if len(name) <= LONGEST_NAME else None
        if found is None:
            works.leave(name)
        else:
            matched.append((file, (found, MOODLE_OTHERWISE.fullmatch(name))))
    for file, found in _settled(matched):  # a text that was typed in, too: it is no exercise, but it was handed in
        who = Identity(found["name"], found["user"])
        works.of(f"{who.name}_{who.user_id}", who).take(found["orig"], file)
    return works.students()


def gradescope(listing: Listing) -> Students:
    """Students of a Gradescope export, by the list that comes with it."""
    from grader.submission.submitters import submitters

    listing = _unwrapped(listing, GRADESCOPE_OUTER)
    metadata = next((file for file in listing.files if file.name == METADATA), None)
    known, nameless = submitters(metadata) if metadata else ({}, f"there is no {METADATA}")
    works = Works()
    for name in known:
        if GRADESCOPE.fullmatch(f"{name}/"):
            works.of(name, known[name])
    for name, file in listing.entries():
        found = GRADESCOPE.fullmatch(name)
        if found is not None:
            works.of(found["folder"], known.get(found["folder"], Identity())).take(found["orig"], file)
        elif name != METADATA:
            works.leave(name)
    return works.students(nameless)


def github(listing: Listing) -> Students:
    """Students of a GitHub Classroom or Classroom 50 download: `{slug}-submissions/{slug}-{user}/`."""
    slug, listing = _slug(listing)
    works = Works()
    for name, file in listing.entries():
        folder, slash, inner = name.partition("/")
        user = folder.removeprefix(f"{slug}-")
        if not slash or not user or user == folder:
            works.leave(name)
        else:
            works.of(user, Identity(user, user)).take(inner, file)
    return works.students()


def folder(listing: Listing, modules: Iterable[str] = ()) -> Students:
    """Whatever lies there, one student each.

    A folder, an archive, a notebook, or modules of one beginning. Beside these any other module is somebody's work too,
    to be refused by name rather than lost. Of a module that a browser saved again the last counts.
    """
    works, ids = Works(), tuple(modules)
    loose: list[_Loose] = []
    others: list[_Loose] = []
    for name, file in listing.entries():
        top, slash, inner = name.partition("/")
        if slash:
            works.of(top, Identity(top)).take(inner, file)
        elif file is not None:
            plain, again = _saved(top)
            if key := _whose(plain, ids):
                loose.append(_Loose(again, key[0], File(key[1], file.read), top))
            elif plain.endswith(MODULE) and plain.removesuffix(MODULE) not in (*ids, "__init__"):
                others.append(_Loose(again, plain.removesuffix(MODULE), File(plain, file.read), top))
            else:
                works.leave(top)
    _put(loose, works)
    if works.all():
        _put(others, works)
    return works.students()


class _Loose(NamedTuple):
    """A file in no folder. number: which time a browser saved it. whose: its student. called: what it was called."""

    number: int
    whose: str
    file: File
    called: str


def _put(loose: list[_Loose], works: Works) -> None:
    """Give students their loose files; of one that a browser saved again the last counts."""
    latest: dict[tuple[str, str], str] = {}
    for _, whose, file, called in sorted(loose, key=lambda each: each.number):
        work = works.of(whose, Identity(whose))
        if before := latest.get((whose, file.name)):
            work.files = Files(each for each in work.files if each.name != file.name)
            work.earlier.append(before)
        latest[whose, file.name] = called
        work.files.append(file)


def _saved(name: str) -> tuple[str, int]:
    """What a module was called before a browser numbered it, and the number: `x (2).py` is (`x.py`, 2).

    An archive or a notebook of a common name may be another student's, whom it numbered as well.
    """
    found = AGAIN.fullmatch(name)
    return (f"{found[1]}{MODULE}", int(found[2])) if found else (name, 0)


def _whose(name: str, modules: tuple[str, ...]) -> tuple[str, str] | None:
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


def _latest(work: Work) -> None:
    """Of files that were handed in again keep the last, and give it the name of the first.

    Notebooks of which there is a second and no first are parts, as students number them, and so are two modules of a
    name that has none: all count, the last before.
    """
    numbered: dict[str, list[tuple[int, File]]] = {}
    for file in work.files:
        name, number = _resubmitted(file.name)
        numbered.setdefault(name, []).append((number, file))
    work.files = Files()
    for name, files in numbered.items():
        files.sort(key=lambda each: each[0])
        is_numbered = files[0][0] > 0 and len({number for number, _ in files}) == len(files)
        if is_numbered and (name.endswith(NOTEBOOK) or (name.endswith(MODULE) and len(files) > 1)):
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
    is_called_so = inner is not listing or GRADESCOPE_OUTER.fullmatch(listing.name) is not None
    return is_called_so and _share(inner, lambda name: re.fullmatch(r"submission_\d+", name)) > 0.5


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
