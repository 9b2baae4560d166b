"""What is said is in the catalogue, what is in the catalogue is said, and every language says the same."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from grader.words import ENGLISH, languages
from grader.words.catalogue import Text, catalogue

from .said import Said, everything, fields_of

SAID = list(everything())
OTHERS = [code for code in languages() if code != ENGLISH]
CODE = re.compile(r"`[^`]*`")


def meant(said: Said) -> Mapping[str, Text]:
    """The texts of the English catalogue that a place may say."""
    texts = catalogue(ENGLISH)
    if said.is_prefix:
        return {key: text for key, text in texts.items() if key.startswith(said.key)}
    return {key: texts[key] for key in [said.key] if key in texts}


def forms(text: Text) -> list[str]:
    return [text.forms[name] for name in sorted(text.forms)]


@pytest.mark.parametrize("said", SAID, ids=lambda said: f"{said.where}-{said.key}")
def test_what_is_said_has_its_text_and_gives_it_every_field(said: Said) -> None:
    texts = meant(said)
    assert texts, f"{said.where} says {said.key}, which the catalogue lacks"

    for key, text in texts.items():
        due = {field for form in forms(text) for field in fields_of(form)}
        due |= {"count"} if len(text.forms) > 1 else set()
        if said.fields is not None:
            assert said.fields == due, f"{said.where} says {key}"


def test_no_text_is_in_the_catalogue_that_nobody_says() -> None:
    said = {key for place in SAID for key in meant(place)}

    assert sorted(catalogue(ENGLISH).keys() - said) == []


def test_german_and_spanish_are_there() -> None:
    assert {"de", "es"} <= {*OTHERS}


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_says_all_that_english_says_and_no_more(code: str) -> None:
    assert catalogue(code).keys() == catalogue(ENGLISH).keys()


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("key", sorted(catalogue(ENGLISH)))
def test_a_translation_has_the_forms_the_fields_and_the_code_of_the_original(key: str, code: str) -> None:
    original, translation = catalogue(ENGLISH)[key], catalogue(code)[key]

    assert translation.forms.keys() == original.forms.keys()
    for ours, theirs in zip(forms(original), forms(translation), strict=True):
        assert fields_of(theirs) == fields_of(ours)
        assert sorted(CODE.findall(theirs)) == sorted(CODE.findall(ours))


@pytest.mark.parametrize("code", languages())
def test_the_keys_of_the_desk_fit_into_a_line_of_a_terminal(code: str) -> None:
    offered = [f"{key[-1]} {text.of({})}" for key, text in catalogue(code).items() if key.startswith("desk.key.")]

    assert len("  ".join(["", *offered])) <= 80
