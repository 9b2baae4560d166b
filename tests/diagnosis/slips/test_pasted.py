"""What is left in a file of where it was copied from is told as what it is."""

from __future__ import annotations

import pytest

from grader.diagnosis.slips.pasted import of_fault
from grader.model.observation import Fault

FENCE = "three backquotes mark code in Markdown and are no Python: take out the lines that begin with them"
CONFLICT = "such a line is Git's, where two versions of a file differ: keep one of the two, and take out these lines"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```python", FENCE),
        ("  ```", FENCE),
        ("<<<<<<< HEAD", CONFLICT),
        ("=======", CONFLICT),
        (">>>>>>> main", CONFLICT),
        ("||||||| 3f2a", CONFLICT),
        ("x = a ======= b", ""),
        ("x << 2 <<<<<<< 3", ""),
        ("``x``", ""),
        ("x = (1", ""),
    ],
)
def test_marks_of_markdown_and_of_git_are_told(text: str, said: str) -> None:
    assert of_fault(Fault("syntax", "SyntaxError", "invalid syntax"), text) == said
    assert of_fault(Fault("exception", "NameError", "no"), text) == ""
