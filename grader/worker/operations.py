"""Counts the tensor operations that reach torch's dispatcher, however the solution spelt them."""

from __future__ import annotations

import _thread
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Any, ClassVar, Self

import torch
from torch._ops import HigherOrderOperator
from torch.backends import cuda
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.weak import WeakIdKeyDictionary

from grader.model.observation import LEFT_TORCH, OF_GIVEN, PRODUCTS, WRITTEN_OUT

# Whether torch may choose a kind of attention, how it is told, and whether it may here: none but that which is written
# out in products, also where a solution would do without that; on the CPU too, whatever they are called.
KINDS: tuple[tuple[Callable[[], bool], Callable[[bool], None], bool], ...] = (
    (cuda.flash_sdp_enabled, cuda.enable_flash_sdp, False),
    (cuda.mem_efficient_sdp_enabled, cuda.enable_mem_efficient_sdp, False),
    (cuda.cudnn_sdp_enabled, cuda.enable_cudnn_sdp, False),
    (cuda.math_sdp_enabled, cuda.enable_math_sdp, True),
)
MULTIPLIED, SUMMED = frozenset({"mul", "addcmul"}), frozenset({"sum", "mean", "cumsum"})
# What is subtracted, or added, row from column, then squared and summed is a product but for each row's own square.
DISTANT = frozenset({"sub", "rsub", "add"})
# What begins a thread, by the names of Python 3.11 and of 3.13, and where they are looked up.
BEGINNING = ("start_new_thread", "start_new", "start_joinable_thread", "_start_new_thread", "_start_joinable_thread")
BEGUN_IN = (_thread, threading)
# By which a tensor's numbers get to where torch counts nothing.
LEAVING = frozenset({
    "tolist", "numpy", "__array__", "__dlpack__", "storage", "untyped_storage", "data_ptr", "item", "__float__",
})  # fmt: skip


class Counting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """While active, counts each dispatched operation by its name, such as "bmm" or "_softmax".

    And products that are written out: two tensors multiplied that had to be broadcast against each other, or that both
    come of what is learnt, and then summed, whatever is done to each number in between; or two single numbers that come
    of what is learnt. What is scaled or masked is no product of rows with columns. A fused attention is taken apart:
    which one a device chooses rests on the width of a head, and some are counted as one product, others as two.
    Torch's modes are of one thread: others have modes of their own, which follow this one (see `make_ready`).

    given: what the call is given. Products both of whose factors come of it are counted by themselves too, and so are
    the numbers that leave torch, of which nobody sees what becomes.
    """

    active: ClassVar[Counting | None] = None

    def __init__(self, given: Iterable[torch.Tensor] = ()) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.counts: Counter[str] = Counter()
        self._outer = WeakIdKeyDictionary()
        self._of_given = WeakIdKeyDictionary()
        for each in given:
            self._of_given[each] = True
        self._leaving = Leaving()
        self._chosen: list[bool] = []
        self._counted_once = threading.Lock()

    def __enter__(self) -> Self:
        self._chosen = [is_chosen() for is_chosen, _, _ in KINDS]
        for _, choose, is_due in KINDS:
            choose(is_due)
        super().__enter__()  # type: ignore[no-untyped-call]
        self._leaving.__enter__()  # type: ignore[no-untyped-call]
        Counting.active = self
        return self

    def __exit__(self, *raised: Any) -> None:
        Counting.active = None
        self._leaving.__exit__(*raised)  # type: ignore[no-untyped-call]
        super().__exit__(*raised)  # type: ignore[no-untyped-call]
        for (_, choose, _), was_chosen in zip(KINDS, self._chosen, strict=True):
            choose(was_chosen)

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here, and to say so spares a child the second that torch's compiler takes to import."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = _name(func)
        self.count(name)
        named = kwargs or {}
        result = func(*args, **named)
        factors = [each for each in _tensors((*args, *named.values())) if each in self._of_given]
        if factors:
            for made in _tensors((result,)):
                self._of_given[made] = True
                if made._base is not None:  # what a part is written into
                    self._of_given[made._base] = True
        if name in PRODUCTS and len(factors) > 1:
            self.count(OF_GIVEN)
        if self._outer.data:
            products = [each for each in args if isinstance(each, torch.Tensor) and each in self._outer]
            if products and name in SUMMED:
                self._count_written_out(len(factors))
            elif isinstance(result, torch.Tensor) and any(result.numel() == each.numel() for each in products):
                self._outer[result] = True
        if name in MULTIPLIED and _are_learnt(*args[-2:], single=True):
            self._count_written_out(len(factors))
        elif (name in MULTIPLIED and (_are_learnt(*args[-2:]) or _is_outer(*args[-2:]))) or (
            name in DISTANT and len(factors) > 1 and _is_outer(*args[:2])
        ):
            self._outer[result] = True
        return result

    def _count_written_out(self, factors: int) -> None:
        self.count(WRITTEN_OUT)
        self.count(OF_GIVEN, int(factors > 0))

    def count(self, name: str, times: int = 1) -> None:
        """Count an operation so many times, whichever thread it is of."""
        with self._counted_once:
            self.counts[name] += times


