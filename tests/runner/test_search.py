"""Three known mistakes at once are found by asking the reference, where neither one nor two explain a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from grader.diagnosis.explain import Answered, explain
from grader.diagnosis.signature import signature
from grader.diagnosis.stages import Progress
from grader.judge.checks.asking import RESULT
from grader.model.check import Question
from grader.model.errors import PackError, TooLargeToExplain
from grader.model.observation import Observation
from grader.model.pack import Exercise, Pack
from grader.model.run import OWN, Run, World
from grader.pack.fixtures import Fixtures
from grader.pack.mistakes import Edit, applied, edits_of
from grader.plugins.registry import Plugins
from grader.runner.processes import child
from grader.runner.processes.zygote import Zygote
from grader.runner.reference import DTYPE
from grader.runner.search import Search
from grader.runner.solver import Solver
from grader.runner.sweep import Sweeper, sweeper
from grader.runner.swept import Chosen
from grader.submission.read import read_submission


class Reference:
    """The reference with mistakes, as a student's results would show them."""

    def __init__(self, plugins: Plugins, pack: Pack, zygote: Zygote) -> None:
        source = plugins.reference(pack.name)
        assert source is not None
        self.plugins, self.pack, self.zygote = plugins, pack, zygote
        self.modules = read_submission(source.folder, pack).modules
        self.fixtures = Fixtures(pack)
        self.search = Search(zygote, pack, self.modules, plugins)

    def edits(self, exercise: Exercise, *ids: str) -> list[Edit]:
        """The first way of making each of these mistakes."""
        every = edits_of(self.plugins.solutions(self.pack.name), exercise, self.modules[exercise.id].decode())
        return [next(edit for edit in every if edit.id == name) for name in ids]

    def answers(self, exercise: Exercise, of: str, edits: Sequence[Edit]) -> list[Answered]:
        """What the reference gives with edits made, on each case of the table."""
        known = self.fixtures.explanations(exercise, of)
        assert known is not None
        steps = {step.id: step for step in exercise.steps}
        edited = {**self.modules, exercise.id: applied(self.modules[exercise.id].decode(), edits).encode()}
        with closing(Solver(self.zygote, edited, self.pack.stand_ins)) as solver:
            answered = []
            for (step, name), count in zip(known.cases, known.counts, strict=True):
                case = self.fixtures.case(exercise, name)
                question = Question(exercise, steps[step], case, naming=self.pack.naming)
                seen = solver.observe(self.plugins.checks[steps[step].check].plan(question), OWN, 20.0)
                own = signature(seen, RESULT, count, steps[step].options.get("minus_infinity"))
                answered.append(Answered(question, count, own))
        return answered


@pytest.fixture(scope="module")
def reference(plugins: Plugins, pack: Pack, zygote: Zygote) -> Iterator[Reference]:
    yield Reference(plugins, pack, zygote)


