"""Fixtures: the public cases' tensors and the reference's answers to them, safetensors beside one manifest.

Written by `grade fixtures build` and never by hand; every file's sha256 stands in the manifest, and each is read only
if its bytes still have it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from grader.diagnosis.explain import Explanations
from grader.diagnosis.stages import Stages
from grader.model.case import PUBLIC, Case, Expected
from grader.model.errors import FixtureError, OtherExercises
from grader.model.observation import Observation
from grader.model.pack import MANIFEST, Exercise, Pack, Step
from grader.model.run import told
from grader.wire.frames import MalformedFrame
from grader.wire.observations import read_observation

# The folder of the stubs as students get them, so that one can be put back where it was worked on.
STUBS = "stubs"
FORMAT = 4
# In a row of edits: no second one.
NONE = 255


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reference answers to one step on one public case.

    floors: by "device/dtype", then by tensor key, the largest relative error of the reference itself there.
    """

    observation: Observation
    floors: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Built:
    """All that the fixtures hold of one exercise. explanations: by definition. stages: by step and case."""

    cases: Mapping[str, Case]
    answers: Mapping[str, Answer]
    explanations: Mapping[str, Explanations]
    stages: Mapping[tuple[str, str], Stages]


def answer_key(step: Step, case: str, stand_ins: frozenset[str]) -> str:
    """The name of an answer: the step, the case, and the modules that stand-ins replace."""
    replaced = "~" + "+".join(sorted(stand_ins)) if stand_ins else ""
    return f"{step.id}/{case}{replaced}"


def stub_digests(pack: Pack) -> dict[str, str]:
    """The sha256 of each exercise's stub as it is now, by exercise; none for one that is not there."""
    paths = [pack.source.exercises / exercise.file for exercise in pack.exercises]
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.is_file()}


