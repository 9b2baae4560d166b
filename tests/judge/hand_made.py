"""Exercises, questions and answers made by hand, so that a judge can be asked without a worker."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.model.case import PUBLIC, Case, Expected
from grader.model.check import Question
from grader.model.observation import Observation, Returned
from grader.model.pack import CaseTemplate, Definition, Draw, Exercise, Input, Naming, Step
from grader.model.run import Call, Run, Tensor

EXERCISE = "ex10_causal_attention"
FUNCTION, CLASS = "attend", "Attention"
# A class `A` with layers of several kinds, whose forward has a line to be put in.
LAYERED = """
class A(nn.Module):
    def __init__(self, d, p):
        super().__init__()
        self.out_proj = nn.Linear(d, d)
        self.dropout = nn.Dropout(p)
        self.sudden = nn.Dropout(p, True)
        self.heads = nn.ModuleList([])

    def forward(self, x):
        {}
        return x
"""
DEFINITIONS = {
    FUNCTION: Definition(FUNCTION, "(x, p=0.5)", ("x", "p"), is_class=False),
    CLASS: Definition(CLASS, "(d_in, d_out)", ("d_in", "d_out"), is_class=True),
}


def function(*lines: str) -> str:
    """The source of the step's function, of one argument."""
    return "\n    ".join([f"def {FUNCTION}(x):", *lines]) + "\n"


def class_doing(statement: str) -> ast.Module:
    """The tree of a class `A` that does this in its forward, before it returns `x`."""
    return ast.parse(LAYERED.format(statement))


def exercise(*steps: Step, **parts: Any) -> Exercise:
    """An exercise with a function and a class, and these steps."""
    settings = {"cases": {}, "mistakes": {}, "definitions": DEFINITIONS, **parts}
    return Exercise(EXERCISE, "Causal attention", "Hide the future.", steps, **settings)


def step(check: str = "output", of: str = FUNCTION, **parts: Any) -> Step:
    return Step(**{
        "id": "ex10.output", "exercise": EXERCISE, "title": "Context vectors", "points": 4, "of": of, "check": check,
        "cases": ("random",), **parts,
    })  # fmt: skip


def question(
    check: str,
    inputs: Mapping[str, Any],
    *,
    of: str = FUNCTION,
    weights: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    construct: Mapping[str, Any] | None = None,
    origin: str = PUBLIC,
    relative: float | None = None,
    loaded: tuple[str, ...] = (),
    naming: Naming | None = None,
    device: str = "cpu",
    dtype: str = "float32",
) -> Question:
    """A step asked on one case. inputs: arrays, or numbers and generators as they stand in a rubric."""
    drawn = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
    written: dict[str, Input] = {
        name: Draw("normal", value.shape) if name in drawn else value for name, value in inputs.items()
    }
    template = CaseTemplate("random", construct or {}, written, relative=relative)
    asked = step(check, of, options=options or {})
    case = Case(template, origin, drawn, weights or {})
    return Question(exercise(asked), asked, case, device, dtype, naming or Naming(), loaded)


def described(array: Any, key: str, **facts: Any) -> Returned:
    """What a worker says of a tensor that it returns."""
    array = np.asarray(array)
    settings = {"dtype": array.dtype.name, "shape": array.shape, "device": "cpu", "type": "torch.Tensor", **facts}
    return Returned("tensor", key, **settings)


def answer(results: Mapping[str, Any], **parts: Any) -> Observation:
    """An observation of these results: arrays, or tuples of them, or descriptions."""
    returned: dict[str, Returned] = {}
    tensors: dict[str, Any] = dict(parts.pop("tensors", {}))
    for name, value in results.items():
        if isinstance(value, Returned):
            returned[name] = value
        elif isinstance(value, (tuple, list)):
            keys = [f"{name}.{i}" for i in range(len(value))]
            items = tuple(described(item, key) for item, key in zip(value, keys, strict=True))
            returned[name] = Returned("sequence", type=type(value).__name__, items=items)
            tensors |= {key: np.asarray(item) for item, key in zip(value, keys, strict=True)}
        else:
            returned[name] = described(value, name)
            tensors[name] = np.asarray(value)
    return Observation(returned=returned, tensors=tensors, **parts)


def expecting(result: Any, floor: float = 0.0, **results: Any) -> Expected:
    """What a reference answers in float64."""
    seen = answer({"result": result, **results})
    return Expected(seen, dict.fromkeys(seen.tensors, floor))


def answered(run: Run, solve: Callable[..., Any], **parts: Any) -> Observation:
    """An observation of every call of a run, computed from the tensors among its arguments."""
    calls = [action for action in run.actions if isinstance(action, Call)]
    results = {
        call.name: solve(*(run.tensors[a.tensor] for a in call.arguments if isinstance(a, Tensor))) for call in calls
    }
    return answer(results, **parts)


def numbers(*shape: int, seed: int = 5) -> Any:
    """Normal numbers in float32, always the same."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
