"""The author of fixtures: the reference, asked on every case in every floating-point type."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.diagnosis.explain import Explanations
from grader.diagnosis.stages import Stages
from grader.judge import compare
from grader.judge.checks.asking import RESULT
from grader.model.case import FRESH, PUBLIC, Case
from grader.model.check import Check, Question
from grader.model.errors import SolutionError
from grader.model.observation import Observation
from grader.model.pack import CaseTemplate, Exercise, Pack, Step
from grader.model.run import OWN, Inspect, Load, Make, Run, World
from grader.pack import draw
from grader.pack.fixtures import Answer, Built, answer_key
from grader.pack.load import lesson_value
from grader.pack.mistakes import edits_of
from grader.plugins.registry import Plugins
from grader.proof.explanations import Explainer
from grader.runner.processes.start import start_worker
from grader.runner.reference import DTYPE, SECONDS, answer, asked_stages, check_has
from grader.runner.solver import Solver
from grader.submission.read import read_reference

# The noise floor is the worst of this many draws: one draw alone may be lucky by a factor of three.
FLOOR_DRAWS = 12
FLOOR_TYPES = ("float32", "float64", "bfloat16", "float16")
# Of so few numbers all may come to nearly nothing at once, and a right answer is off by more than the floor then.
FEW = 4


class Author:
    """The reference, asked in every floating-point type."""

    def __init__(self, plugins: Plugins, pack: Pack) -> None:
        reference = read_reference(plugins, pack)
        if reference is None:
            raise SolutionError("This copy has no reference to ask.")
        self.plugins, self.pack = plugins, pack
        self._worker = start_worker()
        modules = self._modules = reference.modules
        self._solvers = {t: Solver(self._worker, modules, pack.stand_ins, dtype=t) for t in FLOOR_TYPES}
        if self._worker.hello()["cuda"]:
            self._solvers["cuda"] = Solver(self._worker, modules, pack.stand_ins, device="cuda")

    def close(self) -> None:
        for solver in self._solvers.values():
            solver.close()
        self._worker.close()

    def versions(self) -> Mapping[str, str]:
        """The versions that can change the bytes."""
        return {"torch": self._worker.hello()["torch"], "numpy": np.__version__}

    def exercise(self, exercise: Exercise) -> Built:
        """Every case of an exercise, the answers of each step that compares, and what known mistakes make of them."""
        slots = self._slots(exercise)
        cases = {n: self._draw(exercise, t, slots[n], PUBLIC, self.pack.seed) for n, t in exercise.cases.items()}
        answers = {}
        for _, step, name in compared(self.plugins, self.pack, exercise):
            question = self.question(exercise, step, cases[name])
            for world in worlds(self.pack, exercise, step):
                known = self.answer(question, world)
                _can_be_equalled(question, known)
                _reproduces_its_figure(self.pack, question, known)
                floors = self._floors(question, world, slots[name])
                answers[answer_key(step, name, world.stand_ins)] = Answer(known, floors)
        return Built(cases, answers, self._explanations(exercise, cases), self._stages(exercise, cases))

    def _stages(self, exercise: Exercise, cases: Mapping[str, Case]) -> Mapping[tuple[str, str], Stages]:
        """The intermediate results of every step that names them, on every case."""
        return {
            (step.id, name): self.stages(self.question(exercise, step, cases[name]))
            for _, step, name in staged(self.pack, exercise)
        }

    def _explanations(self, exercise: Exercise, cases: Mapping[str, Case]) -> Mapping[str, Explanations]:
        source = self._modules[exercise.id].decode()
        edits = edits_of(self.plugins.solutions(self.pack.name), exercise, source)
        if not edits:
            return {}
        return Explainer(self._worker, self.pack, self._modules, self.plugins.checks).explanations(
            exercise, edits, cases
        )

    def question(self, exercise: Exercise, step: Step, case: Case) -> Question:
        """A step on a case, as the reference is asked it."""
        return Question(exercise, step, case, dtype=DTYPE, naming=self.pack.naming)

    def answer(self, question: Question, world: World) -> Observation:
        """The reference's answer in float64. Raises SolutionError where it has none."""
        return answer(self._solvers[DTYPE], question, self._check(question.step).plan(question), world)

    def stages(self, question: Question) -> Stages:
        """The reference's intermediate results in float64. Raises SolutionError where it lacks one."""
        return asked_stages(self._solvers[DTYPE], question, self._check(question.step).plan(question))

    def _slots(self, exercise: Exercise) -> dict[str, dict[str, Sequence[int]]]:
        """The parameters that each case fills: those of the object that the check's run loads."""
        check_has(self._solvers[DTYPE], exercise)
        found: dict[str, dict[str, Sequence[int]]] = {name: {} for name in exercise.cases}
        for step in exercise.steps:
            for name in step.cases:
                case = self._draw(exercise, exercise.cases[name], {}, PUBLIC, self.pack.seed)
                run = self._check(step).plan(self.question(exercise, step, case))
                loaded = {action.into for action in run.actions if isinstance(action, Load) and not action.may_fail}
                for make in (a for a in run.actions if isinstance(a, Make) and a.name in loaded):
                    slots = self._inspected(step, make)
                    if found[name] not in ({}, slots):
                        raise SolutionError(f"{exercise.id}: the case {name} is used for two different classes")
                    found[name] = slots
        return found

    def _inspected(self, step: Step, make: Make) -> dict[str, Sequence[int]]:
        seen = self._solvers[DTYPE].observe(Run((make, Inspect(make.name))), OWN, SECONDS)
        if not seen.is_whole:
            raise SolutionError(f"The reference fails {step.id}: {seen.fault.message if seen.fault else seen.detail}")
        return {slot.name: slot.shape for slot in seen.slots[make.name] if slot.kind == "parameter"}

    def _draw(
        self, exercise: Exercise, template: CaseTemplate, slots: Mapping[str, Sequence[int]], origin: str, seed: int
    ) -> Case:
        try:
            return draw.draw_case(self.pack, exercise.id, template, slots, origin, seed)
        except ValueError as error:
            raise SolutionError(f"{exercise.id}, case {template.name}: {error}") from None

    def _floors(
        self, question: Question, world: World, slots: Mapping[str, Sequence[int]]
    ) -> Mapping[str, Mapping[str, float]]:
        """How far the reference strays in each type from itself in float64: the worst of several draws."""
        floors: dict[str, dict[str, float]] = {}
        check = self._check(question.step)
        asked = (replace(question, case=case) for case in self._draws(question, slots))
        runs = [check.plan(each) for each in asked]
        exact = list(self._solvers[DTYPE].observe_each(runs, world, SECONDS))
        _keep_their_digits(question, exact)
        for dtype, solver in self._solvers.items():
            own = floors.setdefault("cuda/float32" if dtype == "cuda" else f"cpu/{dtype}", {})
            for seen, known in zip(solver.observe_each(runs, world, SECONDS), exact, strict=True):
                # A type that the operations of this exercise do not have gives no tensors, and so no floor.
                for key, error in errors(seen.tensors, known.tensors):
                    own[key] = max(error, own.get(key, 0.0))
        return {target: own for target, own in floors.items() if own}

    def _draws(self, question: Question, slots: Mapping[str, Sequence[int]]) -> Iterator[Case]:
        yield question.case
        template = question.case.template
        if draw.is_random(self.pack, template, slots):
            for number in range(1, FLOOR_DRAWS):
                yield self._draw(question.exercise, template, slots, FRESH, self.pack.seed + number)

    def _check(self, step: Step) -> Check:
        return self.plugins.checks[step.check]


