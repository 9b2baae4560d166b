"""What code can set for its whole process: an exercise's demo, or a function of it, is to change nothing for others."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from warnings import resetwarnings

import torch

# As they are before any code of a submission runs, which may put others in their places.
from torch import (
    get_default_device,
    get_default_dtype,
    is_grad_enabled,
    set_default_device,
    set_default_dtype,
    set_grad_enabled,
)

CPU = torch.device("cpu")
FILTERS = warnings.filters


class Settings(NamedTuple):
    """Whether there are gradients, the type and device of new tensors, and what becomes of warnings."""

    gradients: bool
    dtype: torch.dtype
    device: torch.device
    filters: tuple[object, ...]


def now() -> Settings:
    """What is set."""
    return Settings(is_grad_enabled(), get_default_dtype(), _device(), (*FILTERS,))


def put_back(settings: Settings) -> None:
    """Set these again. What is as it was takes no time."""
    if is_grad_enabled() is not settings.gradients:
        set_grad_enabled(settings.gradients)
    if get_default_dtype() is not settings.dtype:
        set_default_dtype(settings.dtype)
    if _device() != settings.device:
        set_default_device(None if settings.device == CPU else settings.device)
    filters = settings.filters
    is_same = len(FILTERS) == len(filters) and all(one is other for one, other in zip(FILTERS, filters, strict=True))
    if warnings.filters is not FILTERS or not is_same:
        warnings.filters = FILTERS
        resetwarnings()
        FILTERS.extend(filters)  # type: ignore[attr-defined]


def _device() -> torch.device:
    """Where new tensors are made. An older torch cannot say so where another was set and taken back: it is the CPU."""
    try:
        return get_default_device()
    except AttributeError:
        return CPU


@contextmanager
def as_a_program(file: str) -> Iterator[None]:
    """Have code find the arguments that it has where nobody gives it any, and keep to itself what it sets."""
    before, arguments, streams = now(), sys.argv, (sys.stdout, sys.stderr)
    sys.argv = [file]
    try:
        yield
    finally:
        sys.argv, (sys.stdout, sys.stderr) = arguments, streams
        put_back(before)


START = now()
