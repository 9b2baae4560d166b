"""Draws a case's tensors from its template, with numpy's generator: the same seed gives the same bytes."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.model.case import Case
from grader.model.pack import CaseTemplate, Draw, Generator, Pack
from grader.pack.load import lesson_value

Array = np.ndarray[Any, Any]


def draw_case(
    pack: Pack, exercise: str, template: CaseTemplate, slots: Mapping[str, Sequence[int]], origin: str, seed: int
) -> Case:
    """A case with its tensors drawn: float32 numbers, truth values, whole numbers.

    slots: the reference's parameters to be filled, name to shape. Raises PackError for a lesson entry that is not
    there, ValueError for parts that do not fit together.
    """
    key = zlib.crc32(f"{exercise}/{template.name}/{origin}".encode())
    rng = np.random.Generator(np.random.PCG64([seed, key]))
    inputs = {name: _draw(pack, value, rng) for name, value in template.inputs.items() if isinstance(value, Draw)}
    weights = {}
    for name, shape in slots.items():
        draw = weight_draw(pack, template, name, shape)
        weights[name] = _draw(pack, draw, rng)
        if weights[name].shape != tuple(shape):
            raise ValueError(f"{exercise}, case {template.name}: {name} is {weights[name].shape}, not {tuple(shape)}")
    return Case(template, origin, inputs, weights)


def weight_draw(pack: Pack, template: CaseTemplate, name: str, shape: Sequence[int]) -> Draw:
    """How a weight comes about: as the case says, else zeros where it may be missing, else normal."""
    if name in template.weights:
        return template.weights[name]
    if pack.naming.is_optional(name):
        return Draw("zeros", tuple(shape))
    return Draw("normal", tuple(shape), {"std": template.weight_std})


def seeded_anew(exercise: str, template: CaseTemplate, origin: str, seed: int) -> Case:
    """A case without tensors whose generators begin elsewhere, so that nobody knows beforehand what they give."""
    key = zlib.crc32(f"{exercise}/{template.name}/{origin}".encode())
    (own,) = np.random.SeedSequence([seed, key]).generate_state(1)
    inputs = {n: Generator(int(own)) if isinstance(v, Generator) else v for n, v in template.inputs.items()}
    return Case(replace(template, inputs=inputs), origin, {}, {})


def is_random(pack: Pack, template: CaseTemplate, slots: Mapping[str, Sequence[int]]) -> bool:
    """Whether another seed gives other tensors."""
    drawn = [value for value in template.inputs.values() if isinstance(value, Draw)]
    drawn += [weight_draw(pack, template, name, shape) for name, shape in slots.items()]
    return any(draw.is_random for draw in drawn)


def has_generator(template: CaseTemplate) -> bool:
    """Whether an argument is a random generator, so that no two devices need agree on the result."""
    return any(isinstance(value, Generator) for value in template.inputs.values())


def _array(value: Any) -> Array:
    return np.asarray(value, np.float32)


def _draw(pack: Pack, draw: Draw, rng: np.random.Generator) -> Array:
    settings = draw.settings
    match draw.kind:
        case "normal":
            return _array(rng.standard_normal(draw.shape) * settings.get("std", 1.0))
        case "uniform":
            low, high = settings.get("low", 0.0), settings.get("high", 1.0)
            return _array(low + (high - low) * rng.random(draw.shape))
        case "zeros":
            return np.zeros(draw.shape, np.float32)
        case "eye":
            return np.eye(draw.shape[0], dtype=np.float32)
        case "triangle":
            return np.triu(np.ones((draw.shape[0], draw.shape[0]), dtype=bool), 1)
        case "integer":
            low, high = settings["of"]
            return np.array(rng.integers(low, high, endpoint=True), np.int64)
        case "values":
            return _literal(settings["of"])
        case "lesson":
            return _literal(lesson_value(pack.lesson, settings["of"]))
        case "join":
            return np.concatenate([_draw(pack, part, rng) for part in draw.parts], axis=settings["axis"])
        case "stack":
            return np.stack([_draw(pack, part, rng) for part in draw.parts])
        case _:
            part = _draw(pack, draw.parts[0], rng)
            return np.concatenate([part] * settings["times"], axis=settings["axis"])


def _literal(value: Any) -> Array:
    array = np.asarray(value)
    return array if array.dtype == bool else _array(array)
