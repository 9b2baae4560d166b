"""What Python's parser says most often, in the language of the report; Python says it in English alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from grader.words import ENGLISH, language, say

Spoken = Callable[[Mapping[str, str]], str]
# As CPython's parser and tokenizer word it: https://docs.python.org/3/whatsnew/3.10.html#syntaxerrors
SAID: Mapping[str, Spoken] = {
    r"invalid syntax": lambda _: say("parser.invalid"),
    r"invalid syntax\. Perhaps you forgot a comma": lambda _: say("parser.comma"),
    r"invalid syntax\. Maybe you meant '==' (or ':=' )?instead of '='": lambda _: say("parser.equals"),
    r"expected ':'": lambda _: say("parser.colon"),
    r"'(?P<bracket>.)' was never closed": lambda found: say("parser.never-closed", **found),
    r"unmatched '(?P<bracket>.)'": lambda found: say("parser.unmatched", **found),
    r"closing parenthesis '(?P<closing>.)' does not match opening parenthesis '(?P<opening>.)'": lambda found: say(
        "parser.mismatched", **found
    ),
    r"closing parenthesis '(?P<closing>.)' does not match opening parenthesis '(?P<opening>.)' on line (?P<line>\d+)": (
        lambda found: say("parser.mismatched-from", **found)
    ),
    r"unterminated (f-)?string literal \(detected at line \d+\)": lambda _: say("parser.unterminated"),
    r"unterminated triple-quoted (f-)?string literal \(detected at line (?P<line>\d+)\)": lambda found: say(
        "parser.unterminated-until", line=found["line"]
    ),
    r"cannot assign to .* here\. Maybe you meant '==' instead of '='": lambda _: say("parser.unassignable"),
    r"unexpected indent": lambda _: say("parser.indent"),
    r"unindent does not match any outer indentation level": lambda _: say("parser.unindent"),
    r"expected an indented block after .* on line (?P<line>\d+)": lambda found: say("parser.block", **found),
    r"inconsistent use of tabs and spaces in indentation": lambda _: say("parser.tabs"),
    r"unexpected character after line continuation character": lambda _: say("parser.continuation"),
    r"invalid character '(?P<character>.)' \((?P<code>U\+[0-9A-F]+)\)": lambda found: say("parser.character", **found),
    r"invalid non-printable character (?P<code>U\+[0-9A-F]+)": lambda found: say("parser.unprintable", **found),
    r"'(?P<word>return|yield)' outside function": lambda found: say("parser.outside", **found),
}
# What word processors make of the plain ones, and Python takes for none.
CURLY = re.compile(r"invalid character '[“”„‟‘’‚‛]'")
# What Python 3.12 begins to ask, which without its question mark would tell something else.
TURNED_ROUND = "Did you mean to use 'from ... import ...' instead"


def in_words(message: str) -> str:
    """A parser's message as it is said in the language of the report: in English, and where it is a rare one, as it is.

    Of curly quotes, and of an import that is turned round, with what to write. message: without a full stop or question
    mark at its end.
    """
    if message == TURNED_ROUND:
        return say("parser.turned-round")
    said = _spoken(message)
    return say("parser.curly", said=said) if CURLY.match(message) else said


def _spoken(message: str) -> str:
    if language() == ENGLISH:
        return message
    for pattern, spoken in SAID.items():
        if found := re.fullmatch(pattern, message):
            return spoken(found.groupdict())
    return message
