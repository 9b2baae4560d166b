"""What a solution makes on its way is noted with its lines, its values then, and what it was made of."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import torch

from grader.model.observation import Trace
from grader.wire.observations import MAX_TRACED, MAX_TRACED_VALUES, MOST_PARENTS, read_observation
from grader.worker.tracing import Locals, Tracing

FILE = "ex06_solution.py"
X = torch.arange(6.0).reshape(2, 3)


def defined(source: str) -> dict[str, Any]:
    """The names of a solution's file."""
    names: dict[str, Any] = {}
    exec(compile(textwrap.dedent(source).strip(), FILE, "exec"), names)
    return names


def read(tracing: Tracing, stages: dict[str, int] | None = None) -> Trace:
    """The trace as the parent reads it."""
    tensors = {"trace.result.values": tracing.values().numpy(), "trace.result.made": tracing.made().numpy()}
    return read_observation({"traces": {"result": stages or {}}}, tensors).traces["result"]


def trace_of(source: str, *arguments: Any) -> Trace:
    function = defined(source)["f"]
    with Tracing(FILE) as tracing:
        function(*arguments)
    return read(tracing)


def shown(trace: Trace) -> list[tuple[tuple[int, ...], Any, tuple[int, ...]]]:
    return [(each.lines, each.value.tolist(), each.parents) for each in trace.made]


def test_every_tensor_has_its_line_its_value_and_its_origin() -> None:
    trace = trace_of(
        """
        def f(x):
            doubled = x * 2
            return doubled + x
    """,
        X,
    )

    assert shown(trace) == [((2,), (X * 2).tolist(), ()), ((3,), (X * 3).tolist(), (0,))]


def test_lines_lead_from_what_was_called_to_where_the_tensor_was_made() -> None:
    trace = trace_of(
        """
        def helper(x):
            return x + 1
        def f(x):
            return helper(x)
    """,
        X,
    )

    assert [each.lines for each in trace.made] == [(4, 2)]


def test_a_modules_own_work_counts_at_the_line_that_calls_it() -> None:
    trace = trace_of(
        """
        import torch
        layer = torch.nn.Linear(3, 2)
        def f(x):
            return layer(x)
    """,
        X,
    )

    assert [(each.lines, each.value.shape) for each in trace.made] == [((4,), (2, 2))]


def test_what_is_written_into_later_keeps_the_value_it_had() -> None:
    trace = trace_of(
        """
        def f(x):
            y = x.clone()
            y[0] = 7.0
            y.mul_(2)
    """,
        X,
    )

    assert [each.value[0, 0] for each in trace.made] == [0.0, 7.0, 14.0]
    assert [each.parents for each in trace.made] == [(), (0,), (1,)]


def test_pieces_of_one_call_are_noted_each() -> None:
    trace = trace_of(
        """
        def f(x):
            a, b, c = x.unbind(dim=1)
            return b
    """,
        X,
    )

    assert [each.value.tolist() for each in trace.made] == X.T.tolist()


def test_a_list_of_tensors_is_an_origin() -> None:
    trace = trace_of(
        """
        import torch
        def f(x):
            return torch.stack([row * 2 for row in x])
    """,
        X,
    )

    assert trace.made[-1].parents == tuple(n for n, each in enumerate(trace.made[:-1]) if each.value.max() in (4, 10))


@pytest.mark.parametrize("made", ["torch.empty(2, 3)", "torch.empty_like(x)", "x.new_empty(2, 3)"])
def test_what_memory_held_before_is_no_value_until_something_is_written_into_it(made: str) -> None:
    trace = trace_of(
        f"""
        import torch
        def f(x):
            out = {made}
            out[:] = x
            return out
    """,
        X,
    )

    assert shown(trace) == [((4,), X.tolist(), ())]


def test_whole_numbers_masks_and_empty_tensors_are_left_out() -> None:
    trace = trace_of(
        """
        import torch
        def f(x):
            return torch.arange(3), x > 1, x[:0], x.shape, x.sum().item()
    """,
        X,
    )

    assert [each.value.tolist() for each in trace.made] == [15.0]


def test_other_files_work_is_not_noted() -> None:
    with Tracing("ex10_other.py") as tracing:
        defined("def f(x): return x * 2")["f"](X)

    assert read(tracing).made == ()


def test_a_trace_has_a_bound_in_tensors_in_values_and_in_parents() -> None:
    many = trace_of("def f(x):\n    for _ in range(5000): x + 1", X)
    large = trace_of("def f(x):\n    for _ in range(3): x + 1", torch.zeros(MAX_TRACED_VALUES // 2))
    wide = trace_of("import torch\ndef f(x): return torch.stack([x + i for i in range(99)])", X)

    assert len(many.made) == MAX_TRACED
    assert len(large.made) == 2
    assert len(wide.made[-1].parents) == MOST_PARENTS


def test_a_trace_ends_with_the_exception() -> None:
    function = defined("def f(x):\n    y = x * 2\n    return y @ y")["f"]

    with Tracing(FILE) as tracing, pytest.raises(RuntimeError):
        function(X)

    assert [each.lines for each in read(tracing).made] == [(2,)]


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16])
def test_other_floating_point_types_are_noted_as_float32(dtype: torch.dtype) -> None:
    assert trace_of("def f(x): return x + 1", X.to(dtype)).made[0].value.tolist() == (X + 1).tolist()


def test_gradients_flow_as_without_a_trace() -> None:
    x = X.clone().requires_grad_()
    function = defined("def f(x): return (x * x).sum()")["f"]

    with Tracing(FILE):
        function(x).backward()

    assert x.grad is not None
    assert x.grad.tolist() == (2 * X).tolist()


def test_a_functions_own_variables_are_kept_as_they_were_when_it_returned() -> None:
    function = defined("def f(x):\n    y = x\n    y = g(y)\n    return y\ndef g(y):\n    z = y * 2\n    return z")["f"]

    with Locals(function) as variables:
        returned = function(X)

    assert variables.values["y"] is returned
    assert variables.values.keys() == {"x", "y"}
