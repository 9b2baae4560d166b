"""Slips of the language, each told in words of its own."""
