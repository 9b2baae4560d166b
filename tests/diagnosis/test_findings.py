"""What a check found is named otherwise, or not at all, where the source says so, and as it was elsewhere."""

from __future__ import annotations

import pytest

from grader.diagnosis.findings import of_shape, settled, unopposed
from grader.diagnosis.source.tree import parsed
from grader.model.check import Finding
from grader.model.observation import Fault
from grader.words import say

UNCLEAR = Finding(False, say("check.dropout-unclear"))
FORWARD = """class A(nn.Module):
    def __init__(self, d_out, p):
        self.drop = nn.Dropout(p)
        self.out_proj = nn.Linear(d_out, d_in)

    def forward(self, q, k, v):
        s = q @ k.mT
        w = torch.softmax(s, dim=-1)
        return {given}
"""
ON_WEIGHTS, ON_CONTEXT, ON_NOTHING = (
    FORWARD.format(given=given) for given in ("self.drop(w) @ v", "self.drop(w @ v)", "w @ v")
)
ON_SCORES = FORWARD.replace("s = q @ k.mT", "s = self.drop(q @ k.mT)").format(given="w @ v")


@pytest.mark.parametrize(
    ("source", "mistake"),
    [(ON_CONTEXT, "dropout-on-context"), (ON_WEIGHTS, ""), (ON_SCORES, ""), (ON_NOTHING, "")],
)
def test_dropout_of_which_nothing_was_seen_is_the_contexts_where_the_source_drops_that(
    source: str, mistake: str
) -> None:
    assert settled(UNCLEAR, parsed(source), "A").mistake == mistake


@pytest.mark.parametrize(("source", "is_named"), [(ON_WEIGHTS, False), (ON_CONTEXT, True), (ON_NOTHING, True)])
def test_a_mistake_is_not_named_where_the_source_drops_weights_alone(source: str, is_named: bool) -> None:
    finding = Finding(False, "One thing.", mistake="dropout-on-scores", else_said="Another.")

    found = settled(finding, parsed(source), "A")

    assert (found.mistake, found.summary) == (("dropout-on-scores", "One thing.") if is_named else ("", "Another."))


@pytest.mark.parametrize(("source", "left"), [(ON_WEIGHTS, ["scale-missing"]), (ON_SCORES, None)])
def test_scores_are_not_dropped_where_the_source_drops_weights(source: str, left: list[str] | None) -> None:
    found = ["dropout-on-scores", "scale-missing"]

    assert unopposed(found, parsed(source), "A") == (found if left is None else left)


@pytest.mark.parametrize(
    ("kind", "slot", "line"),
    [("weights", "out_proj.weight", 4), ("weights", "W_query.weight", 0), ("exception", "out_proj.weight", 0)],
)
def test_another_shape_of_the_output_layers_weight_is_a_known_mistake(kind: str, slot: str, line: int) -> None:
    fault = Fault(kind, message=say("judge.slot-shape", slot=slot, shape=(7, 12), expected=(12, 12)))

    found = of_shape(fault, parsed(ON_WEIGHTS), "A")

    assert (found.line if found is not None else 0) == line
    assert found is None or found.id == "out-proj-wrong-width"
