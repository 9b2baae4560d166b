"""Weights go where their roles are, whatever a student calls them: the products come out the same."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.diagnosis.sentences import sentence
from grader.judge.binding.fitting import Unbound
from grader.judge.binding.fused import Loading
from grader.judge.binding.loadings import MOST_SLOTS, loadings, matching, roles_of
from grader.model.observation import Fault, Observation, Slot
from grader.model.pack import Fused, Naming, Pack
from grader.words import speaking
from tests.judge.hand_made import exercise, numbers, step

ROLES = ("W_query", "W_key", "W_value")
NAMING = Naming(
    aliases={
        "W_query": ("q", "query"),
        "W_key": ("k", "key"),
        "W_value": ("v", "value"),
        "out_proj": ("proj",),
        "heads": ("attention_heads",),
    },
    fused=(Fused(("qkv", "W_qkv"), ROLES), Fused(("kv",), ROLES[1:])),
    around=("w", "proj", "layer"),
    optional=("out_proj.bias",),
)
TOKENS = numbers(5, 6, seed=1)
D_IN, D_OUT, HEADS = 6, 4, 2
# How a fused projection's rows may lie, as it is told, by the number of pieces in which each role has its rows.
LAYOUTS = {"side by side": 1, "head by head": HEADS, "in turn, number by number": D_OUT}


def weights(bias: bool = False, prefix: str = "", d_out: int = D_OUT) -> dict[str, Any]:
    """The reference's weights: three Linears, or those of one head."""
    named = {f"{prefix}{role}.weight": numbers(d_out, D_IN, seed=i) for i, role in enumerate(ROLES, 10)}
    if bias:
        named |= {f"{prefix}{role}.bias": numbers(d_out, seed=i) for i, role in enumerate(ROLES, 20)}
    return named


def products(named: Mapping[str, Any], prefix: str = "") -> list[Any]:
    """What the reference's three Linears make of the tokens."""
    return [TOKENS @ named[f"{prefix}{r}.weight"].T + named.get(f"{prefix}{r}.bias", 0.0) for r in ROLES]


def slots_of(shapes: Mapping[str, tuple[int, ...]], kind: str = "parameter") -> list[Slot]:
    owners = {name: "Linear" if name.endswith((".weight", ".bias")) else "Student" for name in shapes}
    return [Slot(name, shape, kind, owners[name], trainable=True) for name, shape in shapes.items()]


def holds(slots: list[Slot], loading: Loading) -> bool:
    """Whether every array fits into the slot of its name."""
    shapes = {slot.name: slot.shape for slot in slots}
    return all(array.shape == shapes[name] for name, array in {**loading.arrays, **loading.unwanted}.items())


@given(
    st.tuples(*(st.sampled_from((role, *NAMING.aliases[role])) for role in ROLES)),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
    st.booleans(),
    st.sampled_from(["", "attention.", "block.0."]),
    st.randoms(use_true_random=False),
)
def test_any_spelling_of_the_projections_gives_their_products(
    names: tuple[str, ...], bare: tuple[bool, ...], bias: bool, prefix: str, chance: Any
) -> None:
    bare = (False, False, False) if bias else bare  # a bare parameter has no place for a bias
    shapes: dict[str, tuple[int, ...]] = {"mask": (5, 5)}
    for name, is_bare in zip(names, bare, strict=True):
        shapes |= {f"{prefix}{name}": (D_IN, D_OUT)} if is_bare else {f"{prefix}{name}.weight": (D_OUT, D_IN)}
        shapes |= {f"{prefix}{name}.bias": (D_OUT,)} if bias else {}
    shuffled = list(shapes.items())
    chance.shuffle(shuffled)
    slots = slots_of(dict(shuffled))
    given_weights = weights(bias)

    (loading,) = loadings(given_weights, slots, NAMING)

    assert holds(slots, loading)
    for name, is_bare, product in zip(names, bare, products(given_weights), strict=True):
        path = f"{prefix}{name}"
        got = TOKENS @ loading.arrays[path] if is_bare else TOKENS @ loading.arrays[f"{path}.weight"].T
        np.testing.assert_array_equal(got + loading.arrays.get(f"{path}.bias", 0.0), product)
    assert all(note.endswith("; accepted") for note in loading.notes)
    assert bool(loading.notes) == ((prefix, names, any(bare)) != ("", ROLES, False))


@given(st.permutations(range(3)), st.booleans(), st.sampled_from(sorted(LAYOUTS)), st.sampled_from(["", "attention."]))
def test_a_fused_projection_gives_the_products_in_one_of_its_orders(
    order: list[int], bias: bool, layout: str, prefix: str
) -> None:
    slots = slots_of({f"{prefix}qkv.weight": (3 * D_OUT, D_IN)} | ({f"{prefix}qkv.bias": (3 * D_OUT,)} if bias else {}))
    given_weights = weights(bias, prefix)

    found = loadings(given_weights, slots, NAMING, HEADS)

    def split(loading: Loading) -> list[Any]:
        whole = TOKENS @ loading.arrays[f"{prefix}qkv.weight"].T + loading.arrays.get(f"{prefix}qkv.bias", 0.0)
        cut = np.moveaxis(whole.reshape(len(TOKENS), LAYOUTS[layout], 3, -1), 2, 0).reshape(3, len(TOKENS), -1)
        return [cut[order.index(role)] for role in range(3)]

    assert all(holds(slots, loading) for loading in found)
    wanted = products(given_weights, prefix)
    fits = [lo for lo in found if all(np.allclose(a, b, atol=1e-5) for a, b in zip(split(lo), wanted, strict=True))]
    assert len(fits) == 1
    roles = ", ".join(ROLES[i] for i in order)
    assert fits[0].notes == (f"`{prefix}qkv` holds {roles} {layout}; accepted",)


# How a fused parameter may be seen that is one long row, and what it then makes of the tokens: (roles, T, width).
LONG_ROWS: Mapping[str, Callable[[Any], Any]] = {
    "(3 * out, in)": lambda w: np.split(TOKENS @ w.reshape(3 * D_OUT, D_IN).T, 3, axis=1),
    "(in, 3 * out)": lambda w: np.split(TOKENS @ w.reshape(D_IN, 3 * D_OUT), 3, axis=1),
    "(3, in, out)": lambda w: TOKENS @ w.reshape(3, D_IN, D_OUT),
    "(3, out, in)": lambda w: TOKENS @ w.reshape(3, D_OUT, D_IN).swapaxes(1, 2),
    "(heads, 3, width, in)": lambda w: np.einsum("hrwi,ti->rthw", w.reshape(HEADS, 3, -1, D_IN), TOKENS),
    "(3, heads, in, width)": lambda w: np.einsum("rhiw,ti->rthw", w.reshape(3, HEADS, D_IN, -1), TOKENS),
    "(heads, 3, in, width)": lambda w: np.einsum("hriw,ti->rthw", w.reshape(HEADS, 3, D_IN, -1), TOKENS),
    "(heads, in, 3 * width)": lambda w: np.einsum("hirw,ti->rthw", w.reshape(HEADS, D_IN, 3, -1), TOKENS),
    "(out, 3, in)": lambda w: np.einsum("ori,ti->rto", w.reshape(D_OUT, 3, D_IN), TOKENS),
    "(in, out, 3)": lambda w: np.einsum("ior,ti->rto", w.reshape(D_IN, D_OUT, 3), TOKENS),
}


