"""Two machines grade alike where grader, pack, reference and torch are alike, whatever torch was built for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from grader.runner.kit import Kit, kit_of

KIT = Kit("0.2.0", "2.13.0", "a" * 64, "b" * 64)


def test_the_same_kit_has_no_difference(plugins: Plugins, pack: Pack) -> None:
    assert kit_of(plugins, pack).difference(kit_of(plugins, pack)) == ""
    assert "+" not in kit_of(plugins, pack).torch


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"grader": "0.1.0"}, "another grader (0.1.0; here it is 0.2.0)"),
        ({"torch": ""}, "another torch (none; here it is 2.13.0)"),
        ({"pack": "c" * 64}, "another pack (cccccccccccc; here it is aaaaaaaaaaaa)"),
        ({"reference": ""}, "another reference (none; here it is bbbbbbbbbbbb)"),
    ],
)
def test_a_difference_is_named_with_both_sides(change: dict[str, str], said: str) -> None:
    assert KIT.difference(replace(KIT, **change)) == said
