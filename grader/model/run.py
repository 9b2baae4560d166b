"""What a worker is asked to do: a short list of actions, the same for every solution there is.

A run is written by a check, in the parent, and performed by the worker beside the solution. It holds inputs and
weights, never expected values. Tensors travel beside the actions and are named in them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, get_args


@dataclass(frozen=True, slots=True)
class Tensor:
    """An argument: the run's tensor of that name."""

    tensor: str


@dataclass(frozen=True, slots=True)
class Value:
    """An argument: a number, a truth value or None."""

    value: bool | int | float | None


@dataclass(frozen=True, slots=True)
class Seeded:
    """An argument: a new seeded `torch.Generator`, on the run's device if the run has tensors, else on the CPU.

    drawn: how many numbers it has given already, so that it goes on elsewhere than its seed begins.
    """

    generator: int
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """An argument: an object that an earlier action made."""

    object: str


Argument = Tensor | Value | Seeded | Made
ARGUMENTS: tuple[type[Any], ...] = get_args(Argument)


@dataclass(frozen=True, slots=True)
class Import:
    """Load the solution's module, and nothing else."""

    verb: ClassVar[str] = "import"
    module: str


@dataclass(frozen=True, slots=True)
class Make:
    """Construct the solution's class, positionally, and call it `name` from here on.

    May be refused: where `may_fail`, an exception is an observation of its own and the run goes on.
    """

    verb: ClassVar[str] = "make"
    name: str
    module: str
    definition: str
    arguments: tuple[Argument, ...] = ()
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """Write tensors into an object's parameters: slot name to tensor name.

    exact: refuse where the object has other slots than these, buffers aside, or of other shapes. times: a factor, so
    that other numbers lie as these do, however the solution keeps them. rest: what all else that is to be learnt is
    filled with, one number, so that it makes no difference in which order a solution keeps it.
    """

    verb: ClassVar[str] = "load"
    into: str
    weights: Mapping[str, str]
    exact: bool = False
    times: float = 1.0
    rest: float | None = None
    may_fail: bool = False

    @property
    def name(self) -> str:
        """What a fault of it is called."""
        return f"{self.into} load"


@dataclass(frozen=True, slots=True)
class Mode:
    """Put a module into training or evaluation mode."""

    verb: ClassVar[str] = "mode"
    of: str
    training: bool
    may_fail: bool = False

    @property
    def name(self) -> str:
        """What a fault of it is called."""
        return f"{self.of} mode"


@dataclass(frozen=True, slots=True)
class Call:
    """Call an object (`of`) or a function of the solution (`module`, `definition`); keep the result as `name`.

    track: let gradients flow from the tensor arguments too. count: count the tensor operations dispatched. watch: find
    the object's loose tensors that it computes with. trace: note the tensors that it makes, with their lines. stages:
    the function's own variables that are to be found among these. times: how often; of each result the first tensor is
    then kept, and all are sent as one with an axis more, or as a sequence where they are not alike. recorded: let
    gradients flow back from the result; what loops over single numbers takes less than half without.
    """

    verb: ClassVar[str] = "call"
    name: str
    of: str = ""
    module: str = ""
    definition: str = ""
    arguments: tuple[Argument, ...] = ()
    track: bool = False
    count: bool = False
    watch: bool = False
    trace: bool = False
    stages: tuple[str, ...] = ()
    times: int = 1
    recorded: bool = True
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Backward:
    """Send a gradient back from a result. Each result tensor is summed with weights that are not all alike."""

    verb: ClassVar[str] = "backward"
    of: str
    may_fail: bool = False

    @property
    def name(self) -> str:
        """What a fault of it is called."""
        return f"{self.of} backward"


@dataclass(frozen=True, slots=True)
class Gradients:
    """Send the gradients of an object's parameters (`of`) or of the run's tensors named.

    Where several results gave them, those of the first one alone are sent as well.
    """

    verb: ClassVar[str] = "gradients"
    of: str = ""
    tensors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inspect:
    """Send what an object holds as `name`: each parameter, buffer and loose tensor by name, shape and kind.

    name: the object's own where it is empty. values: send the numbers too, of all but buffers. gradients: send those
    instead, of all that is to be learnt and that one has come to; of several results, the first one's alone.
    """

    verb: ClassVar[str] = "inspect"
    of: str
    name: str = ""
    values: bool = False
    gradients: bool = False
    may_fail: bool = False

    @property
    def key(self) -> str:
        """What the answer is called."""
        return self.name or self.of


@dataclass(frozen=True, slots=True)
class Send:
    """Send the run's own tensors back as they are now, so that a change to them is seen."""

    verb: ClassVar[str] = "send"
    tensors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Randomness:
    """Send the state of torch's global generator, under `name`."""

    verb: ClassVar[str] = "randomness"
    name: str


Action = Import | Make | Load | Mode | Call | Backward | Gradients | Inspect | Send | Randomness
VERBS: Mapping[str, type[Any]] = {kind.verb: kind for kind in get_args(Action)}


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Run:
    """Actions and the tensors they name, as arrays. One is itself alone, so that what was made of it can be kept.

    is_fresh: whether it is of a case whose values no student is to see.
    """

    actions: tuple[Action, ...]
    tensors: Mapping[str, Any] = field(default_factory=dict)
    is_fresh: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """Which modules are taken from the stand-ins, and for the sake of which exercise.

    That exercise's own module is never replaced: only what it imports, and what is constructed for it.
    """

    stand_ins: frozenset[str] = frozenset()
    exercise: str = ""


OWN = World()


def encode_actions(actions: tuple[Action, ...]) -> list[dict[str, Any]]:
    """Actions by those of their fields that are not as they are by default, as JSON can write them."""
    return [{"verb": action.verb, **told(action)} for action in actions]


def decode_actions(values: list[dict[str, Any]]) -> tuple[Action, ...]:
    """The actions that `encode_actions` wrote."""
    return tuple(_decode(dict(value)) for value in values)


def told(value: Any) -> dict[str, Any]:
    """A dataclass by those of its fields that are not as they are by default.

    Half of a message's bytes, and the time to write and to read them, would say that nothing is said.
    """
    return {name: part for name, default in _defaults(value.__class__) if (part := getattr(value, name)) != default}


@cache
def _defaults(kind: Hashable) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))  # type: ignore[arg-type]


def _decode(said: dict[str, Any]) -> Action:
    kind = VERBS[said.pop("verb")]
    if "arguments" in said:
        said["arguments"] = tuple(map(_decode_argument, said["arguments"]))
    action: Action = kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in said.items()})
    return action


def _decode_argument(value: dict[str, Any]) -> Argument:
    for kind in ARGUMENTS:
        if kind.__slots__[0] in value and set(value) <= set(kind.__slots__):  # what is as by default is left out
            argument: Argument = kind(**value)
            return argument
    raise ValueError(f"not an argument: {value}")
