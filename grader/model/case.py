"""A case with its tensors drawn, and what the reference answers to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.model.observation import Observation
from grader.model.pack import CaseTemplate

PUBLIC = "public"
FRESH = "fresh"


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One set of inputs for a step. One is itself alone, so that what was made of it can be kept.

    origin: public (in the fixtures) or fresh (drawn from the run's seed).
    inputs, weights: numpy arrays by name; weights by the reference's slot names.
    """

    template: CaseTemplate
    origin: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    weights: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.template.name

    @property
    def is_public(self) -> bool:
        return self.origin == PUBLIC


@dataclass(frozen=True, slots=True)
class Expected:
    """The reference's observation in float64, and how far its own float32 run strays from it.

    floors: by tensor key, the largest error relative to that tensor's largest value.
    """

    observation: Observation
    floors: Mapping[str, float] = field(default_factory=dict)