def compared(plugins: Plugins, pack: Pack, only: Exercise | None = None) -> Iterator[tuple[Exercise, Step, str]]:
    """Every step and case whose check needs the reference's answer."""
    for exercise in pack.exercises if only is None else (only,):
        for step in exercise.steps:
            for name in step.cases if plugins.checks[step.check].compares else ():
                yield exercise, step, name


def staged(pack: Pack, only: Exercise | None = None) -> Iterator[tuple[Exercise, Step, str]]:
    """Every step and case whose intermediate results are kept."""
    for exercise in pack.exercises if only is None else (only,):
        for step in exercise.steps:
            for name in step.cases if step.stages else ():
                yield exercise, step, name


def worlds(pack: Pack, exercise: Exercise, step: Step) -> Iterable[World]:
    """The student's own modules, and every set of them that stand-ins may come to replace."""
    owners = {s.id: e.id for e in pack.exercises for s in e.steps}
    modules = sorted({owners[name] for name in step.relies_on})
    yield OWN
    for count in range(1, len(modules) + 1):
        for chosen in itertools.combinations(modules, count):
            yield World(frozenset(chosen), exercise.id)


def errors(seen: Mapping[str, Any], exact: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Each tensor's largest error relative to its largest value; none where it is not finite."""
    for key, expected in exact.items():
        got = seen.get(key)
        if got is None or got.shape != expected.shape or expected.dtype.kind != "f":
            continue
        finite = np.isfinite(expected)
        if not finite.any() or not np.isfinite(got[finite]).all():
            continue
        scale = float(np.abs(expected[finite]).max()) or 1.0
        yield key, float(np.abs(got[finite].astype(np.float64) - expected[finite]).max()) / scale


def _can_be_equalled(question: Question, known: Observation) -> None:
    """Raise SolutionError where no answer could ever be what the reference gives: NaN equals nothing."""
    result = known.returned.get(RESULT)
    is_none = result is not None and result.kind == "none"
    if is_none or any(array.dtype.kind == "f" and np.isnan(array).any() for array in known.tensors.values()):
        gives = "None" if is_none else "NaN"
        raise SolutionError(f"{question.step.id}, case {question.case.name}: the reference gives {gives}")


def _keep_their_digits(question: Question, drawn: Sequence[Observation]) -> None:
    """Raise SolutionError where a result's few numbers have no sign of their own: what cancels has no digits left."""
    if question.case.template.relative is not None:
        return
    for key, array in drawn[0].tensors.items():
        if key.startswith(RESULT) and array.dtype.kind == "f" and array.size < FEW:
            signs = [np.sign(each.tensors[key]) for each in drawn]
            if any(not np.array_equal(each, signs[0]) for each in signs):
                raise SolutionError(
                    f"{question.step.id}, case {question.case.name}: {array.size} of the result's numbers may come to "
                    "nearly 0, where a right answer has no digits left to compare; draw what is added with one sign, "
                    f"or have {FEW} numbers and more"
                )


def _reproduces_its_figure(pack: Pack, question: Question, known: Observation) -> None:
    """Raise SolutionError where the reference does not give what the lesson prints."""
    template = question.case.template
    if template.figure is None:
        return
    try:
        printed = np.asarray(lesson_value(pack.lesson, template.figure), np.float64)
    except (TypeError, ValueError):
        raise SolutionError(f"The lesson's entry {template.figure!r} is no table of numbers.") from None
    result = compare.tensor(known, "result")
    if result is None or result.shape != printed.shape or not np.all(np.abs(result - printed) <= template.within):
        raise SolutionError(f"{question.step.id}, case {template.name}: not the lesson's figure {template.figure}")
