"""Weights that a module computes from others at each use: what to call them, how to set them, what comes to them.

`nn.utils.parametrize` keeps what each is computed from in a list of its own, and the older `nn.utils.weight_norm` right
beside the weight, which it computes anew before each call.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook
from torch.nn.utils.parametrize import ParametrizationList
from torch.nn.utils.weight_norm import WeightNorm

from grader.worker.graph import leaves

# A layer keeps its lists of parametrizations under this name, and each list what its weight is computed from.
LISTS, ORIGINAL = "parametrizations", "original"


class Recipe(NamedTuple):
    """How a module computes a weight.

    weight: what the module itself calls it; "" for a list of parametrizations, which is called as the weight.
    originals: what it is computed from, by the names that the module has for them.
    """

    weight: str
    originals: Mapping[str, torch.Tensor]
    compute: Callable[[], Any]
    invert: Callable[[torch.Tensor], None]


def names(module: nn.Module, prefix: str) -> dict[str, str]:
    """What the tensors that weights are computed from are to be called; "" for one that is left out.

    The one that is shaped as the weight is called as that: `W_query.weight`, and what scales it, as in `weight_norm`,
    is left out, as is a weight that stands beside them. None of them has a name of its own where it is not plain which
    one that is.
    prefix: of the names that they have.
    """
    found: dict[str, str] = {}
    for recipe in _recipes(module):
        own = f"{prefix}{recipe.weight}" if recipe.weight else _of_list(prefix)
        held = recipe.originals
        largest = max(held, key=lambda name: held[name].numel(), default="")
        if own and largest and all(_scales(held[name], held[largest]) for name in held if name != largest):
            found |= {name: own if name == largest else "" for name in (*held, recipe.weight)}
    return found


def factors(module: nn.Module) -> frozenset[int]:
    """The parameters that parametrizations hold themselves and that a list's weight is computed with, by identity."""
    if not isinstance(module, ParametrizationList):
        return frozenset()
    own = {id(each) for name, each in module.named_parameters() if not name.startswith(ORIGINAL)}
    if not own:
        return frozenset()
    with contextlib.suppress(Exception), torch.enable_grad():  # of the student's own
        return frozenset(own & leaves(module()))
    return frozenset()


def write(holder: Any, original: torch.Tensor, value: torch.Tensor) -> bool:
    """Set what a weight is computed from so that it becomes a value; whether that can be.

    original: the tensor that is called as the weight.
    """
    recipe = _recipe(holder, original)
    if recipe is None:
        return False
    before = {name: each.detach().clone() for name, each in recipe.originals.items()}
    try:
        recipe.invert(value.clone())  # torch makes the originals share its storage
    except Exception:  # what a parametrization of the student's own raises, or torch where it has no inverse
        for name, each in before.items():
            recipe.originals[name].copy_(each)
        return False
    with contextlib.suppress(Exception):  # of the student's own
        _direct(recipe, value)
    if recipe.weight:
        with torch.enable_grad():  # as it was made: who reads the weight before a call finds this one
            setattr(holder, recipe.weight, recipe.compute())
    return True


def value(holder: Any, original: torch.Tensor) -> torch.Tensor:
    """The weight that is computed from a tensor, where it is by what holds it; else the tensor."""
    recipe = _recipe(holder, original)
    if recipe is not None:
        with contextlib.suppress(Exception), torch.no_grad():  # of the student's own
            return _computed(recipe, original)
    return original


