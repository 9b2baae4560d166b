"""A worker before it sees a submission."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMPILED = """
from grader.worker.prepare import prepare
prepare()
import sys, torch

@torch.compile
def once(x): return x + 1

@torch.compile(backend="eager", dynamic=True)
def twice(x): return x + 2

layer = torch.compile(torch.nn.Linear(2, 2))
layer.compile()
print(once(1), twice(1), layer(torch.ones(2)).shape[0], list(layer.state_dict()), "torch._dynamo" in sys.modules)
"""


@pytest.mark.long
def test_what_is_compiled_runs_as_it_stands_and_imports_no_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, check=True)

    assert done.stdout == "2 3 2 ['weight', 'bias'] False\n"
