"""From a submission to a report: every step in the rubric's order, whatever the submission is."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.model.check import Question
from grader.model.errors import DeviceAbsent, DeviceUnusable, FixtureError, WorkerFailed
from grader.model.order import STEP_SECONDS, Order
from grader.model.pack import Pack
from grader.model.report import Report, Status, Verdict
from grader.model.run import OWN, Run
from grader.model.submission import Submission
from grader.plugins import hookimpl
from grader.plugins.registry import Plugins
from grader.runner.grade import chosen, grade_submission
from grader.runner.processes.child import Child
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session
from grader.runner.solver import Solver, importing
from grader.submission.read import read_submission

from .asking import EX, OTHER

REFERENCE = Path(__file__).resolve().parents[2] / "solutions/reference"
EX02, EX03, EX10 = OTHER, "ex03_context_vectors", "ex10_causal_attention"
EX11, EX12 = "ex11_multi_head_wrapper", "ex12_multi_head_attention"
Grade = Callable[..., Report]


@pytest.fixture(scope="module")
def session(plugins: Plugins, pack: Pack, zygote: Zygote) -> Iterator[Session]:
    """A session on the CPU with the worker that all tests share, which it must not end."""
    session = Session(plugins, pack, Order(device="cpu", seed=3), zygote)
    yield session
    session.close()


@pytest.fixture
def grade(session: Session) -> Iterator[Grade]:
    """Grades the reference with some modules replaced, or left out where they are None."""

    def run(*exercises: str, seconds: float = 20.0, **modules: str | None) -> Report:
        own = {path.stem: path.read_bytes() for path in REFERENCE.glob("ex*.py")}
        own |= {name: source.encode() for name, source in modules.items() if source is not None}
        kept = {name: source for name, source in own.items() if modules.get(name, "") is not None}
        session.choose(exercises, seconds)
        return grade_submission(session, Submission("ada", Path("ada"), "0" * 64, kept, **extra))

    extra: dict[str, Any] = {}
    run.extra = extra  # type: ignore[attr-defined]
    yield run
    session.choose((), STEP_SECONDS)


def statuses(report: Report) -> dict[str, str]:
    return {step.id: step.status.value for exercise in report.exercises for step in exercise.steps}


def test_a_right_exercise_has_full_marks(grade: Grade) -> None:
    report = grade(EX)

    assert report.is_full
    assert [exercise.id for exercise in report.exercises] == [EX]
    assert report.submission == {"id": "ada", "path": "ada", "sha256": "0" * 64}
    assert (report.environment["seed"], report.environment["devices"]) == (3, ["cpu"])
    assert report.environment["fresh"] is True


def test_a_module_that_is_missing_is_not_started(grade: Grade) -> None:
    report = grade(EX, **{EX: None})

    assert set(statuses(report).values()) == {"unstarted"}
    assert report.score == 0
    assert {step.summary for step in report.exercises[0].steps} == {f"{EX}.py is not in this submission."}


def test_a_module_that_cannot_be_read_is_an_error_that_says_why(grade: Grade) -> None:
    grade.extra["unreadable"] = {EX: f"{EX}.py is a link; hand in the file itself."}  # type: ignore[attr-defined]

    report = grade(EX, **{EX: None})

    assert set(statuses(report).values()) == {"error"}
    assert {step.summary for step in report.exercises[0].steps} == {f"{EX}.py is a link; hand in the file itself."}


@pytest.mark.parametrize("source", ["def f(:\n", "raise SystemExit\n", "1 / 0\n"])
def test_a_module_that_does_not_load_says_so_in_each_of_its_steps(grade: Grade, source: str) -> None:
    report = grade(EX02, **{EX02: source})

    steps = report.exercises[0].steps
    assert {step.status.value for step in steps} == {"error"}
    assert len({step.summary for step in steps}) == 1


def test_a_module_that_ends_the_process_while_it_loads_is_not_blamed_on_a_function(grade: Grade) -> None:
    report = grade(EX02, **{EX02: "import os\nos._exit(0)\n"})

    steps = report.exercises[0].steps
    assert {step.status.value for step in steps} == {"crashed"}
    assert not any("`softmax`" in step.summary for step in steps)


def test_an_endless_loop_is_a_timeout_of_its_own_step_alone(grade: Grade) -> None:
    source = (REFERENCE / f"{EX}.py").read_text("utf-8")
    looping = source + "\n\ndef attention_scores_for_query(query, inputs):\n    while True:\n        pass\n"

    report = grade(EX, seconds=0.5, **{EX: looping})

    assert statuses(report) == {"ex01.query": "timeout", "ex01.all": "passed"}


def test_a_submission_that_has_used_up_its_time_is_graded_all_the_same_and_diagnosed_no_more(
    grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (REFERENCE / f"{EX02}.py").read_text("utf-8").replace("dim=-1", "dim=0")
    patient = grade(EX02, **{EX02: source})
    monkeypatch.setattr("grader.runner.grade.PATIENCE", 1e-9)

    hurried = grade(EX02, **{EX02: source})

    assert statuses(hurried) == statuses(patient)
    assert grade(EX02).score == grade(EX02).max_score
    diagnosed = [[step.diagnosis for step in each.exercises[0].steps] for each in (patient, hurried)]
    assert any(diagnosed[0])
    assert not any(diagnosed[1])


def test_who_is_right_is_never_hurried_however_slow(grade: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (REFERENCE / f"{EX02}.py").read_text("utf-8")
    slow = source.replace("    shifted =", "    __import__('time').sleep(0.1)\n    shifted =")
    monkeypatch.setattr("grader.runner.processes.foresight.PATIENCE", 0.0)
    monkeypatch.setattr("grader.runner.grade.PATIENCE", 0.05)
    monkeypatch.setattr("grader.runner.grade.LEAST_SECONDS", 0.01)

    right = grade(EX02, seconds=5.0, **{EX02: slow})
    wrong = grade(EX02, seconds=5.0, **{EX02: slow.replace("scores - scores.max()", "scores")})

    assert right.is_full
    assert statuses(right)["ex02.sharpened"] != statuses(wrong)["ex02.sharpened"] == "timeout"


def test_a_step_waits_for_the_one_it_needs(grade: Grade) -> None:
    source = (REFERENCE / f"{EX12}.py").read_text("utf-8")

    report = grade(EX12, **{EX12: source.replace("** 0.5", "** 0.7")})

    step = next(step for step in report.exercises[0].steps if step.id == "ex12.kernels")
    assert statuses(report)["ex12.output"] == "failed"
    assert (step.status, step.score) == (Status.BLOCKED, 0)
    assert step.summary.startswith("Waits for ex12.output (")
    assert {target.status for target in step.targets} == {Status.BLOCKED}


def test_a_mistake_is_not_paid_for_twice(grade: Grade) -> None:
    source = (REFERENCE / f"{EX10}.py").read_text("utf-8")

    report = grade(EX10, EX11, **{EX10: source.replace("keys.shape[-1] ** 0.5", "1.0")})

    wrapper = report.exercises[1]
    assert statuses(report)["ex10.output"] == "failed"
    assert wrapper.score == wrapper.max_score
    assert any("ex10" in note for step in wrapper.steps for note in step.notes)


def test_a_needed_exercise_that_was_not_chosen_is_judged_and_not_reported(grade: Grade) -> None:
    source = (REFERENCE / f"{EX10}.py").read_text("utf-8")

    report = grade(EX11, **{EX10: source.replace("keys.shape[-1] ** 0.5", "1.0")})

    assert [exercise.id for exercise in report.exercises] == [EX11]
    assert report.is_full


def test_what_is_called_of_an_exercise_that_was_not_chosen_is_named_where_it_is_the_cause(grade: Grade) -> None:
    wrong = (REFERENCE / f"{EX02}.py").read_text("utf-8").replace("dim=-1", "dim=0")
    calling = (REFERENCE / f"{EX03}.py").read_text("utf-8").replace("torch.softmax(scores, dim=-1)", "weigh(scores)")
    imported = f"from exercises.{EX02} import attention_weights as weigh\n"

    report = grade(EX03, **{EX02: wrong, EX03: calling.replace("import torch\n", f"import torch\n{imported}", 1)})

    (exercise,) = report.exercises
    cause = exercise.steps[-1].cause
    assert statuses(report) == {"ex03.context": "passed", "ex03.contexts": "failed"}
    assert cause is not None
    assert cause.step == "ex02.weights"


def test_what_is_called_of_a_later_exercise_is_not_judged_before_its_time(grade: Grade) -> None:
    wrong = (REFERENCE / f"{EX03}.py").read_text("utf-8").replace("weights @ inputs", "2 * weights @ inputs")
    calling = (
        f"from exercises.{EX03} import context_vectors as f\n\ndef attention_weights(scores):\n    return f(scores)\n"
    )

    report = grade(EX02, **{EX02: calling, EX03: wrong})

    (weights,) = (step for step in report.exercises[0].steps if step.id == "ex02.weights")
    assert (weights.status, weights.cause) == (Status.FAILED, None)


def test_hints_seen_so_far_stand_with_their_steps(grade: Grade, pack: Pack) -> None:
    grade.extra["hints"] = {"ex01.query": 2, "ex01.nothing": 1}  # type: ignore[attr-defined]

    report = grade(EX)

    query, every = report.exercises[0].steps
    assert query.hints == pack.exercise(EX).steps[0].hints[:2]
    assert every.hints == ()


def test_plugins_hear_of_every_step_in_order(grade: Grade, session: Session) -> None:
    heard: list[str] = []

    class Listener:
        @hookimpl
        def grader_submission_started(self, submission: Submission) -> None:
            heard.append(submission.id)

        @hookimpl
        def grader_step_graded(self, verdict: Any) -> None:
            heard.append(verdict.id)

        @hookimpl
        def grader_submission_graded(self, report: Report) -> None:
            heard.append(f"{report.score:g}")

    listener = Listener()
    session.plugins.manager.register(listener)
    grade(EX)
    session.plugins.manager.unregister(listener)

    assert heard == ["ada", "ex01.query", "ex01.all", "5"]


def test_one_seed_gives_the_same_report_twice(grade: Grade) -> None:
    wrong = "def attention_scores(inputs):\n    return inputs @ inputs.T + 0.1\n"

    first, second = (replace(grade(EX, **{EX: wrong}), seconds=0.0) for _ in range(2))

    assert first == second


def test_what_a_class_is_asked_is_taught_with_its_second_submission_and_holds_no_answer(
    plugins: Plugins, pack: Pack, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = read_submission(REFERENCE, pack)
    taught: list[list[bytes]] = []
    monkeypatch.setattr(zygote, "teach", lambda requests: taught.append(list(requests)))
    session = Session(plugins, pack, Order((EX10,), "cpu", seed=3), zygote)

    reports = [grade_submission(session, submission)]
    assert not taught
    reports += [grade_submission(session, submission) for _ in range(2)]
    session.close()

    assert all(report.is_full for report in reports)
    assert taught[0]
    assert taught[0] == taught[1]
    requests = b"".join(taught[0])
    for step in pack.exercise(EX10).steps:
        for case in session.cases.asked(pack.exercise(EX10), step, fresh=True):
            question = Question(pack.exercise(EX10), step, case, naming=pack.naming)
            run = session.plans.run(question)
            assert {name for name in run.tensors if run.tensors[name].tobytes() in requests} == set(run.tensors)
            if plugins.checks[step.check].compares:
                answers = session.reference.expected(question, run, OWN).observation.tensors
                for answer in (answers[name] for name in answers if answers[name].size > 1):
                    assert answer.tobytes() not in requests
                    assert answer.astype("float32").tobytes() not in requests


# Says of whatever is traced, or sends its inputs back, that the weights have no place, each time it is asked.
REFUSES = """
import grader.worker.serve as serve
honest = serve.Outbox.put
def put(self, slip, message, tensors, *, is_ahead):
    if "traces" in message or any(name.startswith("sent.") for name in tensors):
        message, tensors = {"fault": {"kind": "slots"}}, {}
    honest(self, slip, message, tensors, is_ahead=is_ahead)
