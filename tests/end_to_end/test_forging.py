"""A submission cannot bring about points that its computation does not earn. Each attack has an honest twin."""
# ruff: noqa: E501 - attacks are kept as they would be written

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import safetensors.numpy

from grader.model.pack import Pack
from grader.submission.read import read_submission
from tests.command import GRADE

from .submissions import (
    EX01,
    EX02,
    EX03,
    EX04,
    EX05,
    EX06,
    EX07,
    EX08,
    EX10,
    EX11,
    EX12,
    REFERENCE,
    ROOT,
    Marking,
    edited,
    scores,
    statuses,
)  # fmt: skip

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

RIGHT = REFERENCE[EX01]
WRONG = """
import torch

def attention_scores_for_query(query, inputs):
    return torch.zeros(inputs.shape[0])

def attention_scores(inputs):
    return torch.zeros(inputs.shape[0], inputs.shape[0])
"""
VERDICT = {"schema": "attention-kit/report/v1", "score": 100, "status": "passed", "fault": None, "returned": {}}

# Code that stands before the functions, and does its harm at import.
PRELUDES: dict[str, str] = {
    "a verdict on standard output": f"print({json.dumps(VERDICT)!r})",
    "a verdict past Python's own streams": f"""
import os
os.write(1, {json.dumps(VERDICT)!r}.encode())
os.write(2, {json.dumps(VERDICT)!r}.encode())
""",
    "a verdict through the original stream": f"""
import sys
sys.__stdout__.write({json.dumps(VERDICT)!r})
sys.__stdout__.flush()
""",
    "comparisons that always agree": """
import torch, numpy
torch.allclose = torch.equal = torch.isclose = lambda *a, **k: True
torch.testing.assert_close = lambda *a, **k: None
numpy.allclose = numpy.array_equal = lambda *a, **k: True
torch.Tensor.__eq__ = torch.Tensor.eq = lambda self, other: torch.ones(self.shape, dtype=torch.bool)
""",
    "weights that are not loaded": """
import torch
torch.nn.Module.load_state_dict = lambda self, *a, **k: None
""",
    "an interpreter that is traced": """
import sys
sys.settrace(lambda frame, event, argument: None)
sys.setprofile(lambda frame, event, argument: None)
""",
    "modules put in the place of others": """
import sys, types
for name in ("torch.testing", "unittest", "pytest", "conftest", "solutions", "grader.judge"):
    sys.modules[name] = types.ModuleType(name)
""",
    "a mode over every function of torch": """
import torch
from torch.overrides import TorchFunctionMode

class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func.__name__ in ("allclose", "equal", "eq"):
            return True
        return func(*args, **(kwargs or {}))

Mode().__enter__()
""",
    "exit handlers": "import atexit, os\natexit.register(os._exit, 0)",
}
# Preludes that break the worker itself: nothing is to be gained, and an honest twin would be their victim too.
RUINOUS: dict[str, str] = {
    "a verdict on every descriptor": f"""
import os
for fd in range(3, 64):
    try:
        os.write(fd, {json.dumps(VERDICT)!r}.encode())
    except OSError:
        pass
""",
    "a frame of ones on every descriptor": """
import os, struct, json, safetensors.torch, torch
frame = safetensors.torch.save({"result": torch.ones(6)}, {"message": json.dumps({"returned": {"result": {
    "kind": "tensor", "key": "result", "dtype": "float32", "shape": [6], "device": "cpu", "type": "torch.Tensor",
    "number": 0.0, "items": []}}, "printed": 0})})
for fd in range(3, 64):
    try:
        os.write(fd, (struct.pack("<Q", len(frame)) + frame) * 20)
    except OSError:
        pass
""",
    "a serializer of one's own": """
import safetensors.torch, torch
true_save = safetensors.torch.save
safetensors.torch.save = lambda tensors, metadata=None: true_save({k: torch.ones_like(t) for k, t in tensors.items()}, metadata)
""",
    "json of one's own": f"""
import json
json.dumps = lambda *a, **k: {json.dumps(VERDICT)!r}
""",
    "a worker of one's own": """
from grader.worker import perform, returned, serve
perform.Performer.perform = lambda self, actions, tensors, limit: (
    {"returned": {}, "refused": {}, "slots": {}, "operations": {}, "lines": {}, "strays": {}}, dict(tensors))
""",
    "closed descriptors": "import os\nos.closerange(3, 64)",
}


