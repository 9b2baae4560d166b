"""What conftest.py does for all tests."""

from __future__ import annotations

import sys
import threading

import pytest


@pytest.mark.no_cover
def test_what_is_not_to_be_covered_is_not_slowed_down_by_it() -> None:
    assert sys.gettrace() is None
    assert threading.gettrace() is None


def test_what_lasts_begins_before_all_others(request: pytest.FixtureRequest) -> None:
    lasts = [item.get_closest_marker("lasting") is not None for item in request.session.items]

    assert lasts == sorted(lasts, reverse=True)