class Fixtures:
    """The fixtures of a pack, each file read and checked when it is first needed."""

    def __init__(self, pack: Pack) -> None:
        self.folder = pack.source.fixtures
        self.manifest = _read_manifest(self.folder)
        built = self.manifest["exercises"].keys()
        if built != pack.ids:
            lacking, gone = (", ".join(sorted(ids)) for ids in (pack.ids - built, built - pack.ids))
            apart = " and ".join(filter(None, (lacking and f"it lacks {lacking}", gone and f"it has {gone} too")))
            raise OtherExercises(f"{MANIFEST} is of other exercises than the rubrics are: {apart}")
        self._tensors = cache(self._read)
        self._observation = cache(self._read_observation)
        self._explanations = cache(self._read_explanations)

    def slots(self, exercise: Exercise, case: str) -> Mapping[str, Sequence[int]]:
        """The reference's parameters for a case, name to shape. Raises FixtureError for an unknown case."""
        try:
            slots: Mapping[str, Sequence[int]] = dict(self.manifest["exercises"][exercise.id]["cases"][case])
        except KeyError:
            raise FixtureError(f"there is no fixture for the case {case!r} of {exercise.id}") from None
        return slots

    def case(self, exercise: Exercise, name: str) -> Case:
        """A public case with its tensors."""
        template, slots = exercise.cases[name], self.slots(exercise, name)
        tensors = self._tensors(exercise.id)
        inputs, weights = (_below(tensors, f"{kind}/{name}/") for kind in ("input", "weight"))
        given = {key: inputs[key] for key in template.inputs if key in inputs}  # a file has no order of its own
        return Case(template, PUBLIC, given, {key: weights[key] for key in slots})

    def expected(self, exercise: Exercise, step: Step, case: str, stand_ins: frozenset[str], target: str) -> Expected:
        """The reference's answer to a public case. target: "device/dtype", whose noise floors are wanted."""
        key = answer_key(step, case, stand_ins)
        observation = self._observation(exercise.id, key)
        floors = self.manifest["exercises"][exercise.id]["answers"][key]["floors"]
        own = floors.get(target) or floors.get(f"cpu/{target.split('/')[1]}", {})
        return Expected(observation, own)

    def explanations(self, exercise: Exercise, of: str) -> Explanations | None:
        """What known mistakes make of a definition's results; None where none is known."""
        return self._explanations(exercise.id, of)

    def stages(self, exercise: Exercise, step: Step, case: str) -> Stages:
        """The reference's intermediate results on a public case. Raises FixtureError where there are none."""
        try:
            needs = self.manifest["exercises"][exercise.id]["stages"][step.id]
            values = _below(self._tensors(exercise.id), f"stage/{step.id}/{case}/")
            return Stages({n: values[n] for n in step.stages}, {n: frozenset(needs[n]) for n in step.stages})
        except KeyError:
            raise FixtureError(f"there are no fixtures for the stages of {step.id}, case {case}") from None

    def changed_stubs(self, pack: Pack) -> list[str]:
        """Exercises whose stub is not as it was when the fixtures were built: somebody has worked on it."""
        now = stub_digests(pack)
        return [name for name, digest in self.manifest["stubs"].items() if now.get(name) != digest]

    def stub_file(self, exercise: Exercise) -> Path:
        """The file of the stub as it was when the fixtures were built. Raises FixtureError where it is another one."""
        self.stub(exercise)
        return self.folder / STUBS / exercise.file

    def stub(self, exercise: Exercise) -> bytes:
        """The stub of an exercise as it was when the fixtures were built. Raises FixtureError."""
        name = f"{STUBS}/{exercise.file}"
        try:
            content = (self.folder / name).read_bytes()
        except OSError as error:
            raise FixtureError(f"{name} of the fixtures cannot be read: {error.strerror}") from None
        if hashlib.sha256(content).hexdigest() != self.manifest["stubs"].get(exercise.id):
            raise FixtureError(f"{name} is not the stub that {MANIFEST} describes: its sha256 differs")
        return content

    def file(self, exercise_id: str) -> Path:
        """The file that holds an exercise's tensors."""
        return self.folder / f"{exercise_id}.safetensors"

    def _read_observation(self, exercise: str, key: str) -> Observation:
        try:
            entry = self.manifest["exercises"][exercise]["answers"][key]
            return read_observation({**entry["observation"]}, _below(self._tensors(exercise), f"answer/{key}/"))
        except (KeyError, MalformedFrame):
            raise FixtureError(f"there is no fixture for {key}") from None

    def _read_explanations(self, exercise: str, of: str) -> Explanations | None:
        entry = self.manifest["exercises"][exercise]["explanations"].get(of)
        if entry is None:
            return None
        tensors = _below(self._tensors(exercise), f"explanation/{of}/")
        rows = [[int(index) for index in row if index != NONE] for row in tensors["edits"]]
        return Explanations(
            ids=[frozenset(entry["edits"][index] for index in row) for row in rows],
            sizes=[len(row) for row in rows],
            cases=[(step, case) for step, case in entry["cases"]],
            counts=entry["counts"],
            forms=tensors["forms"],
            values=tensors["values"],
        )

    def _read(self, exercise_id: str) -> Mapping[str, Any]:
        path = self.file(exercise_id)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise FixtureError(f"{path.name} cannot be read: {error.strerror}") from None
        if hashlib.sha256(content).hexdigest() != self.manifest["files"].get(path.name):
            raise FixtureError(f"{path.name} is not the file that {MANIFEST} describes: its sha256 differs")
        return safetensors.numpy.load(content)

    def check_bytes(self) -> None:
        """Read every file of tensors now. Raises FixtureError for the first that is missing or altered."""
        for exercise_id in self.manifest["exercises"]:
            self._tensors(exercise_id)

    def check_all(self, pack: Pack) -> None:
        """Read every file now, stubs too. Raises FixtureError for the first that is missing or altered."""
        self.check_bytes()
        for exercise in pack.exercises:
            self.stub(exercise)


