"""Reads a student's work as bytes: no import, no execution, no link followed."""
