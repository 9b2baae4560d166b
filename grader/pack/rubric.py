"""Turns one YAML file into an exercise, or says everything that is wrong with it, each with line and column."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from grader.judge.checks.copies import Copies
from grader.model.check import CaseArgument, Check, ConstructorArgument
from grader.model.errors import PackError, Problem
from grader.model.pack import (
    CaseTemplate,
    Definition,
    Draw,
    Exercise,
    Generator,
    Input,
    SoftmaxOf,
    Step,
    Visibility,
    short_of,
)
from grader.model.text import nearest
from grader.pack import yaml
from grader.pack.misfits import misfit, misfit_of
from grader.pack.schema import (
    DRAW_KINDS,
    SETTINGS,
    CaseModel,
    DrawModel,
    GeneratorModel,
    RubricModel,
    SoftmaxModel,
    StepModel,
    StepWordsModel,
    WordsModel,
)
from grader.pack.stubs import parse_signature

_SHAPED = ("normal", "uniform", "zeros")
_PARTS = ("join", "stack", "repeat")
# A file's form and the forms inside it.
FORMS: Mapping[type[BaseModel], tuple[type[BaseModel], ...]] = {
    RubricModel: (RubricModel, StepModel, SoftmaxModel, CaseModel, DrawModel),
    WordsModel: (WordsModel, StepWordsModel),
}


def read_rubric(document: yaml.Document, checks: Mapping[str, Check]) -> tuple[Exercise | None, list[Problem]]:
    """One exercise's rubric, against which checks there are."""
    model, problems = validate(RubricModel, document)
    if not isinstance(model, RubricModel):
        return None, problems
    definitions = {}
    for name, text in model.defines.items():
        try:
            definitions[name] = parse_signature(name, text)
        except PackError as error:
            problems.append(document.problem(("defines", name), str(error)))
    exercise = _exercise(document.file.removesuffix(".yaml"), model, definitions)
    problems += _unknown_names(document, exercise, checks)
    problems += _arguments_that_do_not_fit(document, exercise)
    problems += _sizes_of_nothing(document, exercise)
    return exercise, problems


def validate(form: type[BaseModel], document: yaml.Document) -> tuple[BaseModel | None, list[Problem]]:
    """A document read into a pydantic form; None with every problem where it does not fit."""
    if document.problems:
        return None, document.problems
    try:
        return form.model_validate(document.value), []
    except ValidationError as error:
        # A union tells one mistake once for each of its members, all at one place.
        told: dict[tuple[yaml.Path, str], list[dict[str, Any]]] = {}
        for each in error.errors(include_url=False):
            path = _path(each["loc"])
            key = path if each["type"] in ("missing", "extra_forbidden") else _written(document, path)
            told.setdefault((key, _called(document, path)), []).append(dict(each))
        return None, sorted({_problem(document, form, path, name, each) for (path, name), each in told.items()})


def _path(location: tuple[str | int, ...]) -> yaml.Path:
    """Where pydantic found something. It puts the kind of an input between its name and what is in it."""
    return (*location[:4], *location[5:]) if location[2:3] == ("inputs",) else location


def _written(document: yaml.Document, path: yaml.Path) -> yaml.Path:
    """As much of a path as stands in the document, a key's own place behind it."""
    if path[-1:] == ("[key]",):
        return (*path[:-1], "")
    while path and path not in document.places:
        path = path[:-1]
    return path


def _called(document: yaml.Document, path: yaml.Path) -> str:
    """What a sentence calls that which stands at a path."""
    is_key = path[-1:] == ("[key]",)
    names = [part for part in (path[:-2] if is_key else _written(document, path)) if isinstance(part, str)]
    if not names:
        return "the file"
    if is_key:
        return f"a key of {names[-1]}"
    return f"an entry of {names[-1]}" if isinstance(path[-1], int) else names[-1]


def _problem(
    document: yaml.Document, form: type[BaseModel], path: yaml.Path, name: str, errors: list[dict[str, Any]]
) -> Problem:
    kind = errors[0]["type"]
    if kind == "extra_forbidden":
        return document.problem((*path, ""), f"unknown key {path[-1]!r}{meant(str(path[-1]), _keys(form))}")
    if kind == "missing":
        return document.problem(path[:-1], f"the key {path[-1]!r} is missing")
    return document.problem(path, misfit(name, errors))


