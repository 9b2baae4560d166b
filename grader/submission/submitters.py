"""Who is who in a Gradescope export: its `submission_metadata.yml`, of which nothing but the submitters and the time of
handing in is kept.

Read as a stream of events, since the file also holds every earlier result: no object is made of it, a tag means
nothing, and an alias is one event, so that it cannot grow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import yaml

from grader.model.handed import TOGETHER, Identity
from grader.submission.files import File, Unreadable

MAX_BYTES = 256 << 20
DEPTH = ("submission_1", ":submitters", "0", ":name")
# Far below what is looked for; and what is nested without end takes libyaml the square of its length.
DEEPEST = 100
SUBMITTERS, NAME, SID, EMAIL = ":submitters", ":name", ":sid", ":email"
CREATED = ":created_at"
NULL = ("~", "null", "Null", "NULL")
# As Ruby writes it: `2026-05-01 14:22:32.365935000 -07:00`, or `Z` at the end.
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})? ?(Z|[+-]\d\d:\d\d)")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast where libyaml is there


def submitters(file: File) -> tuple[Mapping[str, Identity], str]:
    """Who handed in each folder, and "" or why nobody's name is known: the work can be graded without."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    times: dict[str, str] = {}
    try:
        for path, value in _scalars(file.read(MAX_BYTES)):
            if len(path) == len(DEPTH) and path[1] == SUBMITTERS and path[3] in (NAME, SID, EMAIL):
                found.setdefault(path[0], {}).setdefault(path[2], {})[path[3]] = value
            elif path:
                found.setdefault(path[0], {})
                if path[1:] == (CREATED,) and (time := TIME.fullmatch(value)):
                    times[path[0]] = f"{time[1]}T{time[2]}{time[3]}"
    except (yaml.YAMLError, Unreadable, RecursionError, ValueError, OverflowError) as error:
        return dict.fromkeys(found, Identity()), f"{file.name}{_why(error)}"
    known = {folder: _identity([*people.values()], times.get(folder, "")) for folder, people in found.items()}
    return known, "" if any(one.name for one in known.values()) else f"{file.name} names nobody"


def _why(error: Exception) -> str:
    """What follows the file's name where it cannot be read."""
    if isinstance(error, Unreadable):
        return f" {error}"
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        return f", line {error.problem_mark.line + 1}: {error.problem}"
    return f": {error}"


def _identity(people: Sequence[Mapping[str, str]], handed_in: str) -> Identity:
    """One identity for all who handed in together."""
    name, sid = (TOGETHER.join(filter(None, (one.get(key, "") for one in people))) for key in (NAME, SID))
    # What holds several addresses is none, and could be taken for those of others.
    emails = [one.get(EMAIL, "") for one in people]
    email = TOGETHER.join("" if TOGETHER.strip() in each else each for each in emails)
    return Identity(name, sid, email, handed_in=handed_in)


def _scalars(data: bytes) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each scalar's value and its path: the keys of mappings and the numbers of sequences around it."""
    path: list[str] = []  # a part for each open collection: the key or the number that comes now
    kinds: list[str] = []  # "key" and "value" of a mapping, "item" of a sequence
    for event in yaml.parse(data, Loader=_LOADER):
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            if len(kinds) == DEEPEST:
                raise Unreadable("is nested too deeply")
            kinds.append("key" if is_mapping else "item")
            path.append("" if is_mapping else "0")
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            kinds.pop()
            path.pop()
            _advance(path, kinds, "")
        elif isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent)):
            value = event.value if isinstance(event, yaml.ScalarEvent) and not _is_null(event) else ""
            if kinds == ["key"]:  # a folder, even where nobody is said to have handed it in
                yield (value,), ""
            elif kinds and kinds[-1] != "key" and len(path) <= len(DEPTH):
                yield tuple(path), value
            _advance(path, kinds, value)


def _is_null(event: yaml.ScalarEvent) -> bool:
    """Whether a value is YAML's word for none, and not somebody who is called so."""
    return event.implicit[0] and event.value in NULL


def _advance(path: list[str], kinds: list[str], value: str) -> None:
    """Go on to what follows a node: the value of a key, the next key, the next item."""
    if not kinds:
        return
    if kinds[-1] == "key":
        path[-1], kinds[-1] = value, "value"
    elif kinds[-1] == "value":
        kinds[-1] = "key"
    else:
        path[-1] = str(int(path[-1]) + 1)
