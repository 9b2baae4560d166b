"""Slips of the language: what Python or torch stumbles over, and what was to stand there, one kind each."""