@pytest.mark.parametrize("seen", sorted(LONG_ROWS))
@pytest.mark.parametrize(
    ("name", "bias"),
    [
        ("W_qkv", ""), ("all_of_it", ""), ("weight", ""),
        ("W_qkv", "b_qkv"), ("W_qkv", "b"), ("qkv.weight", "qkv.bias"), ("weight", "bias"),
    ],
)  # fmt: skip
def test_a_fused_parameter_may_be_one_long_row_until_it_is_used(seen: str, name: str, bias: str) -> None:
    given_weights = weights(bool(bias))
    slots = [replace(each, owner="Student") for each in slots_of({name: (3 * D_OUT * D_IN,)})]
    slots += [replace(each, owner="Student") for each in slots_of({bias: (3 * D_OUT,)} if bias else {})]

    found = loadings(given_weights, slots, NAMING, HEADS)

    wanted = np.stack(products(weights()))
    ways = [LONG_ROWS[seen](way.arrays[name]) for way in found]
    assert all(holds(slots, way) for way in found)
    for order in itertools.permutations(range(3)):
        cuts = [np.stack([way[order.index(role)] for role in range(3)]).reshape(3, len(TOKENS), -1) for way in ways]
        fits = [cut for cut in cuts if np.allclose(cut, wanted, atol=1e-5)]
        assert len(fits) == (6 if bias else 1)  # with each order that the biases may have
    assert len({way.layout for way in found}) == len(found)


@given(st.permutations(range(3)))
def test_a_fused_bare_parameter_gives_the_products_too(order: list[int]) -> None:
    slots = slots_of({"W_qkv": (D_IN, 3 * D_OUT)})

    found = loadings(weights(), slots, NAMING)

    wanted = products(weights())
    cuts = [np.split(TOKENS @ loading.arrays["W_qkv"], 3, axis=1) for loading in found]
    fits = [c for c in cuts if all(np.allclose(c[i], wanted[r], atol=1e-5) for i, r in enumerate(order))]
    assert len(fits) == 1


@given(st.permutations(range(3)), st.booleans(), st.sampled_from(["{}", "{}.weight", "W_{}_own.weight"]))
def test_layers_whose_names_say_nothing_hold_their_roles_in_any_order(
    order: list[int], is_named: bool, pattern: str
) -> None:
    names = [pattern.format(called) for called in ("abfrage", "schlüssel", "wert")]
    if is_named:  # then it says itself what it is
        names[order[0]] = ROLES[order[0]] + ".weight"
    shapes = {name: (D_OUT, D_IN) if name.endswith(".weight") else (D_IN, D_OUT) for name in names}

    found = loadings(weights(), slots_of(shapes), NAMING)

    wanted = products(weights())
    turned = [name for name in names if name.endswith(".weight")]
    held = [[TOKENS @ (way.arrays[n].T if n in turned else way.arrays[n]) for n in names] for way in found]
    due = sorted(range(3), key=order.index) if not is_named else [0, 1, 2]
    assert sum(all(np.allclose(way[at], wanted[due[at]], atol=1e-5) for at in range(3)) for way in held) == 1


@pytest.mark.parametrize("shape", [(D_IN, D_OUT), (D_OUT, D_IN)])
def test_a_parameter_may_get_its_shape_only_when_it_is_used(shape: tuple[int, int]) -> None:
    found = loadings(weights(), slots_of(dict.fromkeys(ROLES, (D_IN * D_OUT,))), NAMING)

    used = [[loading.arrays[role].reshape(shape) for role in ROLES] for loading in found]
    made = [[TOKENS @ (held if shape[0] == D_IN else held.T) for held in way] for way in used]
    assert sum(np.allclose(way, products(weights()), atol=1e-5) for way in made) == 1


@given(st.permutations(range(3)), st.sampled_from([(D_IN, 3 * D_OUT), (3 * D_OUT, D_IN)]))
def test_three_bare_parameters_may_be_fused(order: list[int], shape: tuple[int, int]) -> None:
    bare = {name.removesuffix(".weight"): weight.T for name, weight in weights().items()}

    for name in ("qkv", "qkv.weight") if shape[0] == 3 * D_OUT else ("qkv",):
        found = loadings(bare, slots_of({name: shape}), NAMING)

        arrays = [loading.arrays[name] for loading in found]
        assert all(array.shape == shape and array.flags.c_contiguous for array in arrays)
        cuts = [np.split(TOKENS @ (array if shape[0] == D_IN else array.T), 3, axis=1) for array in arrays]
        wanted = products(weights())
        fits = [c for c in cuts if all(np.allclose(c[i], wanted[r], atol=1e-5) for i, r in enumerate(order))]
        assert len(fits) == 1


@given(st.sampled_from(["heads", "attention_heads"]), st.sampled_from(["W_query", "q_proj"]))
def test_each_head_of_a_list_gets_its_own_weights(heads: str, query: str) -> None:
    given_weights = weights(prefix="heads.0.") | {k: v + 1 for k, v in weights(prefix="heads.1.").items()}
    spelt = {"W_query": query, "W_key": "W_key", "W_value": "W_value"}
    slots = slots_of({f"{heads}.{i}.{spelt[role]}.weight": (D_OUT, D_IN) for i in (1, 0) for role in ROLES})

    (loading,) = loadings(given_weights, slots, NAMING)

    for i in (0, 1):
        np.testing.assert_array_equal(
            loading.arrays[f"{heads}.{i}.{query}.weight"], given_weights[f"heads.{i}.W_query.weight"]
        )


@pytest.mark.parametrize(("lists", "is_found"), [(("blocks",), True), (("blocks", "others"), False), ((), False)])
def test_the_only_list_of_as_many_modules_is_that_of_the_heads(lists: tuple[str, ...], is_found: bool) -> None:
    given_weights = weights(prefix="heads.0.") | weights(prefix="heads.1.")
    slots = slots_of({f"{name}.{i}.{role}.weight": (D_OUT, D_IN) for name in lists for i in (0, 1) for role in ROLES})

    if not is_found:
        with pytest.raises(Unbound, match="no place for heads"):
            loadings(given_weights, slots, NAMING)
        return
    (loading,) = loadings(given_weights, slots, NAMING)

    assert set(loading.arrays) == {slot.name for slot in slots}
    assert loading.notes[0] == "`blocks.*.W_query` for `heads.*.W_query`; accepted"


def test_a_list_of_layers_in_each_module_of_a_list_may_be_called_anything() -> None:
    slots = slots_of({f"blocks.{i}.linears.{n}.weight": (D_OUT, D_IN) for i in (0, 1) for n in range(3)})

    found = loadings(weights(prefix="heads.0.") | weights(prefix="heads.1."), slots, NAMING)

    assert len(found) == 6
    assert all(holds(slots, loading) and len(loading.arrays) == 6 for loading in found)


