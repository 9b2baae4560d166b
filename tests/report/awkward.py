"""One report that holds everything that is awkward for some format; the golden files are made of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.model.pack import Visibility
from grader.model.report import Diagnosis, ExerciseResult, Report, Stage, Status, Target, Verdict

# What a student can bring about by names, messages and source: each is a command, markup or a formula somewhere.
CONTROLS = "\x1b[31mred\x07 \x00nul \x9b2J \u202egnirts \ud800 \ufffe\u2028"
MARKUP = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> ]]> &amp; **b** [link](http://evil.example) `tick` @ada #1"
)
COMMANDS = "::error file=a.py::no\n::stop-commands::x ##[command]echo % %0A ::set-output name=x::y"
FORMULA = '=HYPERLINK("http://evil.example")'
TAPPED = "ok 1 - done # SKIP not today\n1..0\nBail out! no\n  ---\n  ..."
SCORES = '{"scores": {"ex01": 100}}'
MEGABYTE = "Long " * 200_000
SOURCE = f"""import torch
def scores(query, keys):
    return "{FORMULA}  ``` ::warning::x <b> ]]>"  # Ünïcødé → “text”
"""
BOTH = (("cpu", "float32"), ("cuda", "float32"))
SECRET = 424_242
HIDDEN_TITLE, LATER_TITLE = "What nobody is to know", "What is told when it is due"


def verdict(name: str, status: Status, score: float, max_score: float, **parts: Any) -> Verdict:
    targets = tuple(Target(device, dtype, status) for device, dtype in BOTH)
    settings = {"title": f"All of {name.split('.')[1]}", "targets": targets, "hints_left": 2, **parts}
    return Verdict(id=name, status=status, score=score, max_score=max_score, **settings)


SCORES_OF_ALL = ExerciseResult(
    "ex01_scores", "Scores & <weights>", (
        verdict("ex01.one", Status.PASSED, 2, 2, notes=("W_q for W_query; accepted",)),
        # Right on one of two devices: half of three points.
        verdict("ex01.half", Status.PARTIAL, 1.5, 3, summary="On cuda: 3 of 6 values are off.", file="ex01_scores.py",
                line=3, targets=(Target("cpu", "float32", Status.PASSED), Target("cuda", "float32", Status.FAILED))),
        verdict("ex01.unicode", Status.FAILED, 0, 1, title="Ünïcødé → “text” 注意", summary=f"{CONTROLS} got 注意 → 🙂",
                file="ex01_scores.py", line=2, stage=Stage("scores", "weights", "ex01_scores.py", 3)),
        verdict("ex01.secret", Status.FAILED, 0.5, 4, title=HIDDEN_TITLE, summary="A secret sentence.",
                visibility=Visibility.HIDDEN),
    ),
)  # fmt: skip
DIED = ExerciseResult(
    "ex02_softmax", "Softmax", (
        verdict("ex02.markup", Status.FAILED, 0, 2, title=MARKUP, summary=MARKUP, file="ex02_softmax.py", line=99,
                diagnosis=(Diagnosis("softmax-missing", MARKUP, "ex01_scores.py", 3),), hints=("Which *axis*?",)),
        verdict("ex02.commands", Status.ERROR, 0, 2, summary=COMMANDS, notes=(COMMANDS,)),
        verdict("ex02.tapped", Status.ERROR, 0, 1, title="a # SKIP b", summary=TAPPED),
        verdict("ex02.formula", Status.FAILED, 0, 1, title=FORMULA, summary=SCORES),
        verdict("ex02.late", Status.TIMEOUT, 0, 1, summary="`softmax` was still running after 10 s and was stopped."),
        verdict("ex02.crash", Status.CRASHED, 0, 1, summary="`softmax` ended the whole process: signal 11."),
        verdict("ex02.long", Status.ERROR, 0, 1, summary=MEGABYTE),
        verdict("ex02.due", Status.PASSED, 2, 2, title=LATER_TITLE, visibility=Visibility.AFTER_DUE_DATE),
    ),
)  # fmt: skip
REST = ExerciseResult(
    "ex03_context", "Context", (
        verdict("ex03.waits", Status.BLOCKED, 0, 1, summary="Waits for ex02.markup."),
        verdict("ex03.begun", Status.UNSTARTED, 0, 2, summary="Not started yet."),
        verdict("ex03.gpu", Status.UNAVAILABLE, 0, 0,
                targets=tuple(Target(*each, Status.UNAVAILABLE) for each in BOTH)),
    ),
)  # fmt: skip
HIDDEN_WHOLE = ExerciseResult(
    "ex04_hidden", "An exercise of hidden steps", (
        verdict("ex04.all", Status.PASSED, 5, 5, title=HIDDEN_TITLE, visibility=Visibility.HIDDEN),
    ),
)  # fmt: skip
AWKWARD = Report(
    submission={"id": FORMULA, "path": "/tmp/nowhere/a,b:c", "sha256": "0" * 64},
    pack={"name": "attention", "version": "1.0", "sha256": "1" * 64},
    environment={
        "python": "3.11.7", "torch": "2.13.0", "devices": ["cpu", "cuda"], "isolation": ["session", "rlimits"],
        "seed": SECRET, "fresh": True, "tolerance_factor": 4.0, "seed_is_secret": True,
    },
    exercises=(SCORES_OF_ALL, DIED, REST, HIDDEN_WHOLE),
    seconds=12.34,
    notes=(f"a note {MARKUP}",),
    sources={"ex01_scores": SOURCE.encode()},
)  # fmt: skip
# The same, but with everything right.
FULL = replace(
    AWKWARD,
    exercises=tuple(
        replace(
            result,
            steps=tuple(
                replace(step, status=Status.PASSED, score=step.max_score, summary="", diagnosis=(), stage=None)
                for step in result.steps
            ),
        )
        for result in AWKWARD.exercises
    ),
)
