"""What the parent asks of a zygote is read as it was written."""

from __future__ import annotations

import pytest

from grader.wire.control import END, FORK, LEARN, NUMBER_BYTES, read_request, request


@pytest.mark.parametrize(("letter", "number"), [(FORK, 0), (LEARN, 200), (END, 1), (END, 2**22), (END, 2**63)])
def test_a_request_is_read_as_it_was_written(letter: bytes, number: int) -> None:
    data = request(letter, number)

    assert len(data) == 1 + NUMBER_BYTES
    assert read_request(data) == (letter, number)
