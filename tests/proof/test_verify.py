"""`grade verify` holds for the pack as it is, and names the step where it does not hold."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from grader.proof.graded import prove, to_prove
from grader.proof.marking import Marking
from grader.runner.processes.zygote import Zygote
from tests.command import ROOT, Grade


@pytest.fixture
def few(copied_pack: Path) -> Path:
    """A copy whose only alternatives are one folder of them, so that proving it takes a moment."""
    for folder in (copied_pack / "solutions/alternatives").iterdir():
        if folder.name != "einsum":
            shutil.rmtree(folder)
    return copied_pack


def changed(file: Path, old: str, new: str) -> None:
    """Replace a piece of a file that stands there once."""
    source = file.read_text("utf-8")
    assert source.count(old) == 1
    file.write_text(source.replace(old, new), "utf-8")


BROKEN_MISTAKES = """\
softmax-missing:
  - - replace: torch.softmax(scores, dim=-1)
      with: scores
softmax-wrong-axis:  # the axis is right
  - - replace: torch.softmax(scores, dim=-1)
      with: torch.softmax(scores, dim=1)
softmax-twice:
  - - replace: torch.softmax(scores, dim=-1)
      with: torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
weights-transposed:  # it is another mistake
  - - replace: "contexts = weights @ inputs"
      with: "contexts = scores @ inputs"
"""
BROKEN_STEPS = """\
ex03:
  softmax-wrong-axis: [contexts]
  softmax-twice: [context, contexts]
  weights-transposed: [contexts]
