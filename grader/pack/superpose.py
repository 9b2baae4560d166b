"""One source that holds the reference with every set of its known mistakes, to be switched between while it runs.

Compiling a copy for each set of three mistakes would take seconds; to flip switches and call again takes a tenth of a
millisecond. Each statement that an edit touches becomes a choice between itself and its edited forms.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.model.syntax import parse
from grader.pack.mistakes import Edit, applied, combinations

# The names that the source gains. The lesson's names are no such words.
SWITCHES, CHOOSE, SWEEP, UNCHANGED = "switches_", "choose_", "sweep_", "unchanged_"
INDENT = "    "

DRIVER = f"""

from grader.worker import sweep as sweeping_

{SWITCHES} = [0] * {{count}}
base_ = []


def {CHOOSE}(row):
    {SWITCHES}[:] = row.tolist()


def {SWEEP}(rows, {{parameters}}):
    return sweeping_.sweep({SWITCHES}, rows, {{target}}, inputs)


def {UNCHANGED}(rows, {{parameters}}):
    return sweeping_.unchanged({SWITCHES}, rows, {{target}}, inputs, {{stages}}, base_)
"""


@dataclass(frozen=True, slots=True)
class Switch:
    """One statement's choice. forms: sets of edits, by their positions, to the switch's value.

    touching: the edits that change the statement. in_constructor: whether it counts when an object is made.
    """

    forms: Mapping[frozenset[int], int]
    touching: frozenset[int]
    in_constructor: bool


@dataclass(frozen=True, slots=True)
class Superposed:
    """source: of the module. edits: those that it holds; others stand where nothing can be switched."""

    source: str
    edits: tuple[Edit, ...]
    switches: tuple[Switch, ...]

    def row(self, chosen: Collection[int]) -> list[int]:
        """The switches' values for a set of edits that can be made together."""
        wanted = frozenset(chosen)
        return [switch.forms[wanted & switch.touching] for switch in self.switches]


def superpose(
    source: str, edits: Sequence[Edit], of: str, *, is_class: bool, most: int, stages: Sequence[str] = ()
) -> Superposed:
    """The reference's source with every set of at most so many edits in it.

    of: the definition that will be swept. stages: variables of its function that edits may change.
    """
    statements = list(_statements(source))
    held = tuple(edit for edit in edits if all(_holder(statements, place) is not None for place in edit.places))
    switches: list[Switch] = []
    pieces, end = [], 0
    for first, last, in_constructor in statements:
        touching = [n for n, edit in enumerate(held) if any(first <= place[0] < last for place in edit.places)]
        if not touching:
            continue
        sets = [frozenset[int](), *_together(held, touching, most)]
        pieces += [source[end:first], _switch(source, (first, last), held, sets, len(switches))]
        end = last
        switches.append(Switch({each: n for n, each in enumerate(sets)}, frozenset(touching), in_constructor))
    parameters, target = ("target, *inputs", "target") if is_class else ("*inputs", of)
    driver = DRIVER.format(count=len(switches), parameters=parameters, target=target, stages=list(stages))
    return Superposed("".join([*pieces, source[end:], driver]), held, tuple(switches))


def _statements(source: str) -> Iterator[tuple[int, int, bool]]:
    """Beginning and end of the lines of every simple statement in a function, and whether it is a constructor's."""
    starts = list(itertools.accumulate((len(line) for line in source.splitlines(keepends=True)), initial=0))
    found = set()
    functions = [node for node in ast.walk(parse(source)) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.end_lineno is not None:
                found.add((starts[node.lineno - 1], starts[node.end_lineno], function.name == "__init__"))
    yield from sorted(found)


def _holder(statements: Sequence[tuple[int, int, bool]], place: tuple[int, int, str]) -> tuple[int, int, bool] | None:
    return next((each for each in statements if each[0] <= place[0] and place[1] <= each[1]), None)


def _together(edits: Sequence[Edit], touching: Sequence[int], most: int) -> Iterator[frozenset[int]]:
    """Every set of the edits that touch one statement and can be made together."""
    numbers = {id(edits[number]): number for number in touching}
    for size in range(1, most + 1):
        for chosen in combinations([edits[number] for number in touching], size):
            yield frozenset(numbers[id(edit)] for edit in chosen)


def _switch(
    source: str, span: tuple[int, int], edits: Sequence[Edit], sets: Sequence[frozenset[int]], number: int
) -> str:
    """A statement as a choice between its forms."""
    first, last = span
    text = source[first:last]
    margin = text[: len(text) - len(text.lstrip())]
    lines = []
    for value, chosen in enumerate(sets):
        places = [
            (start - first, end - first, new)
            for each in chosen
            for start, end, new in edits[each].places
            if first <= start < last
        ]
        form = applied(text, [Edit("", tuple(places))]) if places else text
        if not form.strip():  # a statement that is left out
            form = f"{margin}pass"
        word = "if" if value == 0 else "elif"
        lines.append(f"{margin}{word} {SWITCHES}[{number}] == {value}:\n")
        lines += [f"{INDENT}{line}\n" for line in form.rstrip("\n").split("\n")]
    return "".join(lines)