serve.Outbox.put = put
"""


def test_a_module_that_is_refused_again_and_again_is_graded_all_the_same(grade: Grade) -> None:
    source = (REFERENCE / f"{EX10}.py").read_text("utf-8")
    wrong = source.replace("scores = queries @ keys.transpose(1, 2)", "scores = queries @ keys.transpose(1, 2) * 3")
    assert wrong != source

    report = grade(EX10, **{EX10: REFUSES + wrong})

    assert statuses(report)["ex10.output"] == "failed"
    assert statuses(report)["ex10.parameters"] == "passed"


# Keeps all that it is ever given, and shows it wherever a public case or an import is told of.
KEEPS = """
import sys
kept = sys.__dict__.setdefault("kept", [])
def attention_scores_for_query(query, inputs):
    kept.append(query.tolist())
    return inputs @ query
def attention_scores(inputs):
    raise ValueError(f"{len(kept)} kept: {kept}")
"""
TELLS = """
import sys
raise ValueError(f"{len(sys.kept)} kept: {sys.kept}")
"""


@pytest.mark.parametrize("is_secret", [False, True])
def test_where_the_seed_is_secret_what_was_seen_of_fresh_cases_has_no_say(
    is_secret: bool, plugins: Plugins, pack: Pack, zygote: Zygote
) -> None:
    order = Order((EX, EX02), "cpu", seed=3, seed_is_secret=is_secret)
    session = Session(plugins, pack, order, zygote)
    modules = {EX: KEEPS.encode(), EX02: TELLS.encode()}
    exercise = pack.exercise(EX)
    fresh = session.cases.fresh(exercise, exercise.steps[0])

    report = grade_submission(session, replace(read_submission(REFERENCE, pack), modules=modules))
    session.close()

    told = {step.id: step for result in report.exercises for step in result.steps}
    seen = 1 if is_secret else 1 + len(fresh)  # of the public cases that stand beside fresh ones, the first is asked
    assert told["ex01.query"].status is Status.PASSED
    assert f"{seen} kept" in told["ex01.all"].summary
    assert f"{seen} kept" in told["ex02.softmax"].summary
    assert fresh


def test_where_the_seed_is_secret_no_fresh_case_is_taught(
    plugins: Plugins, pack: Pack, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child could say in a message what it knows before any of its code runs."""
    submission = read_submission(REFERENCE, pack)
    step = pack.exercise(EX).steps[0]
    for is_secret in (False, True):
        taught: list[bytes] = []
        monkeypatch.setattr(zygote, "teach", lambda requests, taught=taught: taught.extend(requests))
        session = Session(plugins, pack, Order((EX,), "cpu", seed=3, seed_is_secret=is_secret), zygote)
        for _ in range(2):
            grade_submission(session, submission)
        session.close()

        held: dict[bool, list[bytes]] = {True: [], False: []}
        for case in session.cases.asked(pack.exercise(EX), step, fresh=True):
            run = session.plans.run(Question(pack.exercise(EX), step, case, naming=pack.naming))
            held[case.is_public] += [tensor.tobytes() for tensor in run.tensors.values()]
        assert held[True] and held[False]
        assert all(each in b"".join(taught) for each in held[True])
        assert all((each in b"".join(taught)) is not is_secret for each in held[False])


