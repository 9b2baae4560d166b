"""Loads a pack: its own file, every rubric, and the names that cross between exercises."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import BaseModel

from grader.model.check import Check
from grader.model.errors import PackError, Problem, RubricError
from grader.model.pack import Draw, Exercise, Fused, Naming, Pack, PackSource, Visibility
from grader.pack import yaml
from grader.pack.outline import LESSON_FILE, PACK_FILE, chosen, rubric_files
from grader.pack.rubric import meant, read_rubric, validate
from grader.pack.schema import PackModel

STAND_INS = "stand_ins"


def load_pack(source: PackSource, checks: Mapping[str, Check]) -> Pack:
    """The pack that lies in a folder. Raises RubricError with every problem of every file."""
    folder = source.exercises
    own = yaml.read_file(folder / PACK_FILE, PACK_FILE)
    model, problems = validate(PackModel, own)
    lesson = yaml.read_file(folder / LESSON_FILE, LESSON_FILE) if (folder / LESSON_FILE).exists() else None
    if isinstance(model, PackModel) and model.name != source.name:  # by which plugins are asked for its solutions
        problems.append(own.problem(("name",), f"its plugin calls this pack {source.name!r}; found {model.name!r}"))
    problems += lesson.problems if lesson else []
    exercises, documents = [], {}
    for path in rubric_files(folder):
        documents[path.stem] = yaml.read_file(path, path.name)
        exercise, found = read_rubric(documents[path.stem], checks)
        problems += found
        exercises += [exercise] if exercise else []
    stand_ins = {path.stem: path.read_bytes() for path in sorted((folder / STAND_INS).glob("*.py"))}
    if len(exercises) == len(documents):  # a rubric that cannot be read is no fault of those that name its steps
        problems += _steps_that_do_not_exist(exercises, documents, stand_ins)
        problems += _ending_that_does_not_exist(model, own, exercises)
    if problems or not isinstance(model, PackModel):
        raise RubricError(problems)
    if not exercises:
        raise PackError(f"{folder} holds no rubric.")
    return Pack(
        name=model.name,
        version=model.version,
        seed=model.seed,
        sha256=_digest(source),
        exercises=tuple(_with_lesson_shapes(exercise, lesson.value if lesson else {}) for exercise in exercises),
        naming=Naming(
            {part: tuple(names) for part, names in model.aliases.items()},
            tuple(Fused(tuple(each.names), tuple(each.roles)) for each in model.fused),
            tuple(model.around),
            tuple(model.optional),
        ),
        lesson=lesson.value if lesson else {},
        stand_ins=stand_ins,
        source=source,
        stubs=_stubs(source),
        ending=model.ending,
        chosen=chosen(folder) & {exercise.id for exercise in exercises},
    )


def lesson_value(lesson: Mapping[str, Any], path: str) -> Any:
    """An entry of the lesson's values by its dotted path. Raises PackError where there is none."""
    value: Any = lesson
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise PackError(f"{LESSON_FILE} has no entry {path!r}") from None
    return value


def _with_lesson_shapes(exercise: Exercise, lesson: Mapping[str, Any]) -> Exercise:
    """The exercise with the shapes of what its cases take from the lesson."""
    cases = {}
    for name, case in exercise.cases.items():
        inputs = {
            key: _shaped(value, lesson) if isinstance(value, Draw) else value for key, value in case.inputs.items()
        }
        cases[name] = replace(case, inputs=inputs)
    return replace(exercise, cases=cases)


def _shaped(draw: Draw, lesson: Mapping[str, Any]) -> Draw:
    if draw.kind not in ("lesson", "values"):
        return replace(draw, parts=tuple(_shaped(part, lesson) for part in draw.parts))
    try:
        value = lesson_value(lesson, draw.settings["of"]) if draw.kind == "lesson" else draw.settings["of"]
        return replace(draw, shape=np.shape(value))
    except (PackError, ValueError):  # told where it is drawn
        return draw


def _steps_that_do_not_exist(
    exercises: list[Exercise], documents: Mapping[str, yaml.Document], stand_ins: Mapping[str, bytes]
) -> Iterable[Problem]:
    """`needs` and `relies_on` may only name steps that come earlier, so that these are judged first."""
    before: dict[str, str] = {}
    shown = {step.id for exercise in exercises for step in exercise.steps if step.visibility is Visibility.VISIBLE}
    for exercise in exercises:
        document = documents[exercise.id]
        for index, step in enumerate(exercise.steps):
            for key, names in (("needs", step.needs), ("relies_on", step.relies_on)):
                for position, name in enumerate(names):
                    path = ("steps", index, key, position)
                    if name not in before:
                        text = f"{step.id} names {name!r}, which is no earlier step{meant(name, before)}"
                        yield document.problem(path, text)
                    elif key == "relies_on" and before[name] not in stand_ins:
                        text = f"{step.id} relies on {name}, but there is no stand-in for {before[name]}"
                        yield document.problem(path, text)
                    elif step.id in shown and name not in shown:
                        # What is said of the one that waits or is graded with a stand-in would tell of the other.
                        text = f"{step.id} is visible and names {name}, which is not: students would hear of it"
                        yield document.problem(path, text)
            before[step.id] = exercise.id


def _ending_that_does_not_exist(
    model: BaseModel | None, document: yaml.Document, exercises: list[Exercise]
) -> Iterable[Problem]:
    """The ending draws with a class, so it has to name a step of one."""
    classes = {step.id for e in exercises for step in e.steps if (d := e.definitions.get(step.of)) and d.is_class}
    if isinstance(model, PackModel) and model.ending and model.ending not in classes:
        yield document.problem(("ending",), f"there is no step {model.ending!r} that asks a class")


def _stubs(source: PackSource) -> Mapping[str, str]:
    """What the manifest says of the stubs; nothing where it says nothing."""
    try:
        stubs = json.loads(source.manifest.read_text("utf-8"))["stubs"]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return stubs if isinstance(stubs, dict) else {}


def _digest(source: PackSource) -> str:
    """Over every file that can change a grade, by name, so that two reports can be told to rest on one pack."""
    digest = hashlib.sha256()
    folder = source.exercises
    files = [*sorted(folder.glob("*.yaml")), *sorted((folder / STAND_INS).glob("*.py"))]
    files += [path for path in (source.manifest,) if path.exists()]
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.name}:{len(content)}\n".encode() + content)
    return digest.hexdigest()
