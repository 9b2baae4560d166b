"""Examines one step on one device: asks every case, stops at the first that is not right, and says why."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from grader.judge import binding, sentences
from grader.judge.bench import Bench
from grader.judge.checks.asking import RESULT
from grader.judge.diagnosis import evidence
from grader.judge.diagnosis.evidence import Mistake
from grader.judge.diagnosis.explain import CHECK, Explanations, explain
from grader.judge.diagnosis.signature import Signature, signature
from grader.model.check import Finding, Question
from grader.model.observation import Ending, Fault, Observation, Slot
from grader.model.pack import Exercise, Step
from grader.model.report import Status
from grader.model.run import Gradients, Inspect, Load, Make, Run, Send, World
from grader.model.text import clean, plural

# Printing is allowed; only so much of it is worth a word to the student.
MUCH_PRINTED = 1_000_000
# Of a line of source so much is searched for what it says of a mistake: a pattern may take the square of its length.
LONGEST_LINE = 400
LINE_END = re.compile(r"\r\n|\r|\n")  # as Python counts lines; str.splitlines breaks at more


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of a step on one device."""

    status: Status
    summary: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    notes: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


Judged = tuple[Observation, Finding | None]


@dataclass(slots=True)
class Examiner:
    """Examines the steps of one solution. Remembers what it found out about how the solution names its weights."""

    bench: Bench
    _slots: dict[tuple[World, str], Observation] = field(default_factory=dict)
    _layouts: dict[tuple[World, str], str] = field(default_factory=dict)
    _explained: dict[tuple[World, str], tuple[Mistake, ...]] = field(default_factory=dict)

    def examine(self, exercise: Exercise, step: Step, world: World) -> Examined:
        """The step's outcome over all of its cases, and which known mistakes it shows."""
        examined = self._examined(exercise, step, world)
        if examined.status not in (Status.FAILED, Status.ERROR) or examined.mistakes or step.check != CHECK:
            return examined
        return replace(examined, mistakes=self._mistakes(exercise, step, world))

    def _examined(self, exercise: Exercise, step: Step, world: World) -> Examined:
        unloadable = self.bench.load(exercise.id, world)
        if unloadable is not None:
            return self._not_answered(exercise, step, unloadable, loading=True)
        notes: list[str] = []
        printed = 0
        with closing(self._judged(exercise, step, world)) as judged:
            for seen, finding in judged:
                printed += seen.printed
                if finding is None:
                    return self._not_answered(exercise, step, seen)
                notes += finding.notes
                if not finding.right:
                    return self._failed(exercise, step, seen, finding, notes)
        if printed > MUCH_PRINTED:
            notes.append(f"printed {plural(printed // MUCH_PRINTED, 'megabyte')}; all of it was dropped")
        return Examined(Status.PASSED, notes=tuple(dict.fromkeys(notes)))

    def _judged(self, exercise: Exercise, step: Step, world: World) -> Generator[Judged, None, None]:
        """What each case shows, in order; None for a run that was not answered whole."""
        check = self.bench.checks[step.check]
        asked = []
        for case in self.bench.cases(exercise, step, world):
            question = Question(exercise, step, case, self.bench.device, self.bench.dtype, self.bench.naming)
            run = check.plan(question)
            ways = self._bound(question, run, world)
            if isinstance(ways, Observation):
                yield ways, None
                return
            asked.append((question, run, ways))
        if any(len(ways) > 1 for _, _, ways in asked):
            for question, run, ways in asked:
                yield self._best(question, run, ways, world)
            return
        # One way to ask each: the next case is computed while the last one is judged.
        with closing(self.bench.observe_each([ways[0].run for _, _, ways in asked], world)) as stream:
            # Strict: a case that nobody answered must never count as one that was right.
            for (question, run, ways), seen in zip(asked, stream, strict=True):
                yield seen, self._finding(question, run, ways[0], seen, world)

    def _best(self, question: Question, run: Run, ways: list[_Bound], world: World) -> Judged:
        """What one case shows under the first way of binding that makes it right; else under the likeliest."""
        first: Judged | None = None
        known = self._layouts.get((world, question.step.of))
        for way in sorted(ways, key=lambda way: way.layout != known):
            with closing(self.bench.observe_each([way.run], world)) as stream:
                seen = next(stream)
            finding = self._finding(question, run, way, seen, world)
            if finding is None:
                return seen, None
            if finding.right:
                if self.bench.checks[question.step.check].compares:
                    self._layouts[world, question.step.of] = way.layout
                return seen, finding
            first = first or (seen, finding)
        assert first is not None  # there is always at least one way to bind
        return first

    def _finding(self, question: Question, run: Run, way: _Bound, seen: Observation, world: World) -> Finding | None:
        if seen.ending is not Ending.ANSWERED or seen.fault is not None:
            return None
        check = self.bench.checks[question.step.check]
        # Asked for only now, so that the reference computes while the solution does.
        expected = self.bench.expected(question, run, world) if check.compares else None
        finding = check.judge(replace(question, loaded=way.loaded), seen, expected)
        return replace(finding, notes=way.notes + finding.notes) if finding.right else finding

    def _failed(
        self, exercise: Exercise, step: Step, seen: Observation, finding: Finding, notes: list[str]
    ) -> Examined:
        file, line = _definition(exercise, step, seen, finding.at)
        end = "" if finding.summary.endswith(("?", "!")) else "."
        # Names of types and of weights are the student's own words: they are cleaned here, once for every check.
        summary = clean(finding.summary[:1].upper() + finding.summary[1:] + end)
        tree = evidence.parsed(self.bench.source(exercise))
        mistakes = (evidence.placed(finding.mistake, tree, step.of),) if finding.mistake else ()
        if not mistakes and tree is not None and (read := evidence.global_read(tree, step.of)):
            mistakes = (Mistake("global-variable", read),)
        return Examined(Status.FAILED, summary, file, line, notes=tuple(dict.fromkeys(notes)), mistakes=mistakes)

    def _mistakes(self, exercise: Exercise, step: Step, world: World) -> tuple[Mistake, ...]:
        """The known mistakes that a definition's results on the public cases show, if it is certain which."""
        key = world, step.of
        if key not in self._explained:
            known = self.bench.explanations(exercise, step.of)
            self._explained[key] = ()
            if known is not None:
                source = self.bench.source(exercise)
                own, others = self._signatures(exercise, known, world, LINE_END.split(source), evidence.parsed(source))
                certain = evidence.certain(explain(known, own), source, step.of)
                self._explained[key] = (*certain, *others)
        return self._explained[key]

    def _signatures(
        self, exercise: Exercise, known: Explanations, world: World, lines: Sequence[str], tree: ast.Module | None
    ) -> tuple[list[Signature | None], list[Mistake]]:
        """The solution's own signature on each public case that known mistakes were asked.

        Left out where a mask of the whole context met a shorter sequence, which is a mistake of its own.
        """
        steps = {step.id: step for step in exercise.steps}
        own: list[Signature | None] = []
        others: dict[str, Mistake] = {}
        for (name, case_name), count in zip(known.cases, known.counts, strict=True):
            step = steps[name]
            case = next(case for case in self.bench.cases(exercise, step, world) if case.name == case_name)
            question = Question(exercise, step, case, self.bench.device, self.bench.dtype, self.bench.naming)
            seen = self._seen(question, world)
            file, line, _ = sentences.place(exercise, seen.fault)
            line = line if file == f"{exercise.id}.py" else 0
            if evidence.changed_inputs(seen, case):
                others["input-mutated"] = evidence.placed("input-mutated", tree, step.of)
            if seen.fault is not None and evidence.is_unsliced_mask(seen.fault, _line(lines, line), case):
                others["mask-not-sliced"] = Mistake("mask-not-sliced", line)
                own.append(None)
            elif seen.fault is not None and seen.fault.kind == "weights":
                own.append(None)  # it could not even be asked
            else:
                own.append(signature(seen, RESULT, count, step.options.get("minus_infinity")))
        return own, list(others.values())

    def _seen(self, question: Question, world: World) -> Observation:
        """What the solution gives to one question, its weights bound as they were where it was right."""
        ways = self._bound(question, self.bench.checks[question.step.check].plan(question), world)
        if isinstance(ways, Observation):
            return ways
        layout = self._layouts.get((world, question.step.of))
        way = next((way for way in ways if way.layout == layout), ways[0])
        given = tuple(name for name in question.case.inputs if name in way.run.tensors)
        with closing(
            self.bench.observe_each([replace(way.run, actions=(*way.run.actions, Send(given)))], world)
        ) as stream:
            return next(stream)

    def _bound(self, question: Question, run: Run, world: World) -> list[_Bound] | Observation:
        """The run with the reference's slot names replaced by the solution's, in every way they may be meant.

        An observation instead where the module cannot be made, or has no place for some weight.
        """
        loads = [action for action in run.actions if isinstance(action, Load) and action.weights]
        if not loads:
            return [_Bound(run)]
        make = next(a for a in run.actions if isinstance(a, Make) and a.name == loads[0].into)
        seen = self._inspect(make, world)
        if seen.ending is not Ending.ANSWERED or seen.fault is not None:
            return seen
        heads = int(question.case.template.construct.get("num_heads", 1))
        try:
            ways = binding.loadings(question.case.weights, _slots(seen), question.naming, heads)
        except binding.Unbound as unbound:
            return Observation(fault=Fault("weights", message=str(unbound)), lines=seen.lines)
        return [_put_in(run, way) for way in ways]

    def _inspect(self, make: Make, world: World) -> Observation:
        arguments = json.dumps([repr(argument) for argument in make.arguments])
        key = (world, f"{make.module}.{make.definition}{arguments}")
        if key not in self._slots:
            with closing(self.bench.observe_each([Run((make, Inspect(make.name)))], world)) as stream:
                self._slots[key] = next(stream)
        return self._slots[key]

    def _not_answered(self, exercise: Exercise, step: Step, seen: Observation, *, loading: bool = False) -> Examined:
        status = sentences.status(exercise, seen)
        assert status is not None
        file, line, column = sentences.place(exercise, seen.fault)
        if not line and status is Status.FAILED:
            file, line = _definition(exercise, step, seen)
        own = line if file == f"{exercise.id}.py" else 0
        said = sentences.sentence(exercise, step, seen, self.bench.seconds, loading=loading)
        return Examined(status, said, file, line, column, mistakes=self._of_fault(exercise, step, seen.fault, own))

    def _of_fault(self, exercise: Exercise, step: Step, fault: Fault | None, line: int) -> tuple[Mistake, ...]:
        """The known mistake that a traceback shows."""
        source = self.bench.source(exercise)
        tree = evidence.parsed(source)
        if fault is None or tree is None:
            return ()
        text = _line(LINE_END.split(source), line)
        if read := evidence.global_read(tree, step.of, text):
            return (Mistake("global-variable", read),)
        name = evidence.of_fault(fault, tree, text)
        if name == "bias-ignored":
            return (evidence.placed(name, tree, step.of),)
        return (Mistake(name, line or evidence.misspelt_method(tree)),) if name else ()