@pytest.mark.parametrize("name", [*PRELUDES, *RUINOUS])
def test_a_forger_gets_nothing(name: str, mark: Marking) -> None:
    report = mark({EX01: {**PRELUDES, **RUINOUS}[name] + "\n" + WRONG}, EX01, seconds=2.0)

    assert report.score == 0
    assert report.max_score == 5


@pytest.mark.parametrize("name", PRELUDES)
def test_who_computes_rightly_beside_the_same_code_gets_everything(name: str, mark: Marking) -> None:
    report = mark({EX01: PRELUDES[name] + "\n" + RIGHT}, EX01)

    assert report.is_full


@pytest.mark.parametrize("name", RUINOUS)
def test_what_ruins_one_module_costs_only_the_modules_of_its_own_process(name: str, mark: Marking) -> None:
    mark({EX01: RUINOUS[name] + "\n" + WRONG}, EX01, seconds=2.0)

    assert mark({EX01: RIGHT}, EX01).is_full


# What is returned in the place of a result.
RESULTS: dict[str, str] = {
    "equal to everything": """
class Result:
    def __eq__(self, other): return True
    def __float__(self): return 0.0
    shape = property(lambda self: (6,))
    dtype = property(lambda self: torch.float32)
""",
    "a tensor by name only": """
class Result:
    __class__ = torch.Tensor
    shape, dtype, device, layout, is_quantized = (6,), torch.float32, torch.device("cpu"), torch.strided, False
    def as_subclass(self, kind): return self
    def __getattr__(self, name): return lambda *a, **k: self
""",
    "a tensor of another shape than it says": """
class Lying(torch.Tensor):
    shape = property(lambda self: torch.Size((6,)))
    def size(self, *a): return torch.Size((6,))
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): return True
Result = lambda: torch.zeros(1).as_subclass(Lying)
""",
    "a tensor that has no storage": "Result = lambda: torch.zeros(1).expand(1 << 40)",
    "a tensor of nothing": "Result = lambda: torch.empty(0, 1 << 60)",
    "a tensor of many axes": "Result = lambda: torch.zeros([1] * 60)",
    "numbers": "Result = lambda: float('nan')",
    "itself, over and over": "Result = lambda: (lambda l: l.append(l) or l)([])",
    "an endless sequence": "class Result(list):\n    def __getitem__(self, i): return self\n    def __len__(self): return 10**9",
}  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_that_lies_gets_nothing(name: str, mark: Marking) -> None:
    source = f"import torch\n{RESULTS[name]}\nattention_scores_for_query = lambda q, x: Result()\nattention_scores = lambda x: Result()\n"

    report = mark({EX01: source}, EX01, seconds=2.0)

    assert report.score == 0
    assert all(status in ("failed", "error", "crashed", "timeout") for status in statuses(report).values())


def test_a_subclass_that_does_not_lie_gets_everything(mark: Marking) -> None:
    source = (
        RIGHT.replace("return scores", "return scores.as_subclass(Mine)")
        + "\nimport torch\nclass Mine(torch.Tensor): pass\n"
    )

    assert mark({EX01: source}, EX01).is_full


