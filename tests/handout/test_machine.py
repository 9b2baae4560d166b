"""What a workspace needs of a machine is said in one sentence, with what to do."""

from __future__ import annotations

import pytest

from grader.handout.machine import said_of_machine


@pytest.mark.parametrize(
    ("torch", "python", "said"),
    [
        ("2.13.0+cpu", "3.11.7", "Python 3.11.7 and torch 2.13.0+cpu will do."),
        ("2.8", "3.13.0rc1", "Python 3.13.0rc1 and torch 2.8 will do."),
        ("", "3.12.1", "torch is not installed yet; `make grade` does that"),
        ("2.13.0", "3.10.9", "Python 3.10.9 is too old for it: it needs 3.11 or newer"),
        ("2.5.1+cu121", "3.11.7", "torch 2.5.1+cu121 is too old for it: it needs 2.8 or newer"),
    ],
)
def test_a_machine_is_told_whether_it_will_do(torch: str, python: str, said: str) -> None:
    assert said in said_of_machine(torch, python)