def write_fixtures(
    folder: Path, facts: Mapping[str, Any], exercises: Mapping[str, Built], kept: Sequence[str] = ()
) -> None:
    """Write the exercises' cases, answers and explanations, then the manifest that describes them.

    kept: exercises whose files stay as they are. Raises FixtureError where the folder lacks one of them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {"format": FORMAT, **facts, **_of_others(folder, kept)}
    for exercise_id, built in exercises.items():
        path = folder / f"{exercise_id}.safetensors"
        content = safetensors.numpy.save(_tensors_of(built))
        path.write_bytes(content)
        manifest["files"][path.name] = hashlib.sha256(content).hexdigest()
        manifest["exercises"][exercise_id] = {
            "cases": {n: [[k, list(w.shape)] for k, w in case.weights.items()] for n, case in built.cases.items()},
            "answers": {key: _entry(answer) for key, answer in built.answers.items()},
            "explanations": {
                of: {"edits": _edit_names(known), "cases": [list(pair) for pair in known.cases], "counts": known.counts}
                for of, known in built.explanations.items()
            },
            "stages": {
                step: {name: sorted(needs) for name, needs in known.needs.items()}
                for (step, _), known in built.stages.items()
            },
        }
    text = json.dumps(manifest, indent=1, sort_keys=True, default=told)
    (folder / MANIFEST).write_text(f"{text}\n", "utf-8")


def _of_others(folder: Path, kept: Sequence[str]) -> dict[str, Any]:
    """What the manifest that is there says of these exercises."""
    known = _read_manifest(folder) if kept else {"files": {}, "exercises": {}}
    names = {exercise: f"{exercise}.safetensors" for exercise in kept}
    for exercise, name in names.items():
        if exercise not in known["exercises"] or name not in known["files"]:
            raise FixtureError(f"{folder} has no fixtures of {exercise} to be kept; build all of them")
    return {
        "files": {name: known["files"][name] for name in names.values()},
        "exercises": {exercise: known["exercises"][exercise] for exercise in kept},
    }


def write_stubs(folder: Path, pack: Pack) -> None:
    """Write a copy of every stub as it is now."""
    (folder / STUBS).mkdir(parents=True, exist_ok=True)
    for exercise in pack.exercises:
        path = pack.source.exercises / exercise.file
        if path.is_file():
            (folder / STUBS / path.name).write_bytes(path.read_bytes())


def _tensors_of(built: Built) -> dict[str, Any]:
    tensors: dict[str, Any] = {}
    for name, case in built.cases.items():
        tensors |= {f"input/{name}/{key}": array for key, array in case.inputs.items()}
        tensors |= {f"weight/{name}/{key}": array for key, array in case.weights.items()}
    for key, answer in built.answers.items():
        tensors |= {f"answer/{key}/{name}": array for name, array in answer.observation.tensors.items()}
    for of, known in built.explanations.items():
        tensors |= {f"explanation/{of}/forms": known.forms, f"explanation/{of}/values": known.values}
        tensors[f"explanation/{of}/edits"] = _edit_rows(known)
    for (step, case_name), stages in built.stages.items():
        tensors |= {f"stage/{step}/{case_name}/{name}": value for name, value in stages.values.items()}
    return {name: np.array(array, order="C") for name, array in sorted(tensors.items())}


def _edit_names(known: Explanations) -> list[str]:
    return sorted({name for ids in known.ids for name in ids})


def _edit_rows(known: Explanations) -> Any:
    """Each explanation as the numbers of its edits' ids, one twice where both edits have it. (N, most) uint8."""
    names = _edit_names(known)
    rows = np.full((len(known.ids), max(1, *known.sizes)), NONE, np.uint8)
    for row, (ids, size) in enumerate(zip(known.ids, known.sizes, strict=True)):
        numbers = [names.index(name) for name in sorted(ids)]
        rows[row, :size] = (numbers * size)[:size]
    return rows


def _entry(answer: Answer) -> dict[str, Any]:
    observation = {
        "returned": dict(answer.observation.returned),
        "slots": {name: list(slots) for name, slots in answer.observation.slots.items()},
    }
    return {"observation": observation, "floors": answer.floors}


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise FixtureError(f"{path.name} of the fixtures cannot be read: {error}") from None
    parts = [manifest.get(part) for part in ("files", "exercises", "stubs")] if isinstance(manifest, dict) else []
    if not parts or manifest.get("format") != FORMAT or not all(isinstance(part, dict) for part in parts):
        raise FixtureError(f"{path.name} of the fixtures is of another format; build them anew")
    return manifest


def _below(tensors: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): array for name, array in tensors.items() if name.startswith(prefix)}
