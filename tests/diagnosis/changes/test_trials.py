"""What is told as all that is wrong was seen to be that: with something else in its place, every case was right."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from grader.diagnosis.changes.pieces import Scope
from grader.diagnosis.changes.repairs import repairs
from grader.diagnosis.changes.trials import MOST_NOTED, MOST_STEPS, Trials
from grader.diagnosis.follow import Follower
from grader.diagnosis.source.joined import Joined
from grader.diagnosis.stages import Progress, Stages
from grader.diagnosis.workbench import Ask
from grader.judge.ask import Asker
from grader.judge.checks import BUILT_IN
from grader.judge.deciding import Asked, asked_by
from grader.model.case import PUBLIC, Case, Expected
from grader.model.check import Check, Question
from grader.model.observation import Ending, Observation, Trace, Traced
from grader.model.pack import CaseTemplate, Draw, Exercise, Naming, Step
from grader.model.run import OWN, Call, Run, World
from tests.judge.hand_made import EXERCISE, FUNCTION, answer, exercise, expecting, function, numbers, step

ENDS = "raise SystemExit"


@dataclass
class Sourced:
    """A bench whose solution is a source, run in this process on numpy's arrays as they are.

    right: what the function should give. stages: its intermediate results, the last of which that is. noted: how many
    tensors a call is said to make at least.
    """

    written: str
    right: Any
    stages_of: Any = None
    noted: int = 0
    drawn: Sequence[Case] = ()
    tried: list[str] = field(default_factory=list)
    asked_beside: list[str] = field(default_factory=list)
    device: str = "cpu"
    dtype: str = "float32"
    seconds: float = 10.0
    tries: bool = True
    naming: Naming = field(default_factory=Naming)
    checks: Mapping[str, Check] = field(default_factory=lambda: {check.name: check for check in BUILT_IN})

    def source(self, exercise: Exercise) -> str:
        return self.written

    def joined(self, exercise: Exercise) -> Joined:
        return Joined(self.written, self.written)

    def module(self, name: str) -> str:
        return self.written

    def plan(self, question: Question) -> Run:
        return self.checks[question.step.check].plan(question)

    def asked(self, exercise: Exercise, step: Step, world: World) -> Asked:
        return asked_by((Question(exercise, step, case) for case in self.drawn), self.plan, self.checks)

    def cases(self, exercise: Exercise, step: Step, world: World) -> Sequence[Case]:
        return self.drawn

    def expected(self, question: Question, world: World) -> Expected:
        return expecting(self.right(question.case.inputs["x"].astype(np.float64)))

    def stages(self, question: Question, world: World) -> Stages | None:
        if self.stages_of is None:
            return None
        values = self.stages_of(question.case.inputs["x"].astype(np.float64))
        names = [*values]
        return Stages(values, {name: frozenset(names[:place]) for place, name in enumerate(names)})

    def observe_each(self, runs: Sequence[Run], world: World) -> Iterator[Observation]:
        yield from (self._seen(self.written, run) for run in runs)

    @contextmanager
    def beside(self, modules: Mapping[str, bytes], world: World) -> Iterator[Ask]:
        sources = {name: source.decode() for name, source in modules.items()}
        self.tried += sources.values()

        def ask(runs: Sequence[Run]) -> list[Observation]:
            answers = []
            for run in runs:
                (call,) = (each for each in run.actions if isinstance(each, Call))
                self.asked_beside.append(call.module)
                answers.append(self._seen(sources[call.module], run))
                if answers[-1].ending is not Ending.ANSWERED:
                    break
            return answers

        yield ask

    def _seen(self, source: str, run: Run) -> Observation:
        if ENDS in source:
            return Observation(ending=Ending.CRASHED)
        made: list[Traced] = []

        def note(value: Any, line: int) -> Any:
            made.append(Traced((line,), np.asarray(value)))
            return value

        space: dict[str, Any] = {"np": np, "note": note}
        exec(source, space)
        try:
            result = space[FUNCTION](run.tensors["x"])
        except Exception:
            return Observation(returned={})
        made += [Traced((0,), np.zeros(1))] * self.noted
        if isinstance(result, list):
            returned: Any = [np.asarray(each, np.float32) for each in result]
        else:
            returned = np.asarray(result, np.float32)
        return answer({"result": returned}, traces={"result": Trace(tuple(made))})


# No other file of the student's.


def cases(*seeds: int) -> list[Case]:
    template = CaseTemplate("drawn", inputs={"x": Draw("normal", (2, 3))})
    return [Case(template, PUBLIC, {"x": numbers(2, 3, seed=seed)}) for seed in seeds]


def lacking(
    source: str, right: Any, *, steps: Sequence[Step] = (step(),), **parts: Any
) -> tuple[list[list[str]], Sourced]:
    """For each step the pieces that are told, and the bench."""
    bench = Sourced(source, right, drawn=cases(1, 2), **parts)
    asker = Asker(bench)  # type: ignore[arg-type]
    trials = Trials(bench, asker, Follower(bench, asker))  # type: ignore[arg-type]
    ours = exercise(*steps)
    told = [trials.lacking(Question(ours, each, bench.drawn[0]), OWN) for each in steps]
    return [[repair.code for repair in some] for some in told], bench


def test_one_piece_that_is_all_that_is_wrong_is_found() -> None:
    told, _ = lacking(function("y = x + 2.0", "return y * y"), lambda x: (x - 2) ** 2)

    assert told == [["x + 2.0"]]


def test_one_piece_that_is_wrong_wherever_it_stands_is_found() -> None:
    told, _ = lacking(function("y = x * (x + 2.0)", "return y + (x + 2.0)"), lambda x: x * (x - 2) + (x - 2))

    assert told == [["x + 2.0", "x + 2.0"]]


def test_what_is_right_on_one_case_alone_is_not_told() -> None:
    wrong = function("return x * (1.0 if x[0, 0] > 0.25 else 0.0)")
    first, second = (case.inputs["x"][0, 0] > 0.25 for case in cases(1, 2))
    assert first != second

    told, _ = lacking(wrong, lambda x: -x)

    assert told == [[]]


def test_what_will_do_is_told_before_all_else_is_tried() -> None:
    lines = [f"y{n} = x + {n}.0" for n in range(12)]
    wrong = function("z = x + 2.0", "return z * z", *lines)

    told, bench = lacking(wrong, lambda x: (x - 2) ** 2)

    assert told == [["x + 2.0"]]
    assert len({*bench.asked_beside}) < len(bench.tried) / 2


def test_where_no_change_is_enough_nothing_is_told() -> None:
    told, bench = lacking(function("return np.sin(x) * 7.0"), lambda x: x**3 + 5)

    assert told == [[]]
    assert bench.tried


def test_a_list_that_holds_the_whole_result_in_each_rows_place_is_nothing_to_be_told() -> None:
    told, bench = lacking(function("return [np.exp(v) for v in x]"), np.exp)

    assert told == [[]]
    assert any("np.exp(x)" in each for each in bench.tried)


def test_what_is_right_and_has_more_beside_it_is_told() -> None:
    told, _ = lacking(function("return [x + 2.0, x.sum(0)]"), lambda x: x - 2)

    assert told == [["x + 2.0"]]


def test_two_pieces_are_found_where_the_first_brings_it_a_stage_further() -> None:
    source = function("y = note(x + 2.0, 2)", "z = note(y * 5.0, 3)", "return note(z + 1.0, 4)")
    stages = {"stages_of": lambda x: {"less": x - 2, "more": (x - 2) * 5, "most": (x - 2) * 5 - 1}}
    of_three = (step(stages=("less", "more", "most")),)

    told, _ = lacking(source, lambda x: (x - 2) * 5 - 1, steps=of_three, **stages)
    without, _ = lacking(source, lambda x: (x - 2) * 5 - 1)

    assert told == [["x + 2.0", "z + 1.0"]]
    assert without == [[]]


def test_what_made_one_step_right_is_not_searched_for_again() -> None:
    steps = (step(id="one"), step(id="two"))

    told, bench = lacking(function("return x + 2.0"), lambda x: x - 2, steps=steps)

    count = len(repairs(ast.parse(bench.written), FUNCTION))
    assert told == [["x + 2.0"], ["x + 2.0"]]
    assert len(bench.tried) == count + 1 + 2  # each time the source as it is beside them


def test_of_changes_that_were_seen_to_make_all_right_nothing_is_asked_again() -> None:
    ours = exercise(step(id="one"), step(id="two"), step(id="three"))
    bench = Sourced(function("return x + 2.0"), lambda x: x - 2, drawn=cases(1, 2))
    asker = Asker(bench)  # type: ignore[arg-type]
    trials = Trials(bench, asker, Follower(bench, asker))  # type: ignore[arg-type]
    one, two, _ = (Question(ours, each, bench.drawn[0]) for each in ours.steps)
    first = trials.scope(one, OWN, trials.lacking(one, OWN))
    found = trials.lacking(two, OWN)
    before = len(bench.asked_beside)

    second = trials.scope(two, OWN, found)

    assert first is second is Scope.FILE
    assert len(bench.asked_beside) == before


def test_a_definition_in_which_nothing_was_found_is_not_searched_again() -> None:
    steps = (step(id="one"), step(id="two"))

    told, bench = lacking(function("return np.sin(x) * 7.0"), lambda x: x**3 + 5, steps=steps)

    assert told == [[], []]
    assert len(bench.tried) == len(repairs(ast.parse(bench.written), FUNCTION)) + 1


def test_of_a_solution_that_makes_many_tensors_the_likeliest_changes_alone_are_tried() -> None:
    _, bench = lacking(function("return np.sin(x) * 7.0"), lambda x: x**3 + 5, noted=MOST_STEPS // 3)

    assert len(bench.tried) == 3 + 1


def test_nothing_is_told_where_the_source_as_it_is_is_right_all_of_a_sudden() -> None:
    @dataclass
    class Noticing(Sourced):
        """Whose solution is right as soon as it is tried, as one whose results depend on what was called before is."""

        @contextmanager
        def beside(self, modules: Mapping[str, bytes], world: World) -> Iterator[Ask]:
            right = function("return x - 2").encode()
            with super().beside(dict.fromkeys(modules, right), world) as ask:
                yield ask

    noticing = Noticing(function("return x + 2.0"), lambda x: x - 2, drawn=cases(1, 2))
    asker = Asker(noticing)  # type: ignore[arg-type]
    trials = Trials(noticing, asker, Follower(noticing, asker))  # type: ignore[arg-type]

    assert trials.lacking(Question(exercise(step()), step(), noticing.drawn[0]), OWN) == ()


def test_of_what_makes_many_tensors_only_once_it_is_changed_so_many_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @dataclass
    class Growing(Sourced):
        def _seen(self, source: str, run: Run) -> Observation:
            self.noted = 0 if source == self.written else 3000
            return super()._seen(source, run)

    looked_at: list[int] = []

    def counted(stages: Stages, trace: Trace, given: Sequence[Any]) -> Progress:
        looked_at.append(len(trace.made))
        return Progress()

    monkeypatch.setattr("grader.diagnosis.changes.trials.progress", counted)
    lines = [f"x{number} = x + {number}.0" for number in range(12)]
    growing = Growing(
        function(*lines, "return note(x * 5.0, 3)"),
        lambda x: x**3,
        stages_of=lambda x: {"cube": x**3, "more": x**3 + 1},
        drawn=cases(1, 2),
    )
    asker = Asker(growing)  # type: ignore[arg-type]
    trials = Trials(growing, asker, Follower(growing, asker))  # type: ignore[arg-type]
    of_two = step(stages=("cube", "more"))
    trials.lacking(Question(exercise(of_two), of_two, growing.drawn[0]), OWN)

    assert 3000 * len(growing.tried) > MOST_NOTED
    assert 0 < sum(looked_at) <= MOST_NOTED


def test_of_few_changes_those_near_where_it_goes_wrong_are_tried() -> None:
    source = function("y = note(x * 1.0 * 1.0, 2)", *["pass"] * 4, "z = note(y + 2.0, 7)", "return note(z * y, 8)")
    stages = {"stages_of": lambda x: {"less": x - 2, "times": (x - 2) * x}}
    of_two = (step(stages=("less", "times")),)

    told, _ = lacking(source, lambda x: (x - 2) * x, steps=of_two, noted=MOST_STEPS // 4, **stages)

    assert told == [["y + 2.0"]]


def test_what_comes_behind_a_change_that_ends_the_process_is_not_told() -> None:
    source = function("return x + 2.0", f"'{ENDS}'")

    told, bench = lacking(source, lambda x: x - 2)

    assert told == [[]]
    assert bench.tried


def test_what_is_begun_on_the_wrong_side_of_a_loop_is_found() -> None:
    loop = ("for row in x:", "    s = 0.0", "    s = s + row", "return s * np.ones_like(x)")
    wrong = function("s = 0.0", *loop)

    told, _ = lacking(wrong, lambda x: x.sum(0) * np.ones_like(x))

    assert told == [["s = 0.0"]]


def test_the_module_that_is_asked_is_the_changed_one_and_no_other() -> None:
    bench = Sourced(function("return x + 2.0"), lambda x: x - 2, drawn=cases(1, 2))
    (question, run), *_ = bench.asked(exercise(step()), step(), OWN).whole
    assert question.exercise.id == EXERCISE

    seen = bench._seen(bench.written, run)

    assert np.allclose(seen.tensors["result"], question.case.inputs["x"] + 2)
