"""What docs/security.md says that one layer alone holds gets through where that layer is left out, and only then."""

from __future__ import annotations

import pytest
from _pytest.mark.structures import ParameterSet

from grader.model.isolation import LAYERS
from grader.model.order import STEP_SECONDS
from grader.model.pack import Pack
from grader.plugins.registry import Plugins

from .catalogue import EVERY
from .grounds import Grounds
from .reading import held_by_one

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover
# The others limit what is taken: without one of them an attack takes long to have all that it wants.
EVERY_TIME = ("bubblewrap", "landlock", "seccomp")


def tried() -> list[ParameterSet]:
    """Each layer with the first attack that it alone holds, and with the others where there is time."""
    held = held_by_one().items()
    return [
        *(
            pytest.param(layer, names[:1], id=layer, marks=[] if layer in EVERY_TIME else pytest.mark.long)
            for layer, names in held
        ),
        *(pytest.param(layer, names[1:], id=f"{layer}, the others", marks=pytest.mark.long) for layer, names in held),
    ]


def test_the_page_names_layers_and_attacks_that_there_are() -> None:
    named = held_by_one()

    assert named.keys() <= set(LAYERS)
    assert {name for names in named.values() for name in names} <= {attack.name for attack in EVERY}
    assert sum(map(len, named.values())) > 5


@pytest.mark.parametrize(("layer", "names"), tried())
def test_an_attack_that_one_layer_holds_gets_through_without_it(
    layer: str, names: list[str], plugins: Plugins, pack: Pack
) -> None:
    attacks = {attack.name: attack for attack in EVERY}
    grounds = Grounds(plugins, pack, frozenset({layer}), seconds=STEP_SECONDS)  # nothing but the layer is to hold it
    try:
        held = [name for name in names if not grounds.try_out(attacks[name])[0]]
    finally:
        grounds.close()

    assert held == []