def meant(name: str, known: Iterable[str]) -> str:
    """The end of a sentence on a name that is not there: which one may have been meant, if there is one like it."""
    found = nearest(name, known)
    return f"; did you mean {found!r}?" if found else ""


def _keys(form: type[BaseModel]) -> list[str]:
    """Every key of a form and of the forms inside it."""
    return [field.alias or name for each in FORMS.get(form, (form,)) for name, field in each.model_fields.items()]


def _exercise(exercise_id: str, model: RubricModel, definitions: Mapping[str, Definition]) -> Exercise:
    short = short_of(exercise_id)
    return Exercise(
        id=exercise_id,
        title=model.title,
        task=model.task,
        after=model.after,
        steps=tuple(_step(exercise_id, short, step) for step in model.steps),
        cases={name: _case(name, case) for name, case in model.cases.items()},
        mistakes=model.mistakes,
        definitions=definitions,
        axes={name: tuple(axes) for name, axes in model.axes.items()},
        sizes=tuple(model.sizes),
        meanings=model.meanings,
    )


def _step(exercise_id: str, short: str, model: StepModel) -> Step:
    return Step(
        id=f"{short}.{model.id}",
        exercise=exercise_id,
        title=model.title,
        points=model.points,
        of=model.of,
        check=model.check,
        cases=tuple(model.cases),
        needs=tuple(model.needs),
        relies_on=tuple(model.relies_on),
        stages=tuple(model.stages),
        credit=model.credit,
        hints=tuple(model.hints),
        options=model.options,
        visibility=Visibility(model.visibility),
        softmax=SoftmaxOf(tuple(model.softmax.of), model.softmax.case) if model.softmax else None,
    )


def _case(name: str, model: CaseModel) -> CaseTemplate:
    return CaseTemplate(
        name=name,
        construct=model.constructor,
        inputs={key: _input(value) for key, value in model.inputs.items()},
        weights={key: _draw(value) for key, value in model.weights.items()},
        weight_std=model.weight_std,
        figure=model.figure,
        within=model.within,
        relative=model.relative,
    )


def _input(model: DrawModel | GeneratorModel | bool | int | float) -> Input:
    if isinstance(model, GeneratorModel):
        return Generator(model.generator)
    return _draw(model) if isinstance(model, DrawModel) else model


def _draw(model: DrawModel) -> Draw:
    kind = next(kind for kind in DRAW_KINDS if getattr(model, kind) is not None)
    value = getattr(model, kind)
    settings = {name: getattr(model, name) for name in SETTINGS.get(kind, ())}
    if kind in _SHAPED:
        return Draw(kind, tuple(value), settings)
    if kind in _PARTS:
        parts = value if isinstance(value, list) else [value]
        return Draw(kind, settings=settings, parts=tuple(_draw(part) for part in parts))
    return Draw(kind, (value,)) if kind in ("eye", "triangle") else Draw(kind, settings={"of": value})


def _unknown_names(document: yaml.Document, exercise: Exercise, checks: Mapping[str, Check]) -> Iterable[Problem]:
    seen: set[str] = set()
    for index, step in enumerate(exercise.steps):
        path = ("steps", index)
        if step.id in seen:
            yield document.problem((*path, "id"), f"the step {step.id!r} stands here twice")
        seen.add(step.id)
        yield from _unknown(document, (*path, "of"), step.of, exercise.definitions, "function or class under defines")
        yield from _unknown(document, (*path, "check"), step.check, checks, "check")
        for position, case in enumerate(step.cases):
            yield from _unknown(document, (*path, "cases", position), case, exercise.cases, "case")
        for name, points in step.credit.items():
            yield from _unknown(document, (*path, "credit", name, ""), name, step.stages, "stage of this step")
            if not 0 < points < step.points:
                told = f"{name} must be more than 0 and less than the step's points, {step.points}; found {points}"
                yield document.problem((*path, "credit", name), told)
        yield from _softmax_of_nothing(document, (*path, "softmax"), step)
        if step.check in checks:
            yield from _wrong_options(document, (*path, "with"), step, checks[step.check])
            yield from _foreign_arguments(document, (*path, "with"), exercise, step, checks[step.check])
    stages = {stage for step in exercise.steps for stage in step.stages}
    for name in exercise.meanings:
        yield from _unknown(document, ("meanings", name, ""), name, stages, "stage of any step")
    used = {case for step in exercise.steps for case in step.cases}
    for name in exercise.cases:
        if name not in used:
            yield document.problem(("cases", name, ""), f"no step uses the case {name!r}")


