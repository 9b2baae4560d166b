"""Which languages there are, and which one is spoken: one for the process, or another for what one thread is at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

CATALOGUES = Path(__file__).parent
# The language that everything is written in first, and that stands in for what another one lacks.
ENGLISH = "en"
# In this order: https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
# The locale of a machine that speaks to programs: English, whatever LANGUAGE says.
NOBODYS = ("", "C", "POSIX")

_of_process = ENGLISH
_of_task: ContextVar[str] = ContextVar("language", default="")


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that have a catalogue, such as "de"."""
    return tuple(sorted(file.stem for file in CATALOGUES.glob("*.toml")))


def language() -> str:
    """The code of the language that is spoken."""
    return _of_task.get() or _of_process


def speak(code: str) -> None:
    """Have the whole process speak a language from now on. Raises LookupError where there is no catalogue for it."""
    global _of_process
    _of_process = _known(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """While this lasts, have this thread speak a language. Raises LookupError where there is no catalogue for it."""
    before = _of_task.set(_known(code))
    try:
        yield
    finally:
        _of_task.reset(before)


def of_environment(environment: Mapping[str, str]) -> str:
    """The language that a person's machine is set to, as gettext finds it; English where that has no catalogue.

    https://www.gnu.org/software/gettext/manual/html_node/Locale-Environment-Variables.html
    """
    locale = next((value for name in LOCALES if (value := environment.get(name))), "")
    if _plain(locale) in NOBODYS:
        return ENGLISH
    wished = (environment.get("LANGUAGE") or locale).split(":")
    known = (code for each in wished for code in (_plain(each), _plain(each).partition("_")[0]) if code in languages())
    return next(known, ENGLISH)


def _plain(locale: str) -> str:
    """A locale without its encoding and its variant: "de_DE" of "de_DE.UTF-8@euro"."""
    return locale.partition(".")[0].partition("@")[0]


def _known(code: str) -> str:
    if code not in languages():
        raise LookupError(code)
    return code
