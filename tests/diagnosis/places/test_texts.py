"""Source is quoted as people write it."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.texts import short


@pytest.mark.parametrize(
    "number", ["1e9", "-1e-9", "2e-5", "1e20", "3e100", "10000.0", "0.5", "1.5e-8", "100000", "2.5e10", "1e5"]
)
def test_a_number_is_quoted_as_it_is_written(number: str) -> None:
    code = f"scores.masked_fill(mask, {number})"

    assert short(ast.parse(code)) == code.replace("2.5e10", "25000000000.0")


@pytest.mark.parametrize(("code", "quoted"), [("d ** (-0.5)", "d ** -0.5"), ("d ** (-2) ** q", "d ** (-2) ** q")])
def test_a_negative_power_is_quoted_as_people_write_it_where_that_is_the_same(code: str, quoted: str) -> None:
    assert short(ast.parse(code)) == quoted


@pytest.mark.parametrize(
    ("code", "quoted"),
    [
        ("torch.triu(torch.ones(context_length, context_length), diagonal=0)",
         "torch.triu(torch.ones(context_length, …), diagonal=0)"),
        ("torch.rand(weights.shape, generator=generator, device=weights.device) < p",
         "torch.rand(…, device=weights.device) < p"),
        ("mask = self.something_of_ones[:number_of_tokens, :number_of_tokens].to(weights.device, copy=True) == 0",
         "mask = self.something_of_ones[:number_of_tokens, :number_of…"),
        ("torch.triu(torch.ones(length, length), diagonal=0)", "torch.triu(torch.ones(length, length), diagonal=0)"),
    ],
)  # fmt: skip
def test_of_a_long_piece_the_end_is_quoted_and_not_what_calls_deep_in_it_are_given(code: str, quoted: str) -> None:
    (statement,) = ast.parse(code).body

    assert short(statement.value if isinstance(statement, ast.Expr) else statement) == quoted


def test_what_a_sentence_is_about_stays_in_its_quote() -> None:
    code = "projected.view(number_of_rows, number_of_tokens, self.num_heads, self.head_dim)"
    (call,) = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))

    assert short(call) == "projected.view(…, self.head_dim)"
    assert short(call, "number_of_rows") == "projected.view(number_of_rows, …)"
