"""What a function is called with is known by its parameters, wherever it stands among the arguments."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.calls import as_they_run, handed_over, signatures

FUNCTIONS = """
def attend(self, q, k, v, mask=None, *, dropout=0.0):
    pass
"""


@pytest.mark.parametrize(
    ("call", "handed"),
    [
        ("self.attend(a, b, c)", {"q": "a", "k": "b", "v": "c", "mask": "None", "dropout": "0.0"}),
        ("attend(a, v=c, k=b, dropout=p)", {"q": "a", "k": "b", "v": "c", "mask": "None", "dropout": "p"}),
        ("attend(*some)", {}),
        ("attend(a, **some)", {}),
        ("attend(a, b, c, d, e, f, g)", {}),
        ("head.attend(a, b, c)", {}),
        ("other(a, b, c)", {}),
        (
            "F.scaled_dot_product_attention(a, b, c)",
            {"query": "a", "key": "b", "value": "c", "attn_mask": "None", "dropout_p": "0.0"},
        ),
    ],
)
def test_each_parameter_has_what_it_is_given(call: str, handed: dict[str, str]) -> None:
    called = signatures(ast.parse(FUNCTIONS).body)

    assert dict(handed_over(ast.parse(call), called)) == handed


def test_what_is_called_is_done_before_what_calls_it_goes_on_and_once() -> None:
    parts = {"forward": ["a", "cut", "cut", "b"], "idle": ["c"], "cut": ["d", "turn", "e"], "turn": ["f", "forward"]}

    done = [*as_they_run(parts, lambda part: [part])]

    assert done == ["a", "d", "f", "forward", "turn", "e", "cut", "cut", "b", "c"]


def test_ten_thousand_functions_that_call_one_another_are_gone_through() -> None:
    parts = {str(number): [str(number + 1)] for number in range(10_000)}

    assert next(as_they_run(parts, lambda part: [part])) == "10000"