"""


@pytest.fixture
def broken(few: Path) -> Path:
    """A copy in which every edit but one of exercise 3 is wrong in a way of its own, and nobody else has any."""
    for name in ("mistakes", "faults"):
        for file in (few / "solutions" / name).glob("*.yaml"):
            file.unlink()
    (few / "solutions/mistakes/ex03_context_vectors.yaml").write_text(BROKEN_MISTAKES, "utf-8")
    (few / "solutions/mistakes/steps.yaml").write_text(BROKEN_STEPS, "utf-8")
    # Tokens that are nearly the same: whatever the weights, their blend is nearly the same.
    changed(
        few / "exercises/ex03_context_vectors.yaml",
        "inputs: {normal: [5, 3], std: 0.8}",
        "inputs: {uniform: [5, 3], low: 1.0, high: 1.001}",
    )
    return few


@pytest.mark.lasting
@pytest.mark.no_cover
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("exercises", "least_pairs"),
    [
        pytest.param([f"ex{number:02}" for number in range(1, 4)], 0, id="up to exercise 3"),
        # Whole modules of attention have most of the mistakes, and with each two of them nearly all of the time.
        pytest.param([], 30, id="whole", marks=pytest.mark.long),
    ],
)
def test_the_pack_holds(exercises: list[str], least_pairs: int, grade: Grade, tmp_path: Path) -> None:
    chosen = [word for each in exercises for word in ("--exercise", each)]

    done = grade("verify", "--json", tmp_path / "proof.json", *chosen)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "The pack holds." in done.stdout
    named = {line.split()[0] for line in done.stdout.splitlines() if line}
    alternatives = {
        path.name
        for path in (ROOT / "solutions/alternatives").iterdir()
        if any(file.stem.startswith((*exercises,) or "ex") for file in path.glob("*.py"))
    }
    assert {"reference", "zeros", "copies", "stubs"} | alternatives <= named
    proof = json.loads((tmp_path / "proof.json").read_text("utf-8"))
    assert proof["holds"] is True
    assert proof["gaps"] == []
    assert all(exercise["mistakes"] for exercise in proof["exercises"])
    assert sum(len(exercise["pairs"]["graded"]) for exercise in proof["exercises"]) >= least_pairs
    assert all(margin["tolerances"] >= 10 for exercise in proof["exercises"] for margin in exercise["margins"])


def test_a_place_that_cannot_be_written_is_told_before_anything_is_proved(grade: Grade, tmp_path: Path) -> None:
    done = grade("verify", "--json", tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert "is a folder; name a file in it." in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 20])
def test_every_solution_comes_out_as_its_kind_says_for_another_seed(
    seed: int, plugins: Plugins, pack: Pack, zygote: Zygote
) -> None:
    with closing(Marking(plugins, pack, seed, zygote)) as marking:
        proved = [prove(pack, marking, source, ()) for source in to_prove(plugins, pack)]

    assert [gap for each in proved for gap in each.gaps] == []


@pytest.mark.long
def test_every_gap_is_told_in_a_sentence(grade: Grade, broken: Path) -> None:
    done = grade("verify", "--exercise", "ex03", pack=broken)

    assert done.returncode == 3, done.stdout + done.stderr
    for sentence in (
        "the case 'tokens' of ex03_context_vectors is not what its rubric draws: `grade fixtures build` writes it anew",
        "ex03 softmax-missing has no entry in steps.yaml; it fails contexts",
        "ex03 softmax-wrong-axis fails nothing; steps.yaml says contexts",
        "ex03 softmax-wrong-axis is named nothing; expected softmax-wrong-axis",
        "ex03 softmax-twice fails contexts; steps.yaml says context and contexts",
        "ex03 weights-transposed is named softmax-missing; expected weights-transposed",
        "ex03.context is failed by no mistake and by no fault",
        "ex03 knows the mistake returns-none, and no edit makes it",
        "too near: ex03 softmax-twice, case tokens of ex03.contexts, drawn from seed 0: 0.",
    ):
        assert f"    {sentence}" in done.stdout
    assert "ex03.contexts is failed by no mistake" not in done.stdout
    assert "ex03 softmax-missing is named" not in done.stdout


@pytest.mark.long
def test_a_mistake_that_the_fixtures_were_not_built_with_is_told_with_what_to_do(grade: Grade, few: Path) -> None:
    rubric = few / "exercises/ex03_context_vectors.yaml"
    rubric.write_text(f"{rubric.read_text('utf-8')}  halved: Half of it is gone.\n", "utf-8")
    edits = few / "solutions/mistakes/ex03_context_vectors.yaml"
    halved = "halved:\n  - - replace: contexts = weights @ inputs\n      with: contexts = weights @ inputs / 2\n"
    edits.write_text(f"{edits.read_text('utf-8')}{halved}", "utf-8")

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert "    ex03 halved is named nothing; expected halved\n" in done.stdout
    assert "    the fixtures of ex03 hold nothing of halved: `grade fixtures build` writes them anew\n" in done.stdout
    assert done.stdout.count("hold nothing of") == 1


@pytest.mark.long
def test_points_that_do_not_sum_to_a_hundred_are_a_gap(grade: Grade, few: Path) -> None:
    changed(few / "exercises/ex03_context_vectors.yaml", "points: 3", "points: 4")

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "the points of all steps sum to 101; expected 100" in done.stdout
    assert done.stdout.endswith("\n1 gap.\n")


ALIKE = "    ex03 context_vectors: no case tells softmax-missing + weights-transposed from softmax-missing"


@pytest.mark.long
def test_pairs_that_are_no_gap_are_counted_and_listed_only_where_they_are_asked_for(grade: Grade, few: Path) -> None:
    short = grade("verify", "--exercise", "ex03", pack=few)
    whole = grade("verify", "--exercise", "ex03", "--pairs", pack=few)

    told = "\nPairs that outputs cannot tell apart: 1 of 2\n"
    assert short.stdout.endswith(f"{told}They are no gap, and `--pairs` lists them.\n\nThe pack holds.\n")
    assert whole.stdout.endswith(f"{told}{ALIKE}\n\nThe pack holds.\n")


@pytest.mark.long
def test_the_proof_is_written_as_json_alone(grade: Grade, broken: Path) -> None:
    done = grade("verify", "--exercise", "ex03", "--json", "-", pack=broken)

    proof = json.loads(done.stdout)
    (exercise,) = proof["exercises"]
    missing = next(mistake for mistake in exercise["mistakes"] if mistake["id"] == "softmax-missing")
    assert done.returncode == 3, done.stdout + done.stderr
    assert proof["holds"] is False
    assert exercise["gaps"] == proof["gaps"]
    assert missing["fails"] == {"contexts": "failed"}
    assert missing["named"] == ["softmax-missing"]
    assert {margin["origin"] for margin in exercise["margins"]} == {"public", "seed 0", "seed 1"}


@pytest.mark.long
def test_what_is_found_can_be_printed_for_review(grade: Grade, broken: Path) -> None:
    done = grade("verify", "--exercise", "ex03", "--steps", pack=broken)

    assert (
        done.stdout
        == """\