def _wrong_options(document: yaml.Document, path: yaml.Path, step: Step, check: Check) -> Iterable[Problem]:
    for key, value in step.options.items():
        yield from _unknown(document, (*path, key, ""), key, check.options, f"option of the check {check.name!r}")
        form = check.options.get(key)
        form = str if form is not None and issubclass(form, CaseArgument) else form
        if form is not None and not isinstance(value, (int, float) if form is float else form):
            yield document.problem((*path, key), misfit_of(key, form, value))


def _foreign_arguments(
    document: yaml.Document, path: yaml.Path, exercise: Exercise, step: Step, check: Check
) -> Iterable[Problem]:
    cases = [exercise.cases[name] for name in step.cases if name in exercise.cases]
    for key, value in step.options.items():
        form = check.options.get(key, int)
        if not issubclass(form, CaseArgument) or not isinstance(value, str):
            continue
        what = "argument of the constructor" if form is ConstructorArgument else "argument"
        given = [case.construct if form is ConstructorArgument else {**case.construct, **case.inputs} for case in cases]
        lacking = next((arguments for arguments in given if value not in arguments), None)
        if lacking is not None:
            yield from _unknown(document, (*path, key), value, lacking, what)


def _softmax_of_nothing(document: yaml.Document, path: yaml.Path, step: Step) -> Iterable[Problem]:
    """What is drawn must be stages of the step on one of its cases; beside the last stands what its result makes."""
    if step.softmax is None:
        return
    yield from _unknown(document, (*path, "case"), step.softmax.case, step.cases, "case of this step")
    for position, name in enumerate(step.softmax.stages):
        yield from _unknown(document, (*path, "of", position), name, step.stages, "stage of this step")
        if name in step.softmax.stages[:position]:
            yield document.problem((*path, "of", position), f"the stage {name!r} stands here twice")
    if step.stages and step.softmax.stages[-1] != step.stages[-1]:
        at = (*path, "of", len(step.softmax.stages) - 1)
        yield document.problem(at, f"the last is to be {step.stages[-1]!r}, the step's last stage")


def _unknown(
    document: yaml.Document, path: yaml.Path, name: str, known: Collection[str], what: str
) -> Iterable[Problem]:
    if name not in known:
        yield document.problem(path, f"there is no {what} called {name!r}{meant(name, known)}")


def _arguments_that_do_not_fit(document: yaml.Document, exercise: Exercise) -> Iterable[Problem]:
    """Arguments are passed by position, so a case must name them as `defines` does, in its order."""
    told = set()
    for step in exercise.steps:
        definition = exercise.definitions.get(step.of)
        for case in (exercise.cases[name] for name in step.cases if name in exercise.cases):
            if definition is None or step.check == Copies.name:
                continue
            given = tuple(case.construct) if definition.is_class else tuple(case.inputs)
            if given != definition.arguments[: len(given)] and (case.name, definition.name) not in told:
                told.add((case.name, definition.name))
                key = "construct" if definition.is_class else "inputs"
                expected = ", ".join(definition.arguments)
                text = f"{key} are {', '.join(given)}; {step.of} takes {expected}"
                yield document.problem(("cases", case.name, key), text)


def _sizes_of_nothing(document: yaml.Document, exercise: Exercise) -> Iterable[Problem]:
    """Axes must be those of an input, and sizes be made of axes and of the constructor's arguments."""
    inputs = {name for case in exercise.cases.values() for name in case.inputs}
    known = {name for case in exercise.cases.values() for name in case.construct}
    known |= {axis for axes in exercise.axes.values() for axis in axes}
    for name in exercise.axes:
        yield from _unknown(document, ("axes", name, ""), name, inputs, "input")
    for position, size in enumerate(exercise.sizes):
        for name in re.findall(r"\w+", size):
            yield from _unknown(document, ("sizes", position), name, known, "axis or argument")
