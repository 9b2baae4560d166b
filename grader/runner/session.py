"""What outlives one submission: the worker, the fixtures, and the reference's answers for one seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from grader.judge.ask import look, plainly
from grader.judge.deciding import Asked
from grader.model.check import Question
from grader.model.errors import DeviceAbsent, DeviceUnusable, SandboxAbsent
from grader.model.isolation import lacking
from grader.model.order import Order
from grader.model.pack import Exercise, Pack, Step
from grader.model.profile import phase
from grader.model.run import Run
from grader.pack.fixtures import Fixtures
from grader.plugins.registry import Plugins
from grader.runner.cases import Cases
from grader.runner.environment import environment
from grader.runner.plans import Plans
from grader.runner.processes.child import request_of
from grader.runner.processes.spawner import Spawner
from grader.runner.reference import DTYPE, Reference
from grader.runner.search import Search
from grader.runner.solver import Solver, importing
from grader.submission.read import read_reference
from grader.words import say

DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, slots=True)
class Usual:
    """A run that submissions are asked. decides: whether all of them are, or where something is wrong alone."""

    run: Run
    exercise: str
    device: str
    decides: bool


def devices_of(worker: Spawner) -> list[str]:
    """The devices that torch sees here."""
    return [*DEVICES] if worker.hello()["cuda"] else ["cpu"]


def check_device(order: Order, there: Sequence[str]) -> None:
    """Raises DeviceAbsent for a device that is required and not among those that are there."""
    if order.device not in ("all", *there):
        raise DeviceAbsent(say("error.no-such-device", option=f"--device {order.device}"))


class Session:
    """A pack ready to grade with. Starting is quick: the worker imports torch while the parent reads on.

    worker: runs the reference, and submissions too unless students does. Whoever started either ends it, after `close`.
    Raises FixtureError for fixtures that are broken, before anything is graded.
    """

    @phase("start")
    def __init__(
        self, plugins: Plugins, pack: Pack, order: Order, worker: Spawner, students: Spawner | None = None
    ) -> None:
        self.plugins, self.pack, self.order = plugins, pack, order
        self.worker = students or worker
        # What is usual by devices and exercises, from the second time on, and the requests of it.
        self._usual: dict[tuple[str, ...], tuple[list[Usual], list[bytes]]] = {}
        self._prepared: set[str] = set()  # exercises whose fresh cases the reference answers
        # The layers around a child, by device and the worker's generation, or why it cannot compute there.
        self._tried: dict[tuple[str, int], tuple[str, ...] | str] = {}
        fixtures = Fixtures(pack)
        fixtures.check_bytes()
        self.cases = Cases(pack, fixtures, order.cases_seed)
        self.plans = Plans(plugins.checks, self.cases)
        reference = read_reference(plugins, pack)
        modules = reference.modules if reference else {}
        solver = Solver(worker, modules, pack.stand_ins, dtype=DTYPE) if modules else None
        self.reference = Reference(fixtures, solver)
        self.search = Search(worker, pack, modules, plugins) if modules else None

    def close(self) -> None:
        """End the reference's processes; the worker is its owner's."""
        self.reference.close()

    def choose(self, exercises: tuple[str, ...], seconds: float | None = None) -> None:
        """Grade these exercises from now on, all where none is named. seconds: a step's limit, as it was if None."""
        limit = self.order.seconds if seconds is None else seconds
        self.order = replace(self.order, exercises=exercises, seconds=limit)

    def devices(self) -> tuple[list[str], dict[str, str]]:
        """The devices to grade on; and the others, with why one that is there cannot be used, or nothing.

        Raises DeviceAbsent for one that was required and is not there, or cannot be used. One that can be is expected
        to stay so: where a solution has taken all of it since, a worker has failed.
        """
        there = devices_of(self.worker)
        if self.order.device == "all":
            others = {device: self._unusable(device) if device in there else "" for device in DEVICES[1:]}
            here = [device for device in there if not others.get(device)]
            return here, {device: why for device, why in others.items() if device not in here}
        check_device(self.order, there)
        if self.order.device != "cpu":
            self._layers(self.order.device)
        return [self.order.device], {}

    def _unusable(self, device: str) -> str:
        """Why a device that is there cannot be used; nothing where it can."""
        try:
            self._layers(device)
        except DeviceAbsent as error:
            return str(error)
        return ""

    def check_sandbox(self, devices: Iterable[str]) -> None:
        """Raises SandboxAbsent where the order requires a layer that is not in force on one of these devices."""
        for device in devices if self.order.requires_sandbox else ():
            absent = lacking((*self._layers(device), *self.order.spared), [device])
            if absent:
                raise SandboxAbsent(say("error.sandbox-lacks", layers=say("join.and").join(absent)))

    def _layers(self, device: str) -> tuple[str, ...]:
        """The layers around a child on this device, tried once. Raises DeviceAbsent where it cannot be used."""
        tried = (device, self.worker.generation)
        if tried not in self._tried:
            try:
                with closing(Solver(self.worker, {}, {}, device=device)) as solver:
                    solver.start()
                    self._tried[tried] = solver.isolation
            except DeviceUnusable as error:
                self._tried[tried] = str(error)
        found = self._tried[tried]
        if isinstance(found, str):
            raise DeviceAbsent(found)
        return found

    def prepare(self, exercises: Iterable[Exercise]) -> None:
        """Have the reference answer the fresh cases of these exercises in the background."""
        if not self.reference.knows_fresh_cases:
            return
        for exercise in exercises:
            if exercise.id in self._prepared:
                continue
            self._prepared.add(exercise.id)
            for step in exercise.steps:
                check = self.plugins.checks[step.check]
                for case in self.cases.fresh(exercise, step) if check.compares else ():
                    question = Question(exercise, step, case, naming=self.pack.naming)
                    self.reference.prepare(question, self.plans.run(question))

    def teach(self, exercises: Iterable[Exercise], devices: Iterable[str]) -> Sequence[Usual]:
        """Have the worker know what submissions are asked of these exercises, once a second one is, and give it.

        Whatever only some are asked, for the names that they give their weights or for the mistakes that they show, is
        not part of it, but for the public cases on which whatever is wrong is shown.
        """
        devices, exercises = tuple(devices), tuple(exercises)
        asked = (*devices, *(exercise.id for exercise in exercises))
        if asked not in self._usual:
            self._usual[asked] = [], []
            return ()
        usual, frames = self._usual[asked]
        if not usual:
            usual += [run for device in devices for run in self._usually(exercises, device)]
            frames += dict.fromkeys(request_of(each.run).frame for each in usual)
            self.reference.rest()
        self.worker.teach(frames)
        return usual

    def asks_fresh(self, step: Step) -> bool:
        return self.reference.can_answer(self.plugins.checks[step.check])

    def asked(self, exercise: Exercise, step: Step, device: str) -> Asked:
        return self.plans.asked(exercise, step, device, self.order.dtype, fresh=self.asks_fresh(step))

    def environment(self, devices: list[str], isolation: tuple[str, ...]) -> Mapping[str, Any]:
        """What a report says of the machine and of what the grading rests on."""
        return environment(
            self.order,
            torch=self.worker.hello()["torch"],
            devices=devices,
            isolation=isolation,
            fresh=self.reference.knows_fresh_cases,
        )

    def _usually(self, exercises: Iterable[Exercise], device: str) -> Iterator[Usual]:
        """The runs that a submission is asked which holds the lesson's own names, in their order.

        Of fresh cases none where the seed is secret: what a child knows beforehand its code can say in a message.
        """
        for exercise in exercises:
            yield Usual(importing(exercise.id), exercise.id, device, decides=True)
            looked_at = set[str]()
            for step in exercise.steps:
                asked = self.asked(exercise, step, device)
                for question, run in asked.whole:
                    if not question.case.is_public and self.order.seed_is_secret:
                        continue
                    decides = (question, run) in asked.deciding
                    first = look(run) if decides and step.of not in looked_at else None
                    if first is not None:
                        yield Usual(first, exercise.id, device, decides)
                        looked_at.add(step.of)
                    yield Usual(plainly(question, run).run, exercise.id, device, decides)
