"""Submissions for tests: the reference's sources, edits of them, and a place to have them graded in this process."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path

from grader.model.order import STUDENT_DTYPE, Order
from grader.model.pack import Pack
from grader.model.report import Report, Verdict
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session

ROOT = Path(__file__).resolve().parents[2]
# What a copy of the checkout is made without: what is no source, and tests, which it does not need.
NOT_SOURCE = shutil.ignore_patterns(
    "__pycache__", ".venv", ".git", ".*_cache", "dist", "tests", "shared", ".environments"
)
REFERENCE_FOLDER = ROOT / "solutions/reference"
REFERENCE = {path.stem: path.read_text("utf-8") for path in sorted(REFERENCE_FOLDER.glob("ex*.py"))}

EX01 = "ex01_dot_product_scores"
EX02 = "ex02_softmax_weights"
EX03 = "ex03_context_vectors"
EX04 = "ex04_qkv_projections"
EX05 = "ex05_scaled_scores"
EX06 = "ex06_self_attention_v1"
EX07 = "ex07_self_attention_v2"
EX08 = "ex08_causal_mask"
EX09 = "ex09_attention_dropout"
EX10 = "ex10_causal_attention"
EX11 = "ex11_multi_head_wrapper"
EX12 = "ex12_multi_head_attention"
EX13 = "ex13_wrapper_vs_split"


def edited(exercise: str, *changes: tuple[str, str]) -> str:
    """The reference's source of an exercise with pieces replaced, each of which stands there exactly once."""
    source = REFERENCE[exercise]
    for old, new in changes:
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {exercise}"
        source = source.replace(old, new)
    return source


def with_module(exercise: str, source: str | bytes) -> dict[str, str | bytes]:
    """The whole reference, one module of it exchanged."""
    return {**REFERENCE, exercise: source}


def verdicts(report: Report) -> dict[str, Verdict]:
    """Every step's verdict by its id."""
    return {step.id: step for exercise in report.exercises for step in exercise.steps}


def statuses(report: Report) -> dict[str, str]:
    """Every step's status by its id."""
    return {name: str(verdict.status) for name, verdict in verdicts(report).items()}


def scores(report: Report) -> dict[str, float]:
    """Every step's points by its id."""
    return {name: verdict.score for name, verdict in verdicts(report).items()}


def not_passed(report: Report) -> set[str]:
    """The ids of the steps that did not pass."""
    return {name for name, status in statuses(report).items() if status != "passed"}


class Marking:
    """Grades modules in this process with one worker, and keeps the reference's answers for each order."""

    def __init__(self, plugins: Plugins, pack: Pack, zygote: Zygote) -> None:
        self.plugins, self.pack, self.zygote = plugins, pack, zygote
        self._sessions: dict[Order, Session] = {}

    def __call__(
        self,
        modules: Mapping[str, str | bytes],
        *exercises: str,
        seed: int = 7,
        seconds: float = 10.0,
        device: str = "cpu",
        dtype: str = STUDENT_DTYPE,
        tries: bool = False,
    ) -> Report:
        """The report of a submission that holds these modules; of these exercises alone, if any are named."""
        order = Order(exercises, device, seed, seconds, dtype=dtype, tries=tries)
        sources = {name: text.encode() if isinstance(text, str) else text for name, text in modules.items()}
        digest = hashlib.sha256(repr(sorted(sources.items())).encode()).hexdigest()
        return self._graded(Submission("tested", Path("tested"), digest, sources), order)

    def submission(self, submission: Submission, *exercises: str, seed: int = 7, seconds: float = 10.0) -> Report:
        """The report of a submission."""
        return self._graded(submission, Order(exercises, "cpu", seed, seconds))

    def _graded(self, submission: Submission, order: Order) -> Report:
        if order not in self._sessions:
            self._sessions[order] = Session(self.plugins, self.pack, order, self.zygote)
        return grade_submission(self._sessions[order], submission)

    def close(self) -> None:
        """End the reference's children; the worker is its owner's."""
        for session in self._sessions.values():
            session.close()
