"""Which language is spoken, and how a text is said and heard in it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from grader import words
from grader.model.errors import NotWritten
from grader.words import all_of, heard, say, speak, speaking
from grader.words.catalogue import _patterns, catalogue
from grader.words.spoken import CATALOGUES

FRENCH = """
[language]
name = "Français"
one = [0, 1]

[count]
steps = { one = "{count} étape", other = "{count} étapes" }
"""


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "es_MX.UTF-8@euro"}, "es"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
        ({"LANG": ".."}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "es_ES.UTF-8"}, "es"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "es_ES.UTF-8"}, "de"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "xx:es:de"}, "es"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANGUAGE": "de"}, "en"),
        ({"LANG": "C", "LANGUAGE": "de"}, "en"),
    ],
)
def test_the_machines_language_is_found_as_gettext_finds_it(environment: Mapping[str, str], code: str) -> None:
    assert words.of_environment(environment) == code


def test_a_language_that_is_not_there_is_never_spoken() -> None:
    with pytest.raises(LookupError):
        speak("xx")

    assert words.language() == "en"


def test_two_threads_each_speak_their_own_language() -> None:
    said: dict[str, str] = {}
    both = threading.Barrier(2)

    def work(code: str) -> None:
        with speaking(code):
            both.wait()
            said[code] = say("judge.not-started")

    threads = [threading.Thread(target=work, args=(code,)) for code in ("de", "es")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert said == {"de": "Noch nicht begonnen.", "es": "Todavía sin empezar."}
    assert say("judge.not-started") == "Not started yet."


def test_the_number_decides_between_the_forms_of_a_text() -> None:
    assert [say("count.steps", count=count) for count in (0, 1, 2)] == ["0 steps", "1 step", "2 steps"]
    with speaking("de"):
        assert [say("count.steps", count=count) for count in (0, 1, 2)] == ["0 Schritte", "1 Schritt", "2 Schritte"]


def test_a_title_in_a_sentence_begins_small_where_a_language_writes_it_so() -> None:
    assert say("judge.waits", step="ex10.output", title="Context vectors") == "Waits for ex10.output (context vectors)."
    with speaking("de"):
        assert say("judge.waits", step="ex10.output", title="Kontextvektoren").endswith("(Kontextvektoren).")


def test_what_a_field_holds_is_put_in_as_it_is() -> None:
    assert say("judge.did-you-mean", name="{count} {0} %s") == "did you mean `{count} {0} %s`?"


def test_what_to_do_about_an_error_is_said_in_the_language_that_is_spoken_then() -> None:
    error = NotWritten("x")

    assert error.remedy == "Name another place, or see that there is room and that you may write there."
    with speaking("es"):
        assert error.remedy == "Indica otro lugar, o asegúrate de que allí haya sitio y de que puedas escribir."


@pytest.mark.parametrize("code", words.languages())
def test_a_sentence_is_heard_whatever_language_it_was_said_in(code: str) -> None:
    with speaking(code):
        said = say("note.no-device", device="cuda")
        twice = say("judge.not-infinite", count=2, infinity="-inf")

    assert heard("note.no-device", said) == {"device": "cuda"}
    assert heard("note.public-alone", said) is None
    assert heard("note.no-device", f"{said} And more.") is None
    assert heard("judge.not-infinite", twice) == {"count": "2", "infinity": "-inf"}


@pytest.fixture
def a_little_french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue that has just been begun, beside the English one."""
    (tmp_path / "fr.toml").write_text(FRENCH, "utf-8")
    (tmp_path / "en.toml").write_bytes((CATALOGUES / "en.toml").read_bytes())
    for module in ("catalogue", "spoken"):
        monkeypatch.setattr(f"grader.words.{module}.CATALOGUES", tmp_path)
    for kept in (catalogue, words.languages, _patterns):
        kept.cache_clear()
    yield
    for kept in (catalogue, words.languages, _patterns):
        kept.cache_clear()


def test_what_a_catalogue_lacks_is_said_in_english(a_little_french: None) -> None:
    with speaking("fr"):
        assert say("judge.not-started") == "Not started yet."
        assert say("count.exercises", count=0) == "0 exercises"


def test_a_language_says_which_numbers_take_the_form_for_one(a_little_french: None) -> None:
    with speaking("fr"):
        assert [say("count.steps", count=count) for count in (0, 1, 2)] == ["0 étape", "1 étape", "2 étapes"]


@pytest.mark.parametrize(
    ("names", "said"),
    [([], ""), (["ex01"], "ex01"), (["ex01", "ex02"], "ex01 und ex02"), (["a", "b", "c"], "a, b und c")],
)
def test_names_are_said_one_after_the_other(names: list[str], said: str) -> None:
    with speaking("de"):
        assert all_of(names) == said