def test_exercises_are_chosen_in_the_packs_order(pack: Pack) -> None:
    assert [e.id for e in chosen(pack, (EX10, EX))] == [EX, EX10]
    assert chosen(pack, ()) == pack.exercises


# The session.


@pytest.mark.parametrize("device", ["cpu", "all"])
def test_the_cpu_is_always_there(plugins: Plugins, pack: Pack, zygote: Zygote, device: str) -> None:
    session = Session(plugins, pack, Order(device=device), zygote)

    here, absent = session.devices()
    session.close()

    assert here[0] == "cpu"
    assert sorted([*here, *absent]) == (["cpu"] if device == "cpu" else ["cpu", "cuda"])


def test_a_required_device_is_there_or_told(plugins: Plugins, pack: Pack, zygote: Zygote) -> None:
    session = Session(plugins, pack, Order(device="cuda"), zygote)

    try:
        here, _ = session.devices()
    except DeviceAbsent as error:
        here = []
        assert error.exit_code == 6
    session.close()

    assert here == (["cuda"] if zygote.hello()["cuda"] else [])


class Promising(Zygote):
    """A worker that says it has a GPU, as one does that others have taken all of."""

    def hello(self) -> Mapping[str, Any]:
        return {**super().hello(), "cuda": True}


@pytest.fixture
def promising(monkeypatch: pytest.MonkeyPatch) -> Iterator[Zygote]:
    """Torch sees no GPU in its processes, whatever this machine has."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    worker = Promising()
    yield worker
    worker.close()


def test_where_a_gpu_cannot_be_used_the_cpu_counts_for_everything_and_why_is_told(
    plugins: Plugins, pack: Pack, promising: Zygote
) -> None:
    session = Session(plugins, pack, Order((EX,), device="all", requires_sandbox=True), promising)

    with closing(session):
        report = grade_submission(session, read_submission(REFERENCE, pack))

    assert report.is_full
    assert report.environment["devices"] == ["cpu"]
    assert [note for note in report.notes if "cuda cannot be used here: " in note]
    assert all(note.endswith("; the rest counts for everything") for note in report.notes)


def test_where_a_required_gpu_cannot_be_used_nothing_is_graded_and_why_is_told(
    plugins: Plugins, pack: Pack, promising: Zygote
) -> None:
    session = Session(plugins, pack, Order((EX,), device="cuda"), promising)

    with closing(session):
        for _ in range(3):
            with pytest.raises(DeviceAbsent, match=r"cuda cannot be used here: .+\.") as raised:
                grade_submission(session, read_submission(REFERENCE, pack))

    places = [(entry.path, entry.lineno) for entry in raised.traceback]
    assert len(places) == len({*places}), "nothing is kept of those before"


@pytest.mark.long
def test_a_gpu_that_others_took_since_is_a_failure_of_the_worker_and_tried_once_more(promising: Zygote) -> None:
    with (
        closing(Solver(promising, {}, {}, device="cuda")) as solver,
        pytest.raises(WorkerFailed, match="cuda cannot be used here: ") as failed,
    ):
        solver.observe(importing(EX), OWN, 10)

    assert not failed.value.is_fatal, "the others of a class can be graded all the same"
    assert promising.generation == 1


def test_why_a_gpu_cannot_be_used_is_heard_of_a_child_that_has_ended_since(
    promising: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    foresee = Child.foresee

    def late(child: Child, runs: Iterable[Run], slow: float) -> None:
        assert select.select([child._process.handle], [], [], 30)[0], "it ends"
        foresee(child, runs, slow)

    monkeypatch.setattr(Child, "foresee", late)
    with closing(Solver(promising, {}, {}, device="cuda")) as solver, pytest.raises(DeviceUnusable):
        solver.start()


def test_broken_fixtures_end_the_session_before_it_begins(
    plugins: Plugins, pack: Pack, zygote: Zygote, tmp_path: Path
) -> None:
    broken = replace(pack, source=replace(pack.source, fixtures=tmp_path))

    with pytest.raises(FixtureError):
        Session(plugins, broken, Order(), zygote)


@pytest.mark.no_cover
@pytest.mark.long
def test_whatever_others_answered_before_a_report_is_what_it_would_be_alone(
    plugins: Plugins, pack: Pack, zygote: Zygote
) -> None:
    source = (REFERENCE / f"{EX10}.py").read_text("utf-8")
    wrong = source.replace("scores = queries @ keys.transpose(1, 2)", "scores = queries @ keys.transpose(1, 2) * 3")
    renamed = source.replace("W_query", "W_q").replace("W_key", "W_k").replace("W_value", "W_v")
    printing = source.replace("queries =", "print('x' * 2_000_000)\n        queries =", 1)
    assert len({source, wrong, renamed, printing}) == 4
    some = [source, source, "# moved\n" * 7 + source, printing, renamed, wrong, "# moved\n" * 7 + wrong, wrong, source]

    together = _verdicts(plugins, pack, zygote, some)

    alone = {each: _verdicts(plugins, pack, zygote, [each]) for each in dict.fromkeys(some)}
    assert together == [verdict for each in some for verdict in alone[each]]
    assert together[0][0].status is Status.PASSED
    assert {step.line for step in together[5]} != {step.line for step in together[6]}
    assert together[3] != together[0] != together[4]  # which have notes of their own


def _verdicts(plugins: Plugins, pack: Pack, zygote: Zygote, sources: list[str]) -> list[tuple[Verdict, ...]]:
    """The verdicts of some submissions of one exercise, graded one after the other in a session of their own."""
    session = Session(plugins, pack, Order((EX10,), device="cpu", seed=3), zygote)
    found = []
    for source in sources:
        report = grade_submission(session, Submission("ada", Path("ada"), "0" * 64, {EX10: source.encode()}))
        found.append(report.exercises[0].steps)
    session.close()
    return found


def test_a_file_beside_the_exercises_that_cannot_be_imported_is_as_if_it_were_not_there(grade: Grade) -> None:
    source = (REFERENCE / f"{EX}.py").read_text("utf-8")
    quick = "import triton_of_nobody\n\n\ndef attention_scores(inputs):\n    return triton_of_nobody.matmul(inputs)\n"
    falls_back = f"{source}\n\ntry:\n    from quick import attention_scores\nexcept ImportError:\n    pass\n"

    assert grade(EX, quick=quick, **{EX: falls_back}).is_full


CONTEXTS = """import torch


def context_vector(weights, inputs):
    context = torch.zeros(inputs.shape[1])
    for i in range(len(inputs)):
        context += weights[i] * inputs[i]
    return context


def context_vectors(inputs):
    weights = torch.softmax(inputs, dim=1)
    return torch.stack([context_vector(weights[i], inputs) for i in range(len(inputs))])
"""


@pytest.mark.parametrize(
    ("written", "given", "line", "is_told"),
    [
        ("", "", 13, True),  # which is the line that calls what is right by itself
        ("return context", "return context * 2", 13, False),  # nor of what is wrong in its numbers alone
        ("context_vector(weights[i], inputs) for", "weights[i] @ inputs for", 13, False),
    ],
)
def test_what_is_raised_in_a_function_that_passed_is_told_where_it_is_called(
    grade: Grade, written: str, given: str, line: int, is_told: bool
) -> None:
    report = grade(EX03, **{EX03: CONTEXTS.replace(written, given) if written else CONTEXTS})

    contexts = next(step for step in report.exercises[0].steps if step.id == "ex03.contexts")
    assert (contexts.status, contexts.line) == (Status.ERROR, line)
    assert ("raised inside `context_vector`, which passed" in contexts.summary) == is_told