@given(st.permutations(range(4)), st.sampled_from(["none", "out_proj", "all"]), st.booleans())
def test_a_list_of_as_many_layers_as_are_absent_gives_the_products_in_one_of_its_orders(
    order: list[int], biased: str, is_asked: bool
) -> None:
    given_weights = weights(is_asked) | {"out_proj.weight": numbers(D_OUT, D_OUT, seed=30)}
    given_weights["out_proj.bias"] = np.zeros(D_OUT, np.float32)
    names = [(*ROLES, "out_proj")[place] for place in order]
    shapes: dict[str, tuple[int, ...]] = {}
    for number, name in enumerate(names):
        shapes[f"linears.{number}.weight"] = given_weights[f"{name}.weight"].shape
        has_bias = biased == "all" or (name in ROLES and is_asked) or name == biased
        shapes |= {f"linears.{number}.bias": (D_OUT,)} if has_bias else {}
    slots = slots_of(shapes)

    found = loadings(given_weights, slots, NAMING, HEADS)

    wanted = {f"linears.{number}.weight": given_weights[f"{name}.weight"] for number, name in enumerate(names)}
    fits = [lo for lo in found if all(np.array_equal(lo.arrays[name], array) for name, array in wanted.items())]
    assert all(holds(slots, loading) for loading in found)
    assert len(fits) == 1
    assert {**fits[0].arrays, **fits[0].unwanted}.keys() == shapes.keys()
    assert all(
        np.array_equal(fits[0].arrays[f"linears.{number}.bias"], given_weights[f"{name}.bias"])
        for number, name in enumerate(names)
        if is_asked and f"linears.{number}.bias" in shapes
    )


