"""Small submissions, written as text, and what a real worker sees of them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.model.observation import Observation
from grader.model.run import OWN, Call, Import, Run, Tensor, World
from grader.runner.solver import Solver

EX = "ex01_dot_product_scores"
OTHER = "ex02_softmax_weights"
SECONDS = 60.0  # far more than anything here takes, so that a loaded machine changes nothing
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def sources(*named: tuple[str, str], **modules: str) -> dict[str, bytes]:
    """A submission: module names to their sources."""
    return {name: textwrap.dedent(text).encode() for name, text in (*named, *modules.items())}


def call(definition: str = "f", *arguments: str, name: str = "result", module: str = EX, **options: Any) -> Call:
    return Call(name, module=module, definition=definition, arguments=tuple(Tensor(a) for a in arguments), **options)


def observe(solver: Solver, *actions: Any, world: World = OWN, seconds: float = SECONDS, **tensors: Any) -> Observation:
    """What the worker saw of these actions; of a call of `f` where none is given."""
    return solver.observe(Run(actions or (call(),), tensors), world, seconds)


def load(solver: Solver, module: str = EX) -> Observation:
    return solver.observe(Run((Import(module),)), OWN, SECONDS)


def text(seen: Observation, name: str = "result") -> str:
    """A text that a submission returned as a tensor of its bytes."""
    assert seen.fault is None, seen.fault
    return bytes(seen.tensors[name]).decode()


# Put before a submission that has something to say: `say` makes a tensor of a text.
SAY = """
import torch
def say(text):
    return torch.tensor(list(str(text).encode()), dtype=torch.uint8)
"""


def saying(source: str, *named: tuple[str, str], **modules: str) -> Mapping[str, bytes]:
    """A submission whose first module can `say` something."""
    return sources((EX, SAY + textwrap.dedent(source)), *named, **modules)
