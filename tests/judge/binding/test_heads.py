"""What each head holds for itself is filled as one layer for all heads would be, and takes no other's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.judge.binding import heads
from grader.judge.binding.fitting import Unbound
from grader.judge.binding.fused import Loading
from grader.judge.binding.loadings import loadings
from grader.model.observation import Slot
from tests.judge.binding.test_loadings import D_IN, NAMING, ROLES, TOKENS, products, slots_of, weights
from tests.judge.hand_made import numbers

WIDTH = 2
# A weight for itself in each head, beside what it makes of the tokens: the shapes of one, and the product.
LINEAR: Callable[[Any], Any] = lambda held: TOKENS @ held.T  # noqa: E731
BARE: Callable[[Any], Any] = lambda held: TOKENS @ held  # noqa: E731


def of_heads(pattern: str, shape: tuple[int, ...], count: int) -> dict[str, tuple[int, ...]]:
    return {pattern.format(head): shape for head in range(count)}


def mixed(given_weights: Mapping[str, Any]) -> dict[str, Any]:
    """The same weights with an `out_proj`, as what mixes the heads has it."""
    wide = len(given_weights["W_query.weight"])
    return {**given_weights, "out_proj.weight": numbers(wide, wide), "out_proj.bias": numbers(wide)}


def mixing(given_weights: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The shapes of `out_proj`."""
    return {name: weight.shape for name, weight in given_weights.items() if "out_proj" in name}


def columns(loading: Loading, pattern: str, count: int, product: Callable[[Any], Any]) -> Any:
    """What all heads make of the tokens, in their order: (heads, T, width)."""
    return np.stack([product(loading.arrays[pattern.format(head)]) for head in range(count)])


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize(
    ("pattern", "product"),
    [
        ("W_query.{}.weight", LINEAR),
        ("attention.q.{}.weight", LINEAR),
        ("heads.{}.W_query.weight", LINEAR),
        ("attention.1.heads.{}.0.q.weight", LINEAR),
        ("head_{}.q.weight", LINEAR),
        ("{}.q.weight", LINEAR),
        ("W_query.{}", BARE),
        ("q.{}", BARE),
        ("heads.{}.q", BARE),
    ],
)
def test_a_role_may_have_a_layer_in_each_head(count: int, pattern: str, product: Callable[[Any], Any]) -> None:
    given_weights = mixed(weights(d_out=count * WIDTH))
    shape = (WIDTH, D_IN) if product is LINEAR else (D_IN, WIDTH)
    others = {name: weight.shape for name, weight in given_weights.items() if "query" not in name}

    found = loadings(given_weights, slots_of({**of_heads(pattern, shape, count), **others}), NAMING, count)

    wanted = products(given_weights)[0].reshape(len(TOKENS), count, WIDTH).swapaxes(0, 1)
    assert sum(np.allclose(columns(each, pattern, count, product), wanted, atol=1e-5) for each in found) == 1


@pytest.mark.parametrize("count", [2, 3, 5])  # as many heads as roles among them: then it may be a layer for each role
@pytest.mark.parametrize(
    ("pattern", "product"),
    [
        ("qkv.{}.weight", LINEAR),
        ("all_of_it.{}.weight", LINEAR),
        ("qkv.{}", BARE),
        ("blocks.{}.qkv.weight", LINEAR),
        ("heads.{}.all_of_it.weight", LINEAR),
    ],
)
def test_all_roles_may_lie_in_a_layer_of_each_head(count: int, pattern: str, product: Callable[[Any], Any]) -> None:
    given_weights = mixed(weights(d_out=count * WIDTH))
    shape = (3 * WIDTH, D_IN) if product is LINEAR else (D_IN, 3 * WIDTH)

    found = loadings(
        given_weights, slots_of({**of_heads(pattern, shape, count), **mixing(given_weights)}), NAMING, count
    )

    wanted = np.stack([each.reshape(len(TOKENS), count, WIDTH) for each in products(given_weights)])
    made = [columns(each, pattern, count, product).reshape(count, len(TOKENS), 3, WIDTH) for each in found]
    assert sum(np.allclose(each.transpose(2, 1, 0, 3), wanted, atol=1e-5) for each in made) == 1
    assert len({each.layout for each in found}) == len(found)


def test_biases_go_with_the_layers_of_their_heads() -> None:
    given_weights = weights(bias=True, d_out=2 * WIDTH)
    shapes = of_heads("qkv.{}.weight", (3 * WIDTH, D_IN), 2) | of_heads("qkv.{}.bias", (3 * WIDTH,), 2)

    found = loadings(given_weights, slots_of(shapes), NAMING, 2)

    meant = next(each for each in found if each.layout == "head by head: W_query, W_key, W_value")
    for head in range(2):
        due = [given_weights[f"{role}.bias"][head * WIDTH : (head + 1) * WIDTH] for role in ROLES]
        np.testing.assert_array_equal(meant.arrays[f"qkv.{head}.bias"], np.concatenate(due))


