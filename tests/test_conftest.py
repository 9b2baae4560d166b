"""What conftest.py does for all tests."""

from __future__ import annotations

import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st


def is_slowed_down() -> bool:
    return sys.gettrace() is not None or threading.gettrace() is not None


@pytest.fixture
def was_slowed_down() -> bool:
    return is_slowed_down()


@pytest.mark.no_cover
def test_what_is_not_to_be_covered_is_not_slowed_down_by_it(was_slowed_down: bool) -> None:
    assert not was_slowed_down
    assert not is_slowed_down()


@given(st.none())
def test_what_is_tried_a_hundred_times_is_not_slowed_down_either(_: None) -> None:
    assert not is_slowed_down()


def test_all_else_is_covered_where_anything_is(pytestconfig: pytest.Config, was_slowed_down: bool) -> None:
    assert was_slowed_down is is_slowed_down() is bool(pytestconfig.getoption("cov_source"))


def test_what_lasts_begins_before_all_others(request: pytest.FixtureRequest) -> None:
    lasts = [item.get_closest_marker("lasting") is not None for item in request.session.items]

    assert lasts == sorted(lasts, reverse=True)
