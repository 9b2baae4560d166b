"""What has another kind than is due is put right in its line, and nothing else is."""

from __future__ import annotations

import pytest

from grader.diagnosis.changes.kinds import of_kinds
from grader.diagnosis.changes.pieces import repaired
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.source.used import definitions_of
from grader.model.observation import Fault

METHOD = Fault("exception", "TypeError", "unsupported operand type(s) for -: 'Tensor' and 'builtin_function_or_method'")
ROOT = Fault("exception", "TypeError", "sqrt(): argument 'input' (position 1) must be Tensor, not int")
MASK = Fault("exception", "RuntimeError", "masked_fill only supports boolean masks, but got mask with dtype float")
AXIS = Fault("exception", "IndexError", "Dimension out of range (expected to be in range of [-1, 0], but got 1)")


@pytest.mark.parametrize(
    ("line", "fault", "due"),
    [
        ("return x - x.max", METHOD, ["return x - x.max()"]),
        ("return x.max() - x.sum", METHOD, ["return x.max() - x.sum()"]),
        ("return x.shape - x.T", METHOD, []),
        ("self.max = x - x.max", METHOD, ["self.max = x - x.max()"]),
        ("return x.sum - self.dim", METHOD, ["return x.sum() - self.dim"]),
        ("return x / torch.sqrt(d)", ROOT, ["return x / (d ** 0.5)"]),
        ("return x / math.sqrt(d)", METHOD, []),
        ("return x.masked_fill(m, 1.0)", MASK, ["return x.masked_fill(m.bool(), 1.0)"]),
        ("return torch.where(m == 0, x, y)", MASK, ["return torch.where((m == 0).bool(), x, y)"]),
        ("return x @ y.transpose(1, 2)", AXIS, ["return x @ y.mT"]),
        ("return torch.softmax(x, dim=1)", AXIS, ["return torch.softmax(x, dim=-1)"]),
        ("return x[0] + y", AXIS, []),
    ],
)
def test_what_was_certainly_meant_is_done_in_the_line_that_raised(line: str, fault: Fault, due: list[str]) -> None:
    source = f"def f(x, y, m, d):\n    before = y.max\n    {line}\n"

    ways = [way for way in of_kinds(fault, definitions_of(parsed(source), "f"), 3) if way]

    assert [repaired(source, way).splitlines()[2].strip() for way in ways] == due