@pytest.mark.parametrize(
    ("exercise_id", "of", "ids"),
    [
        (
            "ex05_scaled_scores",
            "scaled_dot_product_attention",
            ("scale-inverted", "softmax-twice", "projection-reused"),
        ),
        # not softmax-wrong-axis: with queries and keys exchanged, these are the right weights on their side
        ("ex06_self_attention_v1", "SelfAttention_v1", ("query-key-swapped", "scale-no-sqrt", "softmax-twice")),
        ("ex08_causal_mask", "causal_attention_weights", ("mask-diagonal", "scale-wrong-width", "softmax-twice")),
        pytest.param(
            "ex12_multi_head_attention",
            "MultiHeadAttention",
            ("mask-zero-fill", "scale-missing", "out-proj-missing"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_three_mistakes_are_found(exercise_id: str, of: str, ids: tuple[str, ...], reference: Reference) -> None:
    exercise = reference.pack.exercise(exercise_id)
    answered = reference.answers(exercise, of, reference.edits(exercise, *ids))
    known = reference.fixtures.explanations(exercise, of)
    assert known is not None
    assert explain(known, [each.own for each in answered]) == set()  # neither one nor two

    assert reference.search.find(exercise, of, answered) == {frozenset(ids)}


def test_stages_that_are_right_leave_fewer_mistakes_to_be_tried(reference: Reference) -> None:
    exercise = reference.pack.exercise("ex06_self_attention_v1")
    ids = ("scale-no-sqrt", "softmax-wrong-axis", "values-unprojected")
    answered = reference.answers(exercise, "SelfAttention_v1", reference.edits(exercise, *ids))
    right = Progress(frozenset({"queries", "keys", "scores"}), frozenset({"scaled"}), wrong="scaled")
    contradicted = replace(right, found=right.found | {"scaled"}, wrong="weights")

    assert reference.search.find(exercise, "SelfAttention_v1", answered, right) == {frozenset(ids)}
    assert reference.search.find(exercise, "SelfAttention_v1", answered, contradicted) == set()


@pytest.mark.parametrize(
    ("ids", "progress"),
    [
        pytest.param(
            ("query-key-swapped", "scale-no-sqrt", "softmax-twice"),
            Progress(frozenset({"queries", "keys", "values"}), frozenset({"scaled"}), right="values", wrong="scaled"),
            id="queries and keys are there, each in the other's place",
        ),
        pytest.param(
            ("values-unprojected", "scale-no-sqrt", "softmax-twice"),
            Progress(frozenset({"queries", "keys"}), frozenset({"scores", "scaled"}), right="keys", wrong="scores"),
            id="what is scaled early has no plain scores",
        ),
        pytest.param(
            ("softmax-twice", "values-unprojected", "scale-missing"),
            Progress(frozenset({"queries", "scaled"}), frozenset({"weights"}), right="scaled", wrong="weights"),
            id="the last that is right is let go",
        ),
    ],
)
def test_stages_that_are_right_leave_out_no_mistake_that_may_be(
    ids: tuple[str, ...], progress: Progress, reference: Reference
) -> None:
    exercise = reference.pack.exercise("ex06_self_attention_v1")
    answered = reference.answers(exercise, "SelfAttention_v1", reference.edits(exercise, *ids))

    assert frozenset(ids) in reference.search.find(exercise, "SelfAttention_v1", answered, progress)


def test_results_that_no_three_mistakes_give_are_explained_by_none(reference: Reference) -> None:
    exercise = reference.pack.exercise("ex06_self_attention_v1")
    source = reference.modules[exercise.id].decode()
    start = source.index("weights @ values")
    outside = Edit("", ((start, start + len("weights @ values"), "weights @ values * 1.7"),))

    answered = reference.answers(exercise, "SelfAttention_v1", [outside])

    assert reference.search.find(exercise, "SelfAttention_v1", answered) == set()


def test_nothing_is_searched_where_nothing_came_back(reference: Reference) -> None:
    exercise = reference.pack.exercise("ex06_self_attention_v1")
    source = reference.modules[exercise.id].decode()
    start = source.index("return context")
    crash = Edit("", ((start, start + len("return context"), "return contxt"),))

    answered = reference.answers(exercise, "SelfAttention_v1", [crash])

    assert reference.search.find(exercise, "SelfAttention_v1", answered) == set()


class Between(Solver):
    """A solver that, before one of its answers, lets somebody else have a turn."""

    def __init__(self, zygote: Zygote, modules: Mapping[str, bytes], at: int, turn: Callable[[], None]) -> None:
        super().__init__(zygote, modules, {}, dtype=DTYPE)
        self._at, self._turn, self.asked = at, turn, 0

    def observe(self, run: Run, world: World, seconds: float) -> Observation:
        if self.asked == self._at:
            self._turn()
        self.asked += 1
        return super().observe(run, world, seconds)


def test_one_search_may_come_between_another_at_any_time(reference: Reference) -> None:
    exercise, of = reference.pack.exercise("ex08_causal_mask"), "causal_attention_weights"
    answered = reference.answers(exercise, of, reference.edits(exercise, "mask-diagonal"))
    source, edits = reference.modules[exercise.id].decode(), reference.edits(exercise, "mask-diagonal", "scale-missing")
    right: list[list[Chosen]] = []
    at = asked = 0
    while at <= asked:
        own = sweeper(exercise, of, source, edits, reference.plugins.checks, most=1)
        modules = {**reference.modules, own.module: own.superposed.source.encode()}
        with closing(Solver(reference.zygote, modules, {}, dtype=DTYPE)) as other:

            def turn(own: Sweeper = own, other: Solver = other) -> None:
                right.append(own.sets(other, answered, 1))

            with closing(Between(reference.zygote, modules, at, turn)) as solver:
                right.append(own.sets(solver, answered, 1))
        at, asked = at + 1, max(asked, solver.asked)

    assert at > 2
    assert right == [[(0,), (1,)]] * len(right)


def test_results_of_which_one_answer_holds_too_few_are_asked_for_in_parts(
    reference: Reference, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise, of = reference.pack.exercise("ex08_causal_mask"), "causal_attention_weights"
    ids = ("mask-diagonal", "scale-missing", "softmax-wrong-axis")
    (answered, *_) = reference.answers(exercise, of, reference.edits(exercise, *ids))
    source, edits = reference.modules[exercise.id].decode(), reference.edits(exercise, *ids)
    found: list[list[str]] = []
    for limit in (child.BASE_ANSWER, 300):
        monkeypatch.setattr(child, "BASE_ANSWER", limit)
        monkeypatch.setattr(child, "ANSWER_FACTOR", 1)
        own = sweeper(exercise, of, source, edits, reference.plugins.checks, most=1)
        modules = {**reference.modules, own.module: own.superposed.source.encode()}
        with closing(Solver(reference.zygote, modules, {}, dtype=DTYPE)) as solver:
            found.append([repr(each) for each in own.signatures(solver, answered, [(), (0,), (1,), (2,)])])

    assert found[0] == found[1]
    assert len({*found[0]}) == 4


def test_a_result_that_no_answer_holds_is_explained_by_nothing_and_ends_no_grading(
    reference: Reference, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise, of = reference.pack.exercise("ex08_causal_mask"), "causal_attention_weights"
    ids = ("mask-diagonal", "scale-wrong-width", "softmax-twice")
    answered = reference.answers(exercise, of, reference.edits(exercise, *ids))
    search = Search(reference.zygote, reference.pack, reference.modules, reference.plugins)
    monkeypatch.setattr(child, "BASE_ANSWER", 30)
    monkeypatch.setattr(child, "ANSWER_FACTOR", 0)

    assert search.find(exercise, of, answered) == set()


def test_a_pack_is_told_which_case_no_answer_holds(reference: Reference, monkeypatch: pytest.MonkeyPatch) -> None:
    exercise, of = reference.pack.exercise("ex08_causal_mask"), "causal_attention_weights"
    (answered, *_) = reference.answers(exercise, of, [])
    own = sweeper(exercise, of, reference.modules[exercise.id].decode(), [], reference.plugins.checks, most=1)
    modules = {**reference.modules, own.module: own.superposed.source.encode()}
    monkeypatch.setattr(child, "BASE_ANSWER", 30)
    monkeypatch.setattr(child, "ANSWER_FACTOR", 0)

    named = f"{answered.question.case.name} of {answered.question.step.id}"
    solving = closing(Solver(reference.zygote, modules, {}, dtype=DTYPE))
    with solving as solver, pytest.raises(TooLargeToExplain, match=named):
        own.signatures(solver, answered, [()])


def test_a_reference_that_is_no_python_is_told_with_its_place(pack: Pack, plugins: Plugins) -> None:
    source = "def causal_mask(n):\n    return = n\n"

    with pytest.raises(PackError, match=r"ex08_causal_mask\.py:2:12: Python cannot read it: invalid syntax"):
        sweeper(pack.exercise("ex08_causal_mask"), "causal_mask", source, [], plugins.checks, most=1)
