"""torch's own attention is to be told what hides the future and when to drop, and nothing where it is."""

from __future__ import annotations

import pytest

from grader.diagnosis.clues.attention import dropped_always, never_dropped, unmasked
from tests.judge.hand_made import class_doing

ATTENDING = "x = F.scaled_dot_product_attention(x, x, x{})"
TOLD = "`scaled_dot_product_attention` {}: hand it `{}`"


@pytest.mark.parametrize("given", ["", ", None", ", is_causal=False", ", dropout_p=0.1"])
def test_torchs_own_attention_that_hides_nothing_is_to_be_told_what_hides(given: str) -> None:
    told = TOLD.format("hides nothing by itself, so every token sees the future", "is_causal=True")

    assert unmasked(class_doing(ATTENDING.format(given)), "A") == (told, 11)


@pytest.mark.parametrize(
    "given", [", mask", ", attn_mask=m", ", is_causal=True", ", None, 0.0, True", ", is_causal=c", ", **m", ", *more"]
)
def test_torchs_own_attention_that_may_hide_something_is_told_nothing_else(given: str) -> None:
    assert unmasked(class_doing(ATTENDING.format(given)), "A") is None


def test_torchs_own_attention_is_to_be_told_the_mode() -> None:
    told = "dropout_p=self.p if self.training else 0.0"
    always, never = "drops in evaluation too, since nobody tells it the mode", "drops nothing unless it is told to"

    in_eval = dropped_always(class_doing(ATTENDING.format(", dropout_p=self.p")), "A")
    missing = never_dropped(class_doing(ATTENDING.format("")), "A")
    assert in_eval == (TOLD.format(always, told), 11)
    assert missing == (TOLD.format(never, "dropout_p=self.dropout.p if self.training else 0.0"), 11)


@pytest.mark.parametrize(
    ("given", "rate"),
    [
        ("0.1", "0.1"),
        ("p", "p"),
        ("self.dropout.p", "self.dropout.p"),
        ("self.dropout.p if torch.is_grad_enabled() else 0.0", "self.dropout.p"),
        ("0.0 if x.is_inference() else self.p", "self.p"),
        ("self.p if a else 0.2", "self.p"),
        ("self.p * 2", "(self.p * 2)"),
        ("self.p * 2 if a else 0.0", "(self.p * 2)"),
        ("self.p if a else 0.0 if b else 0.5", "self.p"),
        ("(0.5 if b else 0.1) if a else 0.0", "0.5"),
        ("rate()", "rate()"),
    ],
)
def test_what_torchs_own_attention_is_to_be_told_is_a_rate_and_no_choice_in_a_choice(given: str, rate: str) -> None:
    told = dropped_always(class_doing(ATTENDING.format(f", dropout_p={given}")), "A")

    assert told is not None and told[0].endswith(f": hand it `dropout_p={rate} if self.training else 0.0`")


@pytest.mark.parametrize("given", [", dropout_p=self.p if self.training else 0.0", ", dropout_p=self.training * 0.1"])
def test_torchs_own_attention_that_is_told_the_mode_is_told_nothing_else(given: str) -> None:
    assert dropped_always(class_doing(ATTENDING.format(given)), "A") is None
    assert never_dropped(class_doing(ATTENDING.format(given)), "A") is None