def test_a_bias_of_each_head_that_nobody_asked_for_is_filled_with_zeros() -> None:
    shapes = of_heads("qkv.{}.weight", (3 * WIDTH, D_IN), 2) | of_heads("qkv.{}.bias", (3 * WIDTH,), 2)

    found = loadings(weights(d_out=2 * WIDTH), slots_of(shapes), NAMING, 2)

    assert {name: array.tolist() for name, array in found[0].unwanted.items()} == {
        f"qkv.{head}.bias": [0.0] * 3 * WIDTH for head in range(2)
    }


@pytest.mark.parametrize(
    "shapes",
    [
        of_heads("W_query.{}.weight", (WIDTH, D_IN), 3),  # more than there are heads
        of_heads("W_query.{}.weight", (WIDTH, D_IN), 1),
        {"W_query.0.weight": (WIDTH, D_IN), "W_query.2.weight": (WIDTH, D_IN)},
        {"W_query.0.weight": (1, D_IN), "W_query.1.weight": (3, D_IN)},
        of_heads("W_query.{}.weight", (WIDTH, D_IN + 1), 2),
        of_heads("heads.{}.W_query.weight", (2 * WIDTH, D_IN), 2),  # a wrapper, each of whose heads is as wide as all
    ],
)
def test_another_list_is_no_place(shapes: Mapping[str, tuple[int, ...]]) -> None:
    given_weights = {"W_query.weight": numbers(2 * WIDTH, D_IN)}

    with pytest.raises(Unbound, match=r"W_query"):
        loadings(given_weights, slots_of(shapes), NAMING, 2)


def test_whole_heads_that_nothing_mixes_are_a_wrapper_and_no_place() -> None:
    slots = slots_of({f"heads.{head}.{role}.weight": (WIDTH, D_IN) for role in ROLES for head in range(2)})

    with pytest.raises(Unbound, match=r"W_query"):
        loadings(weights(d_out=2 * WIDTH), slots, NAMING, 2)


def test_only_what_the_layers_of_the_heads_lack_is_said_to_have_no_place() -> None:
    given_weights = {"W_query.weight": numbers(2 * WIDTH, D_IN), "W_query.bias": numbers(2 * WIDTH)}
    shapes = of_heads("W_query.{}", (D_IN, WIDTH), 2)

    with pytest.raises(Unbound, match=r"no place for W_query\.bias ") as caught:
        loadings(given_weights, slots_of(shapes), NAMING, 2)

    assert caught.value.missing == ("W_query.bias",)


def test_what_is_one_under_several_names_or_a_buffer_is_not_each_heads() -> None:
    one = Slot("W_query.0.weight", (WIDTH, D_IN), "parameter", "Linear", trainable=True)
    again = Slot("W_query.1.weight", (WIDTH, D_IN), "shared", "Linear", trainable=True, first=one.name)
    buffers = [Slot(f"masks.{number}", (5, 5), "buffer") for number in range(2)]

    assert heads.whole([one, again, *buffers], 2, {}) is None


@pytest.mark.parametrize("count", [2, 3, 5])
def test_whole_heads_may_hold_a_list_of_their_layers(count: int) -> None:
    given_weights = mixed(weights(d_out=count * WIDTH))
    patterns = [f"heads.{{}}.layers.{role}.weight" for role in range(3)]
    shapes = {name: shape for each in patterns for name, shape in of_heads(each, (WIDTH, D_IN), count).items()}

    found = loadings(given_weights, slots_of(shapes | mixing(given_weights)), NAMING, count)

    wanted = np.stack([each.reshape(len(TOKENS), count, WIDTH) for each in products(given_weights)])
    made = [np.stack([columns(each, pattern, count, LINEAR) for pattern in patterns]) for each in found]
    assert sum(np.allclose(each.swapaxes(1, 2), wanted, atol=1e-5) for each in made) == 1


