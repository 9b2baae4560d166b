"""What is said is in the catalogue, what is in the catalogue is said, and every language says the same."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from grader.words import ENGLISH, languages
from grader.words.catalogue import Text, catalogue

from .said import Said, everything, fields_of

# The whole source is read, and next to nothing of it run.
pytestmark = pytest.mark.no_cover
OTHERS = [code for code in languages() if code != ENGLISH]
CODE = re.compile(r"`[^`]*`")


@pytest.fixture(scope="module")
def said() -> list[Said]:
    """Every place that says something."""
    return list(everything())


def meant(place: Said) -> Mapping[str, Text]:
    """The texts of the English catalogue that a place may say."""
    texts = catalogue(ENGLISH)
    if place.is_prefix:
        return {key: text for key, text in texts.items() if key.startswith(place.key)}
    return {key: texts[key] for key in [place.key] if key in texts}


def due(text: Text) -> set[str]:
    """The fields that whoever says a text has to give."""
    fields = {field for form in text.forms.values() for field in fields_of(form)}
    return fields | ({"count"} if len(text.forms) > 1 else set())


def kept(text: Text) -> Mapping[str, tuple[list[str], list[str]]]:
    """What every language has alike: the fields and the code of each form."""
    return {name: (fields_of(form), sorted(CODE.findall(form))) for name, form in text.forms.items()}


def test_what_is_said_has_its_text(said: list[Said]) -> None:
    assert [f"{place.where} says {place.key}" for place in said if not meant(place)] == []


def test_a_text_is_given_every_field_where_it_is_said(said: list[Said]) -> None:
    known = [(place, key, text) for place in said if place.fields is not None for key, text in meant(place).items()]

    assert known
    assert [f"{place.where} says {key}" for place, key, text in known if place.fields != due(text)] == []


def test_no_text_is_in_the_catalogue_that_nobody_says(said: list[Said]) -> None:
    keys = {key for place in said for key in meant(place)}

    assert sorted(catalogue(ENGLISH).keys() - keys) == []


def test_german_and_spanish_are_there() -> None:
    assert {"de", "es"} <= {*OTHERS}


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_says_all_that_english_says_and_no_more(code: str) -> None:
    assert catalogue(code).keys() == catalogue(ENGLISH).keys()


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_forms_the_fields_and_the_code_of_the_original(code: str) -> None:
    translated = {key: kept(text) for key, text in catalogue(code).items()}

    assert {key: kept(text) for key, text in catalogue(ENGLISH).items()} == translated


@pytest.mark.parametrize("code", languages())
def test_the_keys_of_the_desk_fit_into_a_line_of_a_terminal(code: str) -> None:
    offered = [f"{key[-1]} {text.of({})}" for key, text in catalogue(code).items() if key.startswith("desk.key.")]

    assert len("  ".join(["", *offered])) <= 80
