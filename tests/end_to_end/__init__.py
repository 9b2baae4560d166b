"""Promises that only the whole can keep: the command, the report, and what submissions can and cannot bring about."""
