"""Finders of the statement that a teacher would point at, by what they find; `place` says which mistake takes which."""
