"""Batches on a real cluster: as on this machine, whatever becomes of its workers."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from distributed import Client

from grader.model.errors import ClusterFailed, DeviceAbsent
from grader.model.handed import Handed, Identity
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.model.submission import Submission
from grader.plugins.executor import Done, Failed, Site
from grader.plugins.registry import Plugins
from grader.runner.cluster import connection
from grader.runner.cluster import engine as engine_module
from grader.runner.cluster.engine import Cluster

from ..processes.looking import has_ended, watched
from .members import ROOT, Members, make_certificates, members, wait_for

GRADE = Path(sys.executable).with_name("grade")
EX01 = "ex01_dot_product_scores"
REFERENCE = {name: (ROOT / f"solutions/reference/{name}.py").read_text("utf-8") for name in (EX01,)}
ENDLESS = {EX01: REFERENCE[EX01].replace("scores = inputs @ query", "while True: pass")}
CLASS: Mapping[str, Mapping[str, str]] = {
    **{f"right-{n}": REFERENCE for n in range(4)},
    "wrong": {EX01: REFERENCE[EX01].replace("inputs @ query", "inputs @ -query")},
    "hanging": ENDLESS,
    "crashing": {EX01: "import os\nos._exit(3)\n"},
    "=cmd()": {EX01: "raise ValueError('=1+1 \\x1b[31m')\n"},
    "empty": {},
}
OPTIONS = ("--exercise", "ex01", "--device", "cpu", "--seed", "5")
# All of them one after the other, so that one process has the cluster: it takes seconds to start.
pytestmark = pytest.mark.lasting
Begin = Callable[..., subprocess.Popen[str]]
Engines = Callable[..., Cluster]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begins a batch of what these students handed in."""
    begun: list[subprocess.Popen[str]] = []

    def start(handed_in: Mapping[str, Mapping[str, str]], out: Path, *options: str) -> subprocess.Popen[str]:
        folder = tmp_path / "handed_in"
        for name, modules in handed_in.items():
            (folder / name).mkdir(parents=True, exist_ok=True)
            for module, source in modules.items():
                (folder / name / f"{module}.py").write_text(source, "utf-8")
        command = [str(GRADE), "batch", str(folder), "--out", str(out), *OPTIONS, *options]
        begun.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return begun[-1]

    yield start
    for batch in begun:
        batch.kill()
        batch.communicate()


def results(out: Path) -> dict[str, dict[str, Any]]:
    """Every stored report by its id, without its time."""
    reports = [json.loads(file.read_text("utf-8")) for file in sorted((out / "results").glob("*.json"))]
    return {report["submission"]["id"]: {**report, "seconds": 0} for report in reports}


def lines(reports: Mapping[str, Any]) -> list[str]:
    """All that reports say, line by line, so that what differs is named where they do."""
    texts = {name: json.dumps(report, indent=1) for name, report in reports.items()}
    return [f"{name}: {line}" for name, text in texts.items() for line in text.splitlines()]


def shown(out: Path) -> dict[str, list[str]]:
    """Every report as a terminal shows it, lines of the submission among it, without its time."""
    files = sorted((out / "terminal").glob("*.txt"))
    return {file.stem: re.sub(r"[0-9.]+ s\b", "", file.read_text("utf-8")).splitlines() for file in files}


def outcomes(out: Path) -> dict[str, str]:
    """What became of every submission, as the database says to somebody else."""
    try:
        database = sqlite3.connect(f"file:{out}/results.sqlite?mode=ro", uri=True)
    except sqlite3.Error:
        return {}
    try:
        return dict(database.execute("SELECT id, outcome FROM results"))
    except sqlite3.Error:
        return {}
    finally:
        database.close()


def kill(worker: int) -> None:
    """End a Dask worker's process; nothing that it started outlives it."""
    handles = [os.pidfd_open(worker), *watched(worker)]
    os.kill(worker, signal.SIGKILL)
    for handle in handles:
        assert has_ended(handle)


