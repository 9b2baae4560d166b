"""A slot in a process of its own grades as one in this process does, is replaced where lost, and outlives nobody."""

from __future__ import annotations

import io
import pickle
import queue
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from unittest import mock

import pytest

from grader.model import profile
from grader.model.errors import DeviceAbsent, SandboxAbsent, WorkerFailed
from grader.model.handed import Handed, Identity
from grader.model.order import SECRET_SEED, Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.runner.batch.apart import Apart, answer_each
from grader.runner.batch.slot import Slot

EX01 = "ex01_dot_product_scores"
SOURCE = (Path(__file__).resolve().parents[3] / f"solutions/reference/{EX01}.py").read_bytes()
ORDER = Order((EX01,), device="cpu", seed=1)


def handed(name: str) -> Handed:
    return Handed(name, Identity(name), Submission(name, Path(name), "0" * 64, {EX01: SOURCE}))


@pytest.fixture
def apart(pack: Pack) -> Iterator[Apart]:
    with closing(Apart(pack, ORDER)) as slot:
        yield slot


@pytest.mark.long
def test_it_gives_the_report_that_a_slot_in_this_process_gives(apart: Apart, pack: Pack, plugins: Plugins) -> None:
    with closing(Slot(plugins, pack, ORDER)) as slot:
        here, there = slot.grade(handed("ada")), apart.grade(handed("ada"))

    assert (there.exercises, there.submission, there.environment) == (here.exercises, here.submission, here.environment)
    assert there.score == there.max_score
    assert apart.environment == slot.environment


@pytest.mark.long
def test_it_is_started_anew_where_it_is_lost_and_ends_with_whoever_started_it(apart: Apart) -> None:
    lost = apart._process
    assert lost is not None
    lost.kill()
    lost.wait()

    with pytest.raises(WorkerFailed):
        apart.grade(handed("ada"))
    assert apart.grade(handed("ada")).submission["id"] == "ada"

    process, apart._process = apart._process, None
    assert process is not None
    process.communicate()  # which closes what it listens to
    assert process.returncode != 0


def test_it_finds_the_same_modules_wherever_the_command_runs_and_what_it_noted_is_taken_over(
    pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('another pickle')\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    noted = profile.begin()

    try:
        with closing(Apart(pack, ORDER)) as slot:
            assert slot.grade(handed("ada")).submission["id"] == "ada"
    finally:
        profile.end()

    assert {"start", "judge"} <= noted.whole()["grading"]["here"].keys()
    assert "run" in noted.whole()["grading"]["worker"]


@pytest.mark.long
def test_where_no_process_can_be_started_it_is_for_each_submission_to_say(
    pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", mock.Mock(side_effect=OSError("no more processes")))

    with closing(Apart(pack, ORDER)) as slot:
        for _ in range(2):
            with pytest.raises(WorkerFailed, match="no more processes"):
                slot.grade(handed("ada"))
        monkeypatch.undo()
        assert slot.grade(handed("ada")).submission["id"] == "ada"


@pytest.mark.long
def test_a_secret_seed_does_not_stand_in_its_environment(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET_SEED, "4711")
    monkeypatch.setenv("BESIDE_IT", "4712")

    with mock.patch("subprocess.Popen", wraps=subprocess.Popen) as started, closing(Apart(pack, ORDER)) as slot:
        slot.grade(handed("ada"))

    given = started.call_args.kwargs["env"]
    assert given["BESIDE_IT"] == "4712"
    assert SECRET_SEED not in given


class _Failing(Slot):
    """Fails at everything."""

    def __init__(self, error: Exception) -> None:
        self.environment = {"devices": ["cpu"]}
        self._open = ExitStack()
        self._error = error

    def grade(self, handed: Handed) -> Report:
        raise self._error


class _Held(Exception):
    """Holds what no other process can read."""

    def __init__(self) -> None:
        super().__init__("it is held", lambda: None)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (DeviceAbsent("There is no CUDA."), DeviceAbsent("There is no CUDA.")),
        (KeyError("ex01"), KeyError("ex01")),
        (_Held(), WorkerFailed("_Held: ('it is held', ")),
    ],
)
def test_what_the_grader_fails_with_is_told_as_what_it_is(error: Exception, told: Exception) -> None:
    handed_in: queue.SimpleQueue[Handed | None] = queue.SimpleQueue()
    handed_in.put(Handed("ada"))
    handed_in.put(None)
    said = io.BytesIO()

    answer_each(lambda: _Failing(error), handed_in, said)

    environment, answer = pickle.loads(said.getvalue())
    assert environment == {"devices": ["cpu"]}
    assert type(answer) is type(told)
    assert str(answer).startswith(str(told))


def test_a_slot_that_cannot_be_made_is_told_and_made_for_the_next() -> None:
    handed_in: queue.SimpleQueue[Handed | None] = queue.SimpleQueue()
    for each in (Handed("ada"), Handed("bob"), None):
        handed_in.put(each)
    said = io.BytesIO()
    make = mock.Mock(side_effect=[SandboxAbsent("There is no bubblewrap."), _Failing(KeyError("ex01"))])

    answer_each(make, handed_in, said)

    said.seek(0)
    (nowhere, first), (somewhere, second) = pickle.load(said), pickle.load(said)
    assert (nowhere, str(first)) == ({}, "There is no bubblewrap.")
    assert (somewhere, type(second)) == ({"devices": ["cpu"]}, KeyError)
