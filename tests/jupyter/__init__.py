"""Grading inside a notebook."""
