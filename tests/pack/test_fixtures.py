"""Fixtures are read only if they are what their manifest describes."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grader.model.case import PUBLIC, Case, Expected
from grader.model.errors import FixtureError
from grader.model.observation import Observation, Returned, Slot
from grader.model.pack import Exercise, Pack
from grader.pack.fixtures import Answer, Built, Fixtures, answer_key, stub_digests, write_fixtures, write_stubs

NONE: frozenset[str] = frozenset()


@pytest.fixture
def small(pack: Pack) -> Pack:
    """The pack with its first exercise alone."""
    return replace(pack, exercises=pack.exercises[:1])


@pytest.fixture
def exercise(small: Pack) -> Exercise:
    return small.exercises[0]


@pytest.fixture
def written(small: Pack, exercise: Exercise, tmp_path: Path) -> Pack:
    """The same pack with fixtures of its own: one case of its first step, and what a reference answers to it."""
    step = exercise.steps[0]
    template = exercise.cases[step.cases[0]]
    inputs = {name: np.full((2, 3), i, np.float32) for i, name in enumerate(template.inputs)}
    case = Case(template, PUBLIC, inputs, {"W.weight": np.eye(3, dtype=np.float32)})
    result = Returned("tensor", "result", "float64", (2,), "cpu", "torch.Tensor")
    slot = Slot("W.weight", (3, 3), "parameter", "Linear", "float64", True)
    seen = Observation(returned={"result": result}, slots={"module": (slot,)}, tensors={"result": np.array([1.0, 2.0])})
    floors = {"cpu/float32": {"result": 1e-7}, "cuda/float32": {"result": 2e-7}}
    answers = {answer_key(step, template.name, NONE): Answer(seen, floors)}
    facts = {"torch": "2.13", "stubs": stub_digests(small)}
    write_fixtures(tmp_path, facts, {exercise.id: Built({template.name: case}, answers, {}, {})})
    return replace(small, source=replace(small.source, fixtures=tmp_path))


def expected(pack: Pack, target: str = "cpu/float32") -> Expected:
    exercise = pack.exercises[0]
    step = exercise.steps[0]
    return Fixtures(pack).expected(exercise, step, step.cases[0], NONE, target)


def test_a_case_is_read_as_it_was_written(written: Pack, exercise: Exercise) -> None:
    fixtures = Fixtures(written)
    template = exercise.cases[exercise.steps[0].cases[0]]

    case = fixtures.case(exercise, template.name)

    assert (case.name, case.is_public) == (template.name, True)
    assert list(case.inputs) == list(template.inputs)
    assert [array.tolist() for array in case.inputs.values()] == [np.full((2, 3), i).tolist() for i in range(2)]
    assert case.weights["W.weight"].tolist() == np.eye(3).tolist()
    assert fixtures.slots(exercise, template.name) == {"W.weight": [3, 3]}


def test_an_answer_is_read_as_it_was_written(written: Pack) -> None:
    answer = expected(written)

    assert answer.observation.tensors["result"].tolist() == [1.0, 2.0]
    assert answer.observation.tensors["result"].dtype == np.float64
    assert answer.observation.returned["result"].shape == (2,)
    assert answer.observation.slots["module"][0].name == "W.weight"


def test_what_is_as_by_default_is_not_written(written: Pack) -> None:
    (answer,) = Fixtures(written).manifest["exercises"][written.exercises[0].id]["answers"].values()

    said = {
        "kind": "tensor",
        "key": "result",
        "dtype": "float64",
        "shape": [2],
        "device": "cpu",
        "type": "torch.Tensor",
    }
    assert answer["observation"]["returned"]["result"] == said


@pytest.mark.parametrize(
    ("target", "floor"), [("cpu/float32", 1e-7), ("cuda/float32", 2e-7), ("mps/float32", 1e-7), ("cpu/float16", None)]
)
def test_a_target_has_its_own_noise_floor_or_the_cpus(written: Pack, target: str, floor: float | None) -> None:
    assert expected(written, target).floors.get("result") == floor


def test_fixtures_are_written_to_the_byte_the_same_twice(written: Pack, tmp_path: Path) -> None:
    manifest = (tmp_path / "manifest.json").read_bytes()
    exercise = written.exercises[0]
    step, fixtures = exercise.steps[0], Fixtures(written)
    case = fixtures.case(exercise, step.cases[0])
    entry = fixtures.manifest["exercises"][exercise.id]["answers"][f"{step.id}/{case.name}"]
    answer = Answer(expected(written).observation, entry["floors"])

    facts = {"torch": "2.13", "stubs": stub_digests(written)}
    built = Built({case.name: case}, {f"{step.id}/{case.name}": answer}, {}, {})
    write_fixtures(tmp_path / "again", facts, {exercise.id: built})

    assert (tmp_path / "again/manifest.json").read_bytes() == manifest


def test_a_file_that_was_altered_is_refused(written: Pack, tmp_path: Path) -> None:
    path = Fixtures(written).file(written.exercises[0].id)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)

    with pytest.raises(FixtureError, match="its sha256 differs"):
        Fixtures(written).check_bytes()


def test_a_file_that_is_missing_is_told(written: Pack) -> None:
    Fixtures(written).file(written.exercises[0].id).unlink()

    with pytest.raises(FixtureError, match="cannot be read"):
        Fixtures(written).check_bytes()


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"format": 99}', "not json"])
def test_a_manifest_of_another_form_is_told(written: Pack, tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest, "utf-8")

    with pytest.raises(FixtureError, match=r"manifest\.json"):
        Fixtures(written)


def test_fixtures_without_a_manifest_are_told(small: Pack, tmp_path: Path) -> None:
    with pytest.raises(FixtureError, match="cannot be read"):
        Fixtures(replace(small, source=replace(small.source, fixtures=tmp_path / "nowhere")))


def test_fixtures_of_other_exercises_are_told(written: Pack, pack: Pack) -> None:
    lacking = sorted(pack.ids - written.ids)

    with pytest.raises(FixtureError, match=f"other exercises than the rubrics are: it lacks {', '.join(lacking)}$"):
        Fixtures(replace(pack, source=written.source))


def test_fixtures_of_an_exercise_that_is_gone_are_told_by_its_id(written: Pack, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["exercises"]["ex99_gone"] = {}
    path.write_text(json.dumps(manifest), "utf-8")

    with pytest.raises(FixtureError, match=r"than the rubrics are: it has ex99_gone too$"):
        Fixtures(written)


def test_a_case_that_was_never_built_is_told(written: Pack, exercise: Exercise) -> None:
    with pytest.raises(FixtureError, match="no fixture for the case 'new'"):
        Fixtures(written).slots(exercise, "new")


def test_an_answer_that_was_never_built_is_told(written: Pack, exercise: Exercise) -> None:
    fixtures = Fixtures(written)

    with pytest.raises(FixtureError, match=f"no fixture for {exercise.steps[0].id}/new"):
        fixtures.expected(exercise, exercise.steps[0], "new", NONE, "cpu/float32")


def test_an_answer_with_a_stand_in_is_another_answer(written: Pack, exercise: Exercise) -> None:
    step = exercise.steps[0]

    key = answer_key(step, "a", frozenset({"ex11_b", "ex10_a"}))

    assert key == f"{step.id}/a~ex10_a+ex11_b"


def test_the_manifest_says_what_each_file_is(written: Pack, tmp_path: Path) -> None:
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))

    assert manifest["torch"] == "2.13"
    assert set(manifest["files"]) == {f"{written.exercises[0].id}.safetensors"}


def test_a_stub_that_somebody_worked_on_is_known(written: Pack, tmp_path: Path) -> None:
    exercise = written.exercises[0]
    fixtures = Fixtures(written)
    elsewhere = replace(written, source=replace(written.source, exercises=tmp_path))
    (tmp_path / f"{exercise.id}.py").write_text("def mine(): ...\n", "utf-8")

    assert fixtures.changed_stubs(written) == []
    assert fixtures.changed_stubs(elsewhere) == [exercise.id]


def test_a_stub_can_be_put_back_and_is_the_one_that_the_manifest_describes(written: Pack, tmp_path: Path) -> None:
    exercise = written.exercises[0]
    fixtures = Fixtures(written)
    write_stubs(tmp_path, written)
    copy = tmp_path / "stubs" / f"{exercise.id}.py"

    assert fixtures.stub(exercise) == (written.source.exercises / f"{exercise.id}.py").read_bytes()
    copy.write_text("def mine(): ...\n", "utf-8")
    with pytest.raises(FixtureError, match=r"is not the stub that manifest\.json describes"):
        fixtures.stub(exercise)
    copy.unlink()
    with pytest.raises(FixtureError, match="cannot be read"):
        fixtures.stub(exercise)


def test_the_kits_own_fixtures_are_what_their_manifest_describes(pack: Pack) -> None:
    Fixtures(pack).check_bytes()


def test_a_copy_of_the_fixtures_elsewhere_serves_as_well(pack: Pack, tmp_path: Path) -> None:
    shutil.copytree(pack.source.fixtures, tmp_path / "copy", ignore=shutil.ignore_patterns("submissions"))

    moved = Fixtures(replace(pack, source=replace(pack.source, fixtures=tmp_path / "copy")))

    moved.check_bytes()
