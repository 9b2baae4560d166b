"""Finds the reference's intermediate results among the tensors that a solution made, and so where it first goes wrong.

A stage is found whatever the order of its axes, whether some of them are merged, and whether it came whole or in
slices, as from a loop over tokens or heads. One that is not found is excused where a later one that is made of it is
right: then the solution went another way. One that is made of symmetric scores is not found whole on its side, which is
what softmax along another axis gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.diagnosis.sought import Sought, allowed, comparable, is_hidden_early, is_mask
from grader.model.observation import Trace, Traced


@dataclass(frozen=True, slots=True)
class Stages:
    """The right intermediate results of one run, in the rubric's order, and which of them each one is made of."""

    values: Mapping[str, Any]
    needs: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a solution is right.

    found: stages that are, or that something right was made of. missing: those that are not; one that says nothing on a
    case is neither.
    right: the last right stage before it goes wrong; "" for none. wrong: the first stage that is not right; "" where
    all are. lines: near which it goes wrong, as of a `Traced`; none where that is not known.
    made: those that made the last right stage.
    """

    found: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    right: str = ""
    wrong: str = ""
    lines: tuple[int, ...] = ()
    made: tuple[int, ...] = ()


def stages_of(trace: Trace, names: Sequence[str]) -> Stages:
    """The stages that a run of the reference itself marked in its trace."""
    numbers = {name: trace.stages[name] for name in names if name in trace.stages}
    ancestors: list[frozenset[int]] = []
    for each in trace.made:
        ancestors.append(frozenset(each.parents).union(*(ancestors[parent] for parent in each.parents)))
    return Stages(
        {name: np.asarray(trace.made[number].value, np.float32) for name, number in numbers.items()},
        {
            name: frozenset(other for other, its in numbers.items() if its in ancestors[number])
            for name, number in numbers.items()
        },
    )


def progress(stages: Stages, trace: Trace, given: Sequence[Any] = ()) -> Progress:
    """What a trace shows of the stages. One that is the same all over, as a single token's weights, says nothing.

    given: what the solution was called with; a part of that is no mistake, though it is no stage either.
    """
    symmetric = {name for name, value in stages.values.items() if _is_symmetric(value)}
    sought = {
        name: Sought(value, is_upright=not symmetric.isdisjoint(stages.needs[name]))
        for name, value in stages.values.items()
        if np.ptp(comparable(value)) > 0
    }
    marks = _marked(trace.made, sought, given)
    complete = marks.complete
    found = complete.keys() | {name for name in sought if any(name in stages.needs[later] for later in complete)}
    missing = [name for name in sought if name not in found]
    wrong = missing[0] if missing else ""
    for last in [*sought][-1:] if not missing else ():
        if _is_put_together_wrongly(trace.made, marks, last, np.size(stages.values[last])):
            wrong = last
    # The last one is the result, of which parts are right where nothing as large was ever made of them.
    blameless = marks.right | marks.given
    sizes = {np.size(each.value) for position, each in enumerate(trace.made) if position not in blameless}
    apart = {
        name
        for name in [*sought][-1:]
        if not missing and name not in marks.whole and sought[name].stage.size not in sizes
    }
    before = [name for name in complete if name not in apart and (not wrong or name in stages.needs[wrong])]
    right = max(before, key=lambda name: complete[name], default="")
    # Where every stage is right, only what comes after all of them can be wrong.
    since = max((marks.parts[name] for name in complete), default=-1) if not missing else -1
    culprit = _culprit(trace.made, marks, marks.right | marks.given | marks.on_the_way, marks.on_the_way, since)
    culprit = culprit or _culprit(trace.made, marks, marks.right, set(), since)
    if right and wrong and (merged := _merged_wrongly(trace.made, marks, stages.values, right, wrong)):
        culprit = merged
    if len(sought) == 1 and not marks.right and not marks.on_the_way:  # it is due where all of it is made
        culprit = _last_of_shape(trace.made, next(iter(sought.values())).stage.shape)
    if culprit is None and wrong in marks.parts:  # only a part of it was made
        culprit = trace.made[marks.parts[wrong]]
    return Progress(
        found=frozenset(found),
        missing=frozenset(missing),
        right=right,
        wrong=wrong,
        lines=culprit.lines if culprit else (),
        made=trace.made[complete[right]].lines if right else (),
    )


@dataclass(slots=True)
class _Marks:
    """Positions of tensors: right ones, parts of what was given, what is on the way to a stage.

    complete: by stages, where all of each was found. parts: where the last part of it was. whole: those of which all
    was found in one tensor.
    """

    right: set[int] = field(default_factory=set)
    given: set[int] = field(default_factory=set)
    on_the_way: set[int] = field(default_factory=set)
    complete: dict[str, int] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)


def _marked(made: Sequence[Traced], sought: Mapping[str, Sought], given: Sequence[Any]) -> _Marks:
    """What each tensor is found to be, in the order in which they were made. given: as of `progress`."""
    inputs = [Sought(value) for value in given if np.size(value) > 1]
    marks = _Marks()
    shares: list[bool] = []  # whether a tensor becomes a stage once it is normalised, or was made of one that does
    for position, each in enumerate(made):
        value = comparable(each.value)
        # What is made of nothing and is the same all over, as zeros are, is no mistake; what is written in it may be.
        is_blank = not each.parents and np.ptp(value) == 0
        is_no_stage = is_blank or is_mask(np.squeeze(value), [stage.stage for stage in sought.values()])
        if is_no_stage or any(part.takes(value) for part in inputs):
            marks.given.add(position)
        shares.append(any(shares[parent] for parent in each.parents))
        if not shares[-1] and any(stage.is_normalised_of(value) for stage in sought.values()):
            shares[-1] = True
            marks.on_the_way.add(position)
        if is_hidden_early(np.squeeze(value), [each.stage for each in (*sought.values(), *inputs)]):
            marks.on_the_way.add(position)
        for name in (name for name, stage in sought.items() if stage.takes(value)):
            marks.right.add(position)
            marks.parts[name] = position
            if sought[name].is_complete:
                marks.complete.setdefault(name, position)
            if np.size(value) == sought[name].stage.size:
                marks.whole.add(name)
    return marks


def _is_put_together_wrongly(made: Sequence[Traced], marks: _Marks, name: str, size: int) -> bool:
    """Whether something as large as a stage is made of all its parts, and nothing is the stage itself.

    What is written into views of another tensor is no parent of that: there nothing is known.
    """
    if name in marks.whole or name not in marks.parts:
        return False
    below = {marks.parts[name]}
    for position, each in enumerate(made):
        if not below.isdisjoint(each.parents):
            below.add(position)
    return any(np.size(made[position].value) == size for position in below)


def _merged_wrongly(
    made: Sequence[Traced], marks: _Marks, stages: Mapping[str, Any], right: str, wrong: str
) -> Traced | None:
    """What has the shape of a stage that is only another one in order, made of that one's numbers in a wrong order."""
    one, other = stages[right], stages[wrong]
    if np.size(one) != np.size(other) or np.squeeze(one).ndim == np.squeeze(other).ndim:
        return None
    if not np.array_equal(np.sort(one, axis=None), np.sort(other, axis=None)):
        return None
    later = ((at, each) for at, each in enumerate(made) if at in marks.right and at > marks.complete[right])
    return next((each for _, each in later if np.squeeze(each.value).shape == np.squeeze(other).shape), None)


