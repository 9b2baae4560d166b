"""Says which known mistakes a solution shows: by its results, by its traceback, or by what a check is certain of."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from grader.diagnosis import evidence, experiments, sentences, sizes
from grader.diagnosis.changes.behind import OF_NAMES
from grader.diagnosis.changes.mends import handing_back, unwritten
from grader.diagnosis.changes.passing import Passing
from grader.diagnosis.clues.dropout import always_dropping, switched_off
from grader.diagnosis.clues.scales import takes_a_root
from grader.diagnosis.copying import is_copy, mistakes_of_copy
from grader.diagnosis.errors import NO_GPU
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.explain import Answered, Explanations, explain, have_crashed
from grader.diagnosis.findings import unopposed
from grader.diagnosis.follow import Follower
from grader.diagnosis.orders import Fit, Orders
from grader.diagnosis.other_cases import asked_of, beside_misshapen, beside_tied, is_right_on_one
from grader.diagnosis.runs import sending
from grader.diagnosis.signature import Signature, signature
from grader.diagnosis.slips import spelling
from grader.diagnosis.slips.layers import makes_layers_aside
from grader.diagnosis.slips.names import of_mistake
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.source.used import definitions_of
from grader.diagnosis.whole_masks import Raised, uncut
from grader.diagnosis.workbench import Workbench
from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.judge.checks.causality import Causality
from grader.judge.checks.copied_weights import of_others
from grader.judge.checks.dropout import Dropout
from grader.model.check import Finding, Question
from grader.model.observation import Fault, Observation
from grader.model.pack import Exercise, Step
from grader.model.profile import phase
from grader.model.run import Make, Run, World
from grader.model.text import line_at, source_lines

# In an error of torch's about a tensor that was written to although its gradient is wanted.
IN_PLACE = "in-place operation"

# Checks that look at results and are not explained by them.
OF_RESULTS = (Causality.name, Dropout.name)


@dataclass(slots=True)
class Diagnostician:
    """Diagnoses one solution. Remembers what it found out about each definition's results."""

    bench: Workbench
    asker: Asker
    follower: Follower
    passing: Passing
    _explained: dict[tuple[World, str], tuple[Mistake, ...]] = field(default_factory=dict)
    # Of each definition, the mistakes that experiments showed, for each step's case that was asked.
    _shown: dict[tuple[World, str], dict[tuple[str, str], list[str]]] = field(default_factory=dict)

    @phase("diagnose")
    def of_finding(self, exercise: Exercise, step: Step, finding: Finding, world: World) -> tuple[Mistake, ...]:
        """The known mistake that a check is certain of, or that the source alone gives away."""
        tree = parsed(self.bench.source(exercise))
        found = [*finding.mistakes, *self._input_mutated(exercise, step, world)]
        found += beside_tied(self.asker, exercise, step, finding, world)
        found += beside_misshapen(self.asker, exercise, step, finding, world)
        is_remarked = switched_off(tree, step.of) is not None
        if "dropout-missing" in found and (is_remarked or is_right_on_one(self.asker, exercise, step, world)):
            found = [name for name in found if name != "dropout-missing"]
        found = unopposed(found, tree, step.of)
        if makes_layers_aside(tree, step.of):  # one of which may be the output layer that the module does not hold
            found = [name for name in found if name != "out-proj-missing"]
        if "input-mutated" in found and evidence.drops_unasked(tree, exercise, step):  # by the same line
            found = [*found, "dropout-in-eval"]
        if found:
            named = [(name, finding.about if name == finding.mistake else "") for name in dict.fromkeys(found)]
            ways = handing_back(tree, step.of) if "returns-none" in found else []
            placed = (evidence.placed(name, tree, step.of, about) for name, about in named)
            return listed(exercise, [*placed, *self.passing.found(exercise, step.of, ways, world)])
        if read := evidence.global_read(tree, step.of):
            return listed(exercise, (Mistake("global-variable", read),))
        return listed(exercise, _always_dropping(tree, step.of) if step.check in OF_RESULTS else ())

    @phase("diagnose")
    def of_fault(self, exercise: Exercise, step: Step, fault: Fault, line: int, world: World) -> tuple[Mistake, ...]:
        """The known mistake that a traceback shows. line: of the exercise's own file, 0 for none."""
        source = self.bench.source(exercise)
        tree = parsed(source)
        if not tree.body or NO_GPU.search(fault.message):
            return ()
        is_outside = sentences.runs_when_loaded(fault)  # of the definition, of which its line says nothing
        text = "" if is_outside else line_at(source_lines(source), line)
        is_undefined = fault.type == "NameError"  # of which another variable says nothing
        if not is_undefined and (read := evidence.global_read(tree, step.of, text)):
            return listed(exercise, (Mistake("global-variable", read),))
        name = "" if is_outside and fault.type == "NameError" else evidence.of_fault(fault, tree, step.of, text)
        if not name:
            is_told = IN_PLACE in fault.message  # else only another shape makes something fail
            name = next(iter(self._input_mutated(exercise, step, world, by_shape=not is_told)), "")
        if not name and (heads := self.passing.of_heads(exercise, step, fault, world)):
            return listed(exercise, heads)
        if name in ("bias-ignored", "input-mutated"):
            return listed(exercise, (evidence.placed(name, tree, step.of),))
        misspelt = spelling.misspelt_method(tree, step.of) or spelling.misspelt_init(tree, step.of)
        said = of_mistake(name, fault, tree, step.of)
        mistake = Mistake(name, line or (misspelt.lineno if misspelt else 0), said)
        return listed(exercise, (mistake, *(self.passing.of_fault(exercise, step, fault, line, world) if name else ())))

    def of_results(self, exercise: Exercise, step: Step, world: World) -> tuple[Mistake, ...]:
        """The known mistakes that a definition's results on the public cases show, if it is certain which."""
        key = world, step.of
        if key not in self._explained:
            known = self.bench.explanations(exercise, step.of)
            self._explained[key] = ()
            if known is not None:
                fit = self._fitting(exercise, known, world)
                answered, found = fit.answered, fit.found
                if found is not None and not found:
                    progress = self.follower.follow(answered[0].question, world)
                    found = self.bench.search(exercise, step.of, answered, progress, world)
                    found = found or explain(known, [self._of_copy_elsewhere(each) for each in answered])
                crashed = have_crashed(known, answered)
                source, is_flat = self.bench.source(exercise), sizes.is_flat(exercise)
                certain = evidence.certain(found or (), source, step.of, is_flat=is_flat, crashed=crashed)
                certain = certain or _always_dropping(parsed(source), step.of)  # which nothing else is seen beside
                if not certain and any(each.id == "input-mutated" for each in fit.others):
                    left = self.passing.found(exercise, step.of, unwritten(parsed(source), step.of), world)
                    certain = tuple(each for each in left if not _may_be_left_out(each, parsed(source), step.of))
                named = self._where_it_is((*certain, *fit.others), source, step.of, world)
                self._explained[key] = listed(exercise, named)
        return self._explained[key]

    def of_other_cases(self, question: Question, world: World, *, beside: bool = False) -> set[str]:
        """The mistakes that experiments with other cases show and this one does not, so that they did not spoil it.

        beside: whether what other cases of its own step show is wrong too, beside what spoilt this one.
        """
        shown = self._shown.get((world, question.step.of), {})
        its = question.step.id, question.case.name
        if not question.case.is_public or its not in shown:
            return set()
        near = (found for case, found in shown.items() if case == its or (beside and case[0] == its[0]))
        return {name for found in shown.values() for name in found}.difference(*near)

    def _where_it_is(self, mistakes: Sequence[Mistake], source: str, of: str, world: World) -> list[Mistake]:
        """The mistakes, those at their own lines that a function shows by itself which this one makes use of."""
        used = definitions_of(parsed(source), of)
        shown = {found.id: found for each in used for found in self._explained.get((world, each.name), ())}
        return [shown.get(name, mistake) for name, mistake in {each.id: each for each in mistakes}.items()]

    def _fitting(self, exercise: Exercise, known: Explanations, world: World) -> Fit:
        """What the solution gives on the public cases, and the known mistakes that fit."""
        questions = asked_of(self.bench, self.asker, exercise, known, world)
        orders = Orders(self.bench, self.asker, self.follower)
        return orders.fit(known, questions, partial(self._answers, exercise, known, questions, world), world)

    def _answers(
        self, exercise: Exercise, known: Explanations, questions: Sequence[Question], world: World
    ) -> tuple[list[Answered], list[Mistake]]:
        """What the solution gives on each public case that known mistakes were asked.

        Left out where a mask of the whole context met a shorter sequence, which is a mistake of its own, and where
        another exercise's module could not even be made.
        """
        source = self.bench.source(exercise)
        tree = parsed(source)
        answered: list[Answered] = []
        raised: list[Raised] = []
        others: dict[str, Mistake] = {}
        for question, count, (seen, found) in zip(questions, known.counts, self._seen(questions, world), strict=True):
            step, case = question.step, question.case
            own: Signature | None = None
            file, line, _ = sentences.place(exercise, seen.fault)
            others |= {name: evidence.placed(name, tree, step.of) for name in found}
            self._shown.setdefault((world, step.of), {})[step.id, case.name] = found
            is_asked = seen.fault is None or not self._is_anothers(question, seen.fault)  # itself, and not what it uses
            is_left = {*found} & {*step.options.get("left", {}).values()}  # as it was made, which no other repeats
            could_be_asked = seen.fault is None or seen.fault.kind != "weights"
            if is_asked and could_be_asked and not is_left:
                own = signature(seen, RESULT, count, step.options.get("minus_infinity"))
            answered.append(Answered(question, count, own))
            raised.append((seen.fault if is_asked else None, line if file == exercise.file else 0))
        if any(fault is None for fault, _ in raised):  # of which a name that is not there elsewhere says nothing
            pairs = zip(answered, raised, strict=True)
            answered = [replace(each, own=None) if _is_of_a_name(fault) else each for each, (fault, _) in pairs]
        answered, whole = uncut(answered, raised, tree, source_lines(source))
        return answered, [*others.values(), *whole]

    def _of_copy_elsewhere(self, answered: Answered) -> Signature | None:
        """What came of a copy between modules of other exercises: one of its own may be what is not right."""
        run, own = self.bench.plan(answered.question), answered.question.exercise.id
        is_own = any(isinstance(action, Make) and action.module == own for action in run.actions)
        return answered.own if is_copy(run) and not is_own else None

    def _is_anothers(self, question: Question, fault: Fault) -> bool:
        """Whether a fault is that another exercise's module, which this one relies on, could not be made."""
        actions = self.bench.plan(question).actions
        action = actions[fault.action] if fault.action < len(actions) else None
        return isinstance(action, Make) and action.module != question.exercise.id

    def _input_mutated(self, exercise: Exercise, step: Step, world: World, *, by_shape: bool = False) -> list[str]:
        """The mistake of changing the inputs, where calls show it. The diagnosis of results looks for itself.

        by_shape: whether only another shape counts, and not other numbers.
        """
        check = self.bench.checks[step.check]
        looks = not check.explained and evidence.may_write(self.bench.source(exercise))
        cases = self.bench.cases(exercise, step, world) if looks else []
        for case in cases[:1]:
            question = self.asker.question(exercise, step, case)
            ways = self.asker.bound(question, self.bench.plan(question), world)
            runs = [] if isinstance(ways, Observation) else experiments.sending_inputs(ways[0].run, case.inputs)
            for run in runs:
                seen = self.asker.observe(run, world)
                if compare.changed_inputs(seen, question, by_shape=by_shape):
                    return ["input-mutated"]
                if seen.fault is None:  # it came to its end, so what the first call did has been seen as well
                    break
        return []

    def _seen(self, questions: Sequence[Question], world: World) -> Iterator[tuple[Observation, list[str]]]:
        """What the solution gives to each question, its weights bound as they were where it was right.

        With the mistakes that the diagnosis found out by asking otherwise.
        """
        bound = [self.asker.bound(each, self.bench.plan(each), world, trusting=True) for each in questions]
        runs = [
            sending(ways[0].run, question.case)
            for question, ways in zip(questions, bound, strict=True)
            if not isinstance(ways, Observation)
        ]
        results = self.asker.observe_all(runs, world)
        if any(self.asker.was_refused(run, seen, world) for run, seen in zip(runs, results, strict=True)):
            yield from self._seen(questions, world)  # what was refused is not trusted again
            return
        each_result = iter(zip(runs, results, strict=True))
        for question, ways in zip(questions, bound, strict=True):
            yield (ways, []) if isinstance(ways, Observation) else self._tried(question, *next(each_result), world)

    def _tried(self, question: Question, run: Run, seen: Observation, world: World) -> tuple[Observation, list[str]]:
        """What a run gave, perhaps with one mistake taken out, and the mistakes that experiments with it show."""
        found = [
            *mistakes_of_copy(self.asker, question, run, world),
            *(of_others(question, seen) if is_copy(run) else []),
        ]
        if compare.changed_inputs(seen, question):
            found.append("input-mutated")
        same = [step for step in question.exercise.steps if step.of == question.step.of]  # whose layers are the same
        additional = {role: name for step in same for role, name in step.options.get("additional", {}).items()}
        for role, name in additional.items():
            neutral = experiments.made_neutral(run, self.asker.slots(run, world), question.naming, role)
            without = self.asker.observe(neutral, world) if neutral else seen
            if neutral and not np.array_equal(compare.tensor(without, RESULT), compare.tensor(seen, RESULT)):
                seen = without
                found.append(name)
        return seen, found


def _may_be_left_out(mistake: Mistake, tree: ast.Module, of: str) -> bool:
    """Whether what is missing may be what was left out as it writes into an argument; no scale that nothing takes."""
    if mistake.id == "scale-missing":
        return takes_a_root(tree, of)
    return mistake.id.endswith("-missing")


def _is_of_a_name(fault: Fault | None) -> bool:
    """Whether a fault is that a name or an attribute is not there, which is a mistake of its own wherever it is."""
    return fault is not None and fault.kind == "exception" and fault.type in OF_NAMES


def _always_dropping(tree: ast.Module, of: str) -> tuple[Mistake, ...]:
    """The mistake of dropping whatever comes, which makes every result another one."""
    dropping = always_dropping(tree, of)
    return (Mistake("dropout-in-eval", dropping.lineno),) if dropping is not None else ()


def listed(exercise: Exercise, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """Those that the exercise's rubric has a word for, as one meets them in the source; what has no line comes last."""
    told: dict[tuple[str, int], Mistake] = {}
    for mistake in mistakes:
        if mistake.id in exercise.mistakes:
            told.setdefault((mistake.id, mistake.line), mistake)
    return tuple(sorted(told.values(), key=lambda mistake: (not mistake.line, mistake.line)))
