"""The built-in checks, one module each. They reach rubrics through the same hook as a third party's."""

from __future__ import annotations

from grader.judge.checks.by_hand import ByHand
from grader.judge.checks.causality import Causality
from grader.judge.checks.copies import Copies
from grader.judge.checks.dropout import Dropout
from grader.judge.checks.generator import GeneratorUse
from grader.judge.checks.gradients import Gradients
from grader.judge.checks.inputs_unchanged import InputsUnchanged
from grader.judge.checks.kernels import Kernels
from grader.judge.checks.output import Output
from grader.judge.checks.parameters import Parameters
from grader.judge.checks.refuses import Refuses
from grader.judge.checks.rows_sum_to_one import RowsSumToOne
from grader.judge.checks.state import State
from grader.judge.checks.statistics import Statistics
from grader.model.check import Check

BUILT_IN: tuple[Check, ...] = (
    Output(),
    RowsSumToOne(),
    InputsUnchanged(),
    Gradients(),
    ByHand(),
    GeneratorUse(),
    Statistics(),
    Parameters(),
    State(),
    Causality(),
    Dropout(),
    Copies(),
    Refuses(),
    Kernels(),
)