@pytest.mark.parametrize(
    "shapes",
    [
        {f"linears.{number}.weight": (D_OUT, D_IN) for number in range(2)},
        {f"linears.{number}.weight": (D_OUT, D_IN + 1) for number in range(3)},
        {f"linears.{number}.weight": (D_IN,) for number in range(3)},
    ],
)
def test_a_list_of_other_layers_is_no_place(shapes: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(Unbound, match="no place for W_query"):
        loadings(weights(), slots_of(shapes), NAMING)


@pytest.mark.parametrize("axes", ["hid", "hdi", "ihd"])
@pytest.mark.parametrize("is_fused", [False, True])
def test_a_weight_may_have_an_axis_for_heads(axes: str, is_fused: bool) -> None:
    d_in, heads, width = 5, 3, 2
    tokens = numbers(4, d_in, seed=1)
    weight = {f"{role}.weight": numbers(heads * width, d_in, seed=i) for i, role in enumerate(ROLES)}
    sizes = {"h": heads, "i": d_in, "d": width}
    shape = tuple(sizes[axis] for axis in axes)
    slots = slots_of({"qkv": (3, *shape)} if is_fused else dict.fromkeys(ROLES, shape))

    loading = loadings(weight, slots, NAMING, heads)[0]

    held = loading.arrays["qkv"] if is_fused else [loading.arrays[role] for role in ROLES]
    for role, each in zip(ROLES, held, strict=True):
        got = np.einsum(f"ti,{axes}->thd", tokens, each).reshape(4, heads * width)
        np.testing.assert_allclose(got, tokens @ weight[f"{role}.weight"].T, atol=1e-5)


@pytest.mark.parametrize("axes", ["hdo", "ohd", "hod"])
def test_an_output_projection_may_have_an_axis_for_heads_too(axes: str) -> None:
    heads, width = 3, 2
    weight = numbers(heads * width, heads * width)
    sizes = {"h": heads, "d": width, "o": heads * width}
    joined = numbers(4, heads * width, seed=1)

    found = loadings({"out_proj.weight": weight}, slots_of({"out_proj": tuple(sizes[a] for a in axes)}), NAMING, heads)

    products = [
        np.einsum(f"thd,{axes}->to", joined.reshape(4, heads, width), each.arrays["out_proj"]) for each in found
    ]
    assert any(np.allclose(each, joined @ weight.T, atol=1e-5) for each in products)


def test_a_bias_may_have_an_axis_for_heads() -> None:
    slots = slots_of({**dict.fromkeys(ROLES, (D_IN, 2, 2)), **{f"b_{role}": (1, 2, 1, 2) for role in "qkv"}})
    given_weights = weights(bias=True)

    loading = loadings(given_weights, slots, NAMING, HEADS)[0]

    np.testing.assert_array_equal(loading.arrays["b_q"].reshape(-1), given_weights["W_query.bias"])


@pytest.mark.parametrize(
    ("shapes", "called"),
    [
        ({"qkv.weight": (12, 6), "offset": (12,)}, "qkv_bias"),
        ({f"{role}.weight": (4, 6) for role in ROLES} | {"offset": (4,)}, "W_query_bias"),
        ({f"W.{number}": (6, 4) for number in range(3)} | {"offset": (12,)}, "W_bias"),
    ],
)
def test_a_bias_whose_name_says_nothing_is_told_and_is_none_that_is_lacking(
    shapes: dict[str, tuple[int, ...]], called: str
) -> None:
    with pytest.raises(Unbound) as unbound:
        loadings(weights(bias=True), slots_of(shapes), NAMING)

    assert unbound.value.missing == ()
    assert str(unbound.value) == (
        f"a bias beside its weight is known by the weight's name, `{called}`; your module has offset {shapes['offset']}"
    )


def test_a_bias_whose_name_says_nothing_is_told_beside_weights_in_buffers_too() -> None:
    buffers = slots_of(dict.fromkeys(ROLES, (D_IN, D_OUT)), kind="buffer")

    with pytest.raises(Unbound, match=r"`W_query_bias`; your module has offset \(4,\)"):
        loadings(weights(bias=True), [*buffers, *slots_of({"offset": (D_OUT,)})], NAMING)


def test_a_fused_weight_of_another_shape_is_told_beside_what_is_called_like_nothing() -> None:
    with pytest.raises(Unbound, match=r"qkv\.weight` has shape \(5, 6\); expected \(12, 6\)"):
        loadings(weights(), slots_of({"qkv.weight": (5, 6), "positions": (9, 6)}), NAMING)


@pytest.mark.parametrize(
    "shapes",
    [
        {f"layers.{number}.weight": (D_OUT, D_IN) for number in range(3)},
        {"query.weight": (D_OUT, D_IN), "kv.weight": (2 * D_OUT, D_IN)},
    ],
)
def test_a_bias_may_be_of_another_kind_than_the_weights_that_it_is_beside(shapes: dict[str, tuple[int, ...]]) -> None:
    named = weights(bias=True)
    ways = loadings(named, slots_of({**shapes, "qkv_bias": (3 * D_OUT,)}), NAMING)

    together = np.concatenate([named[f"{role}.bias"] for role in ROLES]).tolist()
    assert together in [way.arrays["qkv_bias"].tolist() for way in ways]
    assert all(way.arrays.keys() == {*shapes, "qkv_bias"} for way in ways)


def test_a_bias_alone_in_a_list_is_of_all_the_layers_of_another() -> None:
    lists = {f"qkv.{number}.weight": (D_OUT, D_IN) for number in range(3)} | {"b_qkv.3": (3 * D_OUT,)}
    ways = loadings(weights(bias=True), slots_of(lists), NAMING)

    together = np.concatenate([weights(bias=True)[f"{role}.bias"] for role in ROLES]).tolist()
    assert together in [way.arrays["b_qkv.3"].tolist() for way in ways]


@pytest.mark.parametrize("bias", [False, True])
def test_a_name_may_be_a_number_alone(bias: bool) -> None:
    named = weights(bias)

    (loading,) = loadings(named, slots_of({name: array.shape for name, array in named.items()} | {"0": (9, 6)}), NAMING)
    assert loading.arrays.keys() == named.keys()
    with pytest.raises(Unbound):
        loadings(named, slots_of({str(number): (D_IN, D_OUT) for number in range(2)}), NAMING)


def test_a_module_may_be_the_list_of_its_parameters() -> None:
    found = loadings(weights(), slots_of({str(number): (D_IN, D_OUT) for number in range(3)}), NAMING)

    held = [[TOKENS @ way.arrays[str(number)] for number in range(3)] for way in found]
    assert sum(np.allclose(way, products(weights()), atol=1e-5) for way in held) == 1


def test_a_layer_may_be_the_only_one_in_what_has_its_role() -> None:
    shapes = {f"{role}.linear.weight": (D_OUT, D_IN) for role in ROLES}

    (loading,) = loadings(weights(), slots_of(shapes), NAMING)

    assert loading.arrays["W_key.linear.weight"].tolist() == weights()["W_key.weight"].tolist()
    proj = {name.replace("linear", "proj"): shape for name, shape in shapes.items()}
    assert loadings(weights(), slots_of(proj), NAMING)[0].arrays.keys() == proj.keys()
    with pytest.raises(Unbound):  # of two nobody knows which
        loadings(weights(), slots_of({**shapes, "W_key.norm.weight": (D_OUT, D_IN)}), NAMING)


def test_a_square_weight_of_a_layer_of_ones_own_may_lie_either_way() -> None:
    weight = numbers(4, 4)
    own = Slot("out_proj.weight", (4, 4), "parameter", "Conv1D", trainable=True)

    ways = loadings({"out_proj.weight": weight}, [own], NAMING)

    assert [way.arrays["out_proj.weight"].tolist() for way in ways] == [weight.tolist(), weight.T.tolist()]
    assert ways[0].layout != ways[1].layout
    (only,) = loadings({"out_proj.weight": weight}, [replace(own, owner="Linear")], NAMING)
    assert only.arrays["out_proj.weight"].tolist() == weight.tolist()


def test_a_fused_weight_of_a_layer_of_ones_own_may_be_in_by_out() -> None:
    own = Slot("qkv.weight", (D_IN, 3 * D_OUT), "parameter", "Conv1D", trainable=True)

    first, *_ = loadings(weights(), [own], NAMING)

    assert first.arrays["qkv.weight"].shape == (D_IN, 3 * D_OUT)
    np.testing.assert_allclose(TOKENS @ first.arrays["qkv.weight"], np.concatenate(products(weights()), axis=1), 1e-5)
    with pytest.raises(Unbound, match=r"qkv.weight` has shape \(6, 12\); expected \(12, 6\)"):
        loadings(weights(), [replace(own, owner="Linear")], NAMING)


def test_a_fused_projection_may_lie_in_a_module_that_holds_layers() -> None:
    first, *_ = loadings(weights(), slots_of({"layers.qkv.weight": (3 * D_OUT, D_IN)}), NAMING)

    assert first.arrays["layers.qkv.weight"].shape == (3 * D_OUT, D_IN)


@pytest.mark.parametrize("name", ["b_query", "b_q", "bq", "query_bias", "q_bias", "bias_query"])
def test_a_bias_may_be_a_parameter_beside_its_weight(name: str) -> None:
    shapes = {f"{role}.weight": (D_OUT, D_IN) for role in ROLES} | {f"{role}.bias": (D_OUT,) for role in ROLES[1:]}

    (loading,) = loadings(weights(bias=True), slots_of({**shapes, name: (D_OUT,)}), NAMING)

    assert loading.arrays[name].tolist() == weights(bias=True)["W_query.bias"].tolist()
    (row,) = loadings(weights(bias=True), slots_of({**shapes, name: (1, D_OUT)}), NAMING)
    assert row.arrays[name].shape == (1, D_OUT)


@pytest.mark.parametrize(
    ("weight", "bias"), [("W_qkv", "b_qkv"), ("qkv.weight", "qkv_bias"), ("weights.qkv", "biases.qkv")]
)
@pytest.mark.parametrize("shape", [(3 * D_OUT,), (3, D_OUT), (1, 3 * D_OUT)])
def test_a_fused_bias_may_be_a_parameter_beside_its_weight(weight: str, bias: str, shape: tuple[int, ...]) -> None:
    slots = slots_of({weight: (3 * D_OUT, D_IN), bias: shape})
    given_weights = weights(bias=True)

    first, *_ = loadings(given_weights, slots, NAMING)

    whole = TOKENS @ first.arrays[weight].T + first.arrays[bias].reshape(-1)
    np.testing.assert_allclose(whole, np.concatenate(products(given_weights), axis=1), 1e-4, 1e-5)
    assert first.arrays[bias].shape == shape


@pytest.mark.parametrize("shape", [(3 * D_OUT,), (3, D_OUT)])
def test_biases_may_be_fused_where_the_weights_are_not(shape: tuple[int, ...]) -> None:
    named = weights(bias=True)
    ways = loadings(named, slots_of({**dict.fromkeys(ROLES, (D_IN, D_OUT)), "b_qkv": shape}), NAMING)

    together = [named[f"{role}.bias"].tolist() for role in ROLES]
    assert together in [way.arrays["b_qkv"].reshape(3, D_OUT).tolist() for way in ways]


@pytest.mark.parametrize("numbers", [("²", "³", "¹"), ("٠", "١", "²")])
def test_a_digit_that_counts_nothing_is_no_number_in_a_list(numbers: tuple[str, ...]) -> None:
    with pytest.raises(Unbound, match=r"no place for W_query\.weight"):
        loadings(weights(), slots_of({f"layers.{each}": (D_IN, D_OUT) for each in numbers}), NAMING)


def test_a_layer_of_ones_own_may_keep_in_by_out_where_a_bare_parameter_is_asked_for() -> None:
    weight = numbers(6, 4)
    own = Slot("W_query.weight", (6, 4), "parameter", "Projection", trainable=True)

    (loading,) = loadings({"W_query": weight}, [own], NAMING)

    assert loading.arrays["W_query.weight"].tolist() == weight.tolist()


def test_axes_of_one_entry_make_no_difference() -> None:
    slots = [Slot(f"{role}.weight", (D_OUT, D_IN, 1), "parameter", "Conv1d", trainable=True) for role in ROLES]

    (loading,) = loadings(weights(), slots, NAMING)

    for name, weight in weights().items():
        assert loading.arrays[name].tolist() == weight[..., None].tolist()


def test_weights_and_biases_may_lie_in_dictionaries_of_their_own() -> None:
    shapes: dict[str, tuple[int, ...]] = {f"biases.{role}": (D_OUT,) for role in ROLES}
    shapes |= {f"weights.{role}": (D_IN, D_OUT) for role in ROLES}
    given_weights = weights(bias=True)

    (loading,) = loadings(given_weights, slots_of(shapes), NAMING)

    for role in ROLES:
        assert loading.arrays[f"weights.{role}"].tolist() == given_weights[f"{role}.weight"].T.tolist()
        assert loading.arrays[f"biases.{role}"].tolist() == given_weights[f"{role}.bias"].tolist()


def test_what_is_called_b_may_hold_weights_too() -> None:
    (loading,) = loadings(weights(), slots_of({f"b.{role}": (D_IN, D_OUT) for role in ROLES}), NAMING)

    assert {name: array.shape for name, array in loading.arrays.items()} == {
        f"b.{role}": (D_IN, D_OUT) for role in ROLES
    }


def test_a_fused_projection_in_each_head_is_found() -> None:
    given_weights = weights(prefix="heads.0.") | {k: v + 1 for k, v in weights(prefix="heads.1.").items()}
    slots = slots_of({f"heads.{i}.qkv.weight": (3 * D_OUT, D_IN) for i in (0, 1)})

    found = loadings(given_weights, slots, NAMING)

    first = next(loading for loading in found if loading.layout == "side by side: W_query, W_key, W_value")
    assert first.notes == ("`heads.*.qkv` holds W_query, W_key, W_value side by side; accepted",)
    for i in (0, 1):
        stacked = np.concatenate([given_weights[f"heads.{i}.{role}.weight"] for role in ROLES])
        np.testing.assert_array_equal(first.arrays[f"heads.{i}.qkv.weight"], stacked)


def test_a_square_weight_is_transposed_where_a_bare_parameter_stands_for_a_linear() -> None:
    weight = numbers(4, 4)

    bare, turned = loadings({"W_query.weight": weight}, slots_of({"W_query": (4, 4)}), NAMING)
    (linear,) = loadings({"W_query": weight}, slots_of({"W_query.weight": (4, 4)}), NAMING)
    (same,) = loadings({"W_query.weight": weight}, slots_of({"W_query.weight": (4, 4)}), NAMING)

    assert bare.arrays["W_query"].tolist() == weight.T.tolist()
    assert turned.arrays["W_query"].tolist() == weight.tolist(), "as for F.linear: outputs tell which is meant"
    assert linear.arrays["W_query.weight"].tolist() == weight.T.tolist()
    assert same.arrays["W_query.weight"] is weight


PARTS = (
    *ROLES,
    "q",
    "qkv",
    "b_qkv",
    "kv",
    "heads",
    "x",
    "0",
    "1",
    "3",
    "²",
    "weight",
    "bias",
    "query_bias",
    "offset",
    "",
)
SHAPES = ((4, 6), (6, 4), (12, 6), (6, 12), (4,), (12,), (3, 4), (3, 6, 4), (2, 6, 2), (1, 4), (5, 6), ())


@settings(max_examples=400)
@given(
    st.dictionaries(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map(".".join), st.sampled_from(SHAPES)),
    st.sampled_from(["", "W_query", "qkv", "layers"]),
    st.sampled_from(SHAPES),
    st.booleans(),
    st.sampled_from(["parameter", "buffer"]),
)
def test_whatever_a_module_holds_is_put_in_or_told(
    others: dict[str, tuple[int, ...]], layers: str, shape: tuple[int, ...], bias: bool, kind: str
) -> None:
    shapes = {**others, **{f"{layers}.{number}.weight": shape for number in range(3) if layers}}
    slots = slots_of(shapes, kind)
    slots += [slot for slot in slots_of(dict.fromkeys(ROLES, (D_IN, D_OUT))) if slot.name not in shapes and not layers]

    with suppress(Unbound):
        assert all(holds(slots, loading) for loading in loadings(weights(bias), slots, NAMING, HEADS))


def test_the_exact_name_wins_over_another_spelling() -> None:
    slots = slots_of({"q_proj.weight": (D_OUT, D_IN), "W_query.weight": (D_OUT, D_IN)})

    found = matching("W_query.weight", slots, NAMING)

    assert found is not None
    assert found.name == "W_query.weight"


def test_two_other_spellings_of_one_role_are_no_place() -> None:
    slots = slots_of({"q_proj.weight": (D_OUT, D_IN), "W_q.weight": (D_OUT, D_IN)})

    with pytest.raises(Unbound, match=r"no place for W_query\.weight"):
        loadings({"W_query.weight": weights()["W_query.weight"]}, slots, NAMING)


def test_a_tensor_that_nobody_registered_is_a_place() -> None:
    slots = slots_of({f"heads.0.{role}.weight": (D_OUT, D_IN) for role in ROLES}, "loose")

    (loading,) = loadings(weights(prefix="heads.0."), slots, NAMING)

    assert set(loading.arrays) == {slot.name for slot in slots}


def test_a_weight_of_another_shape_is_told_with_both() -> None:
    with pytest.raises(Unbound, match=r"W_q\.weight` has shape \(5, 6\); expected \(4, 6\)"):
        loadings({"W_query.weight": weights()["W_query.weight"]}, slots_of({"W_q.weight": (5, 6)}), NAMING)


def test_a_fused_weight_of_another_shape_is_told_with_both() -> None:
    with pytest.raises(Unbound, match=r"qkv\.weight` has shape \(8, 6\); expected \(12, 6\)"):
        loadings(weights(), slots_of({"qkv.weight": (8, 6)}), NAMING)


@given(
    st.permutations(range(3)),
    st.sampled_from(["rio", "roi", "iro", "ori", "ior", "oir"]),
    st.sampled_from([1, 2]),
    st.sampled_from([2, 3, D_IN]),
    st.booleans(),
)
def test_three_weights_may_be_fused_along_an_axis_of_their_own(
    order: list[int], axes: str, heads: int, d_in: int, is_bare: bool
) -> None:
    weight = {f"{role}.weight": numbers(D_OUT, d_in, seed=i) for i, role in enumerate(ROLES)}
    asked = {name.removesuffix(".weight"): each.T for name, each in weight.items()} if is_bare else weight
    shape = tuple({"r": 3, "i": d_in, "o": D_OUT}[axis] for axis in axes)
    tokens = numbers(5, d_in)

    found = loadings(asked, slots_of({"qkv": shape}), NAMING, heads)

    wanted = np.stack([tokens @ weight[f"{ROLES[role]}.weight"].T for role in order])
    products = [np.einsum(f"ti,{axes}->rto", tokens, loading.arrays["qkv"]) for loading in found]
    assert all(loading.arrays["qkv"].shape == shape for loading in found)
    assert len([each for each in products if np.allclose(each, wanted, atol=1e-5)]) == 1
    assert len({loading.layout for loading in found}) == len(found)


# Of one head: a letter for each axis, `h` for the heads, `r` for the roles, `f` for the roles side by side.
@pytest.mark.parametrize("axes", ["hif", "hfi", "ihf", "hrio", "hiro", "ihro", "irho", "rhio", "riho"])
@pytest.mark.parametrize("bias", ["", "hf", "hrxo", "rho", "xhf"])
def test_a_fused_parameter_of_one_head_may_have_an_axis_for_it(axes: str, bias: str) -> None:
    sizes = {"h": 1, "x": 1, "i": D_IN, "r": 3, "o": D_OUT, "f": 3 * D_OUT}
    given_weights = weights(bias=bool(bias))
    shapes = {name: tuple(sizes[axis] for axis in own) for name, own in (("qkv", axes), ("b", bias)) if own}
    slots = slots_of(shapes)

    found = loadings(given_weights, slots, NAMING)

    assert all(holds(slots, loading) for loading in found)
    first = next(loading for loading in found if loading.layout.endswith(": W_query, W_key, W_value"))
    made = np.einsum(f"ti,{axes}->t{'ro' if 'r' in axes else 'f'}", TOKENS, first.arrays["qkv"])
    offsets = first.arrays["b"].reshape(3, D_OUT) if bias else 0.0
    wanted = np.stack(products(given_weights), axis=1)
    np.testing.assert_allclose(made.reshape(len(TOKENS), 3, D_OUT) + offsets, wanted, atol=1e-5)


@pytest.mark.parametrize("shape", [(3, D_OUT), (D_OUT, 3), (3, 1, D_OUT), (1, 3 * D_OUT), (3, 2, 1, D_OUT // 2)])
def test_a_fused_bias_may_have_an_axis_for_roles_and_heads(shape: tuple[int, ...]) -> None:
    given_weights = weights(bias=True)

    loading = loadings(given_weights, slots_of({"qkv.weight": (3 * D_OUT, D_IN), "b_qkv": shape}), NAMING, 2)[0]

    held = loading.arrays["b_qkv"].T if shape[-1] == 3 else loading.arrays["b_qkv"]
    wanted = np.concatenate([given_weights[f"{role}.bias"] for role in ROLES])
    np.testing.assert_array_equal(held.reshape(-1), wanted)


def test_a_fused_projection_may_be_a_convolution_over_one_token() -> None:
    found = loadings(weights(), slots_of({"qkv.weight": (3 * D_OUT, D_IN, 1)}), NAMING)

    assert found[0].arrays["qkv.weight"].shape == (3 * D_OUT, D_IN, 1)


@given(st.permutations(range(3)))
def test_three_bare_parameters_may_lie_in_a_list_under_a_fused_name(order: list[int]) -> None:
    bare = {name.removesuffix(".weight"): weight.T for name, weight in weights().items()}

    found = loadings(bare, slots_of({f"qkv.{number}": (D_IN, D_OUT) for number in range(3)}), NAMING)

    wanted = products(weights())
    each = [[TOKENS @ loading.arrays[f"qkv.{number}"] for number in range(3)] for loading in found]
    assert len([c for c in each if all(np.allclose(c[i], wanted[r], atol=1e-5) for i, r in enumerate(order))]) == 1


@pytest.mark.parametrize("shape", [(), (12,), (4, 4, 6), (3, 5, 6)])
def test_a_fused_parameter_with_another_number_of_axes_is_no_place(shape: tuple[int, ...]) -> None:
    with pytest.raises(Unbound, match=r"qkv` has shape|no place for"):
        loadings(weights(), slots_of({"qkv": shape}), NAMING)


def test_a_module_with_other_names_is_told_what_it_has() -> None:
    slots = slots_of({"a.weight": (4, 6), "b.weight": (4, 6)})

    with pytest.raises(Unbound) as caught:
        loadings(weights(), slots, NAMING)

    assert str(caught.value) == (
        "no place for W_query.weight, W_key.weight, W_value.weight (their names are part of the exercise); "
        "your module has a.weight (4, 6), b.weight (4, 6)"
    )


@pytest.mark.parametrize(
    ("numbers_held", "said"),
    [
        (
            (0, 1),
            "no place for heads.2.W_query.weight, heads.2.W_key.weight, heads.2.W_value.weight: "
            "`heads` holds 2 of the 3 modules that are asked for",
        ),
        ((1, 2), "no place for heads.0.W_query.weight, heads.0.W_key.weight, heads.0.W_value.weight (their names are "),
    ],
)
def test_a_list_with_too_few_modules_is_told_by_their_numbers(numbers_held: tuple[int, ...], said: str) -> None:
    given = {name: array for n in range(3) for name, array in weights(prefix=f"heads.{n}.").items()}
    slots = slots_of({f"heads.{n}.{role}.weight": (D_OUT, D_IN) for n in numbers_held for role in ROLES})

    with pytest.raises(Unbound) as caught:
        loadings(given, slots, NAMING)

    assert str(caught.value).startswith(said)


def test_a_long_list_of_names_is_cut() -> None:
    slots = slots_of({f"layer{i}.weight": (4, 6) for i in range(20)})

    with pytest.raises(Unbound) as caught:
        loadings(weights(bias=True) | {"out_proj.weight": numbers(4, 4)}, slots, NAMING)

    assert str(caught.value).startswith("no place for W_query.weight, ")
    assert "W_value.bias and more" in str(caught.value)
    assert str(caught.value).endswith("layer7.weight (4, 6) and more")


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_a_sentence_with_two_long_lists_is_whole(language: str) -> None:
    missing = {f"heads.{n}.W_{name}.weight": numbers(4, 6) for n in range(4) for name in ("query", "key")}
    slots = slots_of({f"attention_heads_list{letter}.projection.weight": (16, 6) for letter in "abcdefghi"})

    with speaking(language):
        with pytest.raises(Unbound) as caught:
            loadings(missing, slots, NAMING)
        seen = Observation(fault=Fault("weights", message=str(caught.value)))
        said = sentence(exercise(), step(), seen, 10.0, None, ast.Module([], []))

    assert str(caught.value) in said
    assert "…" not in said


def test_a_weight_without_a_path_that_has_no_place_is_told() -> None:
    with pytest.raises(Unbound, match="no place for weight"):
        loadings({"weight": numbers(4, 6)}, slots_of({"other": (4, 5)}), NAMING)


def test_a_weight_that_is_kept_as_a_buffer_is_put_in_where_no_parameter_has_its_name() -> None:
    kept = slots_of({"W_query.weight": (D_OUT, D_IN)}, "buffer")
    slots = [*kept, *slots_of({f"{role}.weight": (D_OUT, D_IN) for role in ROLES[1:]})]

    (loading,) = loadings(weights(), slots, NAMING)

    assert set(loading.arrays) == {f"{role}.weight" for role in ROLES}
    assert matching("W_query.weight", [*kept, *slots_of({"W_q.weight": (D_OUT, D_IN)})], NAMING).name == "W_q.weight"


def test_a_buffer_that_only_has_the_name_of_a_weight_is_none() -> None:
    kept = slots_of({"query": (D_OUT, D_IN), "key": (0,), "value": (D_OUT, D_IN)}, "buffer")

    for loading in loadings(weights(), [*kept, *slots_of({"qkv.weight": (3 * D_OUT, D_IN)})], NAMING):
        assert set(loading.arrays) == {"qkv.weight"}
    with pytest.raises(Unbound, match=r"no place for W_key\.weight"):
        loadings(weights(), kept, NAMING)


def test_each_of_several_modules_is_found_where_each_lies_in_one_of_its_own() -> None:
    own = [f"heads.{number}.0.{role}.weight" for number in range(2) for role in ROLES]
    given_weights = weights(prefix="heads.0.") | weights(prefix="heads.1.")

    (loading,) = loadings(given_weights, slots_of(dict.fromkeys(own, (D_OUT, D_IN))), NAMING)

    assert list(loading.arrays) == own
    assert all(
        loading.arrays[name.replace("heads.1.", "heads.1.0.")] is given_weights[name]
        for name in given_weights
        if "heads.1" in name
    )


def test_the_only_layer_that_is_left_is_taken_for_a_weight_that_nothing_is_called_after() -> None:
    slots = slots_of({"ask.weight": (D_OUT, D_IN), "W_k.weight": (D_OUT, D_IN), "W_value.weight": (D_OUT, D_IN)})
    given_weights = weights()

    (loading,) = loadings(given_weights, slots, NAMING)

    assert loading.notes == ("`W_k` for `W_key`; accepted", "`ask` was taken for `W_query`")
    assert loading.arrays["ask.weight"] is given_weights["W_query.weight"]


@pytest.mark.parametrize("shape", [(1 << 40,), (1 << 61,), (1 << 27,), (1,) * 70, (1 << 15, 1 << 15)])
def test_no_zeros_are_made_for_what_is_said_to_be_enormous(shape: tuple[int, ...]) -> None:
    slots = slots_of({"W_query.weight": (D_OUT, D_IN), "W_query.bias": shape})

    (loading,) = loadings({"W_query.weight": weights()["W_query.weight"]}, slots, NAMING)

    assert loading.unwanted == {}


def test_a_bias_that_nobody_asked_for_is_filled_with_zeros() -> None:
    slots = slots_of({"W_query.weight": (D_OUT, D_IN), "W_query.bias": (D_OUT,), "norm.bias": (D_OUT,)})

    (loading,) = loadings({"W_query.weight": weights()["W_query.weight"]}, slots, NAMING)

    assert list(loading.unwanted) == ["W_query.bias"]
    assert not loading.unwanted["W_query.bias"].any()


@pytest.mark.parametrize(
    ("weight", "bias"), [("W_query", "b_query"), ("W_query", "query_bias"), ("query.weight", "biases.query")]
)
def test_a_bias_of_its_own_that_nobody_asked_for_is_filled_with_zeros(weight: str, bias: str) -> None:
    slots = slots_of({weight: (D_IN, D_OUT), bias: (D_OUT,), "scale": (D_OUT,)})

    (loading,) = loadings({"W_query.weight": weights()["W_query.weight"]}, slots, NAMING)

    assert list(loading.unwanted) == [bias]
    assert not loading.unwanted[bias].any()


def test_a_bias_of_its_own_beside_a_fused_weight_is_filled_with_zeros_where_nobody_asked_for_it() -> None:
    slots = slots_of({"W_qkv": (D_IN, 3 * D_OUT), "b_qkv": (3 * D_OUT,)})

    assert {tuple(loading.unwanted) for loading in loadings(weights(), slots, NAMING)} == {("b_qkv",)}


@pytest.mark.parametrize("name", ["bias", "_Bias"])
def test_a_modules_own_bias_is_that_of_the_only_layer_without_one(name: str) -> None:
    given_weights = weights() | {"out_proj.weight": numbers(4, 4), "out_proj.bias": numbers(4)}
    shapes = {f"{role}.weight": (4, 6) for role in ROLES} | {"out_proj.weight": (4, 4), name: (4,)}

    (loading,) = loadings(given_weights, slots_of(shapes), NAMING)

    np.testing.assert_array_equal(loading.arrays[name], given_weights["out_proj.bias"])


@pytest.mark.parametrize(
    "beside", [{"bias": (6,)}, {"bias": (4,), "out_proj.bias": (4,)}, {"b": (4,), "other.bias": (4,)}]
)
def test_what_is_no_bias_of_that_layer_stays_what_it_is(beside: dict[str, tuple[int, ...]]) -> None:
    given_weights = weights() | {"out_proj.weight": numbers(4, 4), "out_proj.bias": numbers(4)}
    shapes = {f"{role}.weight": (4, 6) for role in ROLES} | {"out_proj.weight": (4, 4)} | beside

    (loading,) = loadings(given_weights, slots_of(shapes), NAMING)

    assert not {"bias", "b", "other.bias"} & set(loading.arrays)


def test_an_output_projection_may_lack_its_bias() -> None:
    given_weights = {"out_proj.weight": numbers(4, 4), "out_proj.bias": np.zeros(4, np.float32)}

    (loading,) = loadings(given_weights, slots_of({"proj.weight": (4, 4)}), NAMING)

    assert list(loading.arrays) == ["proj.weight"]
    assert loading.notes == ("`proj` for `out_proj`; accepted",)


def test_a_fused_projection_beside_an_output_projection_is_loaded_whole() -> None:
    given_weights = weights() | {"out_proj.weight": numbers(4, 4)}
    slots = slots_of({"qkv.weight": (12, 6), "out_proj.weight": (4, 4)})

    found = loadings(given_weights, slots, NAMING)

    assert len(found) == 12  # the orders of three roles, side by side or in turn; one head leaves one way to cut
    assert all(set(loading.arrays) == {"qkv.weight", "out_proj.weight"} for loading in found)


def test_a_fused_slot_is_known_wherever_it_is() -> None:
    slots = slots_of({"mask": (2, 2), "attention.qkv.weight": (12, 6)})

    assert [slot.name for slot in slots if roles_of(slot, NAMING)] == ["attention.qkv.weight"]


@pytest.mark.parametrize("name", ["W_qkv", "to_qvk", "kqv_proj", "attn.c_attn.weight"])
def test_what_students_call_a_fused_projection_is_known_to_the_kit(name: str, pack: Pack) -> None:
    assert roles_of(Slot(name, (12, 6), "parameter"), pack.naming)


@given(st.data())
def test_every_spelling_that_the_pack_accepts_means_one_role(pack: Pack, data: st.DataObject) -> None:
    roles = list(pack.naming.aliases)
    around, style = st.sampled_from(("", *pack.naming.around)), st.sampled_from((str, str.upper, str.title))
    spelt = [data.draw(st.sampled_from((role, *pack.naming.aliases[role]))) for role in roles]
    drawn = [data.draw(style)("_".join([data.draw(around), each, data.draw(around)])) for each in spelt]
    names = [name.replace("_", "") if data.draw(st.booleans()) else name for name in drawn]
    slots = slots_of({f"{name}.weight": (4, 6) for name in names})

    found = [matching(f"{role}.weight", slots, pack.naming) for role in roles]

    assert [slot.name if slot else None for slot in found] == [f"{name}.weight" for name in names]
    assert not any(roles_of(slot, pack.naming) for slot in slots)


@given(st.booleans(), st.booleans())
def test_keys_and_values_may_be_fused_beside_queries_of_their_own(is_exchanged: bool, bias: bool) -> None:
    shapes: dict[str, tuple[int, ...]] = {"W_q.weight": (D_OUT, D_IN), "kv.weight": (2 * D_OUT, D_IN)}
    if bias:
        shapes |= {"W_q.bias": (D_OUT,), "kv.bias": (2 * D_OUT,)}
    given_weights = weights(bias)

    found = loadings(given_weights, slots_of(shapes), NAMING)

    halves = ["W_value", "W_key"] if is_exchanged else ["W_key", "W_value"]
    wanted = np.concatenate([given_weights[f"{role}.weight"] for role in halves])
    fits = [loading for loading in found if np.array_equal(loading.arrays["kv.weight"], wanted)]
    assert len(fits) == 1
    np.testing.assert_array_equal(fits[0].arrays["W_q.weight"], given_weights["W_query.weight"])
    assert f"`kv` holds {', '.join(halves)} side by side; accepted" in fits[0].notes
    assert set(fits[0].arrays) == set(shapes)


@pytest.mark.parametrize(
    ("others", "is_found"),
    [
        ({}, True),
        ({"norm.weight": (3 * D_OUT * D_IN,)}, True),
        ({"mlp.weight": (3 * D_OUT, D_IN)}, False),  # which of them is not certain
        ({"mlp.weight": (D_OUT, 2 * D_IN)}, True),
    ],
)
def test_the_only_weight_as_large_as_all_roles_holds_them_whatever_it_is_called(
    others: dict[str, tuple[int, ...]], is_found: bool
) -> None:
    slots = slots_of({"attn.weight": (3 * D_OUT, D_IN), "attn.bias": (3 * D_OUT,)} | others)

    if is_found:
        assert all(
            set(loading.arrays) == {"attn.weight", "attn.bias"} for loading in loadings(weights(True), slots, NAMING)
        )
    else:
        with pytest.raises(Unbound, match="no place for W_query"):
            loadings(weights(True), slots, NAMING)


@pytest.mark.parametrize(("weight", "bias"), [("qkv", "b"), ("qkv", "bias"), ("W_in", "b_in"), ("W", "b")])
def test_a_row_called_b_beside_a_fused_parameter_is_its_bias(weight: str, bias: str) -> None:
    slots = slots_of({weight: (D_IN, 3 * D_OUT), bias: (3 * D_OUT,)})

    assert all(set(loading.arrays) == {weight, bias} for loading in loadings(weights(True), slots, NAMING))
    assert {tuple(loading.unwanted) for loading in loadings(weights(), slots, NAMING)} == {(bias,)}


def test_a_row_of_another_size_beside_a_fused_parameter_is_not_its_bias() -> None:
    slots = slots_of({"qkv": (D_IN, 3 * D_OUT), "b": (D_OUT,)})

    assert all(
        set(loading.arrays) == {"qkv"} and not loading.unwanted for loading in loadings(weights(), slots, NAMING)
    )


def test_beside_a_projection_of_a_known_name_no_other_weight_of_its_size_is_meant() -> None:
    slots = slots_of({"qkv.weight": (3 * D_OUT, D_IN), "mlp.weight": (3 * D_OUT, D_IN)})

    assert all(set(loading.arrays) == {"qkv.weight"} for loading in loadings(weights(), slots, NAMING))


def test_a_layer_inside_a_sequential_is_found_by_the_sequentials_name() -> None:
    slots = slots_of({"proj.0.weight": (4, 4), "proj.0.bias": (4,), "W_q.weight": (4, 4)})

    found = [matching(f"out_proj.{leaf}", slots, NAMING) for leaf in ("weight", "bias")]

    assert [slot.name for slot in found if slot] == ["proj.0.weight", "proj.0.bias"]


def test_of_two_layers_inside_a_sequential_none_is_taken() -> None:
    slots = slots_of({"proj.0.weight": (4, 4), "proj.2.weight": (4, 4)})

    assert matching("out_proj.weight", slots, NAMING) is None


def test_a_fused_projection_inside_a_sequential_is_found() -> None:
    found = loadings(weights(), slots_of({"W_q.weight": (D_OUT, D_IN), "kv.0.weight": (2 * D_OUT, D_IN)}), NAMING)

    assert all(set(loading.arrays) == {"W_q.weight", "kv.0.weight"} for loading in found)


@given(st.permutations(range(3)), st.booleans())
def test_a_list_of_layers_under_a_fused_name_gives_the_products_in_one_of_its_orders(
    order: list[int], bias: bool
) -> None:
    given_weights = weights(bias)
    shapes: dict[str, tuple[int, ...]] = {f"qkv.{number}.weight": (D_OUT, D_IN) for number in range(3)}
    slots = slots_of(shapes | ({f"qkv.{number}.bias": (D_OUT,) for number in range(3)} if bias else {}))

    found = loadings(given_weights, slots, NAMING, HEADS)

    def product(loading: Loading, number: int) -> Any:
        return TOKENS @ loading.arrays[f"qkv.{number}.weight"].T + loading.arrays.get(f"qkv.{number}.bias", 0.0)

    assert all(holds(slots, loading) for loading in found)
    wanted = products(given_weights)
    fits = [
        loading
        for loading in found
        if all(np.allclose(product(loading, n), wanted[role], atol=1e-5) for n, role in enumerate(order))
    ]
    assert len(fits) == 1
    assert fits[0].notes == (f"`qkv` holds {', '.join(ROLES[i] for i in order)} side by side; accepted",)


@pytest.mark.parametrize(
    ("shapes", "lacking"),
    [
        ({"W_q.weight": (4, 6), "kv.weight": (8, 6), "kv.bias": (8,)}, ("W_query.bias",)),
        ({"qkv.weight": (12, 6)}, ("W_query.bias", "W_key.bias", "W_value.bias")),
    ],
)
def test_only_what_a_fused_projection_lacks_is_said_to_be_missing(
    shapes: dict[str, tuple[int, ...]], lacking: tuple[str, ...]
) -> None:
    with pytest.raises(Unbound) as unbound:
        loadings(weights(bias=True), slots_of(shapes), NAMING)

    assert unbound.value.missing == lacking


@pytest.mark.parametrize("weight", ["W_qkv", "qkv.weight", "weight"])
@pytest.mark.parametrize("bias", ["bias", "b", "biases", "qkv_bias"])
def test_fused_biases_may_lie_in_another_order_than_their_weights(weight: str, bias: str) -> None:
    slots = [*slots_of({weight: (3 * D_OUT, D_IN)}), Slot(bias, (3, D_OUT), "parameter", "Student", trainable=True)]
    named = weights(bias=True)

    ways = [loading.arrays for loading in loadings(named, slots, NAMING)]

    orders = {
        (
            tuple(np.array_equal(part, named[f"{role}.weight"]) for part in np.split(way[weight], 3) for role in ROLES),
            tuple(np.array_equal(part, named[f"{role}.bias"]) for part in way[bias] for role in ROLES),
        )
        for way in ways
    }
    assert len(orders) >= 36


def test_a_bias_of_torchs_own_layer_has_the_order_of_its_weight() -> None:
    slots = slots_of({"qkv.weight": (3 * D_OUT, D_IN), "qkv.bias": (3 * D_OUT,)})

    assert len(loadings(weights(bias=True), slots, NAMING)) == 2 * 6  # whole after whole, and number by number


@pytest.mark.parametrize(
    ("weight", "bias"),
    [("weight", "bias"), ("heads.0.weight", "heads.0.bias"), ("heads.0.W", "heads.0.b"), ("heads.0.a", "heads.0.c")],
)
@pytest.mark.parametrize("shape", [(3 * D_OUT, D_IN), (D_IN, 3 * D_OUT), (3, D_IN, D_OUT)])
def test_a_module_may_hold_all_roles_in_a_weight_of_its_own(weight: str, bias: str, shape: tuple[int, ...]) -> None:
    shapes = {weight: shape, bias: (3 * D_OUT,)}
    slots = [Slot(name, own, "parameter", "Student", trainable=True) for name, own in shapes.items()]
    place = "heads.0." if weight != "weight" else ""

    for named, held in ((weights(True, place), {weight, bias}), (weights(prefix=place), {weight})):
        for loading in loadings(named, slots, NAMING):
            assert set(loading.arrays) == held
            assert {*loading.arrays, *loading.unwanted} == {weight, bias}


def test_a_weight_of_its_own_holds_nothing_beside_what_is_called_like_a_fused_projection() -> None:
    slots = slots_of({"weight": (3 * D_OUT, D_IN), "qkv.weight": (3 * D_OUT, D_IN)})

    assert all({*loading.arrays} == {"qkv.weight"} for loading in loadings(weights(), slots, NAMING))


def test_a_bias_of_another_size_is_not_that_of_all_weights() -> None:
    slots = slots_of({**{f"{role}.weight": (D_OUT, D_IN) for role in ROLES}, "biases": (2, D_OUT)})

    with pytest.raises(Unbound, match=r"your module has biases \(2, 4\)"):
        loadings(weights(bias=True), slots, NAMING)


def test_of_a_module_with_far_more_than_anybody_has_so_much_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: set[str] = set()

    def noted(slot: Slot, naming: Naming) -> tuple[str, ...]:
        looked_at.add("".join(filter(str.isdigit, slot.name)))  # however it is read
        return roles_of(slot, naming)

    monkeypatch.setattr("grader.judge.binding.loadings.roles_of", noted)
    many = [Slot(f"layer{number}.weight", (D_OUT, D_IN), "parameter", "Linear") for number in range(400)]
    with pytest.raises(Unbound, match="W_query"):
        loadings(weights(), many, NAMING)

    assert 0 < len(looked_at) <= MOST_SLOTS
    own = [Slot(name, array.shape, "parameter", "Linear") for name, array in weights().items()]
    assert loadings(weights(), [*many, *own], NAMING)[0].arrays.keys() == weights().keys()
