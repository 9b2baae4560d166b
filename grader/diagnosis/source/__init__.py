"""Reads a solution's source: as a tree, and by what a definition calls, reaches and gives back."""
