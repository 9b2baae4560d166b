"""Finds each weight of the reference its place in a student's module, by one way of keeping them each."""
