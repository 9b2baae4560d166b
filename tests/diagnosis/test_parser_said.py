"""What Python's parser says is told in the language of the report, whatever this Python's own words are."""

from __future__ import annotations

import sys

import pytest

from grader.diagnosis.parser_said import in_words
from grader.words import ENGLISH, say, speaking

BROKEN = {
    "x = = 1": "parser.invalid",
    "x = (1 2)": "parser.comma",
    "if x = 1:\n    pass": "parser.equals",
    "def f()\n    pass": "parser.colon",
    "x = (1": "parser.never-closed",
    "x = 1)": "parser.unmatched",
    "x = (1]": "parser.mismatched",
    "x = (1,\n  2]": "parser.mismatched-from",
    "x = 'a": "parser.unterminated",
    'x = """a\nb': "parser.unterminated-until",
    "d-k = 64": "parser.unassignable",
    "f(x) = 3": "parser.unassignable",
    "x = 1\n  y = 2": "parser.indent",
    "if x:\n    y = 1\n  z = 2": "parser.unindent",
    "def f():\nreturn 1": "parser.block",
    "if x:\n\ty = 1\n        z = 2": "parser.tabs",
    "return 1": "parser.outside",
    "x = a \\ b": "parser.continuation",
    "x = a – b": "parser.character",
    "x = a\u00a0+ b": "parser.unprintable",
}
# As Python 3.12 begins to ask, and earlier ones call invalid syntax.
TURNED_ROUND = "Did you mean to use 'from ... import ...' instead"
FIELDS = {"bracket": "(", "opening": "(", "closing": "]", "word": "return"}
CHARACTERS = {"parser.character": {"character": "–", "code": "U+2013"}, "parser.unprintable": {"code": "U+00A0"}}


def message_of(source: str) -> str:
    with pytest.raises(SyntaxError) as caught:
        compile(source, "ex01.py", "exec")
    return caught.value.msg.rstrip("?.")


@pytest.mark.parametrize(("source", "key"), BROKEN.items())
@pytest.mark.parametrize("code", ["de", "es"])
def test_what_is_said_most_often_is_translated(source: str, key: str, code: str) -> None:
    said = message_of(source)

    with speaking(code):
        line = "2" if key == "parser.unterminated-until" else "1"
        fields = FIELDS | {"bracket": "(" if "never" in key else ")", "line": line} | CHARACTERS.get(key, {})
        assert in_words(said) == say(key, **fields)
    with speaking(ENGLISH):
        assert in_words(said) == said


@pytest.mark.parametrize("source", ["x = “a”", "x = ‘a’", "x = „a“", "f(x, ’a’)"])
@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_of_curly_quotes_it_is_told_where_they_come_from_and_what_to_write(source: str, code: str) -> None:
    said = message_of(source)
    quote = next(each for each in source if not each.isascii())

    with speaking(code):
        character = {"character": quote, "code": f"U+{ord(quote):04X}"}
        plain = said if code == ENGLISH else say("parser.character", **character)
        assert in_words(said) == say("parser.curly", said=plain)
        assert in_words(said).startswith(plain)
        assert "`'`" in in_words(said) and '`"`' in in_words(said)


@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_of_an_import_that_is_turned_round_it_is_told_how_it_is_written(code: str) -> None:
    said = message_of("import nn from torch") if sys.version_info >= (3, 12) else TURNED_ROUND

    with speaking(code):
        assert in_words(said) == say("parser.turned-round")
        assert "`from … import …`" in in_words(said)


@pytest.mark.parametrize("source", ["def f(): await x", "f() += 1", "None = 3", "f(a + 1 = 3)"])
def test_of_what_is_not_meant_by_any_of_these_nothing_else_is_said(source: str) -> None:
    said = message_of(source)

    with speaking("de"):
        assert in_words(said) == said
