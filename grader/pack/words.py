"""A pack's texts in another language: files beside the rubrics with a rubric's prose alone, and nothing that grades.

For the rubric `ex10_causal_attention.yaml` that is `words/de/ex10_causal_attention.yaml`. What it lacks stays English.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from grader.model.errors import Problem, RubricError
from grader.model.pack import Exercise, Pack, Step
from grader.pack import yaml
from grader.pack.rubric import meant, validate
from grader.pack.schema import StepWordsModel, WordsModel
from grader.words import ENGLISH, languages

FOLDER = "words"


def translated(pack: Pack, language: str) -> Pack:
    """The pack with its texts in a language, as far as there are any. Raises RubricError with every problem of them.

    language: its code, such as "de".
    """
    if language == ENGLISH:
        return pack
    folder = pack.source.exercises / FOLDER / language
    files = sorted(folder.glob("*.yaml"))
    exercises = {exercise.id: exercise for exercise in pack.exercises}
    problems: list[Problem] = []
    digest = hashlib.sha256()
    for file in files:
        name = f"{FOLDER}/{language}/{file.name}"
        document, content = yaml.read_file(file, name), file.read_bytes()
        digest.update(f"{name}:{len(content)}\n".encode() + content)
        if file.stem not in exercises:
            problems.append(Problem(name, 1, 1, f"there is no rubric {file.name}{meant(file.stem, exercises)}"))
            continue
        exercises[file.stem], found = _translated(exercises[file.stem], document)
        problems += found
    if problems:
        raise RubricError(problems)
    return replace(pack, exercises=tuple(exercises.values()), words=digest.hexdigest() if files else "")


def check_translations(pack: Pack) -> None:
    """Look through the texts in every language. Raises RubricError with every problem of the first that has one."""
    for language in languages():
        translated(pack, language)


def _translated(exercise: Exercise, document: yaml.Document) -> tuple[Exercise, list[Problem]]:
    words, problems = validate(WordsModel, document)
    if not isinstance(words, WordsModel):
        return exercise, problems
    problems = list(_problems(exercise, words, document))
    own = {step.name: step for step in exercise.steps}
    steps = {name: _step(step, words.steps[name]) if name in words.steps else step for name, step in own.items()}
    told = replace(
        exercise,
        title=words.title or exercise.title,
        task=words.task or exercise.task,
        after=words.after or exercise.after,
        meanings={**exercise.meanings, **words.meanings},
        mistakes={**exercise.mistakes, **words.mistakes},
        steps=tuple(steps.values()),
    )
    return told, problems


def _step(step: Step, words: StepWordsModel) -> Step:
    return replace(step, title=words.title or step.title, hints=tuple(words.hints or step.hints))


def _problems(exercise: Exercise, words: WordsModel, document: yaml.Document) -> Iterator[Problem]:
    """What the rubric does not have: a translation adds nothing, and leaves no rung of a ladder out."""
    steps = {step.name: step for step in exercise.steps}
    for key, given, known in (
        ("meanings", words.meanings, exercise.meanings),
        ("mistakes", words.mistakes, exercise.mistakes),
        ("steps", words.steps, steps),
    ):
        for name in given:
            if name not in known:
                yield document.problem((key, name, ""), f"the rubric has no {name!r} in {key}{meant(name, known)}")
    for name, step in words.steps.items():
        due = len(steps[name].hints) if name in steps else 0
        if due and step.hints is not None and len(step.hints) != due:
            text = f"{name} has {len(step.hints)} hints; the rubric has {due}"
            yield document.problem(("steps", name, "hints"), text)
