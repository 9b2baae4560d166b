"""Tells what a plugin's engine raises while it grades from what the grader does: as a sentence about that plugin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from grader.model.errors import GraderError, PluginFailed
from grader.model.handed import Handed
from grader.plugins.executor import Done, Engine, Failed

# What a batch asks of an engine.
PARTS = tuple(part for part in vars(Engine) if not part.startswith("_"))


@contextmanager
def told_of(whose: str) -> Iterator[None]:
    """Whatever is raised within is told of a plugin. Raises PluginFailed; what has a sentence of its own stays."""
    try:
        yield
    except GraderError:
        raise
    except Exception as error:
        raise PluginFailed.of(f"{whose} fails", error) from error


class Guarded:
    """A plugin's engine. Raises PluginFailed where that lacks a part of one, and in each part where it fails."""

    def __init__(self, engine: Engine, whose: str) -> None:
        if lacking := [part for part in PARTS if not hasattr(type(engine), part) and not hasattr(engine, part)]:
            *most, last = lacking
            named = f"{', '.join(most)} and {last}" if most else last
            raise PluginFailed(f"{whose} gives an engine without {named}.")
        self._engine, self._whose = engine, whose

    @property
    def room(self) -> int:
        with told_of(self._whose):
            return self._engine.room

    @property
    def environment(self) -> Mapping[str, Any]:
        with told_of(self._whose):
            return self._engine.environment

    def put(self, handed: Handed) -> None:
        with told_of(self._whose):
            self._engine.put(handed)

    def get(self, seconds: float) -> Done | Failed | None:
        with told_of(self._whose):
            return self._engine.get(seconds)

    def take_back(self) -> int:
        with told_of(self._whose):
            return self._engine.take_back()

    def close(self) -> None:
        with told_of(self._whose):
            self._engine.close()
