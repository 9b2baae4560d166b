"""What conftest.py does for all tests."""

from __future__ import annotations

import sys
import threading

import pytest


@pytest.mark.no_cover
def test_what_is_not_to_be_covered_is_not_slowed_down_by_it() -> None:
    assert sys.gettrace() is None
    assert threading.gettrace() is None
