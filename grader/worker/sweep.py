"""Calls one function again and again, its source's switches set anew each time: see `grader.pack.superpose`.

Only the reference's own worker runs this, beside sources that the pack brings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from grader.model.crash import NO_CRASH, digest
from grader.worker import faults
from grader.worker.tracing import Locals


def sweep(switches: list[int], rows: torch.Tensor, target: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """The tensors of every row's result, one after the other, and what they are.

    rows: the switches' values, (rows, switches). Returns float64 numbers; for each row how many tensors it has and the
    number and sizes of each one's axes, none where the call fails; and for each row the digest of the message of its
    RuntimeError, NO_CRASH for none.
    """
    values, shapes, crashes = [torch.zeros(0, dtype=torch.float64)], [], []
    for row in rows.tolist():
        switches[:] = row
        crash = NO_CRASH
        try:
            result = _called(target, inputs)
        except RuntimeError as error:
            result, crash = (), digest(faults.message(error))
        except Exception:  # the mistakes made at once cannot be called
            result = ()
        crashes.append(crash)
        results = result if isinstance(result, tuple) else (result,)
        tensors = [each for each in results if isinstance(each, torch.Tensor)]
        shapes.append(len(tensors))
        for tensor in tensors:
            shapes += [tensor.ndim, *tensor.shape]
            values.append(tensor.to(torch.float64).reshape(-1))
    return torch.cat(values), torch.tensor(shapes), torch.tensor(crashes)


def unchanged(
    switches: list[int],
    rows: torch.Tensor,
    target: Callable[..., Any],
    inputs: Sequence[Any],
    stages: Sequence[str],
    base: list[Any],
) -> torch.Tensor:
    """Which of the values that the target's variables had in the first row of all are still there: bool (rows, stages).

    Whatever the variable, as of queries and keys that are exchanged. base: these values, empty before the first row.
    """
    found = []
    for row in rows.tolist():
        switches[:] = row
        variables = Locals(getattr(target, "forward", target))
        with variables:
            try:
                _called(target, inputs)
            except Exception:  # what was not reached is changed
                variables.values = {}
        found.append([variables.values.get(name) for name in stages])
    base += found[0] if not base else []
    same = [any(_is_same(each, right) for each in values) for values in found for right in base]
    return torch.tensor(same, dtype=torch.bool).reshape(len(found), len(stages))


def _called(target: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """A result on copies of the inputs, which a mistake may write to."""
    given = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
    with torch.no_grad():
        return target(*given)


def _is_same(some: Any, other: Any) -> bool:
    """Whether two tensors hold the same numbers, however arranged: a stage is looked for in the same way."""
    if not isinstance(some, torch.Tensor) or not isinstance(other, torch.Tensor) or some.numel() != other.numel():
        return False
    return torch.allclose(some.reshape(-1).sort().values, other.reshape(-1).sort().values)
