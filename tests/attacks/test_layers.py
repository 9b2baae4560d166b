"""What docs/security.md says that one layer alone holds gets through where that layer is left out, and only then."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from grader.model.isolation import LAYERS
from grader.model.order import STEP_SECONDS
from grader.model.pack import Pack
from grader.plugins.registry import Plugins

from .catalogue import EVERY
from .grounds import Grounds

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

PAGE = Path(__file__).resolve().parents[2] / "docs" / "security.md"
ROW = re.compile(r"^\| `(\w+)` alone \| (.+) \|$", re.MULTILINE)


def held_by_one() -> dict[str, list[str]]:
    """Each layer to the attacks that the page says it alone holds."""
    named: dict[str, list[str]] = defaultdict(list)
    for layer, attacks in ROW.findall(PAGE.read_text("utf-8")):
        named[layer] += re.findall(r"`([\w-]+)`", attacks.partition(";")[0])  # after it: what depends on the machine
    return dict(named)


def test_the_page_names_layers_and_attacks_that_there_are() -> None:
    named = held_by_one()

    assert named.keys() <= set(LAYERS)
    assert {name for names in named.values() for name in names} <= {attack.name for attack in EVERY}
    assert sum(map(len, named.values())) > 5


@pytest.mark.long
@pytest.mark.parametrize("layer", held_by_one())
def test_an_attack_that_one_layer_holds_gets_through_without_it(layer: str, plugins: Plugins, pack: Pack) -> None:
    attacks = {attack.name: attack for attack in EVERY}
    grounds = Grounds(plugins, pack, frozenset({layer}), seconds=STEP_SECONDS)  # nothing but the layer is to hold it
    try:
        held = [name for name in held_by_one()[layer] if not grounds.try_out(attacks[name])[0]]
    finally:
        grounds.close()

    assert held == []
