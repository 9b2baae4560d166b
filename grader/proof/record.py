"""A proof as plain values, to be written as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from grader.model.pack import Pack
from grader.model.report import pack_facts
from grader.proof.graded import Proved
from grader.proof.margins import Margin
from grader.proof.pairs import Alike, GradedPair
from grader.proof.singles import Single
from grader.proof.verify import ExerciseProof

SCHEMA = "attention-kit/proof/v1"


def record(pack: Pack, seed: int, solutions: Sequence[Proved], proofs: Sequence[ExerciseProof]) -> dict[str, Any]:
    gaps = [*(gap for proved in solutions for gap in proved.gaps), *(gap for proof in proofs for gap in proof.gaps)]
    return {
        "schema": SCHEMA,
        "pack": pack_facts(pack),
        "seed": seed,
        "holds": not gaps,
        "gaps": gaps,
        "solutions": [
            {"name": each.name, "kind": each.kind, "steps": each.steps, "gaps": list(each.gaps)} for each in solutions
        ],
        "exercises": [_exercise(proof) for proof in proofs],
    }


def _exercise(proof: ExerciseProof) -> dict[str, Any]:
    return {
        "id": proof.exercise.id,
        "mistakes": [_single(single) for single in proof.singles],
        "pairs": {
            "total": proof.pairs.total,
            "named": proof.pairs.named,
            "alike": [_alike(each) for each in proof.pairs.alike],
            "graded": [_graded(each) for each in proof.graded],
        },
        "margins": [_margin(margin) for margin in proof.margins if math.isfinite(margin.tolerances)],
        "gaps": list(proof.gaps),
    }


def _single(single: Single) -> dict[str, Any]:
    return {
        "id": single.known.id,
        "way": single.known.way,
        "fault": single.known.is_fault,
        "fails": dict(single.lost),
        "named": sorted(single.named),
    }


def _alike(alike: Alike) -> dict[str, Any]:
    return {
        "of": alike.of,
        "mistakes": sorted(alike.ids),
        "others": sorted(sorted(ids) for ids in alike.others),
        "ways": alike.rows,
        "cases": list(alike.cases),
    }


def _graded(graded: GradedPair) -> dict[str, Any]:
    return {"mistakes": sorted(graded.ids), "named": sorted(graded.named)}


def _margin(margin: Margin) -> dict[str, Any]:
    return {
        "mistake": margin.known.id,
        "way": margin.known.way,
        "step": margin.step.id,
        "case": margin.case,
        "origin": margin.origin,
        "tolerances": float(f"{margin.tolerances:.4g}"),
    }
