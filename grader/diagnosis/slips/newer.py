"""What a newer Python than this one reads, and this one does not."""

from __future__ import annotations

import re
import sys

from grader.diagnosis.places.texts import LONGEST_STATEMENT
from grader.model.observation import Fault
from grader.words import say

Version = tuple[int, int]
# A letter behind a quote is one of a text.
ALONE = r"(?<![\w\"'])"
# What a line holds or Python says of it, and the first version that reads it.
NEWER_LINES: tuple[tuple[re.Pattern[str], Version], ...] = (
    (re.compile(r"^\s*type\s+\w+\s*(\[.+\])?\s*=(?!=)"), (3, 12)),
    (re.compile(r"^\s*(async\s+def|def|class)\s+\w+\["), (3, 12)),
    # The quotes of an f-string again inside of its braces, where a text may begin.
    (
        re.compile(
            rf"{ALONE}[fF](?P<q>[\"'])(?:(?!(?P=q)).)*\{{(?:[^{{}}\"']*[\[(,]\s*)?(?P=q)[^{{}}]*(?P=q)[^{{}}]*\}}"
        ),
        (3, 12),
    ),
    (re.compile(rf"{ALONE}[tT][\"'].*\{{.*\}}"), (3, 14)),
)
NEWER_MESSAGES: tuple[tuple[str, Version], ...] = (
    ("f-string expression part cannot include", (3, 12)),
    ("multiple exception types must be parenthesized", (3, 14)),
)


def of_fault(fault: Fault, text: str, here: Version = sys.version_info[:2]) -> str:
    """What there is to say of a line that Python cannot read, and a newer one can; "" where none could.

    text: of that line. here: the version that reads the solution.
    """
    if fault.kind != "syntax":
        return ""
    by_line = (since for line, since in NEWER_LINES if line.search(text[:LONGEST_STATEMENT]))
    by_message = (since for message, since in NEWER_MESSAGES if fault.message.startswith(message))
    since = next((each for each in (*by_line, *by_message) if each > here), None)
    return say("judge.newer-python", since=_written(since), here=_written(here)) if since else ""


def _written(version: Version) -> str:
    return ".".join(map(str, version))
