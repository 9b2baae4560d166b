"""Which layers a grade that counts cannot do without."""

from __future__ import annotations

import pytest

from grader.model.isolation import LAYERS, REQUIRED, lacking


def test_with_every_layer_nothing_lacks() -> None:
    assert lacking(LAYERS) == []
    assert lacking(set(LAYERS), ["cuda"]) == []


@pytest.mark.parametrize("layer", REQUIRED)
def test_a_required_layer_lacks_by_its_name(layer: str) -> None:
    assert lacking([other for other in LAYERS if other != layer]) == [layer]


@pytest.mark.parametrize("layer", sorted(set(LAYERS) - set(REQUIRED)))
def test_any_other_layer_can_be_done_without(layer: str) -> None:
    assert lacking([other for other in LAYERS if other != layer]) == []


def test_cuda_is_spared_what_cannot_go_with_its_devices() -> None:
    inside = [layer for layer in LAYERS if layer != "landlock"]

    assert lacking(inside, "cpu") == ["landlock"]
    assert lacking(inside, ["cuda"]) == []
    assert lacking([], ["cuda"]) == [layer for layer in REQUIRED if layer != "landlock"]


def test_what_lacks_is_told_from_the_outermost_inwards() -> None:
    assert lacking([]) == [layer for layer in LAYERS if layer in REQUIRED]


def test_a_layer_is_named_once() -> None:
    assert len(set(LAYERS)) == len(LAYERS)
    assert set(REQUIRED) <= set(LAYERS)
