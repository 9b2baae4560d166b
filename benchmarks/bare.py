"""The floor, as a process: imports torch once, then forks for each submission, which computes and does nothing else.

Each fork takes the thirteen modules' sources, compiles and runs them as anything that grades them must, and makes the
very calls that decide, on the same tensors. Nobody is told what comes of it: nothing is confined, sent,
compared, judged or written. `python -m benchmarks.bare COUNT FOLDER` prints seconds as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import nn

from grader.judge.deciding import deciding, planned
from grader.model import run as verbs
from grader.model.case import Case
from grader.model.check import Question
from grader.model.run import Run
from grader.pack.fixtures import Fixtures
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.runner.cases import Cases

Asked = tuple[Case, Run]
PACKAGE = "exercises"
SEED = 1


def main(count: int, folder: Path) -> None:
    """Fork so many times, one after the other."""
    torch.set_num_threads(1)
    runs = asked()
    sources = {path.stem: path.read_bytes() for path in sorted(folder.glob("ex*.py"))}
    for_once(sources, runs)  # what torch does the first time is part of a start, not of a submission
    gc.freeze()  # as the grader does: a fork that collects would copy what it shares
    began, before = time.perf_counter(), _cpu()
    for _ in range(count):
        pid = os.fork()
        if not pid:
            _forked(sources, runs)
        _, status = os.waitpid(pid, 0)
        if status:
            sys.exit(f"a fork ended with {status}")
    seconds, cpu = time.perf_counter() - began, _cpu() - before
    print(json.dumps({"count": count, "runs": len(runs), "seconds": seconds / count, "cpu": cpu / count}))


def _forked(sources: Mapping[str, bytes], runs: list[Asked]) -> None:
    try:
        perform(sources, runs)
    except BaseException:
        os._exit(1)
    os._exit(0)


def for_once(sources: Mapping[str, bytes], runs: list[Asked]) -> None:
    """Do everything here, and forget the modules."""
    perform(sources, runs)
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def asked() -> list[Asked]:
    """Every run that decides (`judge.deciding`): what a right submission is asked."""
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    cases = Cases(pack, Fixtures(pack), SEED)
    found: list[Asked] = []
    for exercise in pack.exercises:
        for step in exercise.steps:
            drawn = cases.asked(exercise, step, fresh=True)
            questions = (Question(exercise, step, case, naming=pack.naming) for case in drawn)
            some = planned(questions, plugins.checks[step.check].plan)
            found += [(question.case, run) for question, run in deciding(some, plugins.checks)]
    return found


def perform(sources: Mapping[str, bytes], runs: list[Asked]) -> None:
    """Make modules of the sources, and all the calls. Raises what they raise, but where a refusal is due."""
    package = ModuleType(PACKAGE)
    package.__path__ = []
    sys.modules[PACKAGE] = package
    for name, source in sources.items():  # in the order of their numbers: an exercise imports earlier ones
        module = sys.modules[f"{PACKAGE}.{name}"] = ModuleType(f"{PACKAGE}.{name}")
        exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    for case, run in runs:
        objects: dict[str, Any] = {}
        tensors = {name: _tensor(array) for name, array in run.tensors.items()}
        for action in run.actions:
            try:
                _do(action, objects, tensors, case)
            except Exception:
                if not getattr(action, "may_fail", False):
                    raise


def _do(action: verbs.Action, objects: dict[str, Any], tensors: dict[str, torch.Tensor], case: Case) -> None:
    match action:
        case verbs.Make(name, module, definition, arguments):
            kind = getattr(sys.modules[f"{PACKAGE}.{module}"], definition)
            objects[name] = kind(*[_argument(each, objects, tensors) for each in arguments])
        case verbs.Load(into):
            with torch.no_grad():
                held = dict(_slots(objects[into]))
                for name, array in case.weights.items():
                    held[name].copy_(_tensor(array))
        case verbs.Mode(of, training):
            objects[of].train(training)
        case verbs.Call():
            target = (
                objects[action.of]
                if action.of
                else getattr(sys.modules[f"{PACKAGE}.{action.module}"], action.definition)
            )
            arguments = [_argument(each, objects, tensors, action.track) for each in action.arguments]
            for _ in range(action.times):
                objects[action.name] = target(*arguments)
        case verbs.Backward(of):
            results = objects[of] if isinstance(objects[of], (tuple, list)) else [objects[of]]
            total = sum((each.sum() for each in results if each.requires_grad), torch.zeros(()))
            total.backward()
        case _:  # to import, look at or send something is the grader's own wish
            pass


def _slots(module: nn.Module) -> list[tuple[str, torch.Tensor]]:
    return [*module.named_parameters(), *module.named_buffers()]


def _argument(
    argument: verbs.Argument, objects: Mapping[str, Any], tensors: Mapping[str, torch.Tensor], track: bool = False
) -> Any:
    match argument:
        case verbs.Tensor(name):
            tensor = tensors[name]
            return tensor.requires_grad_() if track and tensor.is_floating_point() else tensor
        case verbs.Value(value):
            return value
        case verbs.Seeded(seed):
            return torch.Generator().manual_seed(seed)
        case verbs.Made(name):
            return objects[name]


def _tensor(array: Any) -> torch.Tensor:
    tensor = torch.from_numpy(array)
    return tensor.to(torch.float32 if tensor.is_floating_point() else tensor.dtype, copy=True)


def _cpu() -> float:
    """Seconds of this process and of those that it waited for."""
    own, forked = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + forked.ru_utime + forked.ru_stime


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
