"""Stands in for torch's compiler, which takes two seconds to import, writes files and starts programs.

Nothing here runs often enough to be worth compiling, and what it would give is the same. Torch asks its compiler a few
things all the same: behind a checkpoint, in `torch.func.grad`, in an optimiser, of a gradient that is given. Those are
answered here; whoever asks for anything else gets the compiler itself.
"""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import torch

COMPILER = "torch._dynamo"
# What the compiler reckons with while sizes are not known yet. Here they always are.
SIZES = "torch.fx.experimental.symbolic_shapes"


class StandIn(ModuleType):
    """A module that has some answers of its own; for any other it gives way to the one it stands in for."""

    def __init__(self, name: str, **answers: Any) -> None:
        super().__init__(name)
        self.__dict__.update(answers)
        self._of_its_own = frozenset(vars(self))

    def __getattr__(self, name: str) -> Any:
        # Whoever looks through all modules asks for the likes of `__file__`; whoever imports a part, for the path.
        if name.startswith("__") and (name != "__path__" or self.__name__ != COMPILER):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        names = (SIZES,) if self.__name__ == SIZES else (COMPILER, SIZES)  # the compiler reckons with them itself
        here = [each for each in map(sys.modules.get, names) if isinstance(each, StandIn)]
        for each in here:
            del sys.modules[each.__name__]
        for each in here:
            each._give_way()
        return getattr(importlib.import_module(self.__name__), name)

    def _give_way(self) -> None:
        """Leave every answer to the module itself, and set there what was set here."""
        for name in [name for name in vars(self) if not name.startswith("_")]:
            answer = vars(self).pop(name)
            if isinstance(answer, StandIn):
                answer._give_way()
            elif name not in self._of_its_own:
                with suppress(AttributeError):  # by whoever set what there is not
                    setattr(importlib.import_module(self.__name__), name, answer)


class Parts(MetaPathFinder, Loader):
    """Finds parts of the compiler that came with the whole, when it was asked for its path to find them."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        return ModuleSpec(name, self) if name.startswith(f"{COMPILER}.") and name in sys.modules else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The part that is there."""
        return sys.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it was executed."""


def leave_out_the_compiler() -> None:
    """From now on, compile nothing, and import nothing of the compiler that nobody asks for."""
    torch.compile = _uncompiled
    torch.cond = _chosen
    config = StandIn(f"{COMPILER}.config", error_on_nested_fx_trace=True)
    backwards = StandIn(f"{COMPILER}.compiled_autograd", _disable=nullcontext)
    _stand_in(
        COMPILER,
        config=config,
        compiled_autograd=backwards,
        graph_break=lambda **_why: None,
        **dict.fromkeys(("disable", "allow_in_graph", "disallow_in_graph"), _as_it_stands),
    )
    _stand_in(SIZES, sym_eq=operator.eq, **dict.fromkeys(("expect_true", "guard_or_true", "guard_or_false"), bool))
    sys.meta_path.insert(0, Parts())


def _stand_in(name: str, **answers: Any) -> None:
    """Answer for a module, unless it is there already."""
    if name not in sys.modules:
        package, _, own = name.rpartition(".")
        spec = find_spec(name)
        sys.modules[name] = StandIn(name, **answers)
        sys.modules[name].__spec__ = spec  # which says that it is there, to whoever only wants to know
        setattr(importlib.import_module(package), own, sys.modules[name])


def _uncompiled(model: Any = None, **_options: Any) -> Any:
    """What `torch.compile` gives here: what it is given, or a decorator that gives it back."""
    return _as_it_stands(model)


def _chosen(pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
    """What `torch.cond` gives here: what that function gives which is chosen, of two that it would compile."""
    return (true_fn if pred else false_fn)(*operands)


def _as_it_stands(fn: Any = None, *_options: Any, **_others: Any) -> Any:
    """What is given, or a decorator that gives it back."""
    return fn if fn is not None else lambda function: function
