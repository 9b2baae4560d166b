"""Runs as a diagnosis asks them: with the call for the result traced, no further than that, or of another module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from grader.judge.checks.asking import RESULT
from grader.model.case import Case
from grader.model.run import Action, Call, Import, Inspect, Load, Make, Run, Send, Tensor, World

# A class is asked the same of these, too: by the variables that are marked.
_TRACED: WeakKeyDictionary[Run, dict[tuple[str, ...], Run]] = WeakKeyDictionary()
_FIRST: WeakKeyDictionary[Run, Run] = WeakKeyDictionary()
_SENDING: WeakKeyDictionary[Run, Run] = WeakKeyDictionary()


def traced(run: Run, stages: Sequence[str] = ()) -> Run:
    """The run with its result's call traced, the same one for the same run. stages: variables to be marked there."""
    kept = _TRACED.setdefault(run, {})
    if tuple(stages) not in kept:
        actions = tuple(
            replace(each, trace=True, stages=tuple(stages)) if isinstance(each, Call) and each.name == RESULT else each
            for each in run.actions
        )
        kept[tuple(stages)] = replace(run, actions=actions)
    return kept[tuple(stages)]


def sending(run: Run, case: Case) -> Run:
    """The run, which sends its inputs back as they are in the end; the same one for the same run and its case."""
    if run not in _SENDING:
        sent = Send(tuple(name for name in case.inputs if name in run.tensors))
        _SENDING[run] = replace(run, actions=(*run.actions, sent))
    return _SENDING[run]


def up_to_result(run: Run) -> Run:
    """The run as far as its result's call, with the tensors that are needed for it, the same one for the same run.

    What a check asks behind that, other modules and calls, takes several times as long; what is only looked at before
    it makes no difference to it.
    """
    if run not in _FIRST:
        calls = (place for place, each in enumerate(run.actions, 1) if isinstance(each, Call) and each.name == RESULT)
        end = next(calls, 0)
        actions = tuple(each for each in run.actions[:end] if not isinstance(each, Inspect)) if end else run.actions
        needed = {name for action in actions for name in _tensors(action)}
        tensors = {name: each for name, each in run.tensors.items() if name in needed}
        _FIRST[run] = run if actions == run.actions else replace(run, actions=actions, tensors=tensors)
    return _FIRST[run]


def of_another(run: Run, module: str, other: str, world: World) -> Run:
    """A run as another module is asked it. Where a stand-in takes the place of what is made, it stays that."""

    def turned(action: Action) -> Action:
        match action:
            case Make() if module in world.stand_ins:
                return action
            case Call() | Make() | Import() if action.module == module:
                return replace(action, module=other)
            case _:
                return action

    return replace(run, actions=tuple(map(turned, run.actions)))


def _tensors(action: Action) -> Iterator[str]:
    """The tensors that an action names."""
    match action:
        case Call(arguments=arguments) | Make(arguments=arguments):
            yield from (each.tensor for each in arguments if isinstance(each, Tensor))
        case Load(weights=weights):
            yield from weights.values()
