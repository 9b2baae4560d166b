"""What of a submission its student wrote: the text that a search for copies compares.

Everybody in a class has the stub's text, and two files that share it look alike. So whatever a module still has of its
stub is left out: imports, docstrings, functions that were not touched, and the arguments of those that were. What is
left of all modules is one text, so that a search compares students and not a student's own exercises with one another.
Nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from grader.model.pack import Exercise, Pack
from grader.model.submission import Submission
from grader.model.syntax import parse_if_python
from grader.model.text import source_lines
from grader.submission.encodings import text_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_KINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def own_work(submission: Submission, pack: Pack, exercises: Sequence[Exercise]) -> str:
    """The student's own text in these exercises and in modules that are no exercise; empty where there is none.

    Modules stand in the rubric's order, each below its name. One that is no Python comes last, whole: an open string in
    it would swallow what follows.
    """
    known = pack.ids
    names = [exercise.id for exercise in exercises] + sorted(submission.modules.keys() - known)
    parsed, whole = [], []
    for name in names:
        source = submission.modules.get(name)
        if source is None:
            continue
        text = decoded(source)
        tree = parse_if_python(text)
        if tree is None:
            whole.append((name, text))
        elif kept := _without_stub(text, tree, stub_text(pack, name)):
            parsed.append((name, kept))
    return "".join(f"# {name}.py\n{text.rstrip()}\n\n\n" for name, text in (*parsed, *whole) if text.strip())


def decoded(source: bytes) -> str:
    """A source as Python reads it; what cannot be read so, as far as it can."""
    return "\n".join(source_lines(text_of(source).replace("\0", "\N{REPLACEMENT CHARACTER}")))


def stub_text(pack: Pack, name: str) -> str:
    """An exercise's stub as the pack has it; empty where there is none."""
    try:
        return decoded((pack.source.exercises / f"{name}.py").read_bytes())
    except OSError:
        return ""


def _without_stub(text: str, tree: ast.Module, stub: str) -> str:
    """The lines of a module without what its stub has, too; empty where nothing is left."""
    theirs = parse_if_python(stub)
    given = _Given(theirs) if theirs is not None else _Given(ast.Module([], []))
    lines = text.split("\n")
    left: dict[int, str] = dict(enumerate(lines, start=1))
    for first, last, instead in given.found(tree.body):
        for number in range(first, last + 1):
            left.pop(number, None)
        if instead:
            left[first] = instead
    kept = [left[number] for number in sorted(left)]
    return "\n".join(kept) if any(line.strip() and not line.lstrip().startswith("#") for line in kept) else ""


class _Given:
    """What a stub gives: its statements, and the heads of its functions."""

    def __init__(self, stub: ast.Module) -> None:
        self._statements = {_form(node) for node in _within(stub.body)}
        self._heads = {_head(node) for node in _within(stub.body) if isinstance(node, _Function)}

    def found(self, body: Sequence[ast.stmt]) -> Iterator[tuple[int, int, str]]:
        """The first and last lines of what is given, and what to put there instead."""
        before = 0
        for node, after in zip(body, [*body[1:], None], strict=False):
            first, last = _first(node), node.end_lineno or node.lineno
            is_alone = first > before and (after is None or _first(after) > last)
            before = last
            if is_alone and not _is_short(node) and _form(node) in self._statements:
                yield first, last, ""
            elif isinstance(node, _KINDS) and (end := _first(node.body[0]) - 1) >= node.lineno:
                if isinstance(node, _Function) and _head(node) in self._heads:
                    yield node.lineno, end, f"{' ' * node.col_offset}def {node.name}():"
                yield from self.found(node.body)


def _within(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, of its classes and of its functions."""
    for node in body:
        yield node
        if isinstance(node, _KINDS):
            yield from _within(node.body)


def _form(node: ast.stmt) -> str:
    try:
        return ast.dump(node)
    except RecursionError:
        return ""


def _head(node: _Function) -> str:
    """A function's name and the names of its arguments, which the lesson gives; types are a matter of style."""
    named = [*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg]
    return ",".join([node.name, *(each.arg for each in named if each is not None)])


def _first(node: ast.stmt) -> int:
    """The first line of a statement with its decorators."""
    decorators = node.decorator_list if isinstance(node, _KINDS) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _is_short(node: ast.stmt) -> bool:
    """Whether it is such as anybody writes, stub or not, and a search finds too short to look at: `pass`, a call."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, (ast.Expr, ast.Pass, ast.Return, ast.Assign)) and not is_docstring
