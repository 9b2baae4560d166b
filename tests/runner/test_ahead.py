"""What a class is asked ahead it answers as if it had been waited for, and nobody loses by it but time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.check import Question
from grader.model.observation import Observation
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.model.run import OWN, Run
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes import child, foresight
from grader.runner.processes.answers import LARGEST, Answers
from grader.runner.processes.channel import Channel
from grader.runner.processes.child import Child
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session
from grader.submission.read import read_submission
from grader.wire.observations import Slip
from tests.sampling import every_time

from .asking import EX, OTHER

REFERENCE = Path(__file__).resolve().parents[2] / "solutions" / "reference"
CHOSEN = (EX, OTHER, "ex03_context_vectors", "ex06_self_attention_v1", "ex09_attention_dropout")
SECONDS = 5.0
SCORES, SHIFTED = "    scores = inputs @ query", "    shifted = scores"
WRONG = (EX, SCORES, f"{SCORES} * 2")
# Edits of the reference: a module's name, what is replaced there, and by what.
LOSSES = {
    "ends": [(OTHER, SHIFTED, f"    import os; os._exit(3)\n{SHIFTED}")],
    "ends while imported": [(OTHER, "import torch\n", "import torch\nimport os; os._exit(3)\n")],
    "hangs": [(EX, SCORES, f"    import time; time.sleep(600)\n{SCORES}")],
    "is killed": [(EX, SCORES, f"    import os; os.kill(os.getpid(), 9)\n{SCORES}")],
    "raises": [(OTHER, SHIFTED, f"    raise ValueError(len(scores))\n{SHIFTED}")],
    "forks": [(EX, SCORES, f"    import os; os.fork()\n{SCORES}")],
    "is wrong": [WRONG],
    "is wrong, and another ends": [WRONG, (OTHER, SHIFTED, f"    import os; os._exit(3)\n{SHIFTED}")],
    "is slow beyond its limit": [(OTHER, SHIFTED, f"    import time; time.sleep(0.6)\n{SHIFTED}")],
    "is wrong, and another takes its time": [WRONG, (OTHER, SHIFTED, f"    import time; time.sleep(0.04)\n{SHIFTED}")],
    "prints": [(EX, SCORES, f"    print('x' * 100)\n{SCORES}")],
    "renames": [("ex06_self_attention_v1", "W_query", "W_q")],
}
RIGHT = ("prints", "renames")
# Lost by a child that ends, by one that says nothing, by a wrong answer, and by that and a slow one; and not lost.
EVERY_TIME = ("ends", "is wrong, and another takes its time", "renames")


@pytest.fixture(scope="module")
def taught(plugins: Plugins, pack: Pack, zygote: Zygote) -> Iterator[Session]:
    """A session that asks ahead."""
    session = Session(plugins, pack, Order(CHOSEN, "cpu", seed=3, seconds=SECONDS), zygote)
    for _ in range(2):
        assert graded(session).is_full
    yield session
    session.close()


def graded(session: Session, **sources: str) -> Report:
    """The report of the reference with some modules replaced."""
    submission = read_submission(REFERENCE, session.pack)
    changed = {name: source.encode() for name, source in sources.items()}
    return grade_submission(session, replace(submission, modules={**submission.modules, **changed}))


def edited(*edits: tuple[str, str, str]) -> dict[str, str]:
    sources = {}
    for module, old, new in edits:
        source = (REFERENCE / f"{module}.py").read_text("utf-8")
        assert old in source
        sources[module] = source.replace(old, new)
    return sources


def told(report: Report) -> dict[str, tuple[str, str, int]]:
    steps = (step for exercise in report.exercises for step in exercise.steps)
    return {step.id: (step.status.value, step.summary, step.line) for step in steps}


def test_from_the_third_on_a_right_submission_is_sent_all_it_is_asked_at_once(
    taught: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    send = Channel.send
    monkeypatch.setattr(
        Channel, "send", lambda self, frames, *rest: sent.append(len(frames)) or send(self, frames, *rest)
    )

    report = graded(taught)

    assert report.is_full
    assert len(sent) == 2  # the sources, and all questions
    assert sent[1] > 20


@pytest.mark.parametrize("loss", every_time(EVERY_TIME, LOSSES))
def test_what_is_asked_ahead_has_no_say_in_what_is_told(
    loss: str, taught: Session, plugins: Plugins, pack: Pack, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foresight, "PATIENCE", 0.5)
    plain = Session(plugins, pack, replace(taught.order, seconds=1.5), zygote)
    monkeypatch.setattr(taught, "order", plain.order)

    ahead, waited_for = (told(graded(session, **edited(*LOSSES[loss]))) for session in (taught, plain))
    plain.close()

    assert ahead == waited_for
    assert any(status != "passed" for status, *_ in ahead.values()) != (loss in RIGHT)
    assert ahead["ex09.law"][0] == "passed"


@pytest.mark.long
def test_time_in_which_what_was_asked_ahead_came_to_nothing_is_in_no_step_s_limit(
    taught: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow code that is right within its limit is right, whatever was waited for before."""
    monkeypatch.setattr(foresight, "PATIENCE", 0.5)
    monkeypatch.setattr(taught, "order", replace(taught.order, seconds=2.0))
    pause = "    import time; time.sleep(1.7 if not SLEPT else 0); SLEPT.append(1)\n    scores = inputs @ query"
    (source,) = edited((EX, SCORES, pause)).values()

    assert graded(taught, **{EX: source.replace("def ", "SLEPT = []\n\ndef ", 1)}).is_full


