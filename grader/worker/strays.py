"""Finds out whether a module computes with tensors that would stay behind when it is moved to another device.

A plain tensor attribute does not move with its module. Where it meets a tensor that does, a GPU would refuse; this
watches for such a meeting without needing one. Whatever is sent to a device explicitly, `mask.to(x.device)`, is at home
there; whatever is computed from strays alone is astray too. A module that looks after its mask only when it is moved,
or when devices differ, is given the occasion to show it.

What no attribute holds, such as a mask that `forward` makes on the CPU, is found out with a copy of the module of which
it is known which tensors moved.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.overrides import TorchFunctionMode

from grader.model.observation import Frame
from grader.worker import faults, slots
from grader.worker.tracing import tensors_in

SENT = frozenset({"to", "cuda", "cpu", "type_as", "new_tensor"})
# What takes tensors of several devices: to copy, to index by, to take the shape of. What comes of it lies where the
# first of them does.
ACROSS = frozenset({
    "copy_", "__getitem__", "__setitem__", "index_put", "index_put_", "expand_as", "view_as", "reshape_as",
    "result_type",
})  # fmt: skip
# What other types of tensors do is for themselves to say.
PLAIN = frozenset({torch.Tensor, nn.Parameter})
DEVICE = torch.Tensor.device.__get__
LOOKING = (*(getattr(torch.Tensor, name).__get__ for name in ("device", "is_cuda", "is_cpu")), torch.Tensor.type)


class Watching(TorchFunctionMode):
    """While active, notes the names of strays that meet other tensors. strays: name to tensor."""

    def __init__(self, strays: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        self.met: set[str] = set()
        self._astray = {_address(tensor): name for name, tensor in strays.items() if tensor.ndim > 0}
        self._astray.pop(0, None)
        self._kept: list[torch.Tensor] = []  # so that no address is used again for something else

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if not self._astray:
            return result
        tensors = [tensor for tensor in tensors_in((args, kwargs)) if tensor.ndim > 0]
        names = [name for tensor in tensors if (name := self._astray.get(_address(tensor)))]
        if not names:
            return result
        if getattr(func, "__name__", "") in SENT:
            return result.clone() if isinstance(result, torch.Tensor) else result
        if len(names) < len(tensors):
            self.met.update(names)
        else:
            for tensor in tensors_in(result):
                self._kept.append(tensor)
                self._astray[_address(tensor)] = names[0]
        return result


class Elsewhere(Watching):
    """Watches as if the strays lay on another device whenever code asks: theirs is meta, that of others is cpu:0.

    That is the CPU still, and yet not equal to it.
    """

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func == DEVICE and _address(args[0]) in self._astray:
            return torch.device("meta")
        result = super().__torch_function__(func, types, args, kwargs)
        return torch.device("cpu:0") if func == DEVICE and result == torch.device("cpu") else result


def left_behind(module: nn.Module, arguments: Sequence[Any], met: set[str]) -> set[str]:
    """Those of the strays met that a moved copy of the module computes with too; all where that cannot be tried."""
    if not met:
        return met
    try:
        moved = _copied(module)
        before = {name: tensor.detach() for name, tensor in slots.loose(moved).items()}
        watching = Elsewhere(before)
        # As `to` does; whatever is not cloned would not have moved.
        moved._apply(torch.clone)  # type: ignore[no-untyped-call]
        with watching:
            moved(*arguments)
    except Exception:
        return met
    return met & watching.met


class Apart(Exception):
    """A tensor that moved with its module meets one that did not. made: the line of the solution's that made that."""

    def __init__(self, made: Frame | None) -> None:
        super().__init__()
        self.made = made


class Looked(Exception):
    """Code looks where tensors lie, and so may see to it that they lie together; or nobody can say where one lies."""


