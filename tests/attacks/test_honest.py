"""What the sandbox forbids is not what honest code needs: each of these earns full marks with every layer in force.

Not among them: sockets, and processes of one's own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import pytest

from grader.model.isolation import lacking
from grader.model.order import STEP_SECONDS
from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from tests.sampling import one_in

from .grounds import Grounds

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

RIGHT = """
import torch


def attention_scores_for_query(query, inputs):
    extra()
    return inputs @ query


def attention_scores(inputs):
    extra()
    return inputs @ inputs.T

"""
# What each does besides, as a function `extra`, which both solutions call.
EXTRA = {
    "numpy": """
        import numpy as np
        def extra():
            return np.linalg.svd(np.random.default_rng(0).normal(size=(40, 40)))
    """,
    "math": """
        import math
        def extra():
            assert math.isclose(math.sqrt(2) ** 2, 2)
    """,
    "dataclasses": """
        from dataclasses import dataclass, field
        @dataclass(frozen=True)
        class Settings:
            width: int = 4
            names: list[str] = field(default_factory=list)
        def extra():
            return Settings(names=["a"])
    """,
    "typing": """
        from typing import NamedTuple, Protocol
        class Pair(NamedTuple):
            first: int
            second: "torch.Tensor | None" = None
        def extra() -> Pair:
            return Pair(1)
    """,
    "a cache": """
        from functools import lru_cache
        @lru_cache(maxsize=None)
        def fibonacci(n):
            return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        def extra():
            return fibonacci(80)
    """,
    "random numbers": """
        import random
        def extra():
            random.seed(1)
            return random.sample(range(100), 5), torch.manual_seed(1), torch.seed(), torch.rand(3)
    """,
    "the time": """
        import datetime, time
        def extra():
            time.sleep(0.01)
            return time.perf_counter(), time.strftime("%H:%M"), datetime.datetime.now().isoformat()
    """,
    "temporary files": """
        import os, shutil, tempfile
        def extra():
            with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w+") as file:
                file.write("x" * 1_000_000)
                file.seek(0)
                assert len(file.read()) == 1_000_000
                os.makedirs(f"{folder}/a/b")
                open(f"{folder}/a/b/c", "w").close()
                os.rename(f"{folder}/a", f"{folder}/d")
                shutil.copyfile(f"{folder}/d/b/c", f"{folder}/e")
    """,
    "paths": """
        from pathlib import Path
        def extra():
            path = Path("notes.txt")
            path.write_text("hello")
            assert path.read_text() == "hello" and path.resolve().is_file() and list(Path.cwd().glob("*.txt"))
            path.unlink()
    """,
    "warnings": """
        import warnings
        def extra():
            warnings.warn("mind the gap")
    """,
    "a little printing": """
        import sys
        def extra():
            print("scores", torch.arange(3), flush=True)
            print("oh", file=sys.stderr)
            sys.stdout.write("x")
            sys.stdout.flush()
    """,
    "a lot of printing": """
        def extra():
            for number in range(5_000):
                print(number, "x" * 500)
    """,
    "logging": """
        import logging
        logging.basicConfig(level=logging.DEBUG)
        def extra():
            logging.getLogger(__name__).debug("%s", torch.ones(2))
    """,
    "an optimizer": """
        def extra():
            layer = torch.nn.Linear(3, 1)
            optimizer = torch.optim.Adam(layer.parameters())
            layer(torch.ones(2, 3)).sum().backward()
            optimizer.step()
    """,
    "gradients": """
        def extra():
            x = torch.ones(3, requires_grad=True)
            assert torch.autograd.grad((x ** 2).sum(), x)[0].tolist() == [2.0] * 3
            assert torch.autograd.gradcheck(torch.sigmoid, torch.ones(2, dtype=torch.float64, requires_grad=True))
    """,
    "no gradients": """
        import contextlib
        def extra():
            with contextlib.ExitStack() as stack:
                stack.enter_context(torch.no_grad())
                stack.enter_context(contextlib.suppress(ZeroDivisionError))
                1 / 0
    """,
    "copies": """
        import copy
        def extra():
            return copy.deepcopy(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())).state_dict()
    """,
    "threads": """
        import threading
        def extra():
            threads = [threading.Thread(target=torch.ones(50, 50).matmul, args=(torch.ones(50, 50),)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    """,
    "torch's threads": """
        torch.set_num_threads(2)
        def extra():
            return torch.ones(700, 700) @ torch.ones(700, 700)
    """,
    "asyncio": """
        import asyncio
        async def dot(query, key):
            await asyncio.sleep(0)
            return await asyncio.to_thread(torch.dot, query, key)
        async def dots(query, keys):
            return torch.stack(await asyncio.gather(*(dot(query, key) for key in keys)))
        def extra():
            assert asyncio.run(dots(torch.ones(3), torch.ones(4, 3))).tolist() == [3.0] * 4
    """,
    "a pool of threads": """
        from concurrent.futures import ThreadPoolExecutor
        def extra():
            with ThreadPoolExecutor(4) as pool:
                assert sum(pool.map(abs, range(-10, 0))) == 55
    """,
    "collections": """
        import collections, heapq, itertools, operator
        def extra():
            counts = collections.Counter("attention")
            return heapq.nlargest(2, counts.values()), list(itertools.accumulate(range(9), operator.add))
    """,
    "json": """
        import json, csv, io, re
        def extra():
            assert json.loads(json.dumps({"a": [1, 2.5, None]})) == {"a": [1, 2.5, None]}
            csv.writer(io.StringIO()).writerow(re.findall("[0-9]+", "1 and 2"))
    """,
    "its own source": """
        import inspect
        def extra():
            assert "def extra" in inspect.getsource(extra)
    """,
    "demo code for the command line": """
        def extra():
            pass
        if __name__ == "__main__":
            raise SystemExit("this is for the command line")
    """,
    "demo code at import": """
        def extra():
            pass
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        assert torch.equal(attention_scores(x), x @ x.T), "scores"
        print(attention_scores_for_query(x[0], x))
    """,
    "exact numbers": """
        from decimal import Decimal, getcontext
        from fractions import Fraction
        import statistics
        def extra():
            getcontext().prec = 30
            return Decimal(2).sqrt(), Fraction(1, 3) + Fraction(1, 6), statistics.mean([1, 2])
    """,
    "saving and loading": """
        import io, pickle
        def extra():
            buffer = io.BytesIO()
            torch.save({"w": torch.ones(3)}, buffer)
            buffer.seek(0)
            assert torch.load(buffer)["w"].sum() == 3
            torch.save(torch.ones(3), "weights.pt")
            assert pickle.loads(pickle.dumps(torch.load("weights.pt"))).sum() == 3
    """,
    "einops": """
        import einops
        def extra():
            return einops.rearrange(torch.ones(2, 3), "a b -> b a")
    """,
    "einsum and attention of torch's own": """
        def extra():
            x = torch.ones(1, 2, 5, 8)
            torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)
            return torch.einsum("bhtd,bhsd->bhts", x, x), torch.nn.MultiheadAttention(8, 2)(x[0], x[0], x[0])
    """,
    "a look at the machine": """
        import os, platform, sys
        def extra():
            torch.cuda.is_available()
            return os.cpu_count(), platform.platform(), sys.version, os.getpid(), os.getcwd(), os.environ.get("HOME")
    """,
    "exceptions of its own": """
        import traceback
        class Mistake(ValueError):
            pass
        def extra():
            try:
                raise Mistake("mine")
            except Mistake:
                return traceback.format_exc()
    """,
    "memory that is given back": """
        import gc
        def extra():
            big = torch.ones(20_000_000)
            del big
            gc.collect()
    """,
}


@pytest.fixture(scope="module")
def grounds(plugins: Plugins, pack: Pack) -> Iterator[Grounds]:
    attacked = Grounds(plugins, pack, seconds=STEP_SECONDS)  # the first optimizer alone takes a second to import
    yield attacked
    attacked.close()


@pytest.mark.parametrize("name", one_in(3, (pytest.param(name, id=name) for name in EXTRA)))
def test_what_honest_code_does_besides_costs_it_nothing(name: str, grounds: Grounds) -> None:
    report = grounds.grade(RIGHT + textwrap.dedent(EXTRA[name]))

    summaries = [step.summary for exercise in report.exercises for step in exercise.steps if step.summary]
    assert (report.score, summaries) == (report.max_score, [])
    assert lacking(report.environment["isolation"]) == []
