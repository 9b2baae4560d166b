"""What a worker saw: data to be judged, never a verdict. All of it may be forged, and is read as such."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

# What strays are called that no attribute holds. In `lines`, where one is met is called after the call and this.
NAMELESS, MET = "", " met"
# The kind of fault of a module that holds other slots than those that weights were to be loaded into, and no more.
OTHER_SLOTS = "slots"
# The kind of fault of a result that nothing to be learnt had a part in, as far as torch knows.
DETACHED = "detached"
# Counted beside what torch calls its operations: each row times each column, and the products summed.
WRITTEN_OUT = "product written out"
# Counted so as well: products both of whose factors come of what a call is given, and numbers that leave torch.
OF_GIVEN, LEFT_TORCH = "product of what is given", "number that leaves torch"
# Every name under which a product of matrices or vectors, or a fused attention, reaches torch's dispatcher.
PRODUCTS = frozenset(
    name
    for name in """mm addmm bmm baddbmm addbmm matmul linear mv addmv dot vdot einsum addmm_ baddbmm_ mkldnn_linear
    _scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention
    _scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention
    _scaled_dot_product_attention_math scaled_dot_product_attention convolution _convolution mkldnn_convolution
    conv1d conv2d _trilinear _cdist_forward""".split()  # noqa: SIM905 - a list of words is read more easily so
) | {WRITTEN_OUT}
# The kinds of slots that torch knows for parameters.
PARAMETERS = ("parameter", "shared")
# A tensor as the student calls it, and its shape.
Shape = tuple[str, tuple[int, ...]]
# No weight of an exercise's has more numbers or axes. What is said to have more, which costs a solution nothing to say,
# is filled with none.
MOST_NUMBERS, MOST_AXES = 1 << 20, 8


class Ending(StrEnum):
    """How a run ended."""

    ANSWERED = "answered"
    TIMEOUT = "timeout"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of the student's that was being executed. Ours are left out."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an action could not be performed.

    kind: exception, exit, syntax, import, missing, signature, kind, weights, slots, detached, answer, or late, which
    says where a run was when its time was up.
    type: of what was raised, or of what stands where a function, a class, a module or a tensor is due. bases:
    Python's own exceptions that one of another's is.
    line, column: of a syntax error. names: what the module does define, for a missing name; the class that made no
    module; the weights that there is no place for.
    signature: theirs, for arguments that do not fit. shapes: of the tensors that the failing expression names.
    """

    kind: str
    type: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()
    line: int = 0
    column: int = 0
    names: tuple[str, ...] = ()
    signature: str = ""
    action: int = 0
    shapes: tuple[Shape, ...] = ()
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Returned:
    """A returned object's shape: a tensor, a number, a sequence of these, None, or anything else by its type.

    items: of a sequence the first, as far as they are told of. further: how many more it has.
    """

    kind: str
    key: str = ""
    dtype: str = ""
    shape: tuple[int, ...] = ()
    device: str = ""
    type: str = ""
    number: float = 0.0
    items: tuple[Returned, ...] = ()
    further: int = 0

    @property
    def length(self) -> int:
        """How many items a sequence has."""
        return len(self.items) + self.further


@dataclass(frozen=True, slots=True)
class Slot:
    """One tensor that a module holds.

    kind: parameter, shared (a parameter under several names), buffer, or loose (a plain tensor attribute, or a
    parameter that no registered module owns).
    owner: the type that holds it, such as "Linear". first: where its tensor has several names, the first of them.
    """

    name: str
    shape: tuple[int, ...]
    kind: str
    owner: str = ""
    dtype: str = ""
    trainable: bool = False
    first: str = ""

    @property
    def may_be_filled(self) -> bool:
        """Whether it is no larger than anything that numbers are made for."""
        return len(self.shape) <= MOST_AXES and math.prod(self.shape) <= MOST_NUMBERS


@dataclass(frozen=True, slots=True)
class Traced:
    """One tensor that a call made on its way.

    lines: of the solution's, in the file of what was called: first in what was called, last where the tensor was made.
    value: its numbers then. parents: positions of the earlier tensors it was made of.
    """

    lines: tuple[int, ...]
    value: Any
    parents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """The tensors that a call made, in order. stages: variables of the called function to positions among them."""

    made: tuple[Traced, ...]
    stages: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that came back of one run.

    returned: results of calls, by name. refused: faults of actions that were allowed to fail, by name.
    slots: of objects inspected. operations: how often each tensor operation was dispatched, by call.
    strays: loose tensors that a call computed with, NAMELESS for one that no attribute holds. written: the run's
    tensors that it wrote into. traces: the tensors it made, by call. lines: where what was asked begins, and the line
    that made a nameless stray which a call MET, or that met it.
    tensors: arrays, by the keys above. printed: how many bytes the solution wrote.
    digest: of the bytes that said all this but lines and printed: where it is the same, the same was seen.
    Empty where none was made.
    """

    ending: Ending = Ending.ANSWERED
    fault: Fault | None = None
    detail: str = ""
    returned: Mapping[str, Returned] = field(default_factory=dict)
    refused: Mapping[str, Fault] = field(default_factory=dict)
    slots: Mapping[str, tuple[Slot, ...]] = field(default_factory=dict)
    operations: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    strays: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    traces: Mapping[str, Trace] = field(default_factory=dict)
    lines: Mapping[str, Frame] = field(default_factory=dict)
    tensors: Mapping[str, Any] = field(default_factory=dict)
    printed: int = 0
    digest: bytes = field(default=b"", repr=False, compare=False)

    @property
    def is_whole(self) -> bool:
        """Whether the run was answered to its end."""
        return self.ending is Ending.ANSWERED and self.fault is None
