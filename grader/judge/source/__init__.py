"""Reads a solution's source for all who judge: as a tree, and by what a definition calls, reaches and gives back."""
