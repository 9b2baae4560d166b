"""A report made by hand, with a step of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.model.report import Diagnosis, ExerciseResult, Picture, Report, Status, Target, Verdict

SOURCE = b"""import torch


def masked(scores, mask):
\tscores.masked_fill(mask, -torch.inf)  # and dropped
\treturn scores
"""
CPU = "cpu", "float32"


def verdict(name: str, status: Status, score: float, max_score: float, **parts: Any) -> Verdict:
    settings = {"title": f"All of {name.split('.')[1]}", "targets": (Target(*CPU, status),), "hints_left": 2, **parts}
    return Verdict(id=name, status=status, score=score, max_score=max_score, **settings)


PASSED = ExerciseResult(
    "ex01_scores", "Scores", (verdict("ex01.one", Status.PASSED, 2, 2), verdict("ex01.all", Status.PASSED, 3, 3))
)
UNSTARTED = ExerciseResult(
    "ex02_softmax", "Softmax", (verdict("ex02.rows", Status.UNSTARTED, 0, 4, summary="Not started yet."),)
)
FAILED = verdict(
    "ex10.output", Status.FAILED, 0, 5,
    title="Context vectors of a batch",
    summary="12 of 24 values are off; the worst at [0, 1, 2]: got 0.1, expected 0.4 (case random).",
    file="ex10_mask.py", line=5,
    diagnosis=(Diagnosis("mask-discarded", "masked_fill returns a new tensor; yours is dropped.", "ex10_mask.py", 5),),
    picture=Picture("random", "weights", ("",), (((1.0, 0.0), (0.25, 0.75)),), (((0.5, 0.5), (0.25, 0.75)),), 0, 0),
    hints=("Which tokens may token 0 look at?",),
)  # fmt: skip
MIXED = ExerciseResult(
    "ex10_mask", "Causal mask", (
        verdict("ex10.params", Status.PASSED, 1, 1, notes=("W_q for W_query; accepted",)),
        FAILED,
        verdict("ex10.causality", Status.BLOCKED, 0, 2, summary="Waits for ex10.output (context vectors of a batch)."),
        verdict("ex10.dropout", Status.PARTIAL, 1, 2, summary="On cuda: 3 of 6 values are off."),
        verdict("ex10.speed", Status.TIMEOUT, 0, 1, summary="`f` was still running after 10 s and was stopped."),
        verdict("ex10.gpu", Status.UNAVAILABLE, 0, 0),
    ),
)  # fmt: skip
BROKEN_SUMMARY = "Python cannot read line 1: invalid syntax."
BROKEN = ExerciseResult(
    "ex11_heads", "Heads", tuple(
        verdict(f"ex11.{name}", Status.ERROR, 0, 2, summary=BROKEN_SUMMARY, file="ex11_heads.py", line=1, column=7)
        for name in ("params", "output")
    ),
)  # fmt: skip
REPORT = Report(
    submission={"id": "ada", "path": "/tmp/ada", "sha256": "0" * 64},
    pack={"name": "attention", "version": "1.0", "sha256": "1" * 64},
    environment={
        "python": "3.11.7", "torch": "2.13.0", "devices": ["cpu"], "isolation": ["session", "rlimits"], "seed": 7,
        "fresh": True, "tolerance_factor": 4.0,
    },
    exercises=(PASSED, UNSTARTED, MIXED, BROKEN),
    seconds=1.94,
    notes=("no cuda on this machine; every step counts whole without it",),
    sources={"ex10_mask": SOURCE, "ex11_heads": b"import = 3\n"},
)  # fmt: skip


def saying(text: str, **parts: Any) -> Report:
    """A report of one failed step, in which the student's code had a say everywhere that it can."""
    settings = {
        "summary": text, "diagnosis": (Diagnosis("mask-missing", text),), "notes": (text,), "file": "ex10_mask.py",
        "line": 1, **parts,
    }  # fmt: skip
    step = verdict("ex10.output", Status.FAILED, 0, 5, **settings)
    other = verdict("ex10.other", Status.PASSED, 1, 1)
    return replace(
        REPORT,
        submission={**REPORT.submission, "id": text, "path": text},
        exercises=(ExerciseResult("ex10_mask", "Causal mask", (step, other)),),
        notes=(text,),
        sources={"ex10_mask": text.encode("utf-8", "surrogatepass")},
    )
