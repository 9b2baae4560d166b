"""What the numbers in an error about shapes are in the lesson's terms, such as 12 = B·T; only where that is certain."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from grader.model.pack import CaseTemplate, Draw, Exercise, Step

# Where sizes stand in torch's messages: (12x3 and 2x3), [2, 6], size 120; but not which axis it was, nor which tensor.
SIZES = re.compile(r"\((\d{1,6}(?:x\d{1,6})*)(?: and (\d{1,6}(?:x\d{1,6})*))?\)|\[([\d, ]{1,60})\]|\bsize (\d{1,6})\b")
# What counts axes there, in as many parentheses: "the number of dimensions in the tensor (2)".
COUNTS = re.compile(r"number of (?:sizes|dimensions)[^()]{0,60}\(\d{1,6}\)")
SHAPES = re.compile(r"\b(shapes?|sizes?)\b")
# Options of checks that name an argument of the constructor without giving it another value.
KEEPING = frozenset({"longest"})
# One of other values that are asked for beside those of the case.
ALSO = "also"
# A number that stands in a piece of source, such as the two of `x[:, :2]`.
LITERAL = re.compile(r"(?<![\w.])\d{1,6}(?![\w.])")
# Of longer messages, which only hostile code raises, so much is read.
LONGEST = 400
Readings = Mapping[int, set[str]]


def explained(
    exercise: Exercise, step: Step, template: CaseTemplate, message: str, operands: Iterable[str] = ()
) -> str:
    """What the numbers of a message are in a case, "12 = B·T, 3 = d_in"; empty where that is not certain of any.

    Of a shape with a number that is nothing in the case nothing is told: it may be another tensor's altogether.
    operands: what failed, as it is written; a number that stands there may be of no axis.
    """
    own = {int(number) for code in operands for number in LITERAL.findall(code)}
    known = {number: names for number, names in readings(exercise, step, template).items() if number not in own}
    told = [number for sizes in _shapes(message[:LONGEST]) if known.keys() >= {*sizes} for number in sizes]
    return ", ".join(f"{number} = {name}" for number in dict.fromkeys(told) for name in _only(known[number]))


def readings(exercise: Exercise, step: Step, template: CaseTemplate) -> Readings:
    """What each number may be in a case: an argument of the constructor, an axis of an input, or made of these."""
    named = _named(exercise, template)
    options = {name: value for name, value in step.options.items() if name not in (*KEEPING, ALSO)}
    changed = {word for word in re.findall(r"\w+", repr(options)) if word in template.construct}
    for name in changed:  # a check that names an argument calls it with other values
        named.pop(name, None)
    for size in exercise.sizes:
        value = _value(size, named)
        if value is not None:
            named[size.replace(" * ", "·")] = value
    if changed:  # what it is given there may be any of the check's numbers
        given = {int(number) for number in LITERAL.findall(repr(options))}
        named = {name: value for name, value in named.items() if value not in given}
    found: dict[int, set[str]] = {}
    for name, value in (*named.items(), *step.options.get(ALSO, {}).items()):
        found.setdefault(value, set()).add(name)
    return found


def shape(draw: Draw) -> tuple[int, ...]:
    """The shape of what is drawn, as far as the rubric says it; empty where it does not."""
    match draw.kind:
        case "eye" | "triangle":
            return (draw.shape[0], draw.shape[0])
        case "stack":
            return (len(draw.parts), *shape(draw.parts[0]))
        case "join":
            parts = [shape(part) for part in draw.parts]
            return _along(parts[0], draw.settings["axis"], sum(_at(part, draw.settings["axis"]) for part in parts))
        case "repeat":
            (part,) = (shape(part) for part in draw.parts)
            return _along(part, draw.settings["axis"], draw.settings["times"] * _at(part, draw.settings["axis"]))
        case _:
            return draw.shape


def is_flat(exercise: Exercise) -> bool:
    """Whether no input of an exercise has more than two axes."""
    draws = [draw for case in exercise.cases.values() for draw in case.inputs.values() if isinstance(draw, Draw)]
    return all(len(shape(draw)) <= 2 for draw in draws)


def _named(exercise: Exercise, template: CaseTemplate) -> dict[str, int]:
    """The sizes of a case that have a name. One name for two sizes is none."""
    pairs = [(name, value) for name, value in template.construct.items() if type(value) is int]
    for name, given in template.inputs.items():
        axes, sizes = exercise.axes.get(name, ()), shape(given) if isinstance(given, Draw) else ()
        pairs += zip(axes, sizes, strict=True) if len(axes) == len(sizes) else ()
    named = dict(pairs)
    return {name: value for name, value in named.items() if all(v == value for n, v in pairs if n == name)}


def _shapes(message: str) -> Iterator[tuple[int, ...]]:
    """The sizes in a message about shapes, those of one shape together; 0 and 1 are everywhere, and say nothing."""
    for groups in SIZES.findall(COUNTS.sub("", message)) if SHAPES.search(message) else ():
        for group in groups:
            yield tuple(int(number) for number in re.findall(r"\d{1,6}", group) if int(number) > 1)


def _only(names: Collection[str]) -> Collection[str]:
    """The one name that a number has; none where it has several."""
    return names if len(names) == 1 else ()


def _value(size: str, named: Mapping[str, int]) -> int | None:
    """The value of a product, "B * T", or of a quotient that leaves nothing over, "d_out / num_heads"."""
    over, _, under = size.partition(" / ")
    factors = over.split(" * ")
    if not named.keys() >= {*factors, *([under] if under else [])}:
        return None
    product = math.prod(named[factor] for factor in factors)
    divisor = named[under] if under else 1
    return product // divisor if divisor and product % divisor == 0 else None


def _at(sizes: tuple[int, ...], axis: int) -> int:
    return sizes[axis] if -len(sizes) <= axis < len(sizes) else 0


def _along(sizes: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    """A shape with another size along one axis."""
    position = axis % len(sizes) if sizes else 0
    return tuple(size if index == position else each for index, each in enumerate(sizes))