def is_stage(stage: Any, value: Any) -> bool:
    """Whether a value of a stage's shape is that stage, and says something."""
    due = comparable(stage)
    return bool(np.ptp(due) > 0 and np.all(np.abs(comparable(value) - due) <= allowed(due)))


def _culprit(
    made: Sequence[Traced], marks: _Marks, blameless: Set[int], on_the_way: Set[int], since: int
) -> Traced | None:
    """The first tensor to blame, though made of right ones, and that led to nothing right.

    Where nothing is right, the first to blame of all. on_the_way: what becomes a stage, and so is right as well.
    since: the position behind which it is looked for.
    """
    led_to_right = {*marks.complete.values(), *on_the_way}
    for position in reversed(range(len(made))):
        if position in led_to_right:
            led_to_right.update(made[position].parents)
    stems: set[int] = set()
    for position, each in enumerate(made):
        if position in marks.right or not marks.complete or not stems.isdisjoint(each.parents):
            stems.add(position)
            if position > since and position not in led_to_right and position not in blameless:
                return made[_origin(made, blameless, position)]
    return None


def _origin(made: Sequence[Traced], blameless: Set[int], position: int) -> int:
    """The earliest of the tensors to blame that a wrong one was made of; itself, if there is none."""
    led_here = {position}
    for each in range(position, -1, -1):
        if each in led_here:
            led_here.update(set(made[each].parents) - blameless)
    return min(led_here)


def _last_of_shape(made: Sequence[Traced], shape: tuple[int, ...]) -> Traced | None:
    """The last tensor of a shape, else the last of all."""
    alike = [each for each in made if np.squeeze(each.value).shape == shape]
    return next(reversed(alike or [*made]), None)


def _is_symmetric(value: Any) -> bool:
    """Whether a stage is the same when its last two axes change places."""
    is_square = value.ndim > 1 and value.shape[-1] == value.shape[-2] > 1
    return is_square and bool(np.allclose(value, value.swapaxes(-1, -2)))
