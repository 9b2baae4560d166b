"""YAML with its traps taken out: no aliases, tags, duplicate keys or words that turn into something else.

Gives plain values and, for each, the place it stands at, so that every later complaint can name line and column.
https://yaml.org/spec/1.1/ is what PyYAML reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import yaml

from grader.model.errors import PackError, Problem

Path = tuple[str | int, ...]
_TAG = "tag:yaml.org,2002:"
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*(_[0-9]+)*)")
_FLOAT = re.compile(r"[-+]?([0-9]{1,18}\.?[0-9]{0,18}|\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?")
MAX_DEPTH = 30
TOO_DEEP = f"nested more than {MAX_DEPTH} deep"
LONGEST_NUMBER = 40
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Document:
    """A document's value, the place of each part of it by path, and what is wrong with its YAML."""

    file: str
    value: Any = None
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, path: Path, text: str) -> Problem:
        """A problem at a path, or at the nearest part above it that is known."""
        while path and path not in self.places:
            path = path[:-1]
        line, column = self.places.get(path, (1, 1))
        return Problem(self.file, line, column, text)


def read_file(path: FilePath, name: str) -> Document:
    """Read one document of a file; that it is none of text is a problem too. name: what it is called in a sentence.

    Raises PackError where it cannot be read at all.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PackError(f"{name} of the pack cannot be read: {error.strerror}") from None
    try:
        return read(content.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return Document(name, problems=[Problem(name, line, column, "not UTF-8: save the file as UTF-8")])


def read(text: str, file: str) -> Document:
    """Read one document. Never raises for what the text holds: its problems are in the result."""
    document = Document(file)
    try:
        tags = list(_forbidden(text, file))
        if any(problem.text == TOO_DEEP for problem in tags):
            document.problems += tags
            return document
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        document.problems.append(Problem(file, line, column, f"not YAML: {error.problem}"))
        return document
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        document.problems.append(Problem(file, 1, 1, f"not YAML: {str(error).splitlines()[0]}"))
        return document
    if root is None:
        document.problems.append(Problem(file, 1, 1, "the file is empty"))
        return document
    document.value = _Reader(document).value(root, ())
    tagged = {(problem.line, problem.column) for problem in tags}  # what else a tagged value is, nobody need know
    others = [problem for problem in document.problems if (problem.line, problem.column) not in tagged]
    document.problems = sorted([*tags, *others])
    return document


def _forbidden(text: str, file: str) -> Iterator[Problem]:
    """Tags, and nests so deep that building the document would end the process. Read as events, flat."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        mark = event.start_mark
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            yield Problem(file, *place, TOO_DEEP)
            return
        tag = getattr(event, "tag", None)
        if tag is not None:
            yield Problem(file, *place, f"the tag {tag} is not allowed; write a plain value")


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.seen: set[int] = set()

    def value(self, node: Any, path: Path) -> Any:
        place = (node.start_mark.line + 1, node.start_mark.column + 1)
        self.document.places[path] = place
        if id(node) in self.seen:
            self._complain(place, "anchors and aliases are not used here; write it out")
            return None
        self.seen.add(id(node))
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag.startswith(_TAG):
            return self._scalar(node, place)
        return None  # a tag of somebody's own, which was told already

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            place = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if not isinstance(key_node, yaml.ScalarNode):
                self._complain(place, "a key must be a word")
                continue
            key = str(key_node.value)
            if key in result:
                self._complain(place, f"{key!r} stands here twice")
                continue
            result[key] = self.value(value_node, (*path, key))
            self.document.places.setdefault((*path, key, ""), place)
        return result

    def _scalar(self, node: Any, place: tuple[int, int]) -> Any:
        text, kind = str(node.value), node.tag.removeprefix(_TAG)
        is_quoted = bool(node.style)  # libyaml gives "" for a plain word, the Python reader None
        if is_quoted or kind == "str":
            is_number = not is_quoted and _FLOAT.fullmatch(text)  # YAML 1.1 takes 1e-5 for a word
            return float(text) if is_number else text
        if kind == "null":
            return None
        if kind == "bool":
            if text not in ("true", "false"):
                self._complain(
                    place, f"{text!r} means {'true' if _is_true(text) else 'false'} in YAML; write that, or quote it"
                )
            return _is_true(text)
        if kind == "int" and len(text) <= LONGEST_NUMBER and _DECIMAL.fullmatch(text):
            return int(text)
        if kind == "float" and _FLOAT.fullmatch(text):
            return float(text)
        self._complain(place, f"{text!r} is not a plain decimal number or a word; quote it, or write it out")
        return None

    def _complain(self, place: tuple[int, int], text: str) -> None:
        self.document.problems.append(Problem(self.document.file, *place, text))


def _is_true(text: str) -> bool:
    return text.lower() in ("true", "yes", "on", "y")
