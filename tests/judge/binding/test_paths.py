"""A slot's name is read in parts: what it lies in, its role and its leaf."""

from __future__ import annotations

import pytest

from grader.judge.binding import paths
from grader.model.pack import Fused, Naming

NAMING = Naming(
    aliases={"W_query": ("q", "query"), "heads": ("attention_heads",)},
    fused=(Fused(("qkv",), ("W_query", "W_key", "W_value")),),
    around=("w", "proj", "layer"),
    optional=("out_proj.bias",),
)


@pytest.mark.parametrize(
    ("name", "taken_apart"),
    [
        ("W_query", ("", "W_query", "")),
        ("W_query.weight", ("", "W_query", "weight")),
        ("heads.0.W_query.bias", ("heads.0", "W_query", "bias")),
        ("weight", ("", "", "weight")),
    ],
)
def test_a_name_is_what_it_lies_in_its_role_and_its_leaf(name: str, taken_apart: tuple[str, str, str]) -> None:
    assert paths.split(name) == taken_apart


@pytest.mark.parametrize(
    ("found", "is_meant"),
    [
        ("heads.0.W_query.weight", True),
        ("attention_heads.0.W_q.weight", True),
        ("outer.heads.0.W_query.weight", True),
        ("heads.0.inner.W_query.weight", True),
        ("heads.0.inner.deeper.W_q.weight", True),
        ("heads.1.inner.W_query.weight", False),
        ("heads.0.W_query.norm.weight", False),
        ("heads.0.W_key.weight", False),
        ("W_query.weight", False),
    ],
)
def test_a_path_may_have_more_before_it_and_in_between_but_not_behind_its_role(found: str, is_meant: bool) -> None:
    cut = paths.nested(paths.parts("heads.0.W_query.weight"), paths.parts(found), NAMING)

    assert (cut is not None) is is_meant


def test_a_path_is_cut_as_late_as_may_be() -> None:
    wanted = paths.parts("heads.0.W_query.weight")
    cuts = {
        found: paths.nested(wanted, paths.parts(f"{found}.W_query.weight"), NAMING)
        for found in ("heads.0.0", "heads.1.0")
    }

    assert cuts == {"heads.0.0": 2, "heads.1.0": 1}


@pytest.mark.parametrize(
    ("part", "name", "is_one"),
    [
        ("W_query", "W_query", True),
        ("W_Q", "W_query", True),
        ("_w_query", "W_query", True),
        ("queryLayer", "W_query", True),
        ("proj_q", "W_query", True),
        ("layer_w_q", "W_query", True),
        ("W^Q", "W_query", True),
        ("query layer", "W_query", True),
        ("query/key", "W_query", False),
        ("query_key", "W_query", False),
        ("inquery", "W_query", False),
        ("w" * 100 + "q", "W_query", False),
        ("W_layer", "W_query", False),
        ("QKV_proj", "qkv", True),
        ("Attention_Heads", "heads", True),
        ("weight", "weight", True),
        ("W_weight", "weight", False),
    ],
)
def test_how_a_name_is_written_makes_no_difference_nor_do_words_around_it(part: str, name: str, is_one: bool) -> None:
    assert paths.is_called(part, name, NAMING) is is_one


@pytest.mark.parametrize(
    ("wanted", "found", "is_one"),
    [
        ("W_query.bias", "b_query", True),
        ("W_query.bias", "bQ", True),
        ("W_query.bias", "params.query_bias", True),
        ("W_query.bias", "biases.q", True),
        ("heads.0.W_query.bias", "heads.0.b_q", True),
        ("heads.0.W_query.bias", "heads.1.b_q", False),
        ("qkv.bias", "bias_qkv", True),
        ("W_query.bias", "W_query", False),
        ("W_query.bias", "b_qkv", False),
        ("W_query.weight", "biases.q", False),
    ],
)
def test_a_bias_of_its_own_says_whose_it_is(wanted: str, found: str, is_one: bool) -> None:
    assert paths.is_own_bias(paths.parts(wanted), paths.path(found), NAMING) is is_one


def test_what_may_be_left_out_is_so_wherever_it_lies() -> None:
    assert NAMING.is_optional("out_proj.bias")
    assert NAMING.is_optional("block.out_proj.bias")
    assert not NAMING.is_optional("my_out_proj.bias")