class Together(TorchFunctionMode):
    """While active, refuses what a GPU would refuse if all that moves with a module lay there, and nothing else.

    moved: the module's own tensors, and those it is called with. What is computed from such a tensor lies where it
    does, and so does what is sent to a device or made on one that is named; all else stays on the CPU. files: the
    solution's own.
    """

    def __init__(self, moved: Iterable[torch.Tensor], files: Collection[str]) -> None:
        super().__init__()
        self._files = files
        self._made: dict[int, Frame | None] = {}
        self._kept = [*moved]  # so that no address is used again for something else
        self._there = {_address(tensor) for tensor in self._kept}
        self._here: set[int] = set()

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named, name = kwargs or {}, getattr(func, "__name__", "")
        if func in LOOKING or name == "get_device" or not PLAIN.issuperset(types):
            raise Looked
        tensors = [tensor for tensor in tensors_in((args, named)) if tensor.ndim > 0 and tensor.numel() > 0]
        here = [tensor for tensor in tensors if not self._is_there(tensor)]
        self._kept += here
        self._here |= {_address(tensor) for tensor in here}
        is_sent = name in SENT and (name != "to" or _names_device(args[1:], named))
        if any(_address(each) == 0 or is_functorch_wrapped_tensor(each) for each in tensors):  # as within vmap
            raise Looked
        if 0 < len(here) < len(tensors) and not is_sent and name not in ACROSS:
            raise Apart(self._made.get(_address(here[0])))
        result = func(*args, **named)
        if is_sent and isinstance(result, torch.Tensor):
            result = result.clone()  # else what was sent would be there too
        is_made_there = len(here) < len(tensors) or named.get("device") is not None
        stays = self._is_there(args[0]) if name in ACROSS else is_made_there
        made = [*tensors_in(result)]
        self._kept += made
        if is_sent or stays:
            self._there |= {_address(tensor) for tensor in made}
        elif made:
            self._made.setdefault(_address(made[0]), self._line())  # of what is only another view of it, the first
        return result

    def _line(self) -> Frame | None:
        executed = next(faults.executing(inspect.currentframe(), self._files), None)
        return faults.frame(executed.f_code, executed.f_lineno) if executed is not None else None

    def _is_there(self, tensor: torch.Tensor) -> bool:
        # What has a gradient was computed from weights, also where nobody saw it: compiled, or of single numbers.
        address, is_computed = _address(tensor), tensor.grad_fn is not None
        return address in self._there or (is_computed and address not in self._here)


def apart(module: nn.Module, arguments: Sequence[Any], files: Collection[str] = ()) -> Apart | None:
    """Where a moved copy of the module meets a tensor that did not move; None where nothing is known of one.

    files: the solution's own.
    """
    asked, torch.cuda.is_available = torch.cuda.is_available, _looked
    try:
        moved = _copied(module)
        before = {name: _address(tensor) for name, tensor in slots.loose(moved).items()}
        moved._apply(torch.clone)  # type: ignore[no-untyped-call]
        given = [each.clone() if isinstance(each, torch.Tensor) else each for each in arguments]
        own = [tensor for each in (moved, module) for tensor in (*each.parameters(), *each.buffers())]
        own += [tensor for name, tensor in slots.loose(moved).items() if _address(tensor) != before.get(name)]
        with Together([*own, *(each for each in given if isinstance(each, torch.Tensor))], files):
            moved(*given)  # where a function of its own may still hold the module that was copied
    except Apart as found:
        return found
    except Exception:  # which it may raise for many a reason of its own
        return None
    finally:
        torch.cuda.is_available = asked
    return None


def _looked() -> bool:
    raise Looked


def _names_device(arguments: Sequence[Any], named: Mapping[str, Any]) -> bool:
    """Whether `to` is asked for a device, and not for a type alone."""
    return "device" in named or any(isinstance(each, (torch.device, torch.Tensor, str)) for each in arguments)


def _copied(module: nn.Module) -> nn.Module:
    # What it keeps of a call, perhaps for a plot, is part of a graph, of which torch makes no copies.
    held = [tensor for each in module.modules() for tensor in tensors_in(vars(each)) if not tensor.is_leaf]
    return copy.deepcopy(module, {id(tensor): tensor.detach() for tensor in held})


def _address(tensor: torch.Tensor) -> int:
    """Where a tensor's numbers lie; 0 for one that has no storage, such as a sparse one."""
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):
        return 0
