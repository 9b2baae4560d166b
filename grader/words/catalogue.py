"""Says a sentence in the language that is spoken, and hears by which key a sentence was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Any, cast

from grader.words.spoken import CATALOGUES, ENGLISH, language, languages

# A catalogue's own table: what the language is called, and which numbers take the form `one`.
ABOUT = "language"
FORMS = {"one", "other"}
# Conversions that `str.format` does not have begin with this, as all do.
CONVERTED = "!"


@dataclass(frozen=True, slots=True)
class Text:
    """What a catalogue has under a key. forms: "other", and "one" where the number decides. ones: what takes "one"."""

    forms: Mapping[str, str]
    ones: tuple[int, ...]

    def of(self, fields: Mapping[str, object]) -> str:
        return self.forms["one" if len(self.forms) > 1 and fields["count"] in self.ones else "other"]


def say(key: str, /, **fields: object) -> str:
    """The text of a key, with its fields put in; English where the language has none. Raises KeyError for no key.

    count: the field that decides between the forms of a text that has several.
    """
    text = catalogue(language()).get(key) or catalogue(ENGLISH)[key]
    form = text.of(fields)
    # What formats in C takes a tenth of the time, and a page has hundreds of texts.
    return _FILLING.vformat(form, (), fields) if CONVERTED in form else form.format(**fields)


def all_of(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; "" where there are none."""
    *others, last = list(names) or [""]
    return say("join.and").join([", ".join(others), last]) if others else last


def heard(key: str, said: str) -> Mapping[str, str] | None:
    """The fields with which a sentence was said by this key, be it in another language; None where it was not."""
    for pattern in _patterns(key):
        if found := pattern.fullmatch(said):
            return found.groupdict()
    return None


def saying(key: str) -> str:
    """A class's attribute that says a key whenever it is asked for. Typed as what it gives, as `dataclasses.field`."""
    return cast("str", _Saying(key))


@cache
def catalogue(code: str) -> Mapping[str, Text]:
    """Every text of a language by its key, such as "judge.timeout"."""
    import tomllib  # only where something is said

    read = tomllib.loads((CATALOGUES / f"{code}.toml").read_text("utf-8"))
    return dict(_texts("", read, tuple(read[ABOUT]["one"])))


def _texts(prefix: str, table: Mapping[str, Any], ones: tuple[int, ...]) -> Iterator[tuple[str, Text]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str):
            yield key, Text({"other": value}, ones)
        elif value.keys() == FORMS:
            yield key, Text(value, ones)
        elif key != ABOUT:
            yield from _texts(f"{key}.", value, ones)


@cache
def _patterns(key: str) -> tuple[re.Pattern[str], ...]:
    """What a sentence looks like that is said by a key, in each language and form."""
    found = [catalogue(code).get(key) for code in (ENGLISH, *languages())]
    forms = dict.fromkeys(form for text in found if text is not None for form in text.forms.values())
    return tuple(re.compile("".join(_pieces(form)), re.DOTALL) for form in forms)


def _pieces(form: str) -> Iterator[str]:
    fields = set[str]()
    for literal, field, _, _ in Formatter().parse(form):
        yield re.escape(literal)
        if field is not None:
            yield f"(?P={field})" if field in fields else f"(?P<{field}>.*?)"
            fields.add(field)


class _Filling(Formatter):
    """`str.format` with conversions of ours, for languages that write a noun so.

    `{title!l}` has a small first letter, `{type!n}` the English article in front: a list, an int.
    """

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "l":
            return str(value)[:1].lower() + str(value)[1:]
        if conversion == "n":
            return f"an {value}" if str(value).lstrip("_")[:1].lower() in {*"aeio"} else f"a {value}"
        return super().convert_field(value, cast("Any", conversion))


_FILLING = _Filling()


class _Saying:
    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, instance: object, owner: type) -> str:
        return say(self._key)
