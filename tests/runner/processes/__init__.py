"""Processes that are started, watched, killed and started anew."""