@pytest.mark.parametrize("owner", ["Linear", "Projection"])
@pytest.mark.parametrize("pattern", ["out_proj.{}", "heads.{}.out_proj"])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_layers_of_the_heads_may_each_take_what_their_head_gives_and_be_added(
    count: int, pattern: str, owner: str
) -> None:
    wide = count * WIDTH
    given_weights = weights(d_out=wide) | {"out_proj.weight": numbers(wide, wide), "out_proj.bias": numbers(wide)}
    shapes = {name: weight.shape for name, weight in given_weights.items() if "out_proj" not in name}
    weight, bias = f"{pattern}.weight", f"{pattern}.bias"
    shapes |= of_heads(weight, (wide, WIDTH), count) | of_heads(bias, (wide,), count)

    slots = [replace(slot, owner=owner) if "out_proj" in slot.name else slot for slot in slots_of(shapes)]
    found = loadings(given_weights, slots, NAMING, count)

    given = numbers(7, wide)
    wanted = given @ given_weights["out_proj.weight"].T + given_weights["out_proj.bias"]
    ways = [
        [(way.arrays[weight.format(head)], way.arrays[bias.format(head)]) for head in range(count)] for way in found
    ]
    pieces = np.split(given, count, axis=1)
    made = [sum(x @ held.T + added for x, (held, added) in zip(pieces, way, strict=True)) for way in ways]
    assert sum(np.allclose(each, wanted, atol=1e-5) for each in made) == 1


@pytest.mark.parametrize(
    ("shapes", "product"),
    [
        ({f"{role}.weight": (3 * WIDTH, D_IN) for role in ROLES}, LINEAR),
        (dict.fromkeys(ROLES, (D_IN, 3 * WIDTH)), BARE),
    ],
)
def test_a_layer_of_all_heads_may_stand_for_one_in_each(
    shapes: Mapping[str, tuple[int, ...]], product: Callable[[Any], Any]
) -> None:
    each = [{name: array + head for name, array in weights(d_out=WIDTH).items()} for head in range(3)]
    given_weights = {f"heads.{head}.{name}": array for head, own in enumerate(each) for name, array in own.items()}

    found = loadings(given_weights, slots_of(shapes), NAMING, 3)

    wanted = np.stack([np.concatenate([LINEAR(own[f"{role}.weight"]) for own in each], axis=1) for role in ROLES])
    made = [np.stack([product(loading.arrays[slot]) for slot in shapes]) for loading in found]
    assert sum(np.allclose(way, wanted, atol=1e-5) for way in made) == 1


def test_what_is_of_heads_and_of_more_has_no_place_in_one_layer() -> None:
    given_weights = {f"heads.{head}.W_query.weight": numbers(WIDTH, D_IN) for head in range(2)} | {"out": numbers(2)}

    with pytest.raises(Unbound, match=r"heads\.0\.W_query\.weight"):
        loadings(given_weights, slots_of({"W_query.weight": (2 * WIDTH, D_IN), "out": (2,)}), NAMING, 2)


@pytest.mark.parametrize("pattern", ["heads.head_{}", "head/{}", "Kopf{}"])
@pytest.mark.parametrize("first", [0, 1])
def test_heads_may_be_numbered_in_their_own_names(pattern: str, first: int) -> None:
    given_weights = {f"heads.{head}.{role}.weight": numbers(WIDTH, D_IN) for head in range(3) for role in ROLES}
    places = [f"{pattern.format(head + first)}.{role}.weight" for head in range(3) for role in ROLES]

    found = loadings(given_weights, slots_of(dict.fromkeys(places, (WIDTH, D_IN))), NAMING, 3)

    assert len(found) == 1
    for name, place in zip(given_weights, places, strict=True):
        np.testing.assert_array_equal(found[0].arrays[place], given_weights[name])


def test_what_is_accepted_of_a_list_of_parameters_is_called_as_a_list() -> None:
    given_weights = {"W_query.weight": np.zeros((4, D_IN), np.float32)}

    found = loadings(given_weights, slots_of(of_heads("W_query.{}", (D_IN, 2), 2)), NAMING, 2)

    assert {each.notes for each in found} == {("`W_query.*` for `W_query.weight`; accepted",)}


def test_what_is_accepted_of_whole_heads_is_called_as_it_lies_in_each() -> None:
    roles = [f"heads.{{}}.{role}" for role in ("W_query", "W_key", "W_value")]
    shapes = {f"{role}.weight".format(head): (2, D_IN) for role in roles for head in range(2)}
    shapes |= {f"{role}.bias".format(head): (2,) for role in roles for head in range(2)}
    one_in_each = of_heads("blocks.{}.qkv.weight", (6, D_IN), 2)

    biased, bare = mixed(weights(bias=True, d_out=4)), mixed(weights(d_out=4))
    found = loadings(biased, slots_of(shapes | mixing(biased)), NAMING, 2)
    together = loadings(bare, slots_of(one_in_each | mixing(bare)), NAMING, 2)

    assert {*found[0].notes} == {f"`heads.*.{role}` for `{role}`; accepted" for role in ROLES}
    assert "`blocks.*.qkv` holds W_query, W_key, W_value head by head; accepted" in {
        note for way in together for note in way.notes
    }
