"""A browser for every test that looks at a page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from selenium.webdriver import Chrome

from .browser import chromium


@pytest.fixture(scope="package")
def chrome() -> Iterator[Chrome]:
    """One browser for all. Where `.ci/run` has seen to it that there is one, its absence is a failure."""
    with ExitStack() as opened:
        try:
            browser = opened.enter_context(chromium())
        except LookupError as absent:
            if os.environ.get("REQUIRE_BROWSER"):
                raise
            pytest.skip(str(absent))
        yield browser
