"""Reads a pack: rubrics, fixtures, solutions' whereabouts. Says everything that is wrong with them at once."""
