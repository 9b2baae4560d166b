"""What naming mistakes costs: a submission with one mistake in each exercise beside the reference, in turn, in one run.

Nearly all are mistakes that only results show, so that each failed definition is asked again on every public case and
looked up in the table of known mistakes. Wrong modules are also replaced by stand-ins for those that rely on them.
"""

from __future__ import annotations

import statistics
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.grading import ROOT
from benchmarks.scale import Scale
from grader.model.order import Order
from grader.model.submission import Submission
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.start import start_worker
from grader.runner.session import Session
from grader.submission.read import read_submission

WRONG = ROOT / "tests" / "suite" / "wrong"
MISTAKES = {
    "ex01_dot_product_scores": "matrix_overwritten",
    "ex02_softmax_weights": "down_the_columns",
    "ex03_context_vectors": "scores_as_weights",
    "ex04_qkv_projections": "keys_blended",
    "ex05_scaled_scores": "not_scaled_at_all",
    "ex06_self_attention_v1": "sideways_query",
    "ex07_self_attention_v2": "names_exchanged",
    "ex08_causal_mask": "zeroed_afterwards",
    "ex09_attention_dropout": "survivors_as_they_were",
    "ex10_causal_attention": "masked_fill_without_underscore",
    "ex11_multi_head_wrapper": "summed",
    "ex12_multi_head_attention": "view_alone",
    "ex13_wrapper_vs_split": "softmax_unscaled",
}


def measure(scale: Scale, there: Path) -> dict[str, Any]:
    """Medians of seconds, and the median of the ratios. named: in how many of the exercises the mistake is named."""
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    right = read_submission(ROOT / "solutions" / "reference", pack)
    modules = {name: (WRONG / name / f"{mistake}.py").read_bytes() for name, mistake in MISTAKES.items()}
    wrong = Submission("wrong", WRONG, "", modules)
    order = Order(device="cpu", seed=1, tries=True)
    with closing(start_worker()) as worker, closing(Session(plugins, pack, order, worker)) as session:
        seconds(session, right), seconds(session, wrong)  # the reference's answers are asked for once
        named = _named(session, wrong)
        pairs = [(seconds(session, right), seconds(session, wrong)) for _ in range(2 * scale.rounds)]
    floor, whole = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    return {"reference_seconds": floor, "wrong_seconds": whole, "named": named, "ratio": ratio, "rounds": len(pairs)}


def seconds(session: Session, submission: Submission) -> float:
    """The wall time of one grading."""
    started = time.perf_counter()
    grade_submission(session, submission)
    return time.perf_counter() - started


def _named(session: Session, submission: Submission) -> int:
    """In how many exercises a mistake is named."""
    report = grade_submission(session, submission)
    return sum(any(step.diagnosis for step in exercise.steps) for exercise in report.exercises)
