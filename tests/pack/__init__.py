"""Rubrics, stubs and fixtures, whole and broken."""
