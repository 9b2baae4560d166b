"""`parameters`: the module holds the weights it should, registered, of the right shapes, and no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.model.case import Expected
from grader.model.check import Finding
from grader.model.observation import Observation, Slot
from grader.model.run import Inspect, Make, Value

from ..hand_made import CLASS, EXERCISE
from . import scenes
from .scenes import ROLES, Scene, slot

ARGUMENTS = "Attention(d_in=3, d_out=4, qkv_bias=False)"

BIASED = (*(slot(f"{role}.weight", 4, 3) for role in ROLES), *(slot(f"{role}.bias", 4) for role in ROLES))


def holding(*slots: Slot, wanted: tuple[Slot, ...] | None = None) -> Finding:
    """The finding on a module with these slots."""
    scene = scenes.parameters()
    if wanted is not None:
        scene = replace(scene, expected=Expected(Observation(slots={"module": wanted})))
    return scene.but(slots={"module": slots}).judged()


def linears(*names: str, shape: tuple[int, ...] = (4, 3)) -> tuple[Slot, ...]:
    return tuple(slot(f"{name}.weight", *shape) for name in names)


def biases(*names: str) -> tuple[Slot, ...]:
    return tuple(slot(f"{name}.bias", 4) for name in names)


def shared(*names: str) -> tuple[Slot, ...]:
    """One weight under all of these names."""
    return tuple(replace(slot(f"{name}.weight", 4, 3, kind="shared"), first=f"{names[0]}.weight") for name in names)


def test_one_head_many_times_is_told_also_where_it_has_a_name_of_its_own() -> None:
    heads = [f"heads.{number}.{role}" for number in range(2) for role in ROLES]
    each = (slot for role in ROLES for slot in shared(f"head.{role}", f"heads.0.{role}", f"heads.1.{role}"))

    finding = holding(*each, wanted=linears(*heads))

    assert finding.summary == (
        f"`heads.0.{ROLES[0]}.weight` and `heads.1.{ROLES[0]}.weight` are one and the same parameter; "
        "make a new one for each"
    )


def test_names_that_belong_together_are_told_and_no_others() -> None:
    both = [f"heads.{number}.{role}" for number in range(2) for role in ("W_query", "W_key")]

    finding = holding(*shared(*both[:2]), *shared(*both[2:]), wanted=linears(*both))

    assert finding.summary.startswith("`heads.0.W_query.weight` and `heads.0.W_key.weight` are one")


def test_a_second_name_of_ones_own_for_a_parameter_is_right() -> None:
    assert holding(*shared("W_query", "mine"), *shared("W_key", "mine_too"), *linears("W_value")).right
    assert not holding(*shared("W_query", "W_key"), *linears("W_value")).right


@pytest.mark.parametrize(("even", "right"), [(ROLES, False), (ROLES[:2], True), ((), True)])
def test_weights_do_not_all_begin_with_one_number_everywhere(even: tuple[str, ...], right: bool) -> None:
    numbers = {role: np.zeros((4, 3)) if role in even else np.arange(12.0).reshape(4, 3) for role in ROLES}

    finding = (
        scenes.parameters().but(tensors={f"module.{role}.weight": each for role, each in numbers.items()}).judged()
    )

    assert finding.right is right
    assert right or finding.summary.startswith("every weight begins with one number everywhere")
    assert finding.about == ("" if right else f"{ROLES[0]}.weight")


def test_weights_begin_with_one_number_everywhere_where_the_reference_has_them_begin_so() -> None:
    tensors = {f"module.{role}.weight": np.ones((4, 3)) for role in ROLES}
    scene = scenes.parameters()
    assert scene.expected is not None
    expected = Expected(replace(scene.expected.observation, tensors=tensors))

    assert replace(scene, expected=expected).but(tensors=tensors).judged().right
    assert not scene.but(tensors=tensors).judged().right


@pytest.mark.parametrize("even", [{"qkv.weight"}, {"out_proj.weight"}, {"qkv.weight", "out_proj.weight"}])
def test_a_fused_projection_counts_among_the_weights_that_may_not_all_begin_with_one_number(even: set[str]) -> None:
    shapes = {"qkv.weight": (12, 3), "out_proj.weight": (4, 4)}
    wanted = (*linears(*ROLES), slot("out_proj.weight", 4, 4))
    scene = replace(scenes.parameters(), expected=Expected(Observation(slots={"module": wanted})))
    numbers = {name: np.zeros(shape) if name in even else np.ones(shape).cumsum(1) for name, shape in shapes.items()}

    held = tuple(slot(name, *shape) for name, shape in shapes.items())
    seen = {f"module.{name}": array for name, array in numbers.items()}

    assert scene.but(slots={"module": held}, tensors=seen).judged().right is (len(even) == 1)


def test_a_bias_may_begin_with_zeros() -> None:
    scene = replace(scenes.parameters(), expected=Expected(Observation(slots={"module": BIASED})))

    assert scene.but(slots={"module": BIASED}, tensors={"module.W_key.bias": np.zeros(4)}).judged().right


def test_the_module_is_made_and_looked_at() -> None:
    assert scenes.parameters().run.actions == (
        Make("module", EXERCISE, CLASS, (Value(3), Value(4), Value(False))),
        Inspect("module", values=True),
    )


def test_another_spelling_is_accepted_and_told() -> None:
    finding = holding(*linears("W_q", "W_key", "W_value"))

    assert finding == Finding(True, notes=("`W_q` for `W_query`; accepted",))


def test_a_fused_projection_of_the_same_size_is_accepted_and_told_where_its_order_is_known() -> None:
    assert holding(slot("qkv.weight", 12, 3)) == Finding(True)


def test_of_what_a_fused_projection_does_not_hold_the_rest_is_missing() -> None:
    finding = holding(slot("kv.weight", 8, 3), slot("asker.weight", 5, 3))

    assert finding.summary == (
        "there is no W_query.weight of shape (4, 3); your module has: kv.weight (8, 3), asker.weight (5, 3)"
    )
    assert holding(slot("kv.weight", 8, 3), *linears("W_query")).right
    assert holding(slot("kv.weight", 9, 3), *linears("W_query")).summary == (
        "`kv.weight` has shape (9, 3); that is not 2 parts of (4, 3)"
    )


def test_what_the_only_layer_that_is_left_is_to_be_called_is_told_with_its_line() -> None:
    finding = holding(*linears("ask", "W_key", "W_value"))

    assert (finding.right, finding.about) == (False, "ask.weight")
    assert finding.summary == "there is no `W_query`, but `ask` would fit there: call it `W_query`"


def test_what_numbered_modules_call_alike_is_told_once() -> None:
    names = [[f"heads.{number}.{called}" for number in range(2)] for called in ("W_query", "ask")]

    finding = holding(*linears(*names[1]), wanted=linears(*names[0]))

    assert finding.summary == "there is no `W_query`, but `heads.*.ask` would fit there: call it `W_query`"


def test_of_a_layer_that_may_be_meant_otherwise_nothing_is_said() -> None:
    assert holding(*linears("ask", "look", "W_value")).summary.startswith("there is no W_query.weight of shape (4, 3);")


def test_a_layer_in_parts_is_told_as_one_for_all() -> None:
    parts = [f"heads.{number}.{role}" for number in range(2) for role in ("W_q", "W_key", "W_value")]

    finding = holding(*linears(*parts, shape=(2, 3)))

    assert (finding.right, finding.about) == (False, "heads")
    assert finding.summary == (
        "your module has 2 layers `heads.*.W_q`, of (2, 3) each; make one `W_query`, of (4, 3), that serves them all"
    )
    assert (
        holding(*linears(*parts[:3], shape=(2, 3))).summary == "`heads.0.W_q.weight` has shape (2, 3); expected (4, 3)"
    )
    assert holding(*linears(*parts, shape=())).summary.startswith("your module has 2 layers `heads.*.W_q`, of () each")
    in_plain_list = (replace(each, kind="loose") for each in linears(*parts, shape=(2, 3)))
    assert holding(*in_plain_list).summary == finding.summary


def test_a_layer_in_parts_is_told_before_what_may_come_of_it() -> None:
    parts = [f"heads.{number}.{role}" for number in range(2) for role in ROLES]
    wanted = linears(*ROLES, "out_proj")

    finding = holding(*linears(*parts), *linears("out_proj", shape=(8, 6)), wanted=wanted)

    assert finding.summary.startswith("your module has 2 layers `heads.*.W_query`, of (4, 3) each")
    assert holding(*linears(*ROLES), *linears("out_proj", shape=(8, 6)), wanted=wanted).summary == (
        "`out_proj.weight` has shape (8, 6); expected (4, 3)"
    )


def test_heads_of_another_name_are_right_if_there_are_as_many() -> None:
    mine, asked = ([f"{heads}.{number}.W_query" for number in range(2)] for heads in ("mine", "heads"))

    assert holding(*linears(*mine), wanted=linears(*asked)).right
    assert not holding(*linears(mine[0]), wanted=linears(*asked)).right


@pytest.mark.parametrize("mine", [["head_0", "head_1"], ["heads.head/0", "heads.head/1"], ["h1", "h2"]])
def test_heads_may_be_numbered_in_their_own_names(mine: list[str]) -> None:
    asked = linears(*(f"heads.{number}.W_query" for number in range(2)))

    assert holding(*linears(*(f"{head}.W_query" for head in mine)), wanted=asked) == Finding(True)
    assert not holding(*linears(f"{mine[0]}.W_query"), wanted=asked).right
    assert not holding(*linears(*(f"{head}.W_query" for head in mine), shape=(3, 4)), wanted=asked).right
    hidden = [replace(each, kind="loose") for each in linears(*(f"{head}.W_query" for head in mine))]
    assert not holding(*hidden, wanted=asked).right


def test_layers_that_are_numbered_in_their_names_are_not_called_as_asked() -> None:
    finding = holding(*linears("linear1", "linear2", "linear3"))

    assert finding.summary.startswith("there is no W_query.weight of shape (4, 3); your module has: linear1.weight")


def test_a_list_of_layers_for_each_role_is_no_list_of_heads() -> None:
    asked = linears(*(f"heads.{number}.{role}" for number in range(3) for role in ROLES))

    finding = holding(*linears(*(f"{role}.{number}" for role in ROLES for number in range(3))), wanted=asked)

    assert finding.summary.startswith("there is no heads.0.W_query.weight of shape (4, 3); your module has: W_query.*")
    in_each = linears(*(f"heads.{number}.layers.{role}" for number in range(3) for role in range(3)))
    assert holding(*in_each, wanted=asked).right


def test_a_layer_that_is_a_list_of_layers_is_told_as_one_for_all_too() -> None:
    finding = holding(*linears(*(f"{role}.{number}" for role in ROLES for number in range(2)), shape=(2, 3)))

    assert finding.summary.startswith("your module has 2 layers `W_query.*`, of (2, 3) each; make one `W_query`,")
    assert finding.about == "W_query"


def test_beside_a_fused_projection_too_a_layer_of_another_name_is_told() -> None:
    wanted = linears(*ROLES, "out_proj", shape=(3, 3))

    finding = holding(slot("qkv.weight", 9, 3), *linears("final", shape=(3, 3)), wanted=wanted)

    assert finding.summary == "there is no `out_proj`, but `final` would fit there: call it `out_proj`"


def test_a_buffer_beside_a_fused_projection_is_no_weight() -> None:
    cache = slot("W_key", 3, 4, kind="buffer", trainable=False)

    assert holding(slot("qkv.weight", 12, 3), cache).right


@pytest.mark.parametrize(
    ("slots", "told"),
    [
        (
            linears("W_query", "W_key"),
            "there is no W_value.weight of shape (4, 3); your module has: W_query.weight (4, 3), W_key.weight (4, 3)",
        ),
        ((), "there is no W_query.weight of shape (4, 3); your module has: none"),
        (
            linears("W_query", "W_key", "W_value", shape=(5, 3)),
            "`W_query.weight` has shape (5, 3); expected (4, 3)",
        ),
        (
            (slot("W_query.weight", 4, 3, trainable=False), *linears("W_key", "W_value")),
            "`W_query.weight` is not trained; expected an nn.Parameter that requires gradients",
        ),
        (
            (slot("W_query", 3, 4, kind="buffer", trainable=False), *linears("W_key", "W_value")),
            "`W_query` is not trained; expected an nn.Parameter that requires gradients",
        ),
        (
            (slot("mask", 3, 4, kind="buffer", trainable=False), *linears("W_key", "W_value")),
            "there is no W_query.weight of shape (4, 3); your module has: W_key.weight (4, 3), W_value.weight (4, 3)",
        ),
        (
            (slot("W_query", 3, 4, kind="loose"), *linears("W_key", "W_value")),
            "`W_query` is not registered, so it is never trained: keep an nn.Parameter or a layer as an attribute of "
            "the module itself, or several in an nn.ModuleList, nn.ModuleDict, nn.ParameterList or nn.ParameterDict",
        ),
        ((slot("qkv.weight", 8, 3),), "`qkv.weight` has shape (8, 3); that is not 3 parts of (4, 3)"),
        (
            (slot("qkv.weight", 12, 3, kind="loose"),),
            "`qkv.weight` is not a registered parameter: an optimizer would never see it",
        ),
    ],
)
def test_weights_that_are_not_as_asked_are_told(slots: tuple[Slot, ...], told: str) -> None:
    finding = holding(*slots)

    assert (finding.right, finding.summary, finding.mistake) == (False, told, "")


@pytest.mark.parametrize("fused", [slot("qkv.weight", 8, 3), slot("qkv.weight", 12, 3, kind="loose")])
def test_the_line_of_fused_weights_that_are_not_as_asked_is_theirs(fused: Slot) -> None:
    assert holding(fused).about == "qkv.weight"


def test_a_bias_that_nobody_asked_for_is_told_and_named() -> None:
    finding = holding(*linears(*ROLES), *biases("W_query"))

    assert finding.summary == f"`W_query.bias` exists although {ARGUMENTS} asks for none"
    assert (finding.mistake, finding.about) == ("bias-always", "W_query.bias")


def test_a_bias_that_is_missing_is_told_and_named() -> None:
    finding = holding(*linears(*ROLES), wanted=(*linears(*ROLES), *biases(*ROLES)))

    assert finding.summary == f"there is no W_query.bias although {ARGUMENTS} asks for one"
    assert finding.mistake == "bias-ignored"


def test_a_fused_bias_counts_with_its_weight() -> None:
    wanted = (*linears(*ROLES), *biases(*ROLES))

    whole = holding(slot("qkv.weight", 12, 3), slot("qkv.bias", 12), wanted=wanted)
    half = holding(slot("qkv.weight", 12, 3), wanted=wanted)

    assert (whole.right, half.right) == (True, False)


@pytest.mark.parametrize(
    ("shape", "notes"),
    [((3, 4), ()), ((4, 3), ("W_query, W_key, W_value as (4, 3), on its side, for (3, 4); accepted",))],
)
def test_matrices_that_are_kept_on_their_side_are_accepted_and_noted_once(
    shape: tuple[int, ...], notes: tuple[str, ...]
) -> None:
    held, wanted = (tuple(replace(slot(name, *of), owner="Attention") for name in ROLES) for of in (shape, (3, 4)))

    finding = holding(*held, wanted=wanted)

    assert (finding.right, finding.notes) == (True, notes)


def test_heads_in_a_plain_list_are_told_and_named() -> None:
    names = [f"heads.{i}.{role}.weight" for i in (0, 1) for role in ROLES]

    finding = holding(
        *(slot(name, 4, 3, kind="loose") for name in names), wanted=tuple(slot(name, 4, 3) for name in names)
    )

    assert finding.summary == "`heads.0.W_query.weight` is not registered in the module"  # the mistake has the remedy
    assert finding.mistake == "heads-unregistered"


@pytest.mark.parametrize(("is_asked", "also"), [(False, ("bias-always",)), (True, ())])
def test_heads_in_a_plain_list_have_no_bias_that_nobody_asked_for(is_asked: bool, also: tuple[str, ...]) -> None:
    weights = [f"heads.{i}.{role}.weight" for i in (0, 1) for role in ROLES]
    biases = [name.replace("weight", "bias") for name in weights]
    wanted = tuple(slot(name, 4, 3) for name in weights)
    wanted += tuple(slot(name, 4) for name in biases) if is_asked else ()

    finding = holding(
        *(slot(name, 4, 3, kind="loose") for name in weights),
        *(slot(name, 4, kind="loose") for name in biases),
        wanted=wanted,
    )

    assert finding.mistakes == ("heads-unregistered", *also)


def test_a_bias_of_the_output_projection_may_be_missing() -> None:
    wanted = (*linears(*ROLES), slot("out_proj.weight", 4, 4), slot("out_proj.bias", 4))

    finding = holding(*linears(*ROLES), slot("out_proj.weight", 4, 4), wanted=wanted)
    assert finding.right
    assert finding.notes == ("there is no out_proj.bias, which the exercise has; that costs nothing",)


def test_a_transposed_parameter_is_a_way_to_hold_a_linear() -> None:
    assert holding(replace(slot("W_query", 3, 4), owner=CLASS), *linears("W_key", "W_value")).right


def test_a_linear_that_takes_what_it_is_to_give_is_wrong() -> None:
    finding = holding(*linears("W_query", shape=(3, 4)), *linears("W_key", "W_value"))

    assert finding.summary == "`W_query.weight` has shape (3, 4); expected (4, 3)"


def test_further_parameters_and_buffers_are_the_students_own_affair() -> None:
    assert holding(*linears(*ROLES), slot("scale", 1), slot("norm.bias", 4), slot("mask", 9, 9, kind="buffer")).right


def test_a_weight_that_is_only_a_buffer_is_no_parameter() -> None:
    finding = Scene(scenes.parameters().question, Observation(), scenes.parameters().expected).but(
        slots={"module": tuple(slot(f"{role}.weight", 4, 3, kind="buffer", trainable=False) for role in ROLES)}
    )

    assert finding.judged().summary == (
        "`W_query.weight` is not trained; expected an nn.Parameter that requires gradients"
    )


def test_a_fused_bias_too_much_or_too_little_is_named() -> None:
    fused = slot("qkv.weight", 12, 3)

    assert holding(fused, slot("qkv.bias", 12)).mistake == "bias-always"
    assert holding(fused, wanted=(*linears(*ROLES), *biases(*ROLES))).mistake == "bias-ignored"
    assert holding(slot("qkv.weight", 8, 3), slot("qkv.bias", 8)).mistake == ""
    of_its_own = holding(slot("b_qkv", 12), fused)
    assert (of_its_own.mistake, of_its_own.summary[:14]) == ("bias-always", "`b_qkv` exists")
    assert holding(slot("W_qkv", 3, 12), slot("b_qkv", 12), wanted=(*linears(*ROLES), *biases(*ROLES))).right


@pytest.mark.parametrize("name", ["b_query", "query_bias", "biases.query", "W_query.b"])
def test_a_bias_of_another_name_that_nobody_asked_for_is_named(name: str) -> None:
    finding = holding(*linears(*ROLES), slot(name, 4))

    assert (finding.right, finding.mistake, finding.about) == (False, "bias-always", name)
    assert holding(*linears(*ROLES), slot(name, 4), wanted=(*linears(*ROLES), *biases("W_query"))).right


def test_a_list_of_as_many_layers_as_are_absent_is_right_unless_they_are_one() -> None:
    four = tuple(slot(f"linears.{number}.weight", *shape) for number, shape in enumerate([*[(4, 3)] * 3, (4, 4)]))
    wanted = (*linears(*ROLES), slot("out_proj.weight", 4, 4), slot("out_proj.bias", 4))

    assert holding(*four, wanted=wanted) == Finding(True)
    assert holding(*four, slot("linears.3.bias", 4), wanted=wanted) == Finding(True)
    assert holding(*four, *biases(*(f"linears.{n}" for n in range(4))), wanted=wanted).mistake == "bias-always"
    assert holding(*four[:3], wanted=wanted).summary.startswith("there is no W_query.weight")
    assert holding(*shared("linears.0", "linears.1", "linears.2")).summary.startswith("`linears.0.weight` and `lin")


def test_a_bias_whose_name_says_nothing_is_told_and_accused_of_nothing() -> None:
    finding = holding(*linears(*ROLES), slot("offset", 4), wanted=(*linears(*ROLES), *biases(*ROLES)))

    assert (finding.right, finding.mistake) == (False, "")
    assert finding.summary.endswith("`W_query_bias`; your module has offset (4,)")


@pytest.mark.parametrize(
    ("weights", "own", "told"),
    [
        (linears(*ROLES), (slot("offsets", 3, 4),), "`W_query_bias`; your module has offsets (3, 4)"),
        (
            tuple(slot(f"W.{number}", 3, 4) for number in range(3)),
            tuple(slot(f"b.{number}", 4) for number in range(2)),
            "`W_bias`; your module has b.* (4,)",
        ),
    ],
)
def test_biases_of_whatever_name_or_place_are_not_said_to_be_missing(
    weights: tuple[Slot, ...], own: tuple[Slot, ...], told: str
) -> None:
    finding = holding(*weights, *own, wanted=(*linears(*ROLES), *biases(*ROLES)))

    assert (finding.right, finding.mistake) == (False, "")
    assert finding.summary.endswith(told)


def test_layers_in_what_is_called_like_a_fused_projection_have_a_name_each() -> None:
    finding = holding(*linears(*(f"qkv.{role}" for role in ROLES)), wanted=(*linears(*ROLES), *biases(*ROLES)))

    assert (finding.right, finding.mistake) == (False, "bias-ignored")
    assert finding.summary.startswith("there is no W_query.bias")


@pytest.mark.parametrize("weights", [linears(*ROLES), (slot("qkv.weight", 12, 3),)])
@pytest.mark.parametrize(("number", "right"), [(0.0, True), (0.5, False)])
def test_zeros_that_are_no_parameter_are_no_bias_that_nobody_asked_for(
    weights: tuple[Slot, ...], number: float, right: bool
) -> None:
    size = 12 if len(weights) == 1 else 4
    name = "qkv_bias" if len(weights) == 1 else "b_query"
    seen = {f"module.{name}": np.full(size, number)}
    slots = {"module": (*weights, slot(name, size, kind="loose"))}

    assert scenes.parameters().but(slots=slots, tensors=seen).judged().right is right


@pytest.mark.parametrize(("layer", "size"), [("qkv", 12), ("W_query", 4)])
def test_a_buffer_is_no_bias_that_nobody_asked_for(layer: str, size: int) -> None:
    weights = (slot(f"{layer}.weight", 12, 3),) if size == 12 else linears(*ROLES)
    buffer = slot(f"{layer}.bias", size, kind="buffer")

    assert holding(*weights, buffer).right
    assert not holding(*weights, buffer, wanted=BIASED).right


def test_a_fused_bias_that_is_kept_from_training_is_not_said_to_be_unregistered() -> None:
    frozen = replace(slot("qkv_bias", 12), trainable=False)

    due = holding(slot("qkv.weight", 12, 3), frozen, wanted=BIASED)
    unasked = holding(slot("qkv.weight", 12, 3), frozen)

    assert due.summary == "`qkv_bias` is not trained; expected an nn.Parameter that requires gradients"
    assert (unasked.summary.startswith("`qkv_bias` exists although"), unasked.mistake) == (True, "bias-always")


def test_what_is_wrong_with_heads_that_are_numbered_in_their_names_is_told_by_these() -> None:
    wanted = linears(*(f"heads.{number}.{role}" for number in range(2) for role in ROLES))
    one = (slot for role in ROLES for slot in shared(f"head_0.{role}", f"head_1.{role}"))
    own = [f"head_{number}.{role}" for number in range(2) for role in ROLES]

    tied, biased = holding(*one, wanted=wanted), holding(*linears(*own), *biases(*own), wanted=wanted)

    assert tied.summary.startswith("`head_0.W_query.weight` and `head_1.W_query.weight` are one and the same")
    assert (biased.mistakes, biased.about) == (("bias-always",), "head_0.W_query.bias")
    assert biased.summary.startswith("`head_0.W_query.bias` exists although")


@pytest.mark.parametrize(
    ("more", "mistake"),
    [
        ((), "out-proj-missing"),
        ((slot("mask", 5, 5, kind="buffer"),), "out-proj-missing"),
        ((slot("mixing.weight", 4, 3),), ""),
        ((slot("hidden.0.weight", 4, 4, kind="loose"),), ""),
    ],
)
def test_an_output_layer_is_missing_where_nothing_is_there_that_was_to_be_one(
    more: tuple[Slot, ...], mistake: str
) -> None:
    finding = holding(*linears(*ROLES), *more, wanted=(*linears(*ROLES), slot("out_proj.weight", 4, 4)))

    assert (finding.right, finding.mistake) == (False, mistake)


def test_another_weight_that_is_not_there_is_no_output_layer() -> None:
    finding = holding(*linears(*ROLES[:2]), wanted=linears(*ROLES))

    assert (finding.right, finding.mistake) == (False, "")
