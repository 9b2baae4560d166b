"""What most tests start from: the installed plugins, their pack, and one worker process for all of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import coverage
import pytest
from hypothesis import settings

from grader import words
from grader.model.pack import Pack
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from tests.command import ROOT, Grade, GradeHere

# Nothing here is timed, and one commit gives one result: what hypothesis tries follows from the test alone.
settings.register_profile("all", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("some", settings.get_profile("all"), max_examples=50)
settings.load_profile("all")

# Every process that a test starts inherits this: what is said does not depend on whose machine it is.
for name in ("LANGUAGE", *words.LOCALES):
    os.environ.pop(name, None)
os.environ["LANG"] = "C"
# Nor does what ends it: `nohup` has a process pass over a hangup, and `&` in a script over Ctrl-C.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Have hypothesis try half as much where what is `long` is left out."""
    if config.getoption("markexpr") == "not long":
        settings.load_profile("some")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have what is `lasting` begin first, in whatever order the rest comes.

    What hypothesis tries a hundred times is not covered: it took most of what coverage cost, and a few examples that
    stand beside it run the same lines.
    """
    items.sort(key=lambda item: item.get_closest_marker("lasting") is None)
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Have `no_cover` hold for what a test's fixtures do too, which pytest-cov covers."""
    with _uncovered(item):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Have `no_cover` hold in the processes of xdist too, where pytest-cov starts coverage twice and pauses it once."""
    with _uncovered(item):
        return (yield)


@contextlib.contextmanager
def _uncovered(item: pytest.Item) -> Iterator[None]:
    """Pause whatever covers, where a test is marked `no_cover`."""
    paused: list[coverage.Coverage] = []
    while item.get_closest_marker("no_cover") and (running := coverage.Coverage.current()) is not None:
        running.stop()
        paused.append(running)
    try:
        yield
    finally:
        for each in reversed(paused):
            each.start()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A command that a test runs in this very process may have another language spoken; the next test begins anew."""
    yield
    words.speak(words.ENGLISH)


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    """Every plugin that is installed here."""
    return Plugins()


@pytest.fixture(scope="session")
def pack(plugins: Plugins) -> Pack:
    """The kit's own pack."""
    return load_pack(plugins.pack(), plugins.checks)


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """A worker process, which imports torch once for the whole session."""
    worker = Zygote()
    worker.hello()  # so that no test finds it still starting
    yield worker
    worker.close()


@pytest.fixture
def copied_pack(tmp_path: Path) -> Path:
    """A folder with a copy of the pack and of its solutions, to be broken and graded in place of the kit's own."""
    folder = tmp_path / "pack"
    for name in ("exercises", "fixtures", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "submissions"))
    return folder


@pytest.fixture(scope="session")
def grade(zygote: Zygote, pack: Pack) -> Iterator[Grade]:
    """`grade` in this process, with the worker and the pack that all tests share."""
    here = GradeHere(zygote, pack)
    yield here
    here.close()
