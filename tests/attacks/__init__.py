"""Submissions that attack the grader. `python -m tests.attacks` prints which layer holds what."""
