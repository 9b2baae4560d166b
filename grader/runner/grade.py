"""Grades one submission: every step in the rubric's order, each on every device, into one report."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from grader.diagnosis.source.tree import parsed
from grader.model.isolation import lacking
from grader.model.pack import Exercise, Pack, Step, Visibility, short_of
from grader.model.profile import phase
from grader.model.report import ExerciseResult, Report, Status, Target, Verdict, pack_facts, submission_facts
from grader.model.run import OWN, World
from grader.model.submission import Submission
from grader.runner.bench import WorkerBench, set_up
from grader.runner.cells import located, said_of_missing
from grader.runner.session import Session, Usual
from grader.verdict.causes import called_of_others, cause_of, has_its_shape
from grader.verdict.examine import Examiner
from grader.verdict.examined import Examined, by_way_of
from grader.verdict.score import blocked, verdict
from grader.verdict.spoilt import BY_RESULT, behind
from grader.words import all_of, heard, say

# What ran out of time once is likely to again: later steps get this part of the limit, still many times what is due.
HASTE = 5
# A submission whose answers have taken so many seconds in all gets no diagnosis any more. Where steps that are not
# right took twice as many it gets that part of the limit, then the part of the part, but no less than the least: it is
# one of a class, and hundreds of times slower than any that computes. What is right takes the time it is given, and
# what ran out of it does not count: other steps have nothing to do with that.
PATIENCE = 60.0
LEAST_SECONDS = 0.5
UNAVAILABLE = Examined(Status.UNAVAILABLE)


@phase("judge")
def grade_submission(session: Session, submission: Submission) -> Report:
    """The report of one submission. What its code does is an observation, never an error of ours."""
    started = time.monotonic()
    shown = chosen(session.pack, session.order.exercises)
    session.prepare(shown)
    devices, unavailable = session.devices()
    session.check_sandbox(devices)
    usual = session.teach(shown, devices)
    hook = session.plugins.hook
    hook.grader_submission_started(pack=session.pack, submission=submission, exercises=shown)
    grading = _Grading(session, submission, devices, unavailable, usual)
    try:
        results = []
        for exercise in shown:
            verdicts = tuple(grading.step(exercise, step) for step in exercise.steps)
            results.append(ExerciseResult(exercise.id, exercise.title, verdicts))
        isolation = grading.isolation()
    finally:
        grading.close()
    report = Report(
        submission=submission_facts(submission.id, submission),
        pack=pack_facts(session.pack),
        environment=session.environment(devices, isolation),
        exercises=tuple(results),
        seconds=round(time.monotonic() - started, 3),
        notes=(*submission.notes, *_notes(session, devices, unavailable, isolation)),
        sources=submission.sources,
    )
    hook.grader_submission_graded(report=report)
    return report


def chosen(pack: Pack, ids: tuple[str, ...]) -> tuple[Exercise, ...]:
    """The exercises of those ids in the pack's order; all that this copy is for where none is named."""
    return tuple(exercise for exercise in pack.exercises if exercise.id in ids) if ids else pack.handed_out


def _notes(
    session: Session, devices: list[str], unavailable: Mapping[str, str], isolation: tuple[str, ...]
) -> list[str]:
    notes = [say("note.unusable", why=why.removesuffix(".")) for why in unavailable.values() if why]
    if session.order.device_is_asked:  # who asked for none misses none
        notes += [say("note.no-device", device=device) for device, why in unavailable.items() if not why]
    if not session.reference.knows_fresh_cases:
        notes.append(say("note.public-alone"))
    if absent := lacking(isolation, devices):
        notes.append(say("note.sandbox-lacks", layers=", ".join(absent)))
    return notes


def _is_unasked(outcome: Examined) -> bool:
    """Whether nothing is known of what was computed: it raised, or no weights could be put in, as of another module."""
    return outcome.status is Status.ERROR or heard("judge.weights", outcome.summary) is not None


def _raises(outcomes: Sequence[tuple[str, Examined]]) -> bool:
    return any(outcome.status is Status.ERROR for _, outcome in outcomes)


@dataclass(slots=True)
class _Device:
    bench: WorkerBench
    examiner: Examiner


