"""Nothing of torch's compiler is imported in a worker but by whoever asks for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

WORKER = """
import sys
from grader.worker.prepare import prepare
prepare()
import torch

def is_imported():
    return "torch._dynamo.eval_frame" in sys.modules or "sympy" in sys.modules
"""
COMPILED = """
@torch.compile
def once(x): return x + 1

@torch.compile(backend="eager", dynamic=True)
def twice(x): return x + 2

@torch.compiler.disable(recursive=False)
def thrice(x): return x + 3

layer = torch.compile(model=torch.nn.Linear(2, 2))
layer.compile()
assert torch.compiler.disable(fn=layer) is layer is torch._dynamo.disable(fn=layer)
given = torch.ones(2, requires_grad=True)
torch.cond(given.sum() > 1, lambda x: x * given, lambda x: x, (given,)).sum().backward()
print(given.grad.tolist(), torch.cond(False, lambda: 1, lambda: 2))
print(once(1), twice(1), thrice(1), layer(torch.ones(2)).shape[0], list(layer.state_dict()), is_imported())
"""
ASKED = """
import inspect
from torch.nn.attention.bias import causal_lower_right
from torch.utils.checkpoint import checkpoint

given = torch.ones(2, requires_grad=True)
for older in (True, False):
    checkpoint(torch.square, given, use_reentrant=older).backward(torch.ones(2))
layer = torch.nn.Parameter(torch.ones(2))
layer.grad = torch.ones(2)
torch.optim.SGD([layer], lr=0.25).step()
row = torch.zeros(1, 1, 2, 2)
hidden = torch.nn.functional.scaled_dot_product_attention(row, row, torch.eye(2), attn_mask=causal_lower_right(2, 2))
print(given.grad.tolist(), torch.func.grad(torch.square)(torch.tensor(3.0)).item(), layer.tolist(), hidden.tolist())
print(inspect.getmodule(torch.nn.Linear.forward.__code__) is torch.nn.modules.linear, is_imported())
"""
# Each asks for something that only the compiler itself has.
WANTED = {
    "a name": "torch._dynamo.explain.__name__ == 'explain'",
    "a name that is imported": "__import__('torch._dynamo', fromlist=['explain']).explain is torch._dynamo.explain",
    "a part": "__import__('torch._dynamo.config')._dynamo.config is sys.modules['torch._dynamo.config']",
    "sizes": "__import__('torch.fx.experimental.symbolic_shapes', fromlist=['ShapeEnv']).ShapeEnv().var_to_val == {}",
}


def in_a_worker(source: str) -> str:
    return subprocess.run([sys.executable, "-c", WORKER + source], capture_output=True, text=True, check=True).stdout


def test_what_is_compiled_runs_as_it_stands_and_imports_no_compiler() -> None:
    assert in_a_worker(COMPILED) == "[2.0, 2.0] 2\n2 3 4 2 ['weight', 'bias'] False\n"


def test_what_torch_asks_of_its_compiler_is_answered_without_it() -> None:
    said = "[4.0, 4.0] 6.0 [0.75, 0.75] [[[[1.0, 0.0], [0.5, 0.5]]]]\nTrue False\n"

    assert in_a_worker(ASKED) == said


@pytest.mark.parametrize("wanted", WANTED.values(), ids=WANTED)
def test_whoever_asks_for_more_gets_the_compiler_itself(wanted: str) -> None:
    asked = f"before = is_imported(); print(before, {wanted}, is_imported())\n{ASKED}"

    assert in_a_worker(asked).startswith("False True True\n[4.0, 4.0] 6.0")


def test_whether_there_is_a_compiler_is_answered_without_it() -> None:
    asked = """
from importlib.util import find_spec
print([find_spec(name).name for name in ("torch._dynamo", "torch.fx.experimental.symbolic_shapes")], is_imported())
"""

    assert in_a_worker(asked) == "['torch._dynamo', 'torch.fx.experimental.symbolic_shapes'] False\n"


def test_what_was_set_before_the_compiler_was_asked_for_is_set_in_it() -> None:
    asked = """
torch._dynamo.config.suppress_errors = torch._dynamo.config.no_such_thing = True
print(is_imported(), torch._dynamo.explain.__name__, torch._dynamo.config.suppress_errors, is_imported())
from torch._dynamo import config
config.suppress_errors = False
print(torch._dynamo.config.suppress_errors)
"""

    assert in_a_worker(asked) == "False explain True True\nFalse\n"
