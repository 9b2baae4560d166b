"""The suite is graded as the end-to-end tests grade."""

from tests.end_to_end.conftest import mark

__all__ = ["mark"]