@pytest.mark.long
def test_a_class_gets_what_it_gets_on_this_machine_though_a_worker_is_killed_in_the_middle(
    cluster: Members, begin: Begin, tmp_path: Path
) -> None:
    own = ("--timeout", "2", "--format", "terminal")  # which a busy machine keeps
    here, there = tmp_path / "here", tmp_path / "there"
    local = begin(CLASS, here, *own, "--jobs", "1")
    assert local.communicate()[1].count("Traceback") == 0
    batch = begin(CLASS, there, *own, *cluster.options)
    wait_for(lambda: outcomes(there))

    kill(cluster.workers()[0])
    said, errors = batch.communicate()

    assert batch.returncode == 0, errors
    assert "4 full · 1 partial · 1 failed · 2 crashed · 1 refused" in said
    assert lines(results(there)) == lines(results(here))
    assert shown(there) == shown(here)
    assert (there / "summary.csv").read_bytes() == (here / "summary.csv").read_bytes()
    again = begin(CLASS, there, *own, *cluster.options, "--cluster", "tls://127.0.0.1:1")  # nobody is there, nor needed
    assert f"{len(CLASS)} kept as they were" in again.communicate()[0]


@pytest.mark.long
def test_students_are_told_in_the_language_of_the_batch_whatever_the_workers_own_is(
    cluster: Members, begin: Begin, tmp_path: Path
) -> None:
    begun = [begin({"ada": CLASS["wrong"]}, tmp_path / code, "--lang", code, *cluster.options) for code in ("de", "es")]

    assert [batch.wait() for batch in begun] == [0, 0]

    german, spanish = (results(tmp_path / code)["ada"]["exercises"][0]["steps"][0] for code in ("de", "es"))
    assert re.search(r"\d von \d+ Werten stimmen nicht", german["summary"])
    assert re.search(r"\d de \d+ valores no son correctos", spanish["summary"])


