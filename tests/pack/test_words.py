"""A pack's texts in another language: laid over the rubrics, held to them, and nothing that grades."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.errors import RubricError
from grader.model.pack import Pack
from grader.pack.load import load_pack
from grader.pack.words import check_translations, translated
from grader.plugins.registry import Plugins

from .broken import RUBRIC, written

NAME = "ex01_a"


@pytest.fixture
def small(plugins: Plugins, tmp_path: Path) -> Pack:
    return load_pack(written(tmp_path / "pack", {NAME: RUBRIC}), plugins.checks)


def overlay(pack: Pack, text: str, name: str = NAME) -> Path:
    """Write German texts of an exercise."""
    file = pack.source.exercises / f"words/de/{name}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def complaints(pack: Pack) -> list[str]:
    with pytest.raises(RubricError) as caught:
        translated(pack, "de")
    return str(caught.value).splitlines()


def test_texts_that_are_translated_take_the_place_of_the_rubrics(small: Pack) -> None:
    step = small.exercises[0].steps[0]
    name, hints = step.id.split(".")[1], ["Was?", "Wie?", *["So."] * (len(step.hints) - 2)]
    overlay(small, f"title: Auf Deutsch\nsteps:\n  {name}:\n    title: Ein Schritt\n    hints: {hints}\n")

    german = translated(small, "de").exercises[0]

    assert (german.title, german.steps[0].title, german.steps[0].hints) == ("Auf Deutsch", "Ein Schritt", tuple(hints))
    assert (german.task, german.mistakes) == (small.exercises[0].task, small.exercises[0].mistakes)


def test_nothing_but_texts_is_another_in_another_language(small: Pack) -> None:
    overlay(small, "title: Auf Deutsch\ntask: Tu es.\nafter: Weil es geht.\n")

    german = translated(small, "de")

    (own,), (theirs,) = small.exercises, german.exercises
    assert german.sha256 == small.sha256
    assert german.words != ""
    assert replace(theirs, title=own.title, task=own.task, after=own.after) == own
    assert replace(german, exercises=small.exercises, words="") == small


def test_the_packs_digest_does_not_see_a_translation(small: Pack, plugins: Plugins) -> None:
    overlay(small, "title: Auf Deutsch\n")

    assert load_pack(small.source, plugins.checks).sha256 == small.sha256


def test_other_words_have_another_digest(small: Pack) -> None:
    overlay(small, "title: Auf Deutsch\n")
    before = translated(small, "de").words
    overlay(small, "title: Anders\n")

    assert translated(small, "de").words != before


def test_a_language_without_texts_leaves_them_english(small: Pack) -> None:
    assert translated(small, "es") == small
    assert translated(small, "en") is small


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("titel: x\n", "1:1: unknown key 'titel'; did you mean 'title'?"),
        ("title: ''\n", "1:8: title is empty; write a text"),
        ("steps:\n  nowhere:\n    title: x\n", "2:3: the rubric has no 'nowhere' in steps"),
        ("title: x\nmistakes:\n  nothing: x\n", "3:3: the rubric has no 'nothing' in mistakes"),
        ("meanings:\n  none: x\n", "2:3: the rubric has no 'none' in meanings"),
        ("title: [\n", "not YAML"),
    ],
)
def test_what_the_rubric_does_not_have_is_told_with_its_place(small: Pack, text: str, complaint: str) -> None:
    overlay(small, text)

    (told,) = complaints(small)

    assert told.startswith(f"words/de/{NAME}.yaml:")
    assert complaint in told


def test_a_ladder_with_another_number_of_rungs_is_told(small: Pack) -> None:
    step = small.exercises[0].steps[0]
    name = step.id.split(".")[1]
    overlay(small, f"steps:\n  {name}:\n    hints: [Nur einer.]\n")

    assert complaints(small) == [f"words/de/{NAME}.yaml:3:12: {name} has 1 hints; the rubric has {len(step.hints)}"]


def test_texts_of_no_rubric_are_told_with_the_one_that_may_be_meant(small: Pack) -> None:
    overlay(small, "title: x\n", "ex01_b")

    assert complaints(small) == [f"words/de/ex01_b.yaml:1:1: there is no rubric ex01_b.yaml; did you mean '{NAME}'?"]


def test_verify_looks_through_every_language(small: Pack) -> None:
    overlay(small, "titel: x\n")

    with pytest.raises(RubricError):
        check_translations(small)
