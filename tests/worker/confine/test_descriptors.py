"""A child has its channel and the standard three, whatever was open before."""

from __future__ import annotations

import pytest

from .conftest import applied

LEFT = """
def is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
print([fd for fd in range(5000) if is_open(fd)])
"""
OPENED = """
here = os.open("/", os.O_RDONLY)
for fd in (3, 4, 5, 7, 100, 999):
    os.dup2(here, fd)
"""


@pytest.mark.parametrize("channel", [3, 4, 7, 100, 999])
def test_every_other_descriptor_is_closed_wherever_the_channel_lies(channel: int) -> None:
    assert applied("descriptors", LEFT, channel=channel, before=OPENED) == f"[0, 1, 2, {channel}]"