@pytest.mark.long
def test_a_submission_whose_worker_is_lost_twice_is_given_up_on_and_costs_nobody_else(
    cluster: Members, begin: Begin, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    batch = begin({"deadly": ENDLESS, "right": REFERENCE}, out, "--timeout", "50", *cluster.options)

    for _ in range(2):
        kill(cluster.busy())
    _, errors = batch.communicate()

    assert batch.returncode == 1, errors
    assert outcomes(out) == {"deadly": "ungraded", "right": "full"}
    (note,) = results(out)["deadly"]["notes"]
    assert note.startswith("The grader itself failed twice, so nothing of this was graded: The worker of the cluster")
    assert "The grader itself failed on 1 submission. Run the same command again" in errors


@pytest.mark.long
def test_a_stranger_is_turned_away_in_a_sentence(cluster: Members, begin: Begin, tmp_path: Path) -> None:
    place = strangers(cluster, tmp_path)
    files = [f"--tls-{name}={getattr(place, f'tls_{name}')}" for name in ("ca", "cert", "key")]

    batch = begin({"right": REFERENCE}, tmp_path / "out", "--cluster", cluster.address, *files)
    _, errors = batch.communicate()

    assert batch.returncode == 4
    assert "do not take each other's certificates" in errors
    assert "Traceback" not in errors


def test_one_who_knows_us_and_whom_we_do_not_know_is_turned_away_too(cluster: Members, tmp_path: Path) -> None:
    place = replace(strangers(cluster, tmp_path), tls_ca=cluster.place.tls_ca)

    with pytest.raises(ClusterFailed, match="do not take each other's certificates"):
        connection.connect(place)


def strangers(cluster: Members, folder: Path) -> Site:
    """The way of somebody with an authority of their own."""
    own = make_certificates(folder / "strangers")
    return Site(cluster.address, tls_ca=own / "ca.pem", tls_cert=own / "client.pem", tls_key=own / "client.key")


# The engine in this process.


def handed(name: str, source: str = REFERENCE[EX01]) -> Handed:
    own = Submission(name, Path(name), "0" * 64, {EX01: source.encode()})
    return Handed(name, Identity(f"{name} who is nobody's business"), own)


@pytest.fixture
def engines(plugins: Plugins, pack: Pack) -> Iterator[Engines]:
    """Makes engines of a cluster; each remembers in `kept` what it was to store."""
    made: list[Cluster] = []

    def make(cluster: Members, kept: list[tuple[Handed, Report]], **order: Any) -> Cluster:
        asked = Order((EX01,), **{"device": "cpu", "seed": 1, **order})
        made.append(Cluster(plugins, pack, asked, cluster.place, lambda *both: kept.append(both)))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def ended(engine: Cluster) -> Done | Failed:
    """The next that has ended."""
    found: list[Done | Failed] = []

    def is_there() -> bool:
        found.extend(filter(None, [engine.get(0.1)]))
        return bool(found)

    wait_for(is_there)
    return found[0]


@pytest.mark.long
def test_a_report_is_stored_before_it_is_given_back(cluster: Members, engines: Engines) -> None:
    kept: list[tuple[Handed, Report]] = []
    engine = engines(cluster, kept)
    ada = handed("ada")

    engine.put(ada)
    done = ended(engine)

    assert isinstance(done, Done), done
    assert done.handed is ada
    assert kept == [(ada, done.report)]
    assert done.report.is_full
    assert done.report.submission["id"] == "ada"
    assert engine.room == 4


@pytest.mark.parametrize("becomes", [signal.SIGCONT, signal.SIGKILL], ids=["slow", "lost"])
def test_a_report_that_does_not_come_is_waited_for_and_costs_nobody_else_though_its_worker_is_lost(
    becomes: signal.Signals, cluster: Members, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "ANSWER_SECONDS", 0.3)
    asked: list[float] = []
    answer = engine_module.Cluster._answer
    monkeypatch.setattr(engine_module.Cluster, "_answer", lambda *of: asked.append(of[1].patience) or answer(*of))
    engine = engines(cluster, [])
    engine.put(handed("ada"))
    client, (sent,) = engine._client, engine._sent.values()
    assert client is not None
    wait_for(sent.future.done)
    (holder,) = client.who_has(sent.future)[sent.future.key]
    worker = client.run(os.getpid, workers=[holder])[holder]

    os.kill(worker, signal.SIGSTOP)
    nothing = engine.get(1.0)
    put_off = [*engine._delayed]
    os.kill(worker, becomes)
    found = ended(engine)

    assert nothing is None
    assert put_off == [sent.future.key]  # the time between is others'
    assert asked[:2] == [0.3, 0.6]
    if becomes is signal.SIGCONT:
        assert isinstance(found, Done), found
    else:  # for the batch to try again, alone
        assert isinstance(found, Failed)
        assert not found.is_fatal
        assert "was lost" in str(found.error)


def test_no_name_goes_to_the_workers(cluster: Members, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    submit = Client.submit
    monkeypatch.setattr(
        Client, "submit", lambda *words, **more: sent.append(pickle.dumps(words[2:])) or submit(*words, **more)
    )

    engines(cluster, []).put(handed("ursula"))  # which no digest can hold by chance

    (words,) = sent
    assert b"inputs @ query" in words
    assert b"ursula" not in words
    assert b"nobody's business" not in words


@pytest.mark.long
def test_what_is_taken_back_is_not_begun_and_what_runs_comes_back(cluster: Members, engines: Engines) -> None:
    engine = engines(cluster, [])
    count = 40  # so many, and each so slow, that some wait however late a busy machine comes to take them back
    for number in range(count):
        engine.put(handed(f"ada-{number}", f"import time\ntime.sleep(0.2)\n{REFERENCE[EX01]}"))
    first = ended(engine)

    left = count - 1 - engine.take_back()

    assert isinstance(first, Done)
    assert 0 <= left < count - 1
    assert all(isinstance(ended(engine), Done) for _ in range(left))
    assert engine.get(0.0) is None


def test_a_worker_with_another_kit_is_found_before_anything_is_graded(cluster: Members, engines: Engines) -> None:
    other = engines(cluster, [])
    other._kit = replace(other._kit, torch="1.0")

    with pytest.raises(ClusterFailed, match=r"2 workers of 2 would .* another torch \(.*here it is 1.0"):
        other.put(handed("ada"))


def test_a_worker_that_comes_late_with_another_kit_ends_the_batch(
    cluster: Members, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "check_alike", lambda *_: None)
    engine = engines(cluster, [])
    engine._kit = replace(engine._kit, pack="0" * 64)

    engine.put(handed("ada"))
    failed = ended(engine)

    assert isinstance(failed, Failed)
    assert failed.is_fatal
    assert "A worker has another pack" in str(failed.error)


def test_gpu_work_goes_to_a_worker_that_offers_one_which_says_where_there_is_none(
    cluster: Members, engines: Engines
) -> None:
    engine = engines(cluster, [], device="cuda")

    engine.put(handed("ada"))
    failed = ended(engine)

    assert isinstance(failed, Failed)
    assert failed.is_fatal
    assert isinstance(failed.error, DeviceAbsent)
    assert engine.room == 2


def test_a_gpu_that_nobody_offers_is_absent(
    cluster: Members, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "GPU", "TPU")

    with pytest.raises(DeviceAbsent, match=r"no worker of tls://.* offers a GPU"):
        engines(cluster, [], device="cuda").put(handed("ada"))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nobody_waits_for_ever_for_a_worker_a_submission_or_a_scheduler(
    forgotten: None, engines: Engines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with members(tmp_path / "lonely") as lonely:
        monkeypatch.setattr(connection, "WORKER_SECONDS", 0.1)
        with pytest.raises(ClusterFailed, match="has no worker"):
            engines(lonely, []).put(handed("ada"))
        monkeypatch.setattr(engine_module, "wait_for_worker", lambda *_: {})
        engine = engines(lonely, [])
        assert engine.limit > 600
        engine.limit = 0.1
        engine.put(handed("late"))
        late = ended(engine)
        engine.limit = 60.0
        engine.put(handed("ada"))

        lonely.scheduler.kill()
        failed = ended(engine)

        assert isinstance(late, Failed)
        assert not late.is_fatal
        assert "did not come back from the cluster within" in str(late.error)
        assert isinstance(failed, Failed)
        assert failed.is_fatal
        assert "scheduler" in str(failed.error)
        monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.2)
        with pytest.raises(ClusterFailed, match="No scheduler answers at tls://"):
            engines(lonely, []).put(handed("ada"))


@pytest.mark.parametrize(("answers", "is_lost"), [([False, True, False, True], False), ([True, False, False], True)])
def test_a_scheduler_that_does_not_answer_once_is_asked_again(
    answers: list[bool], is_lost: bool, plugins: Plugins, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def workers(_: object) -> Mapping[str, Mapping[str, Any]]:
        if not answers.pop(0):
            raise ClusterFailed("The cluster's scheduler has gone.")
        return {"tls://a": {"nthreads": 1, "resources": {}}}

    monkeypatch.setattr(engine_module, "workers", workers)
    monkeypatch.setattr(engine_module, "LOOK_AGAIN_SECONDS", 0.0)
    engine = Cluster(plugins, pack, Order(), Site("tls://127.0.0.1:1"), lambda *_: None)
    engine._client = mock.Mock(status="running")

    engine._see({"tls://a": {"nthreads": 1, "resources": {}}})
    for _ in list(answers):
        engine._look()

    assert (engine._lost is not None) is is_lost