ex03:
  softmax-missing: [contexts]
  softmax-wrong-axis: []
  softmax-twice: [contexts]
  weights-transposed: [contexts]
# faults

"""
    )


def test_a_step_that_there_is_not_is_told_with_its_place(grade: Grade, broken: Path) -> None:
    changed(broken / "solutions/mistakes/steps.yaml", "[context, contexts]", "[context, kontexts]")

    done = grade("verify", "--exercise", "ex03", pack=broken)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "steps.yaml:3:28: ex03 has no step 'kontexts'" in done.stderr


def test_a_missing_hint_is_told_with_its_place(grade: Grade, few: Path) -> None:
    changed(
        few / "exercises/ex03_context_vectors.yaml",
        "      - If one weight were 1 and all others 0, what should the context vector be?\n",
        "",
    )

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    assert re.search(r"ex03_context_vectors.yaml:\d+:\d+: .*hints", done.stderr)


def test_a_broken_reference_is_named_with_its_step(grade: Grade, few: Path) -> None:
    changed(
        few / "solutions/reference/ex03_context_vectors.py",
        "torch.softmax(scores, dim=-1)",
        "torch.softmax(scores, dim=0)",
    )

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "ex03.contexts is failed, expected passed" in done.stdout
    assert "ex03.context " not in done.stdout


def test_a_reference_that_cannot_answer_is_a_broken_pack_and_no_bug(grade: Grade, few: Path) -> None:
    changed(
        few / "solutions/reference/ex03_context_vectors.py",
        "    contexts = weights @ inputs",
        "    contexts = weights @ nothing",
    )

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "ex03.contexts" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_reference_that_is_no_python_is_a_broken_pack_and_no_bug(grade: Grade, few: Path) -> None:
    file = few / "solutions/reference/ex03_context_vectors.py"
    file.write_text(f"{file.read_text('utf-8')}nothing = = 1\n", "utf-8")

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "Python cannot read" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_a_broken_alternative_is_named_with_its_step(grade: Grade, few: Path) -> None:
    file = few / "solutions/alternatives/einsum/ex03_context_vectors.py"
    file.write_text(
        file.read_text("utf-8") + "\n\ndef context_vector(weights, inputs):\n    return inputs[0]\n", "utf-8"
    )

    done = grade("verify", "--exercise", "ex03", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "ex03.context is failed, expected passed" in done.stdout


@pytest.mark.long
def test_stubs_zeros_and_copies_of_the_input_that_earn_a_point_are_named(grade: Grade, few: Path) -> None:
    for folder in ("exercises", "solutions/zeros", "solutions/copies"):
        shutil.copyfile(
            few / "solutions/reference/ex01_dot_product_scores.py", few / folder / "ex01_dot_product_scores.py"
        )

    done = grade("verify", "--exercise", "ex01", pack=few)

    assert done.returncode == 3, done.stdout + done.stderr
    for name, expected in (("stubs", "unstarted"), ("zeros", "no point"), ("copies", "no point")):
        told = re.search(rf"^{name} .* not$((?:\n    .*)*)", done.stdout, re.M)
        assert told is not None, done.stdout
        assert f"ex01.query is passed, expected {expected}" in told[1]
        is_told_why = (
            told[1].strip().startswith("ex01_dot_product_scores.py is not the stub that the fixtures were built")
        )
        assert is_told_why is (name == "stubs")