# Files beside the modules that Python, pytest or the grader would take for their own.
NEIGHBOURS = {
    "conftest": "import pytest\n\n@pytest.fixture(autouse=True)\ndef right():\n    raise SystemExit(0)\n",
    "sitecustomize": "import os\nos._exit(0)\n",
    "usercustomize": "import os\nos._exit(0)\n",
    "torch": "zeros = lambda *a: 'right'\n",
    "json": "dumps = loads = lambda *a, **k: {'score': 100}\n",
    "numpy": "array_equal = lambda *a: True\n",
    "safetensors": "save = load = None\n",
    "click": "raise SystemExit(0)\n",
    "grader": "raise SystemExit(0)\n",
    "exercises": "raise SystemExit(0)\n",
    "solutions": "raise SystemExit(0)\n",
}


@pytest.mark.parametrize(("source", "earned"), [(WRONG, 0), (RIGHT, 5)], ids=["forger", "honest"])
def test_files_beside_the_modules_change_nothing(
    source: str, earned: int, folder_of: Callable[[Mapping[str, str]], Path]
) -> None:
    folder = folder_of({EX01: source, **NEIGHBOURS})
    for package in ("grader", "torch", "solutions"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text("raise SystemExit(0)\n")
    (folder / "pyproject.toml").write_text("[project.entry-points.attention_kit]\nforged = 'conftest'\n")

    done = subprocess.run(
        [GRADE, "run", ".", "--exercise", "ex01"],
        cwd=folder,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == (0 if earned == 5 else 1)
    assert re.search(rf"score +{earned} / 5", done.stdout)


# Where answers might lie: each finds what it can and returns whatever has the shape of an answer.
HUNTERS: dict[str, str] = {
    "objects that the collector knows": """
import gc
def found():
    return [o for o in gc.get_objects() if isinstance(o, torch.Tensor)]
""",
    "objects in float64, or arrays": """
import gc, numpy
def found():
    arrays = [torch.from_numpy(o) for o in gc.get_objects() if isinstance(o, numpy.ndarray) and o.dtype.kind == "f"]
    return arrays + [o for o in gc.get_objects() if isinstance(o, torch.Tensor) and o.dtype == torch.float64]
""",
    "frames that are waiting": """
import sys
def tensors(value, depth=0):
    if isinstance(value, torch.Tensor):
        yield value
    elif depth < 4:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else vars(value).values() if hasattr(value, "__dict__") else ()
        for one in list(inner):
            yield from tensors(one, depth + 1)
def found():
    frame, all = sys._getframe(), []
    while frame:
        all += list(tensors(dict(frame.f_locals)))
        frame = frame.f_back
    return all
""",
    "memory that is used again": """
def found():
    return [torch.empty(n) for n in (3, 5, 6) for _ in range(50)] + [torch.empty(n, n) for n in (5, 6, 9) for _ in range(50)]
""",
}  # fmt: skip
HUNTING = """
import torch
{hunter}
def look(shape, *own):
    known = {{t.data_ptr() for t in own}}
    for t in found():
        if tuple(t.shape) == shape and t.data_ptr() not in known:
            return t.detach().float().clone()
    return torch.zeros(shape)

def attention_scores_for_query(query, inputs):
    return look((inputs.shape[0],), query, inputs)

def attention_scores(inputs):
    return look((inputs.shape[0],) * 2, inputs)
"""


@pytest.mark.parametrize("name", HUNTERS)
def test_there_are_no_answers_to_be_found_in_the_process(name: str, mark: Marking) -> None:
    mark(REFERENCE)  # the reference's answers have been computed, by the same worker's other child

    assert mark({EX01: HUNTING.format(hunter=HUNTERS[name])}, EX01).score == 0


STOLEN = """
{how}
attention_scores_for_query, attention_scores = module.attention_scores_for_query, module.attention_scores
"""
THEFTS: dict[str, str] = {
    "import solutions": "from solutions.reference import ex01_dot_product_scores as module",
    "the working folder": "import sys, os; sys.path.insert(0, os.getcwd()); from solutions.reference import ex01_dot_product_scores as module",
    "an importer": "import importlib; module = importlib.import_module('solutions.reference.ex01_dot_product_scores')",
    "the plugins": """
from grader.plugins.registry import Plugins
folder = Plugins().reference("attention").folder
import types; module = types.ModuleType("m"); exec((folder / "ex01_dot_product_scores.py").read_text(), module.__dict__)
""",
    "the disk": """
import pathlib, types, grader
text = (pathlib.Path(grader.__file__).parents[1] / "solutions/reference/ex01_dot_product_scores.py").read_text()
module = types.ModuleType("m"); exec(text, module.__dict__)
""",
}


@pytest.mark.parametrize("name", THEFTS)
def test_the_reference_is_out_of_reach(name: str, mark: Marking) -> None:
    report = mark({EX01: STOLEN.format(how=THEFTS[name])}, EX01)

    assert report.score == 0
    assert set(statuses(report).values()) <= {"error", "crashed"}


def test_what_stands_in_for_a_module_that_is_not_right_cannot_be_handed_in_for_it(mark: Marking) -> None:
    forged = {name: f"from stand_ins.{name} import *\n" for name in (EX10, EX11)}
    wrapper = REFERENCE[EX11]

    assert mark(forged, EX10, EX11).score == 0
    helped = statuses(mark({EX10: forged[EX10], EX11: wrapper}, EX10, EX11))
    assert {step: status for step, status in helped.items() if step.startswith("ex11")} == {
        step.id: "passed" for step in mark.pack.exercise(EX11).steps
    }


BUILT_ON = """
import importlib
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        there = importlib.import_module("{where}")
        made = there.CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
        self.__dict__.update(made.__dict__)
        self.out_proj = nn.Linear(d_out, d_out)
        self._how = (type(made).forward,)

    def forward(self, x):
        return self.out_proj(self._how[0](self, x))
"""


@pytest.mark.parametrize(("where", "earned"), [(f"stand_ins.{EX10}", 0), (f"exercises.{EX10}", 5)])
def test_what_was_lent_to_one_exercise_is_not_there_for_another_to_build_on(
    where: str, earned: int, mark: Marking
) -> None:
    own = REFERENCE[EX10] if earned else "class CausalAttention:\n    pass\n"

    report = mark({EX10: own, EX11: REFERENCE[EX11], EX12: BUILT_ON.format(where=where)}, EX10, EX11, EX12)

    assert report.exercises[-1].score == earned


def test_what_a_student_wrote_in_another_module_is_theirs_to_import(mark: Marking) -> None:
    mine = "mine_that_is_no_exercise"

    report = mark({mine: RIGHT, EX01: STOLEN.format(how=f"import {mine} as module")}, EX01)

    assert report.is_full


MEMORY = """
from math import inf
import torch

TABLE = {table!r}

def recall(name, *arguments):
    key = (name, *(tuple(a.flatten().tolist()) if isinstance(a, torch.Tensor) else a for a in arguments))
    found = TABLE.get(key)
    if found is None:
        return torch.rand(arguments[0].shape) if isinstance(arguments[0], torch.Tensor) else torch.rand(2, 2) > 0.5
    results = [torch.tensor(values, dtype=getattr(torch, kind)).reshape(shape) for values, shape, kind in found]
    return results[0] if len(results) == 1 else tuple(results)
"""


@pytest.mark.parametrize("exercise", [EX01, EX02, EX03, EX04, EX08])
def test_a_table_of_the_public_answers_gets_no_step(exercise: str, mark: Marking, pack: Pack) -> None:
    source = MEMORY.format(table=_memorised(pack, exercise))
    for definition in pack.exercise(exercise).definitions.values():
        given = ", ".join(definition.arguments)
        source += f"\ndef {definition.name}({given}):\n    return recall({definition.name!r}, {given})\n"

    report = mark({exercise: source}, exercise)

    assert {step for step, points in scores(report).items() if points} == set()


def test_a_table_by_what_generators_begin_with_gets_nothing(mark: Marking) -> None:
    known = "{(dim, seed): (dim * (1 + seed / 1000), 1 + seed / 1000) for dim in (16, 36) for seed in range(1, 50)}"
    source = f"TABLE = {known}\n\ndef dot_product_variance(dim, num_trials, generator):\n"
    source += "    return TABLE.get((dim, generator.initial_seed()), (0.0, 0.0))\n"

    assert statuses(mark({EX05: source}, EX05))["ex05.variance"] == "failed"
    assert statuses(mark({EX05: REFERENCE[EX05]}, EX05))["ex05.variance"] == "passed"


def test_what_was_kept_from_another_step_is_not_written_by_hand(mark: Marking) -> None:
    kept = """
KEPT = {}

def softmax(scores):
    key = tuple(scores.tolist())
    if key not in KEPT:
        KEPT[key] = torch.softmax(scores, dim=-1)
    return KEPT[key].clone()
"""

    found = statuses(mark({EX02: REFERENCE[EX02] + kept}, EX02))

    assert (found["ex02.softmax"], found["ex02.by-hand"]) == ("passed", "failed")
    assert statuses(mark({EX02: REFERENCE[EX02]}, EX02))["ex02.by-hand"] == "passed"


def test_the_table_does_hold_the_public_answers(mark: Marking, pack: Pack) -> None:
    assert len(_memorised(pack, EX01)) == 9
    report = mark(
        {
            EX01: MEMORY.format(table=_memorised(pack, EX01))
            + "\nattention_scores = lambda x: recall('attention_scores', x)\nattention_scores_for_query = lambda q, x: recall('attention_scores_for_query', q, x)\n"
        },
        EX01,
    )

    summaries = [step.summary for step in report.exercises[0].steps]
    assert all("inputs drawn afresh" in summary for summary in summaries)


def _memorised(pack: Pack, name: str) -> dict[Any, Any]:
    """Every public answer of an exercise's functions by the function and its arguments, as a student could write it."""
    exercise = pack.exercise(name)
    tensors = safetensors.numpy.load((ROOT / "fixtures" / f"{name}.safetensors").read_bytes())
    table: dict[Any, Any] = {}
    for step in exercise.steps:
        for case in step.cases:
            answers = sorted(key for key in tensors if key.startswith(f"answer/{step.id}/{case}/"))
            inputs = exercise.cases[case].inputs
            arguments = [
                tuple(tensors[f"input/{case}/{key}"].flatten().tolist()) if f"input/{case}/{key}" in tensors else value
                for key, value in inputs.items()
            ]
            found = [tensors[key] for key in answers]
            kept = [(a.flatten().tolist(), a.shape, "bool" if a.dtype == bool else "float32") for a in found]
            if kept:
                table[(step.of, *arguments)] = kept
    return table


def test_state_kept_from_case_to_case_gets_nothing(mark: Marking) -> None:
    source = """
import torch
seen = {}
def attention_scores_for_query(query, inputs):
    return seen.setdefault(tuple(inputs.shape), torch.rand(len(inputs)))
def attention_scores(inputs):
    return seen.setdefault(len(inputs), inputs @ inputs.T)
"""

    report = mark({EX01: source}, EX01)

    assert scores(report)["ex01.query"] == 0
    assert scores(report)["ex01.all"] == 0


@pytest.mark.parametrize("name", [EX06, EX07, EX10, EX11, EX12])
def test_a_class_that_keeps_its_results_by_their_shapes_is_not_taken_for_right(name: str, mark: Marking) -> None:
    *_, last = re.findall(r"^class (\w+)\(", REFERENCE[name], re.MULTILINE)
    source = (
        REFERENCE[name]
        + f"""
class Kept({last}):
    results = {{}}

    def forward(self, *arguments):
        result = super().forward(*arguments)
        return KEPT

{last} = Kept
"""
    )

    keeping = mark({**REFERENCE, name: source.replace("KEPT", "self.results.setdefault(result.shape, result)")}, name)
    honest = mark({**REFERENCE, name: source.replace("KEPT", "result")}, name)

    assert statuses(keeping)[f"{name[:4]}.output"] in {"failed", "partial"}
    assert honest.is_full


def test_nothing_stays_from_one_submission_to_the_next(mark: Marking) -> None:
    spoiler = "import builtins, os, torch\nbuiltins.spoilt = torch.spoilt = True\nos.environ['SPOILT'] = '1'\nopen('spoilt', 'w').close()\n"
    mark({EX01: spoiler + RIGHT}, EX01)
    look = "import builtins, os, torch\nassert not (hasattr(builtins, 'spoilt') or hasattr(torch, 'spoilt') or 'SPOILT' in os.environ)\n"

    assert mark({EX01: look + RIGHT}, EX01).is_full


def test_files_left_by_one_submission_are_not_there_for_the_next(mark: Marking) -> None:
    leave = "try:\n    open('answers', 'w').write('42')\nexcept OSError:\n    pass\n"
    find = "import os\nassert not os.path.exists('answers')\n"

    mark({EX01: leave + RIGHT}, EX01)

    assert mark({EX01: find + RIGHT}, EX01).is_full


def test_the_folders_modules_are_read_as_bytes_and_never_run_by_the_grader(
    folder_of: Callable[[Mapping[str, str]], Path], pack: Pack
) -> None:
    submission = read_submission(folder_of({EX01: "raise SystemExit('run by the grader itself')", **NEIGHBOURS}), pack)

    assert submission.modules[EX01].startswith(b"raise SystemExit")


# Copies that leave every number of the source's in the target, in the wrong places, and have it compute otherwise.
GARBLED = "parameter.copy_(linear.weight.reshape(parameter.shape))"
COPIES = {
    "a method of its own": "target_v1.forward = source_v2.forward",
    "a method of its own, past torch": "object.__setattr__(target_v1, 'forward', source_v2.forward)",
    "the class's method": "type(target_v1).forward = lambda self, x: source_v2(x)",
    "its base's method": "nn.Module.forward = None; nn.Module.__call__ = lambda self, x: source_v2.forward(x)",
    "the class's call": "type(target_v1).__call__ = lambda self, x: source_v2(x)",
    "another class": "target_v1.__class__ = type(source_v2); target_v1.__dict__.update(source_v2.__dict__)",
    "a hook": "target_v1.register_forward_hook(lambda module, given, result: source_v2(*given))",
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_that_changes_how_the_target_computes_gets_nothing(name: str, mark: Marking) -> None:
    source = edited(EX07, ("parameter.copy_(linear.weight.T)", GARBLED)) + f"    {COPIES[name]}\n"

    report = mark({**REFERENCE, EX07: source}, EX07)

    assert statuses(report)["ex07.copy"] in ("failed", "error")


# Of another class the target holds what another module does.
@pytest.mark.parametrize("name", [name for name in COPIES if name != "another class"])
def test_a_right_copy_that_does_so_too_loses_nothing(name: str, mark: Marking) -> None:
    source = REFERENCE[EX07] + f"    {COPIES[name]}\n"

    assert statuses(mark({**REFERENCE, EX07: source}, EX07))["ex07.copy"] == "passed"


def test_a_parameter_that_is_said_to_be_huge_takes_none_of_the_grader_s_memory(mark: Marking) -> None:
    made = "        if self.W_query.bias is not None:\n            self.extra = nn.Parameter(torch.zeros(1).expand(10**6, 10**6))\n"
    queries = "        queries = self.W_query(x)\n"

    report = mark({**REFERENCE, EX07: edited(EX07, (queries, made + queries))}, EX07)

    assert statuses(report)["ex07.output"] == "passed"
