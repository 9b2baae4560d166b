"""The executor `dask`: it says what is missing before it tries."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from grader.model.errors import UsageError
from grader.model.order import Order
from grader.model.pack import Pack
from grader.plugins.executor import Site
from grader.plugins.registry import Plugins
from grader.runner.cluster.executor import Dask

PLACE = Site("tls://grading-1:8786")


def test_an_engine_is_made_without_a_word_to_the_cluster_and_has_room_for_one(plugins: Plugins, pack: Pack) -> None:
    engine = Dask().engine(plugins, pack, Order(), PLACE, lambda *_: None)

    assert engine.room == 1
    assert engine.take_back() == 0
    assert engine.get(0.0) is None
    engine.close()


def test_as_many_are_sent_as_are_asked_for(plugins: Plugins, pack: Pack) -> None:
    assert Dask().engine(plugins, pack, Order(), replace(PLACE, jobs=7), lambda *_: None).room == 7


def test_where_dask_is_not_installed_it_is_said_how_to_get_it(
    plugins: Plugins, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(UsageError, match=r"-m pip install dask distributed$"):
        Dask().engine(plugins, pack, Order(), PLACE, lambda *_: None)


def test_a_place_that_others_could_listen_to_is_refused_first(plugins: Plugins, pack: Pack) -> None:
    with pytest.raises(UsageError, match="neither encrypted"):
        Dask().engine(plugins, pack, Order(), Site("tcp://10.0.0.7:8786"), lambda *_: None)