class Following(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """In a thread of its own, hands what is dispatched to the counting that is active, if one is.

    Without one it lets everything pass, such as `flex_attention`, which asks each mode for its leave.
    """

    supports_higher_order_operators = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        counting = None if isinstance(func, HigherOrderOperator) else Counting.active
        return counting.__torch_dispatch__(func, types, args, kwargs) if counting else func(*args, **(kwargs or {}))


class Leaving(TorchFunctionMode):
    """While active, adds up the numbers that leave torch, for the counting that is active."""

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        is_leaving = getattr(func, "__name__", "") in LEAVING and args and isinstance(args[0], torch.Tensor)
        if is_leaving and (counting := Counting.active):
            counting.count(LEFT_TORCH, args[0].numel())
        return func(*args, **(kwargs or {}))


def _tensors(values: Iterable[Any]) -> list[torch.Tensor]:
    """Those among what an operation takes, or gives; none has any deeper than in a list."""
    found: list[torch.Tensor] = []
    for each in values:
        if isinstance(each, torch.Tensor):
            found.append(each)
        elif isinstance(each, (tuple, list)):
            found += [item for item in each if isinstance(item, torch.Tensor)]
    return found


def make_ready() -> None:
    """Once, before anything is counted: follow threads from their beginning, in a pool too that waits for its work.

    Since they have their modes all the time, tensors are made where no mode sees them from now on.
    """
    torch.Tensor.__new__ = staticmethod(_unseen)  # type: ignore[assignment, method-assign]
    for module in BEGUN_IN:
        for name in BEGINNING:
            begin = getattr(module, name, None)
            if begin and not hasattr(begin, "__wrapped__"):  # none twice
                setattr(module, name, _followed(begin))


def _followed(begin: Callable[..., Any]) -> Callable[..., Any]:
    """What begins a thread as `begin` does, and hands what it computes to the counting that is active then."""

    @wraps(begin)
    def followed(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def counted(*args: Any, **kwargs: Any) -> Any:
            with Following(), Leaving():  # type: ignore[no-untyped-call]
                return function(*args, **kwargs)

        return begin(counted, *args, **kwargs)

    return followed


def _unseen(*args: Any, **kwargs: Any) -> torch.Tensor:
    """A new tensor, which no mode may see while it is made: torch makes none of a class derived from its own then.

    Of its class and whatever else: torch's compiler, which checkpoints import, takes no other signature for this.
    """
    unseen = torch._C._DisableTorchDispatch()
    try:
        made: torch.Tensor = torch._C.TensorBase.__new__(*args, **kwargs)
        return made
    finally:
        del unseen


@cache
def _name(operation: Any) -> str:
    return str(operation.overloadpacket).removeprefix("aten.")[:60]


def _are_learnt(left: Any, right: Any, *, single: bool = False) -> bool:
    """Whether a gradient flows through both, which are tensors of several numbers, or of one: no scale and no mask."""
    both = [each for each in (left, right) if isinstance(each, torch.Tensor) and each.requires_grad]
    return len(both) == 2 and all((each.numel() == 1) is single for each in both)


def _is_outer(left: Any, right: Any) -> bool:
    """Whether each of two tensors lacks an axis that the other has, so that all is multiplied with all there."""
    if any(not isinstance(each, torch.Tensor) or each.layout is not torch.strided for each in (left, right)):
        return False
    ours, theirs = _spread(left), _spread(right)
    axes = max(len(ours), len(theirs))
    ours, theirs = ([1] * (axes - len(some)) + some for some in (ours, theirs))
    pairs = list(zip(ours, theirs, strict=True))
    return any(a < b for a, b in pairs) and any(b < a for a, b in pairs)


def _spread(tensor: torch.Tensor) -> list[int]:
    """A tensor's shape before it was expanded."""
    return [1 if stride == 0 else size for size, stride in zip(tensor.shape, tensor.stride(), strict=True)]