def test_no_answer_is_held_for_what_does_not_fit(taught: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The child would keep it, and the parent lose its patience over it."""
    vain: list[object] = []
    lost = Child._lost
    monkeypatch.setattr(child, "UNDER_WAY_BYTES", 800)
    monkeypatch.setattr(Child, "_lost", lambda self, error: vain.append(error) or lost(self, error))

    assert graded(taught).is_full
    assert not vain


def test_answers_that_are_too_much_to_keep_are_asked_for_when_it_is_their_turn(
    taught: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[Child] = []
    kill = Child.kill
    monkeypatch.setattr(foresight, "MOST_BYTES", 1000)
    monkeypatch.setattr(Child, "kill", lambda self: killed.append(self) or kill(self))

    assert graded(taught).is_full
    assert len(set(map(id, killed))) == 2  # the one that had too much to keep, and the one that was asked instead


def test_where_the_seed_is_secret_the_public_cases_that_decide_are_asked_ahead_and_no_others(
    taught: Session, plugins: Plugins, pack: Pack, zygote: Zygote
) -> None:
    secret = Session(plugins, pack, replace(taught.order, seed_is_secret=True), zygote)
    for _ in range(3):
        assert graded(secret).is_full
    secret.close()

    usual = [session.teach(map(pack.exercise, CHOSEN), ["cpu"]) for session in (secret, taught)]
    ahead, of_all = ([each.run for each in runs if each.decides and each.run.tensors] for runs in usual)
    assert not any(run.is_fresh for run in ahead)
    assert len(ahead) == sum(not run.is_fresh for run in of_all) > 0


@pytest.mark.long
def test_nothing_that_a_class_is_asked_has_a_right_answer_too_large_to_be_read_and_judged_once(
    plugins: Plugins, pack: Pack, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    large: list[int] = []
    read = Answers.read

    def noting(answers: Answers, run: Run, slip: Slip, frame: bytes, *, keep: bool = True) -> Observation:
        large.extend([len(frame)] * (keep and len(frame) > LARGEST))
        return read(answers, run, slip, frame, keep=keep)

    monkeypatch.setattr(Answers, "read", noting)
    with closing(Session(plugins, pack, Order((), "cpu", seed=3, seconds=SECONDS), zygote)) as session:
        assert all(graded(session).is_full for _ in range(3))

    assert large == []


def test_what_is_learnt_ends_the_references_children_and_it_answers_as_before(
    plugins: Plugins, pack: Pack, zygote: Zygote
) -> None:
    chosen = [pack.exercise(EX)]
    (step, *_) = chosen[0].steps
    with closing(Session(plugins, pack, Order((EX,), "cpu", seed=3, seconds=SECONDS), zygote)) as session:
        question = Question(chosen[0], step, session.cases.fresh(chosen[0], step)[0], naming=pack.naming)
        run = session.plans.run(question)
        first = session.reference.expected(question, run, OWN)
        assert session.reference._solver is not None
        assert session.reference._solver._children

        for _ in range(2):
            session.teach(chosen, ["cpu"])
        at_rest = session.reference._thread.submit(lambda: dict(session.reference._solver._children)).result()  # type: ignore[union-attr]
        stages = session.reference.stages(question, run)

        assert not at_rest
        assert set(stages.values) == set(step.stages)
        assert session.reference.expected(question, run, OWN) == first
