"""Performs a run, action by action, on the solution that this process holds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from grader.model import run as verbs
from grader.model.observation import DETACHED, MET, NAMELESS, OTHER_SLOTS, Fault
from grader.model.profile import phase
from grader.worker import faults, returned, slots, stumble, ways
from grader.worker.gradients import Reached
from grader.worker.modules import Library
from grader.worker.operations import Counting
from grader.worker.parametrized import Computed
from grader.worker.strays import Watching, apart, left_behind
from grader.worker.tracing import Locals, Tracing, tensors_in

# The type in which modules are asked as they were made. In others they are cast to it, for nobody makes them in these.
AS_MADE = torch.float32


class Performer:
    """Answers runs for one submission, on one device and in one floating-point type."""

    def __init__(self, library: Library, device: str, dtype: torch.dtype) -> None:
        self.library, self.device, self.dtype = library, device, dtype

    def perform(
        self, actions: tuple[verbs.Action, ...], tensors: dict[str, torch.Tensor], limit: int
    ) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
        """An observation by its fields, and the tensors that belong to it. Stops at the first fault."""
        performance = Performance(self, tensors, returned.Parcel(limit))
        learns = any(isinstance(action, verbs.Backward) for action in actions)
        with performance.computed.noted() if learns else contextlib.nullcontext():
            self._perform(performance, actions)
        return {name: value for name, value in performance.seen.items() if value}, performance.parcel.tensors

    def _perform(self, performance: Performance, actions: tuple[verbs.Action, ...]) -> None:
        for index, action in enumerate(actions):
            may_fail = getattr(action, "may_fail", False)
            fault = self._fault_of(performance, action, index, itself=may_fail)
            if fault is None:
                continue
            if not may_fail:
                performance.seen["fault"] = fault
                break
            performance.seen["refused"][action.name] = fault  # type: ignore[union-attr]

    def _fault_of(self, performance: Performance, action: verbs.Action, index: int, *, itself: bool) -> Fault | None:
        """What an action raised. itself: that, and not what is to blame for it."""
        try:
            performance.perform(action)
        except faults.Refused as refused:
            return replace(refused.fault, action=index)
        except BaseException as error:
            return faults.of_exception(error if itself else stumble.root(error), self.library.files, index)
        return None


class Performance:
    """The objects, results and tensors of one run while it is performed."""

    def __init__(self, performer: Performer, tensors: dict[str, torch.Tensor], parcel: returned.Parcel) -> None:
        self.library, self.device, self.dtype = performer.library, performer.device, performer.dtype
        self.tensors = {name: self._placed(tensor) for name, tensor in tensors.items()}
        self.parcel = parcel
        self.objects: dict[str, Any] = {}
        # What was there to be learnt before anything was called, which is what an optimizer would hold.
        self.loaded: dict[str, dict[str, torch.Tensor]] = {}
        # What comes to all that is learnt, and to the run's own tensors; also from the first of several results alone.
        self.computed = Computed()
        self.gradients, self.from_first = Reached(self.computed), Reached(self.computed)
        self.has_several = False
        self.seen: dict[str, Any] = {
            "returned": {}, "refused": {}, "slots": {}, "operations": {}, "strays": {}, "traces": {}, "lines": {},
        }  # fmt: skip

    def perform(self, action: verbs.Action) -> None:
        """Do one action. Raises whatever the solution raises, or Refused."""
        handler: Callable[[Any], None] = getattr(self, f"_{action.verb}")
        handler(action)

    def _import(self, action: verbs.Import) -> None:
        told = stumble.to_tell(self.library.load(action.module).__dict__)
        if told is not None:
            self.seen["refused"][action.module] = faults.of_exception(told.error, self.library.files, 0)

    def _make(self, action: verbs.Make) -> None:
        definition = faults.find(self.library.load_for_making(action.module), action.definition)
        arguments = [self._argument(argument) for argument in action.arguments]
        self._remember_line(action.name, definition.__dict__.get("__init__"))
        made = _called(definition, definition, arguments)
        if not isinstance(made, nn.Module):
            raise faults.Refused(Fault("kind", type(made).__name__, names=(action.definition,)))
        if self.dtype is not AS_MADE:
            made = made.to(self.device, self.dtype)
        elif not slots.lies_at(made, self.device, self.dtype):
            made = made.to(self.device)  # a float64 weight stays one, and meets the inputs as anywhere
        self.objects[action.name] = made

    def _load(self, action: verbs.Load) -> None:
        found = slots.held(self.objects[action.into], buffers=not action.exact)
        held = {name: each.tensor for name, each in found.items()}
        if action.exact:
            wanted = {name: self.tensors[key].shape for name, key in action.weights.items()}
            if {name: tensor.shape for name, tensor in held.items()} != wanted:
                raise faults.Refused(Fault(OTHER_SLOTS))
        self.loaded[action.into] = held
        with torch.no_grad():
            given = {name: self.tensors[key] for name, key in action.weights.items()}
            if action.times != 1.0:
                given = {name: tensor * action.times for name, tensor in given.items()}
            loaded = {id(held[name]) for name in action.weights}  # which may have other names as well
            for tensor in held.values():
                if action.rest is not None and id(tensor) not in loaded and slots.is_learnt(tensor):
                    tensor.fill_(action.rest)
            slots.write(found, given)

    def _mode(self, action: verbs.Mode) -> None:
        module = self.objects[action.of]
        module.train() if action.training else module.eval()  # as people do, and not what `eval` does by itself

    def _call(self, action: verbs.Call) -> None:
        if action.of:
            target = self.objects[action.of]
            signature = target.forward
        else:
            target = signature = faults.find(self.library.load(action.module), action.definition)
        arguments = [self._argument(argument, action.track) for argument in action.arguments]
        self._remember_line(action.name, signature)
        counting = Counting(tensors_in(arguments)) if action.count else None
        watching = Watching(slots.loose(target)) if action.watch else None
        given = [each for each, asked in zip(arguments, action.arguments, strict=True) if isinstance(asked, verbs.Made)]
        as_they_were = ways.unchanged(given) if given else contextlib.nullcontext()
        lent = [each.tensor for each in action.arguments if isinstance(each, verbs.Tensor)]
        before = [self.tensors[name]._version for name in lent]
        with as_they_were, counting or contextlib.nullcontext(), watching or contextlib.nullcontext():
            result = self._traced(action, target, signature, arguments)
            if action.times > 1:  # each is kept as it is now: a later call may write to the same tensor
                results = [returned.kept(result, self.parcel.room)]
                while len(results) < action.times:
                    results.append(returned.kept(_called(target, signature, arguments), self.parcel.room))
                result = returned.together(results, self.parcel.room)
        if counting:
            self.seen["operations"][action.name] = dict(counting.counts.most_common(100))
        if watching:
            self._look_for_strays(action.name, target, arguments, watching.met)
        if written := [name for name, was in zip(lent, before, strict=True) if self.tensors[name]._version != was]:
            self.seen.setdefault("written", {})[action.name] = written
        self.objects[action.name] = result
        self.seen["returned"][action.name] = returned.describe(result, action.name, self.parcel)

    def _look_for_strays(self, name: str, module: nn.Module, arguments: list[Any], met: set[str]) -> None:
        """Note what would stay behind if the module moved."""
        strays = sorted(left_behind(module, arguments, met))
        if not strays and (found := apart(module, arguments, self.library.files)) is not None:
            strays = [NAMELESS]
            if line := found.made or next(reversed(faults.frames(found, self.library.files)), None):
                self.seen["lines"] = {name + MET: line, **self.seen["lines"]}
        self.seen["strays"][name] = strays

    def _traced(self, action: verbs.Call, target: Any, signature: Any, arguments: list[Any]) -> Any:
        """The result of a call, whose tensors on the way are noted where that is wanted, also up to a fault."""
        beginning = faults.beginning(signature, self.library.files) if action.trace else None
        if beginning is None:
            return _called(target, signature, arguments, recorded=action.recorded)
        tracing, variables = Tracing(beginning.file), Locals(signature)
        try:
            with phase("trace"), tracing, variables if action.stages else contextlib.nullcontext():
                return _called(target, signature, arguments)
        finally:
            numbers = {name: tracing.number(variables.values.get(name)) for name in action.stages}
            sent = (("values", tracing.values()), ("made", tracing.made()))
            if all(self.parcel.add(f"trace.{action.name}.{part}", tensor) for part, tensor in sent):
                self.seen["traces"][action.name] = {n: number for n, number in numbers.items() if number is not None}

    def _backward(self, action: verbs.Backward) -> None:
        results = self.objects[action.of]
        results = results if isinstance(results, (tuple, list)) else [results]
        tensors = [item for item in results if isinstance(item, torch.Tensor) and item.requires_grad]
        if not tensors:
            is_there = any(isinstance(item, torch.Tensor) for item in results)
            raise faults.Refused(Fault(DETACHED, "" if is_there else type(self.objects[action.of]).__name__))
        learnt = self._learnt()
        self.has_several = len(results) > 1 and tensors[0] is results[0]
        if self.has_several:
            self.from_first.add(tensors[:1], learnt, is_last=False)
            self.gradients.add(tensors[:1], learnt, is_last=False)
            tensors = tensors[1:]
        self.gradients.add(tensors, learnt)

    def _learnt(self) -> list[torch.Tensor]:
        """All that a gradient may be asked of."""
        made = (slots.tensors(each) for name, each in self.objects.items() if isinstance(each, nn.Module))
        pools = (self.tensors, *self.loaded.values(), *made)
        every = {id(each): each for pool in pools for each in pool.values()}
        return [each for each in every.values() if slots.is_learnt(each)]

    def _gradients(self, action: verbs.Gradients) -> None:
        pool = self.loaded.get(action.of) or (slots.tensors(self.objects[action.of]) if action.of else self.tensors)
        held = {name: pool[name] for name in action.tensors}
        for name, tensor in held.items():
            for key, reached in (("gradient", self.gradients), ("first", self.from_first)):
                if (gradient := reached.of(tensor)) is not None:
                    self.parcel.add(f"{key}.{name}", gradient)

    def _inspect(self, action: verbs.Inspect) -> None:
        self.seen["slots"][action.key] = slots.inspect(self.objects[action.of])
        if action.gradients:
            reached = self.from_first if self.has_several else self.gradients
            for name, tensor in slots.tensors(self.objects[action.of], buffers=False).items():
                if (gradient := reached.of(tensor)) is not None:
                    self.parcel.add(f"{action.key}.{name}", gradient)
        if action.values:
            for name, tensor in slots.values(self.objects[action.of]).items():
                if tensor.layout is torch.strided and not tensor.is_meta and not tensor.is_quantized:
                    self.parcel.add(f"{action.key}.{name}", tensor)

    def _send(self, action: verbs.Send) -> None:
        for name in action.tensors:
            self.parcel.add(f"sent.{name}", self.tensors[name])

    def _randomness(self, action: verbs.Randomness) -> None:
        state = torch.cuda.get_rng_state() if self.device == "cuda" else torch.get_rng_state()
        self.parcel.add(f"randomness.{action.name}", state)

    def _remember_line(self, name: str, function: Any) -> None:
        beginning = faults.beginning(function, self.library.files)
        if beginning is not None:
            self.seen["lines"][name] = beginning

    def _argument(self, argument: verbs.Argument, track: bool = False) -> Any:
        match argument:
            case verbs.Tensor(name):
                tensor = self.tensors[name]
                return tensor.requires_grad_() if track and tensor.is_floating_point() else tensor
            case verbs.Value(value):
                return value
            case verbs.Seeded(seed, drawn):
                # On the device of the call's tensors; where there are none, code may draw on the CPU alone.
                device = self.device if self.tensors else "cpu"
                generator = torch.Generator(device=device).manual_seed(seed)
                if drawn:
                    torch.rand(drawn, generator=generator, device=device)
                return generator
            case verbs.Made(name):
                return self.objects[name]

    def _placed(self, tensor: torch.Tensor) -> torch.Tensor:
        dtype = self.dtype if tensor.is_floating_point() else tensor.dtype
        return tensor.to(self.device, dtype, copy=True)


def _called(
    target: Callable[..., Any], signature: Callable[..., Any], arguments: list[Any], *, recorded: bool = True
) -> Any:
    """The result of a call. Raises Refused where the arguments do not fit the signature.

    recorded: whether gradients are to flow back from it; they may as well where nothing comes of it without.
    """
    if not recorded:
        with contextlib.suppress(Exception), torch.no_grad():
            return target(*arguments)
    try:
        return target(*arguments)
    except TypeError as error:
        refused = faults.unfit(signature, arguments, method=signature is not target)
        raise (refused or error) from None
