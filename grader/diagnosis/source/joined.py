"""An exercise's source with what it imports of the submission's other files below it, so that all of it is read as one.

A function is as much the student's where it lies in `helpers.py`. Lines behind the exercise's own are those of the
others, one file after the other, and are told as such. Other exercises have steps of their own and are not joined.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from grader.diagnosis.source.called import meanings
from grader.model.observation import Fault, Frame
from grader.model.report import Diagnosis, Verdict
from grader.model.syntax import Definition, dotted, parse_if_python, walk
from grader.model.text import source_lines

# Nobody has more files that one exercise needs; of so many it is looked at whether they can be joined, the first that
# are imported. To read a file takes a hundred times its length in memory.
MOST_FILES, MOST_READ = 6, 12
# The package that a submission is while it is graded.
PACKAGE = "exercises"


@dataclass(frozen=True, slots=True)
class Joined:
    """A source and the files that are joined to it. parts: each of these, and how many lines stand before it."""

    own: str
    text: str
    parts: tuple[tuple[str, int], ...] = ()

    def place(self, line: int) -> tuple[str, int]:
        """The file of a line of the whole, "" for the exercise's own, and the line there."""
        return next(((file, line - before) for file, before in reversed(self.parts) if line > before), ("", line))

    def seen(self, fault: Fault, own: str) -> Fault:
        """An exception of a call as if all of it had happened in one file, of that name."""
        before = dict(self.parts)
        if fault.kind not in ("exception", "late") or fault.type == "NotImplementedError" or not before:
            return fault
        frames = (Frame(own, before[f.file] + f.line, f.function) if f.file in before else f for f in fault.frames)
        return replace(fault, frames=tuple(frames))

    def placed(self, verdict: Verdict, own: str) -> Verdict:
        """A verdict with every line in the file where it stands."""
        if not self.parts:
            return verdict

        def there(file: str, line: int) -> tuple[str, int]:
            other, number = self.place(line)
            return (other, number) if other and file == own else (file, line)

        def found(each: Diagnosis) -> Diagnosis:
            file, line = there(each.file, each.line)
            return replace(each, file=file, line=line)

        file, line = there(verdict.file, verdict.line)
        stage = verdict.stage
        if stage is not None:
            its_file, its_line = there(stage.file, stage.line)
            stage = replace(stage, file=its_file, line=its_line)
        diagnosis = tuple(map(found, verdict.diagnosis))
        return replace(verdict, file=file, line=line, stage=stage, diagnosis=diagnosis)


def joined(source: str, helpers: Mapping[str, bytes]) -> Joined:
    """A source with those modules below it that it imports, and these import. helpers: by their names, `utils/stable`.

    Left out is what gives a name of the source another meaning, and all of them where they are too much to be read.
    """
    return _joined(source, tuple(sorted(helpers.items()))) if helpers else Joined(source, source)


@dataclass(slots=True)
class _Others:
    """The submission's other files, of which only what is asked for is read. texts: by their names."""

    texts: Mapping[str, bytes]
    _trees: dict[str, ast.Module | None] = field(default_factory=dict)

    def text(self, name: str) -> str:
        return self.texts[name].decode("utf-8", "replace")

    def tree(self, name: str) -> ast.Module | None:
        """A file as a tree; None where it is no Python, or more than enough were read."""
        if name not in self._trees and len(self._trees) < MOST_READ:
            self._trees[name] = parse_if_python(self.text(name))
        return self._trees.get(name)


@lru_cache(maxsize=4)
def _joined(source: str, helpers: tuple[tuple[str, bytes], ...]) -> Joined:
    others = _Others(dict(helpers))
    parts: list[tuple[str, int]] = []
    lines: list[str] = []
    named: set[str] = set()
    waiting, seen = [("", source, parse_if_python(source))], {""}
    while waiting and len(parts) < MOST_FILES:
        module, text, tree = waiting.pop(0)
        if tree is None or not named.isdisjoint(_defined(tree)):
            continue
        named |= _defined(tree)
        parts += [(f"{module}.py", len(lines))] if module else []
        brought = [each for each in _brought(tree, module, others.texts) if others.tree(each[1]) is not None]
        modules = {here: other for here, its, is_it in brought if is_it and (other := others.tree(its)) is not None}
        lines += _bare(source_lines(text), tree, modules)
        given = meanings(tree)
        for name in dict.fromkeys(its for _, its, _ in brought if its not in seen):
            by_name = {here for here, its, is_it in brought if its == name and not is_it}
            other = others.tree(name)
            if other is not None and all(given[each] == (each in by_name) for each in _defined(other)):
                seen.add(name)
                waiting.append((name, others.text(name), other))
    whole = "\n".join(lines)
    return Joined(source, whole, tuple(parts)) if parts and parse_if_python(whole) else Joined(source, source)


def _brought(tree: ast.Module, module: str, helpers: Container[str]) -> Iterator[tuple[str, str, bool]]:
    """What a file imports of others: by which name here, of which module, and whether it is the module itself."""
    for node in walk(tree):
        match node:
            case ast.ImportFrom(origin, names, level):
                folder = module.rpartition("/")[0] if level else ""
                base = _path(".".join(filter(None, [folder.replace("/", "."), origin])))
                for alias in names:
                    within = f"{base}/{alias.name}".lstrip("/")
                    if base in helpers:
                        yield alias.asname or alias.name, base, False
                    elif within in helpers:
                        yield alias.asname or alias.name, within, True
            case ast.Import(names):
                for alias in names:
                    if _path(alias.name) in helpers:
                        yield alias.asname or alias.name, _path(alias.name), True


def _path(name: str) -> str:
    """A module's name as the submission has it: with slashes, and without the package that it is."""
    return "/".join(part for number, part in enumerate(name.split(".")) if number or part != PACKAGE)


def _defined(tree: ast.Module) -> set[str]:
    """The names of functions and classes, and what else is given one, at the top of a file."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, Definition):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def _bare(lines: Sequence[str], tree: ast.Module, modules: Mapping[str, ast.Module]) -> list[str]:
    """The lines of a file in which what others define is called by its name alone, without theirs before it.

    And without what Python takes at the very top alone. modules: the others, by what they are called here.
    """
    its = {here: _defined(other) for here, other in modules.items()}
    encoded = [line.encode() for line in lines]
    own = meanings(tree)
    spans: list[tuple[int, int, int]] = []
    for node in walk(tree):
        match node:
            case ast.Attribute(value, name, ast.Load()) if own[dotted(value).partition(".")[0]] == 1:
                if name in its.get(dotted(value), ()) and not own[name] and value.lineno == node.end_lineno:
                    spans.append((node.lineno, node.col_offset, (node.end_col_offset or 0) - len(name.encode())))
            case ast.ImportFrom(module="__future__"):
                spans += [(line, 0, len(encoded[line - 1])) for line in range(node.lineno, (node.end_lineno or 0) + 1)]
    for line, begin, end in sorted(spans, reverse=True):
        text = encoded[line - 1]
        encoded[line - 1] = text[:begin] + text[end:]
    return [line.decode("utf-8", "replace") for line in encoded]