class Computed:
    """The weights that were computed, by what each was computed from: what an optimizer holds is not what is used."""

    def __init__(self) -> None:
        # By identity, with what they were computed from, so that no number is used again for something else.
        self._of: dict[int, tuple[torch.Tensor, dict[int, torch.Tensor]]] = {}

    def of(self, original: torch.Tensor) -> list[torch.Tensor]:
        """Each weight that was computed from a tensor so that a gradient can come to it, once, however often used."""
        return [*self._of[id(original)][1].values()] if id(original) in self._of else []

    def every(self) -> list[torch.Tensor]:
        """All of them, each once."""
        return [*{key: each for _, some in self._of.values() for key, each in some.items()}.values()]

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """While active, notes what any module computes, wherever it is kept, also on the way back."""
        hook = register_module_forward_hook(self._note)
        try:
            yield
        finally:
            hook.remove()

    def _note(self, module: nn.Module, _: Any, result: Any) -> None:
        with contextlib.suppress(Exception):  # a module may answer nothing that is asked of it
            for recipe in _recipes(module):
                weight = vars(module).get(recipe.weight) if recipe.weight else result
                if isinstance(weight, torch.Tensor) and weight.requires_grad:
                    self._keep(weight, recipe)

    def _keep(self, weight: torch.Tensor, recipe: Recipe) -> None:
        if not weight.is_leaf:
            weight.retain_grad()  # of one that is computed on the way back nobody can ask for it later
        for original in recipe.originals.values():
            if original is not weight:
                self._of.setdefault(id(original), (original, {}))[1][id(weight)] = weight


def _recipes(module: Any) -> list[Recipe]:
    if isinstance(module, ParametrizationList):
        registered = module._parameters.items()
        held = {name: each for name, each in registered if name.startswith(ORIGINAL) and each is not None}
        return [Recipe("", held, module, module.right_inverse)]
    if not isinstance(module, nn.Module):
        return []
    hooks = [hook for hook in module._forward_pre_hooks.values() if type(hook) is WeightNorm]
    return [recipe for hook in hooks if (recipe := _normed(module, hook)) is not None]


def _normed(module: nn.Module, hook: WeightNorm) -> Recipe | None:
    """A weight that torch's older `weight_norm` has in a module."""
    length, direction = (module._parameters.get(f"{hook.name}_{each}") for each in "gv")
    if length is None or direction is None:
        return None

    def invert(value: torch.Tensor) -> None:
        length.copy_(torch.norm_except_dim(value, 2, hook.dim))
        direction.copy_(value)

    originals = {f"{hook.name}_g": length, f"{hook.name}_v": direction}
    return Recipe(hook.name, originals, lambda: hook.compute_weight(module), invert)


def _recipe(holder: Any, original: torch.Tensor) -> Recipe | None:
    """How what holds a tensor computes a weight from it."""
    return next((each for each in _recipes(holder) if any(original is one for one in each.originals.values())), None)


def _computed(recipe: Recipe, alike: torch.Tensor) -> torch.Tensor:
    """The weight now. Raises where it is no tensor of the shape of another."""
    weight = recipe.compute()
    if not isinstance(weight, torch.Tensor) or weight.shape != alike.shape:
        raise ValueError("no weight of this shape")
    return weight


def _direct(recipe: Recipe, value: torch.Tensor) -> None:
    """Give what is to become 0 a direction, where its weight is a length times one: torch divides by that of none."""
    lost = _computed(recipe, value).isnan() & (value == 0)
    for each in recipe.originals.values() if lost.any() else ():
        if each.shape == value.shape:
            before = each.clone()
            each.masked_fill_(lost, 1.0)
            if not _computed(recipe, value)[lost].any():
                return
            each.copy_(before)


def _of_list(prefix: str) -> str:
    """The name of the weight whose list of parametrizations lies at a prefix; "" where none does."""
    before, mark, weight = f".{prefix}".rpartition(f".{LISTS}.")
    return ".".join(filter(None, (before.removeprefix("."), weight.removesuffix(".")))) if mark else ""


def _scales(factor: torch.Tensor, weight: torch.Tensor) -> bool:
    """Whether a tensor may scale another as a whole, row by row or column by column."""
    if factor.numel() == 1:
        return True
    pairs = zip(factor.shape, weight.shape, strict=False)
    return factor.ndim == weight.ndim and 1 in factor.shape and all(size in (1, whole) for size, whole in pairs)