@dataclass(frozen=True, slots=True)
class _Bound:
    """A run that fits the solution's own names."""

    run: Run
    loaded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    layout: str = ""


def _slots(seen: Observation) -> tuple[Slot, ...]:
    """The slots of the one object that was inspected, whatever the run called it."""
    return next(iter(seen.slots.values()), ())


def _put_in(run: Run, way: binding.Loading) -> _Bound:
    arrays = {**way.arrays, **way.unwanted}
    names = {slot: f"bound.{slot}" for slot in arrays}
    actions = tuple(
        replace(a, weights=names)
        if isinstance(a, Load)
        else replace(a, tensors=tuple(way.arrays))
        if isinstance(a, Gradients) and a.of
        else a
        for a in run.actions
    )
    tensors = {name: array for name, array in run.tensors.items() if not name.startswith("weight.")}
    tensors |= {names[slot]: array for slot, array in arrays.items()}
    return _Bound(Run(actions, tensors), tuple(way.arrays), way.notes, way.layout)


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1][:LONGEST_LINE] if 0 < number <= len(lines) else ""


def _definition(exercise: Exercise, step: Step, seen: Observation, at: str = "") -> tuple[str, int]:
    """Where what was asked begins, in the exercise's own file: the action's, the function's, or the last method's."""
    file = f"{exercise.id}.py"
    own = [frame for frame in seen.lines.values() if frame.file == file]
    named = [frame for name, frame in seen.lines.items() if name == at and frame in own]
    named = named or [frame for frame in own if frame.function == step.of]
    return (file, (named or own)[-1].line) if own else ("", 0)