@dataclass(slots=True)
class _Grading:
    """One submission while it is graded: its benches, and the verdicts so far, by step.

    Those that are reported are judged in the pack's order; of others a step is judged where a later one asks for it.
    """

    session: Session
    submission: Submission
    names: list[str]
    unavailable: Collection[str]
    usual: Sequence[Usual]
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    devices: dict[str, _Device] = field(default_factory=dict)
    late: set[tuple[str, str, str, World]] = field(default_factory=set)
    spent: float = 0.0
    spent_in_vain: float = 0.0

    def __post_init__(self) -> None:
        for name in self.names:
            bench = set_up(self.session, self.submission, name, self.usual)
            self.devices[name] = _Device(bench, Examiner(bench))

    def isolation(self) -> tuple[str, ...]:
        """The layers around every process that ran the submission."""
        each = []
        for device in self.devices.values():
            if not device.bench.solver.isolation:  # there was nothing to ask
                device.bench.solver.start()
            each.append(device.bench.solver.isolation)
        return tuple(layer for layer in each[0] if all(layer in others for others in each))

    def close(self) -> None:
        for device in self.devices.values():
            device.bench.solver.close()

    def step(self, exercise: Exercise, step: Step) -> Verdict:
        """Judge a step, remember its verdict, and tell the plugins of it."""
        decided = self._verdict(exercise, step)
        source = self.submission.modules.get(exercise.id, b"").decode("utf-8", "replace")
        if decided.status in (*BY_RESULT, Status.ERROR):
            # Of earlier ones alone, which are judged by then or by nobody: a later one has its turn.
            earlier = self.session.pack.exercises[: self.session.pack.exercises.index(exercise)]
            for _, other in called_of_others(earlier, step, parsed(source)):
                self._before(other.id)
        if cause := cause_of(self.session.pack.exercises, exercise, step, decided, self.verdicts, source):
            decided = behind(decided, cause, step.of, self.verdicts[cause.step])
        bench = next(iter(self.devices.values())).bench  # whose solution is that of all
        decided = bench.joined(exercise).placed(decided, exercise.file)
        self.verdicts[step.id] = decided = located(decided, self.submission)
        self.session.plugins.hook.grader_step_graded(exercise=exercise, step=step, verdict=decided)
        return decided

    def _before(self, name: str) -> Verdict:
        """The verdict of a step that another one asks for: one that nobody is told of is judged then."""
        if name not in self.verdicts:
            step = self.session.pack.step(name)
            self.verdicts[name] = self._verdict(self.session.pack.exercise(step.exercise), step)
        return self.verdicts[name]

    def _verdict(self, exercise: Exercise, step: Step) -> Verdict:
        absent = self._absent(exercise)
        if absent is not None:
            return self._made(exercise, step, [(name, absent) for name in self.devices])
        for name in step.needs if self._loads(exercise) else ():
            other = self._before(name)
            if other.status is Status.UNSTARTED and self.session.pack.step(name).exercise == exercise.id:
                return self._made(
                    exercise, step, [(d, Examined(Status.UNSTARTED, other.summary)) for d in self.devices]
                )
            if other.status is not Status.PASSED:
                targets = [Target(device, self.session.order.dtype, Status.BLOCKED) for device in self.devices]
                return blocked(step, other, targets, self._hints(step))
        at_fault = self._at_fault(step)
        own = [(name, self._examine(name, exercise, step, OWN, explain=not at_fault)) for name in self.devices]
        if not at_fault or all(outcome.status in (Status.PASSED, Status.UNSTARTED) for _, outcome in own):
            return self._made(exercise, step, own)

        def with_stand_ins(modules: frozenset[str]) -> list[tuple[str, Examined]]:
            return [(name, self._examine(name, exercise, step, World(modules, exercise.id))) for name in self.devices]

        again, replaced = with_stand_ins(at_fault), at_fault
        if _raises(again) and (others := at_fault - {exercise.id}) not in (at_fault, frozenset()):
            # Their code may be made for their own class, which is there to be asked whatever it computes.
            with_own = with_stand_ins(others)
            if not any(_is_unasked(outcome) for _, outcome in with_own):
                again, replaced = with_own, others
        if _raises(again) and not any(_is_unasked(o) for _, o in own):
            # Their code is made for their own module, not for the substitute.
            return self._made(exercise, step, [(name, self._examine(name, exercise, step, OWN)) for name, _ in own])
        note = say("judge.substitute", replaced=all_of(self._replaced(exercise, step, replaced)))
        judged = any(outcome.status in (Status.PASSED, Status.FAILED) for _, outcome in again)
        return self._made(exercise, step, again, note if judged else "")

    def _absent(self, exercise: Exercise) -> Examined | None:
        """What to say of every step where there is no module to ask."""
        if exercise.id in self.submission.unreadable:
            return Examined(Status.ERROR, self.submission.unreadable[exercise.id], exercise.file)
        if exercise.id not in self.submission.modules:
            return Examined(Status.UNSTARTED, said_of_missing(exercise, self.submission))
        return None

    def _loads(self, exercise: Exercise) -> bool:
        """Whether the module can be asked at all; if not, that is what every step of it has to say."""
        return all(at.bench.load(exercise.id, OWN) is None for at in self.devices.values())

    def _examine(self, device: str, exercise: Exercise, step: Step, world: World, *, explain: bool = True) -> Examined:
        at = self.devices[device]
        asked = (device, exercise.id, step.of, world)  # elsewhere it may have been a substituted module that took long
        seconds = self.session.order.seconds
        haste = HASTE ** min(2, max(int(self.spent_in_vain / PATIENCE) - 1, asked in self.late))
        began = time.monotonic() - at.bench.solver.waived
        at.bench.start_clock(max(seconds / haste, min(seconds, LEAST_SECONDS)))
        examined = at.examiner.examine(exercise, step, world, explain=explain and self.spent < PATIENCE)
        if examined.status is Status.ERROR:
            shaped = self._shaped(exercise, step)
            examined = by_way_of(
                examined,
                self._right(exercise, step),
                lambda of: of in shaped and not self._raises(at, exercise, of, world),
            )
        if examined.status is Status.TIMEOUT:
            self.late.add(asked)
            return examined
        seconds_spent = time.monotonic() - at.bench.solver.waived - began
        self.spent += seconds_spent
        if examined.status is not Status.PASSED:
            self.spent_in_vain += seconds_spent
        return examined

    def _right(self, exercise: Exercise, step: Step) -> set[str]:
        """The exercise's other functions that passed, as far as they were asked and as students hear of it."""
        asked = [each for each in exercise.steps if each.id in self.verdicts and each.of != step.of]
        wrong = {each.of for each in asked if self.verdicts[each.id].status is not Status.PASSED}
        return {each.of for each in asked if each.visibility is Visibility.VISIBLE} - wrong

    def _shaped(self, exercise: Exercise, step: Step) -> set[str]:
        """The exercise's other functions whose results had the right shape, as far as that is known."""
        asked = [each for each in exercise.steps if each.id in self.verdicts and each.of != step.of]
        asked = [each for each in asked if self.verdicts[each.id].status is not Status.BLOCKED]
        misshapen = {each.of for each in asked if not has_its_shape(self.verdicts[each.id])}
        return {each.of for each in asked if each.visibility is Visibility.VISIBLE} - misshapen

    def _raises(self, at: _Device, exercise: Exercise, of: str, world: World) -> bool:
        """Whether a function raises on a public case of its own, beside the one that its step tells of."""
        asked = [each for each in exercise.steps if each.of == of and each.id in self.verdicts]
        asked = [each for each in asked if self.verdicts[each.id].status in BY_RESULT]
        return any(at.examiner.raises(exercise, each, world) for each in asked)

    def _at_fault(self, step: Step) -> frozenset[str]:
        """Modules that the step relies on and that are not right."""
        return frozenset(each.exercise for each in self._wrong(step))

    def _replaced(self, exercise: Exercise, step: Step, replaced: Collection[str]) -> list[str]:
        """What stands for modules that are not right is told of: an exercise, and of this one its class."""
        wrong = [each for each in self._wrong(step) if each.exercise in replaced]
        others = {short_of(each.exercise) for each in wrong if each.exercise != exercise.id}
        own = {f"`{each.of}`" for each in wrong if each.exercise == exercise.id}
        return [*sorted(others), *sorted(own)]

    def _wrong(self, step: Step) -> list[Step]:
        """The steps that a step relies on and that are not passed."""
        names = (name for name in step.relies_on if self._before(name).status is not Status.PASSED)
        return [*map(self.session.pack.step, names)]

    def _made(self, exercise: Exercise, step: Step, outcomes: list[tuple[str, Examined]], note: str = "") -> Verdict:
        examined = [(name, self.session.order.dtype, outcome) for name, outcome in outcomes]
        examined += [(name, self.session.order.dtype, UNAVAILABLE) for name in self.unavailable]
        return verdict(exercise, step, examined, hints=self._hints(step), extra_notes=(note,) if note else ())

    def _hints(self, step: Step) -> tuple[str, ...]:
        """The hints that the student has asked for so far."""
        return step.hints[: self.submission.hints.get(step.id, 0)]
