"""The door that packs, solutions, checks, reporters and executors come in by: ours and third parties' alike."""

from __future__ import annotations

import pluggy

PROJECT = "attention_kit"
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function as an answer to one of the hooks in `grader.plugins.hooks`."""
