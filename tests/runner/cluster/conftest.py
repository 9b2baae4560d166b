"""One cluster for all tests that do it no lasting harm: two workers, of which one says that it has a GPU."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from grader.runner.cluster.connection import connect

from .members import SECONDS, Members, members


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Members]:
    with members(tmp_path_factory.mktemp("cluster"), "", "--resources GPU=1") as cluster:
        yield cluster


@pytest.fixture
def cluster(started: Members) -> Members:
    """The cluster with both of its workers, whatever an earlier test did to them."""
    client = connect(started.place)
    client.wait_for_workers(2, timeout=SECONDS)
    client.close()
    return started


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What Dask leaves open where a scheduler is killed is collected before the test's own filter of warnings ends."""
    yield
    gc.collect()
