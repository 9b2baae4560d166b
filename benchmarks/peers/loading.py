"""A student's modules beside the reference's, and how their results are compared: what every peer's checks use."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[2]
# Four times the noise of float32, as docs/numerics.md finds it: some 4 units of the last place of the largest value.
TOLERANCE = 4 * 4 * 1.2e-7


def from_folder(folder: Path, module: str) -> Any:
    """An exercise's module of a folder, which is the package `exercises`, and on the path, while it is imported."""
    for name in [name for name in sys.modules if re.match(r"exercises\b|ex\d\d_", name)]:
        del sys.modules[name]
    sys.path[0] = str(folder)
    package = ModuleType("exercises")
    package.__path__ = [str(folder)]
    sys.modules["exercises"] = package
    return importlib.import_module(f"exercises.{module}")


class Both:
    """What a student and the reference make of a name; a module is imported once."""

    def __init__(self, submission: Path) -> None:
        self.folders = (submission, ROOT / "solutions" / "reference")
        self._found: dict[str, tuple[Any, Any]] = {}

    def __call__(self, path: str) -> tuple[Any, Any]:
        module, _, name = path.partition(".")
        if module not in self._found:
            mine, right = (from_folder(folder, module) for folder in self.folders)
            self._found[module] = (mine, right)
        mine, right = self._found[module]
        return getattr(mine, name), getattr(right, name)


def close(got: Any, expected: Any, tolerance: float = TOLERANCE) -> None:
    """Hold a result in float32 to the reference's in float64."""
    if isinstance(expected, tuple):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            close(one, other, tolerance)
        return
    assert isinstance(got, Tensor)
    assert (got.shape, got.dtype, got.device) == (expected.shape, torch.float32, expected.device)
    assert torch.equal(got.isinf(), expected.isinf())
    got, expected = got.detach(), expected.detach()
    finite = expected.masked_fill(expected.isinf(), 0.0)
    largest = max(float(finite.abs().max()), 1e-12)
    difference = (got.double().masked_fill(got.isinf(), 0.0) - finite).abs().max()
    assert float(difference) <= tolerance * largest


def called(mine: Any, right: Any, *arguments: Any, tolerance: float = TOLERANCE) -> None:
    """Call both with the same, the reference in float64."""
    wide = [a.double() if isinstance(a, Tensor) and a.is_floating_point() else a for a in arguments]
    close(mine(*[a.clone() if isinstance(a, Tensor) else a for a in arguments]), right(*wide), tolerance)


def made(both: Both, path: str, arguments: Sequence[Any]) -> tuple[nn.Module, nn.Module]:
    """A student's module and the reference's with the same weights."""
    mine, right = (each(*arguments) for each in both(path))
    state = {name: torch.randn_like(value) * 0.5 if value.is_floating_point() else value
             for name, value in right.state_dict().items()}  # fmt: skip
    right.load_state_dict(state)
    own = dict(mine.named_parameters())
    with torch.no_grad():
        for name, _ in right.named_parameters():
            own[name].copy_(state[name])
    return mine, right
