"""The actions that most checks begin with: make the class, put the weights in, call it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from grader.model.check import Question
from grader.model.observation import Fault
from grader.model.pack import Draw, Generator, Input
from grader.model.run import Action, Argument, Call, Load, Make, Mode, Seeded, Tensor, Value
from grader.model.text import clean
from grader.words import say

MODULE = "module"
RESULT = "result"
# What exercises call the number of heads.
HEADS = "num_heads"


def is_class(question: Question) -> bool:
    """Whether the step asks a class rather than a function."""
    return question.exercise.definitions[question.step.of].is_class


def num_heads(question: Question) -> int:
    """How many heads the step's class is made with; one where nobody is asked for any."""
    return int(question.case.template.construct.get(HEADS, 1))


def make(question: Question, name: str = MODULE, /, *, may_fail: bool = False, **changed: Any) -> Make:
    """Make the step's class with the case's arguments, some of them changed."""
    values = {**question.case.template.construct, **changed}
    return Make(name, question.exercise.id, question.step.of, tuple(map(Value, values.values())), may_fail)


def made(question: Question, name: str = MODULE, /, *, training: bool = False, **changed: Any) -> tuple[Action, ...]:
    """Make the step's class with the case's arguments, some of them changed, and load the case's weights."""
    return make(question, name, **changed), Load(name, weights(question)), Mode(name, training)


def constructor(question: Question, **changed: Any) -> str:
    """How one writes that the step's class is made with the case's arguments, some of them changed."""
    given = {**question.case.template.construct, **changed}
    return f"{question.step.of}({', '.join(f'{name}={value}' for name, value in given.items())})"


def weights(question: Question) -> dict[str, str]:
    """The reference's slot names to the names of the tensors that belong there."""
    return {slot: f"weight.{slot}" for slot in question.case.weights}


def called(question: Question, name: str = RESULT, of: str = MODULE, **options: Any) -> Call:
    """Call the module, or the step's function, with the case's inputs."""
    if is_class(question):
        return Call(name, of=of, arguments=inputs(question), **options)
    return called_with(question, name, inputs(question), **options)


def called_with(question: Question, name: str, arguments: tuple[Argument, ...], **options: Any) -> Call:
    """Call the step's function with these arguments."""
    return Call(name, module=question.exercise.id, definition=question.step.of, arguments=arguments, **options)


def asked(question: Question, *, training: bool = False, **options: Any) -> tuple[Action, ...]:
    """Everything up to one result: a class is made first. training: whether that is in training."""
    before = made(question, training=training) if is_class(question) else ()
    return (*before, called(question, **options))


def told(question: Question, fault: Fault) -> str:
    """What an exception says, or else its type, unless it could show inputs that nobody is to see."""
    return clean(fault.message, 160) or fault.type if question.case.is_public else say("check.error-withheld")


def inputs(question: Question, **changed: Input) -> tuple[Argument, ...]:
    """The case's inputs as arguments, numbers among them changed where named."""
    given = question.case.template.inputs
    return tuple(argument(question, name, changed.get(name, value)) for name, value in given.items())


def argument(question: Question, name: str, value: Input) -> Argument:
    """One input as an argument of a call."""
    if is_number(value):
        return Value(int(question.case.inputs[name]))
    if isinstance(value, Generator):
        return Seeded(value.seed)
    if isinstance(value, (bool, int, float)):
        return Value(value)
    return Tensor(name)


def renamed(arguments: Iterable[Argument], name: Callable[[str], str]) -> tuple[Argument, ...]:
    """The same arguments, but for other tensors. name: gives what a tensor is called the name of the other one."""
    return tuple(Tensor(name(each.tensor)) if isinstance(each, Tensor) else each for each in arguments)


def largest_input(question: Question) -> np.ndarray:
    """The largest of a case's tensors, which weights are dropped from or made of; a bare number where it has none."""
    return max(question.case.inputs.values(), key=np.size, default=np.zeros(()))


def is_number(value: Input) -> bool:
    """Whether an input is drawn, but passed as a number."""
    return isinstance(value, Draw) and value.kind == "integer"


def tensors(question: Question) -> Mapping[str, Any]:
    """The case's inputs and weights, by the names that the actions use."""
    given = question.case.template.inputs
    inputs = {name: array for name, array in question.case.inputs.items() if not is_number(given[name])}
    return {**inputs, **{f"weight.{name}": array for name, array in question.case.weights.items()}}
